"""Each filter of nets, boards, views and frames: counted when on, and bad items when off.

A filter is switched off by taking what it says for nothing. Then the second truth has to find items
that do not hold, or a shortcut has to score; with the filter on, neither does.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import stare_fold_shortcuts as shortcuts
from benchmarks.stare_fold_soundness import MAKERS, wrong
from pytest_metaspace.suites.stare import (
    _cuts,
    _fold_seen,
    _folds,
    _room,
    folding,
    perspective,
    temporal,
)
from pytest_metaspace.suites.stare._family import chance_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.suites.stare._family import Made


@dataclass(frozen=True)
class Filter:
    """A line of the build report, and where it comes from.

    Attributes:
        family: whose build says it.
        reason: what it says.
        module: where the filter is.
        function: of that module; it returns the reason, or whether something is good.
        found: what the checks find where it is off.
        numbers: how many are looked at where it is off.
        difficulty: of the build.
    """

    family: str
    reason: str
    module: Any
    function: str
    found: str
    numbers: int = 24
    difficulty: str = "varied"

    def off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Switch it off."""
        real = getattr(self.module, self.function)

        def passed(*args: Any, **named: Any) -> Any:
            said = real(*args, **named)
            if isinstance(said, str):
                return "" if said == self.reason else said
            return said or True

        monkeypatch.setattr(self.module, self.function, passed)


MANY = {"folding": 24, "tangram": 2 * shortcuts.BLOCK, "perspective": 60, "temporal": 90}
"""Numbers that are looked at with all filters."""
FILTERS = [
    Filter(
        "folding",
        "a square on another before the pictures stop",
        _folds,
        "clear",
        "a square lies on another one",
    ),
    Filter(
        "folding",
        "a square that is asked about is hidden",
        _fold_seen,
        "readable",
        "cannot be read in the last picture",
    ),
    Filter(
        "tangram",
        "fills the board after all",
        _cuts,
        "missing",
        "best constant answer",
        shortcuts.BLOCK,
    ),
    Filter(
        "tangram",
        "does not fill the board",
        _cuts,
        "missing",
        "best constant answer",
        shortcuts.BLOCK,
    ),
    Filter(
        "tangram",
        "not as many pieces as drawn",
        _cuts,
        "_unlike",
        "not as many pieces as it says",
        shortcuts.BLOCK,
    ),
    Filter(
        "tangram",
        "not as many irregular pieces as drawn",
        _cuts,
        "_unlike",
        "irregular pieces",
        MANY["tangram"],
    ),
    Filter(
        "perspective",
        "a thing hides or touches another",
        perspective,
        "_problem",
        "a thing hides or touches another",
    ),
    Filter(
        "perspective",
        "a thing is cut off by a border",
        perspective,
        "_problem",
        "a thing is cut off by a border",
    ),
    Filter("perspective", "a view is empty", perspective, "_problem", "a view is empty"),
    Filter(
        "perspective",
        "a view looks like its mirror image",
        perspective,
        "_problem",
        "a view looks like its mirror image",
        60,
        "hard",
    ),
    Filter("temporal", "too little is seen", temporal, "_problem", "too little is seen", 12),
    Filter(
        "temporal",
        "two pictures have nothing in common",
        temporal,
        "_problem",
        "two pictures have nothing in common",
        104,
        "easy",
    ),
    Filter(
        "temporal",
        "two pictures are too much alike",
        temporal,
        "_problem",
        "two pictures are too much alike",
        12,
    ),
]


def problems(family: str, made: list[Made]) -> Iterator[str]:
    """Yield what does not hold of items, and what tells their answers."""
    for one in made:
        for name, problem in wrong(family, one):
            yield f"{name}: {problem}"
    if family == "tangram" and len(made) >= shortcuts.BLOCK:
        for (task, name), (share, constant) in shortcuts.shares(shortcuts.items_of(made)).items():
            if constant > 0.55:
                yield f"{task}: the best constant answer scores {constant}"
            if len(made) > shortcuts.BLOCK and share > constant + 0.05:
                yield f"{task}: {name} scores {share}"


def made(family: str, difficulty: str, numbers: int) -> list[Made]:
    folder = Path("pictures")
    return [
        MAKERS[family](1, number, {"difficulty": difficulty}, folder) for number in range(numbers)
    ]


def dropped(made: list[Made]) -> Counter[str]:
    return sum((one.dropped for one in made), Counter())


@cache
def with_all(family: str, difficulty: str) -> tuple[Counter[str], list[str]]:
    """Return what all filters drop, and what is found of what is left."""
    found = made(family, difficulty, MANY[family])
    return dropped(found), list(problems(family, found))


@pytest.mark.parametrize("one", FILTERS, ids=lambda one: one.reason)
def test_a_filter_that_is_off_lets_items_through_that_are_found(
    one: Filter, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, found = with_all(one.family, one.difficulty)
    assert counts[one.reason] > 0
    assert not found
    one.off(monkeypatch)
    without = made(one.family, one.difficulty, one.numbers)
    assert not dropped(without)[one.reason]
    found = list(problems(one.family, without))
    assert [problem for problem in found if one.found in problem], found[:3]


RARE = {("folding", "no folding of a shape shows so many steps")}
"""Beside two that no ordinary build says; all have cases of their own."""


def test_each_line_of_the_build_report_has_its_case() -> None:
    told = {(one.family, one.reason) for one in FILTERS}
    for family, difficulty in {(one.family, one.difficulty) for one in FILTERS}:
        counts, _ = with_all(family, difficulty)
        assert {(family, reason) for reason in counts} <= told | RARE


def test_a_shape_whose_folding_cannot_be_shown_is_drawn_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = range(200)
    makes = MAKERS["folding"]
    drawn = [folding.sheet(1, n, {}, chance_of("folding", 1, n), Counter()) for n in numbers]
    real = _folds.clear_folding

    def whatever(cells: Any, count: int, chance: Any, *more: Any) -> Any:
        return real(cells, count, chance, *more) or _folds.folding(cells, chance)

    monkeypatch.setattr(_folds, "clear_folding", whatever)
    counts: Counter[str] = Counter()
    other = [folding.sheet(1, n, {}, chance_of("folding", 1, n), counts) for n in numbers]
    changed = [n for n, one, two in zip(numbers, drawn, other) if one != two]
    assert changed
    for number in changed:
        found = makes(1, number, {}, Path("pictures"))
        assert [told for _, told in wrong("folding", found) if "lies on another one" in told]


def test_a_place_without_room_has_fewer_things(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is always room, so that a floor has to be made too small."""
    real = _room.scattered

    def crowded(chance: Any, count: int, *more: Any) -> Any:
        return real(chance, count, *more)[: count - chance.randrange(2)]

    monkeypatch.setattr(_room, "scattered", crowded)
    found = made("perspective", "easy", 24)
    assert dropped(found)["things had no room"] > 0
    assert not list(problems("perspective", found))
    Filter("perspective", "things had no room", perspective, "_problem", "").off(monkeypatch)
    told = list(problems("perspective", made("perspective", "easy", 24)))
    assert [one for one in told if "not as many as easy ones have" in one]


def test_a_set_that_cannot_be_begun_as_far_shows_less_than_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One set in some hundreds, among those of four pieces of which two are laid."""
    plan = _cuts.Wanted(5, 4, 2, 2)

    def short(counts: Counter[str]) -> list[int]:
        chance = random.Random(1)
        sets = [_cuts.puzzle(plan, False, chance, counts) for _ in range(150)]
        return [len(one.found.deepest) for one in sets if len(one.found.deepest) <= plan.begun]

    counts: Counter[str] = Counter()
    assert not short(counts)
    assert counts["cannot be begun as far as drawn"] > 0
    Filter("tangram", "cannot be begun as far as drawn", _cuts, "missing", "").off(monkeypatch)
    assert short(Counter())
