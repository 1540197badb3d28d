"""The table of suites is to be read in a terminal of 80 columns, and loses nothing there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.domain import GateResult, Interval, Outcome, Run, Settings, TaskAccuracy
from pytest_metaspace.reports import accuracy, scores
from pytest_metaspace.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.scoring import Entry

TITLES = {
    "STARE-ACC": "accuracy",
    "STARE-COMMUTED": "steps that commute, the other way round",
    "STARE-MIRROR": "pictures mirrored, left for right",
}
TASKS = ("STARE-fold-connected", "STARE-analogy-2d")
ALL_KINDS = (
    Outcome.SATISFIED,
    Outcome.VIOLATED,
    Outcome.INVALID,
    Outcome.INCONCLUSIVE,
    Outcome.ERROR,
)


def entries(kinds: tuple[Outcome, ...]) -> Iterator[Entry]:
    for place in range(150):
        for task in TASKS:
            for name in TITLES:
                yield (f"item-{place % 30}", task, name, kinds[place % len(kinds)])


def told_of(kinds: tuple[Outcome, ...] = ALL_KINDS) -> Run:
    return summarise(
        agent="me",
        settings=Settings(),
        titles=TITLES,
        anchored=frozenset(TITLES),
        trajectories=(),
        outcomes=entries(kinds),
        drops={},
        questions=0,
    )


def lines(run: Run, width: int, *, verbose: bool = False) -> list[str]:
    return list(scores.tables(run, verbose=verbose, width=width))


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("width", [80, 100, 120])
def test_no_line_is_longer_than_the_terminal(width: int, verbose: bool) -> None:
    found = lines(told_of(), width, verbose=verbose)
    assert max(map(len, found)) <= width
    assert found == [line.rstrip() for line in found]


def test_at_80_columns_each_relation_is_said_below_the_table() -> None:
    found = lines(told_of(), 80)
    heads = [line.split() for line in found[:2]]
    assert heads == [
        ["incon-", "score"],
        ["suite", "violated", "invalid", "clusive", "error", "(95", "%", "interval)"],
    ]
    named = [line for line in found if line.startswith("STARE-COMMUTED")]
    assert named[0].split()[1:7] == ["60", "of", "300", "60", "60", "60"]
    assert named[1] == "STARE-COMMUTED: steps that commute, the other way round"


def test_with_room_each_relation_is_said_beside_its_name() -> None:
    found = lines(told_of(), 140)
    assert any(
        line.startswith("STARE-COMMUTED          steps that commute, the other way round  60 of ")
        for line in found
    )
    assert not any("STARE-COMMUTED:" in line for line in found)


def test_a_little_room_breaks_what_a_relation_says_and_cuts_nothing() -> None:
    found = lines(told_of((Outcome.SATISFIED, Outcome.VIOLATED)), 80)
    assert "invalid" not in " ".join(found)
    at = next(place for place, line in enumerate(found) if line.startswith("STARE-COMMUTED"))
    words = [line[24:47].strip() for line in found[at : at + 2]]
    assert " ".join(words) == "steps that commute, the other way round"


def test_a_threshold_has_a_column() -> None:
    gate = GateResult(
        name="STARE-MIRROR", value=0.5, threshold=0.9, passed=False, sentence="", basis=""
    )
    found = lines(replace(told_of(), gates=(gate,)), 120)
    assert found[1].endswith("threshold")
    assert next(line for line in found if line.startswith("STARE-MIRROR")).endswith(" 0.9")


def test_accuracy_leaves_out_what_stands_above_where_it_has_no_room() -> None:
    tasks = tuple(
        TaskAccuracy(
            task=name, questions=4, right=2, interval=Interval(0.25, 0.75, 4), balanced=0.5, f1=0.5,
            chance=0.5, constant="yes", constant_accuracy=0.5, yes_f1=0.5,
        )
        for name in TASKS
    )  # fmt: skip
    run = replace(told_of(), accuracy=tasks)
    wide, usual, narrow = (
        list(accuracy.lines(run, verbose=False, width=width))[2:5] for width in (100, 90, 80)
    )
    assert "0.500 (0.25-0.75)" in wide[2]
    assert usual[0].endswith("normalised")
    assert "(" not in usual[2]
    assert [line[-6:] for line in narrow[:2]] == ["norma-", " lised"]
    assert max(map(len, (*wide, *usual))) <= 100
    assert max(map(len, narrow)) <= 80
