"""Who is wrong in one way about nets, boards, views and frames is caught."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.stare_fold_mutants import MUTANTS, Score, score
from benchmarks.stare_fold_soundness import made

COUNT = 36


@cache
def scored(family: str, name: str) -> Score:
    return score(MUTANTS[family][name], [made(family, 1, number) for number in range(COUNT)])


@pytest.mark.parametrize(
    ("family", "name"), [(family, name) for family, named in MUTANTS.items() for name in named]
)
def test_who_is_wrong_is_caught_and_nobody_else(family: str, name: str) -> None:
    found = scored(family, name)
    assert bool(found.caught) == (name != "none")
    if name == "none":
        assert found.accuracy == 1


@pytest.mark.parametrize(
    ("family", "name", "relations"),
    [
        ("folding", "always folds, but sees what parts do", {"STARE-PART"}),
        ("folding", "says yes to more than two pictures of folding", {"STARE-STEPS"}),
        (
            "folding",
            "takes the next number for the opposite square",
            {"STARE-OPPOSITE", "STARE-NEIGHBOUR", "STARE-NUMBERED"},
        ),
        ("tangram", "says no to more pieces than the board is wide", {"STARE-CUT"}),
        ("tangram", "counts areas", set()),
        ("perspective", "takes left for right", set()),
        ("temporal", "counts from the other end", set()),
        ("temporal", "always looks for the last picture", {"STARE-REVERSED"}),
        ("temporal", "answers A", {"STARE-ORDER"}),
    ],
)
def test_a_fault_breaks_what_it_has_to(family: str, name: str, relations: set[str]) -> None:
    assert set(scored(family, name).broken) == relations


def test_who_ignores_where_somebody_looks_breaks_headings_and_turned_maps() -> None:
    found = scored("perspective", "ignores the heading")
    assert {"STARE-HEADINGS", "STARE-TURNED"} <= set(found.broken)


def test_who_takes_left_for_right_is_consistent_and_wrong_where_sides_count() -> None:
    found = scored("perspective", "the same, of hard items")
    assert (found.accuracy, found.broken) == (0, [])
