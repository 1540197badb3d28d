"""Each filter of items of ours: what would be asked without it, and that the build counts it."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import cli
from pytest_metaspace.suites.embspatial import DEPTHS, _asking, _rooms
from tests.suites.embspatial_seen import complaints
from tests.suites.embspatial_shortcuts import by_row, figures

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

ITEMS = 96
MOST = 0.3
"""As often as an agent that solves nothing may be right, by five points more than guessing."""
TRUTH = (
    (_rooms, "tied", False, _rooms.TIED, "two depths are too much alike"),
    (_rooms, "touch", False, _rooms.NEAR, "is not seen whole where its box is"),
    (_rooms, "in_one_column", False, _rooms.COLUMN, "2 feet are seen under"),
    (_rooms, "foot_hidden", False, _rooms.HIDDEN, "0 feet are seen under"),
    (_asking, "askew", False, _asking.ASKEW, "these are true"),
    (_asking, "lies", True, _asking.OTHERWISE, "these are true"),
)
BLIND = (
    (_asking, "height_in_turn", True, _asking.HEIGHT, ("highest", "lowest")),
    (_asking, "looks_in_turn", True, _asking.LOOKS, ("smallest", "biggest")),
)
Filter = tuple["ModuleType", str, bool, str]


def without(one: Filter, patch: pytest.MonkeyPatch) -> None:
    """Switch a filter off."""
    module, name, value, reason = one
    dropped: Counter[str] = Counter()
    for number in range(24):
        _asking.item(1, number, dropped)
    assert dropped[reason] > 0
    patch.setattr(module, name, lambda *_: value)


def drawn(count: int) -> list[dict[str, Any]]:
    return [_asking.item(1, number) for number in range(count)]


def test_with_all_filters_pictures_say_nothing_against_items() -> None:
    assert [problem for one in drawn(ITEMS) for problem in complaints(one)] == []


@pytest.mark.parametrize("filter_", TRUTH, ids=lambda one: one[1])
def test_without_a_filter_pictures_contradict_items(
    filter_: tuple[ModuleType, str, bool, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    *switched, told = filter_
    without(tuple(switched), monkeypatch)  # type: ignore[arg-type]
    found = [problem for one in drawn(ITEMS) for problem in complaints(one)]
    assert any(told in problem for problem in found), found


@pytest.mark.parametrize("filter_", BLIND, ids=lambda one: one[1])
def test_without_a_filter_looks_tell_the_depth(
    filter_: tuple[ModuleType, str, bool, str, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    *switched, agents = filter_
    monkeypatch.setattr(_asking, "picture", lambda _: "")
    before = _best(agents)
    without(tuple(switched), monkeypatch)  # type: ignore[arg-type]
    assert before <= MOST < _best(agents)


def _best(agents: tuple[str, ...]) -> float:
    rows = by_row(drawn(ITEMS))
    return max(figures(rows[task])[agent] for task in DEPTHS for agent in agents)


def test_a_build_says_what_each_filter_dropped_and_keeps_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["build", "embspatial", "--seed", "1", "--items", "24", str(tmp_path / "out")]
    assert cli.main(command) == 0
    told = capsys.readouterr().out
    kept = json.loads((tmp_path / "out" / "build.json").read_text())["dropped"]
    filters = {reason for *_, reason, _ in (*TRUTH, *BLIND)}
    assert filters | {_rooms.FULL, _asking.NO_PAIR} == set(kept)
    for reason, count in kept.items():
        assert f"  dropped {reason} ({count})\n" in told
    assert cli.main(command) == 0
    again = capsys.readouterr().out
    assert "all are there already" in again
    assert again.count("  dropped ") == len(kept)
