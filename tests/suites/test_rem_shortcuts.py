"""Who looks at no picture gets nowhere, and who sees badly is found out."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.suites.rem import _questions
from pytest_metaspace.suites.rem._names import COUNT, FULL_ROTATION, SINGLE_FRAME, TASKS
from tests.suites.rem_mutants import scores, table
from tests.suites.rem_shortcuts import (
    CONSTANT,
    asked_for,
    figures,
    label,
    level,
    names_of,
    written,
)
from tests.suites.rem_walks import walk

if TYPE_CHECKING:
    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.rem._questions import Questions
    from pytest_metaspace.suites.rem._seen import Walk

    Asked = list[tuple[Walk, Questions]]

PAGE = Path(__file__).parents[2] / "docs" / "suite-rem.md"
NUMBERS = {COUNT, SINGLE_FRAME, FULL_ROTATION}
LEAST = 400
MOST = 0.05
"""By so much an agent may do better than a constant answer."""


@pytest.fixture(scope="module")
def as_written() -> dict[str, list[Posing]]:
    """At least 400 questions of each task, without changed ones."""
    found: dict[str, list[Posing]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_questions, "relate", lambda _: None)
        for number in range(110):
            found_now = _questions.items(walk(number, frames=24, objects=24, doubles=8))
            _more(found, found_now)
        for number in range(80):
            _more(found, _questions.items(walk(number, kind="rotation", frames=12, objects=24)))
        for number in range(150):
            _more(found, _questions.items(walk(number, kind="frame", frames=1, objects=20)))
    return found


def _more(found: dict[str, list[Posing]], items: list[Item]) -> None:
    for task, posings in written(items).items():
        found.setdefault(task, []).extend(posings)


@pytest.mark.parametrize("task", TASKS)
def test_no_shortcut_does_better_than_a_constant_answer(
    as_written: dict[str, list[Posing]], task: str
) -> None:
    posings = as_written[f"REM-{task}"]
    assert len(posings) >= LEAST
    told = figures(posings)
    assert max(told.values()) <= told[CONSTANT] + MOST, told


def test_where_no_kind_is_there_twice_nobody_is_asked_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_questions, "relate", lambda _: None)
    found: dict[str, list[Posing]] = {}
    for number in range(100):
        _more(found, _questions.items(walk(number, frames=60, objects=17, doubles=0)))
    posings = found["REM-count"]
    assert len(posings) >= LEAST
    told = figures(posings)
    assert max(told.values()) <= told[CONSTANT] + MOST, told


def test_shapes_of_which_there_are_many_are_asked_for_rarely(
    as_written: dict[str, list[Posing]],
) -> None:
    found = Counter(level(asked_for(one)[0]) for one in as_written["REM-count"])
    assert set(found) == {"kind", "colour", "shape"}
    assert found["shape"] < 0.25 * found.total()


def test_a_full_rotation_shows_as_often_none_as_one_and_more(
    as_written: dict[str, list[Posing]],
) -> None:
    found = Counter(min(label(one), 2) for one in as_written["REM-full-rotation"])
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("task", sorted(set(TASKS) - NUMBERS))
def test_each_option_is_right_equally_often(as_written: dict[str, list[Posing]], task: str) -> None:
    posings = as_written[f"REM-{task}"]
    options = len(posings[0].options)
    for share in Counter(map(label, posings)).values():
        assert share / len(posings) == pytest.approx(1 / options, abs=0.06)


def test_left_is_as_often_the_first_by_alphabet_as_the_second(
    as_written: dict[str, list[Posing]],
) -> None:
    found: Counter[tuple[str, str, bool]] = Counter()
    for one in as_written["REM-left-right"]:
        told = re.search(r"is the (.+?) to the (left|right) of the (.+?)\?", one.text)
        assert told
        found[str(one.answer), told[2], told[1] < told[3]] += 1
    assert len(found) == 8
    assert min(found.values()) > 0.07 * found.total()


@pytest.mark.parametrize("task", ["compare-in", "compare-out", "order"])
def test_names_come_in_no_order(as_written: dict[str, list[Posing]], task: str) -> None:
    pairs = [names_of(one) for one in as_written[f"REM-{task}"]]
    assert sum(first < second for first, second in pairs) / len(pairs) == pytest.approx(
        0.5, abs=0.1
    )


def test_a_kind_that_was_never_seen_is_asked_for_in_one_of_ten(
    as_written: dict[str, list[Posing]],
) -> None:
    posings = as_written["REM-count"]
    never = sum(one.answer == 0 for one in posings)
    assert never / len(posings) == pytest.approx(0.1, abs=0.04)


def test_each_fault_is_found_by_a_relation_and_a_mirror_by_accuracy_alone(asked: Asked) -> None:
    right, held = scores(asked)
    told = "\n".join(table(right, held))
    assert told in PAGE.read_text(encoding="utf-8"), told
    assert right["takes left for right"].pop("REM-left-right") == 0
    assert set(right["takes left for right"].values()) == {1.0}
    assert set(held.pop("takes left for right").values()) == {1.0}
    assert held["takes behind for in front"]["REM-SHIFTED"] < 0.75
    assert held["counts again what comes back"]["REM-RETURNED"] < 0.6
    assert held["forgets what is out of view"]["REM-RETURNED"] < 0.6
