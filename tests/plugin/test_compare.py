"""``metaspace compare`` needs no pytest, and its exit status says who got worse."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import cli, records
from pytest_metaspace.domain import Outcome, Record, Settings

if TYPE_CHECKING:
    from pathlib import Path

S, V = Outcome.SATISFIED, Outcome.VIOLATED


def saved(folder: Path, name: str, count: int, wrong: int = 0, **more: Any) -> str:
    """Write a baseline of so many trajectories with two cases each; in some both are violated."""
    made = Record(
        agent=name.partition(".")[0],
        identity=None,
        made_by="0.1.0",
        wording={},
        settings=Settings(),
        anchored=frozenset(),
        trajectories={f"t{number:02d}": "x" for number in range(count)},
        outcomes={
            f"t{number:02d}::SC1-a::MR1::{case}": V if number < wrong else S
            for number in range(count)
            for case in "ab"
        },
    )
    records.write_baseline(folder / name, replace(made, **more))
    return str(folder / name)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("count", "wrong", "status", "said"),
    [
        (12, (0, 0), 0, "no capability fell"),
        (12, (0, 12), 1, "worse by more than chance: SC1-a"),
        (12, (12, 0), 0, "better by more than chance: SC1-a"),
        (12, (0, 1), 0, "no capability fell by more than chance"),
        (3, (0, 3), 2, "cannot decide: SC1-a fell, and to tell takes 10 trajectories or so"),
        (3, (3, 0), 0, "no capability fell"),
    ],
)
def test_the_exit_status_says_whether_somebody_got_worse(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    count: int,
    wrong: tuple[int, int],
    status: int,
    said: str,
) -> None:
    files = [saved(here, f"{name}.txt", count, bad) for name, bad in zip("ab", wrong)]
    assert cli.main(["compare", *files]) == status
    assert capsys.readouterr().out.splitlines()[-1] == said


def test_nothing_in_common_is_undecided(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = saved(here, "a.txt", 12)
    other = saved(here, "b.txt", 12, outcomes={"u::SC1-a::MR1::a": S})
    assert cli.main(["compare", one, other]) == 2
    assert "cannot decide: they have no case in common" in capsys.readouterr().out


def test_several_agents_stand_side_by_side(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [saved(here, f"{name}.txt", 12, bad) for name, bad in zip("abc", (0, 12, 0))]
    assert cli.main(["compare", *files]) == 1
    told = capsys.readouterr().out
    assert "a.txt: 24 cases of 12 trajectories, agent a" in told
    row = next(line for line in told.splitlines() if line.startswith("SC1-a"))
    assert row.split() == ["SC1-a", "1.000", "0.000", "WORSE", "1.000", "no", "change"]
    assert "note: agent 'a', now 'c'" in told


def test_json_says_it_all(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [saved(here, "a.txt", 12), saved(here, "b.txt", 12, 12)]
    assert cli.main(["compare", "--json", *files]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["format"], found["version"], found["status"]) == ("metaspace-comparison", 1, 1)
    (other,) = found["comparisons"]
    assert other["capabilities"][0]["judged"] == "worse"
    assert len(other["cases"]["newly_violated"]) == 24


def test_what_was_judged_otherwise_is_compared_only_when_that_is_wanted(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [saved(here, "a.txt", 12), saved(here, "b.txt", 12, settings=Settings(delta=0.1))]
    assert cli.main(["compare", *files]) == 4
    assert "were judged otherwise: delta 0.05, now 0.1" in capsys.readouterr().err
    assert cli.main(["compare", *files, "--across=semantics"]) == 0
    assert cli.main(["compare", *files, "--across=everything"]) == 4


def test_a_minimum_effect_can_be_set(here: Path) -> None:
    files = [saved(here, "a.txt", 12), saved(here, "b.txt", 12, 11)]
    assert cli.main(["compare", *files]) == 1
    assert cli.main(["compare", *files, "--min-drop=0.95"]) == 0


def test_one_file_and_a_missing_one_are_wrong_use(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = saved(here, "a.txt", 1)
    assert cli.main(["compare", one]) == 4
    assert cli.main(["compare", one, "none.txt"]) == 4
    assert "there is no file none.txt" in capsys.readouterr().err
