"""Each filter of puzzles of changes is needed: without it a check that knows it not finds a fault.

Checks look at finished puzzles: at polygons drawn anew, at corners, at agents that take a shortcut,
at other readings of a model, at points that are read out of words.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageDraw

from benchmarks import stare_readings, stare_shortcuts, stare_soundness
from pytest_metaspace.domain import AS_WRITTEN
from pytest_metaspace.suites.stare import _asking, _draw, _offer, _telling
from pytest_metaspace.suites.stare._affine import states
from pytest_metaspace.suites.stare._family import Made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.suites.stare._affine import Figure
    from pytest_metaspace.suites.stare._world import Puzzle

One = tuple["Puzzle", Made]
SEED = 5
FOLDER = Path("pictures")
BOARD = 50
PIXELS = 2
LEAST = 15 * 15
"""Pixels of the smallest shape."""
SAME = 1e-6
ALIKE = 0.93
"""Of polygons drawn in whole pixels; filters stop at 0.9."""


def _raster(figure: Figure, scale: int) -> Image.Image:
    image = Image.new("1", (2 * BOARD * scale, 2 * BOARD * scale))
    corners = [(scale * (BOARD + x), scale * (BOARD - y)) for x, y in figure.points]
    ImageDraw.Draw(image).polygon(corners, fill=1)
    return image


def _size(image: Image.Image) -> int:
    return sum(image.histogram()[1:])


def _looks_alike(first: Figure, second: Figure) -> bool:
    """Whether two figures share nearly everything; of solids, whether they are the same."""
    if all(dist(*pair) < SAME for pair in zip(first.points, second.points)):
        return True
    if len(first.centre) > PIXELS:
        return False
    one, two = _raster(first, 4), _raster(second, 4)
    shared = _size(ImageChops.logical_and(one, two))
    return shared > ALIKE * _size(ImageChops.logical_or(one, two))


def _outside(figure: Figure) -> bool:
    """Whether a shape leaves the board, or a solid sinks into the floor."""
    if len(figure.centre) > PIXELS:
        return any(point[1] < 0 for point in figure.points)
    return any(abs(part) > BOARD for point in figure.points for part in point)


def _small(figure: Figure) -> bool:
    """Whether a shape covers fewer pixels than it may, or a solid was halved twice."""
    if len(figure.centre) > PIXELS:
        return max(map(abs, _edges(figure))) < 0.3
    return _size(_raster(figure, PIXELS)) < LEAST


def _edges(figure: Figure) -> Iterator[float]:
    """Yield how long the sides of a cube have become."""
    for column in zip(*figure.linear):
        yield dist(column, (0, 0, 0))


def _lines(made: One) -> Iterator[list[Figure]]:
    puzzle, _ = made
    yield states(puzzle.model, puzzle.steps)
    yield states(puzzle.asked, puzzle.steps)


def _states(fault: Callable[[Figure], bool]) -> Callable[[Sequence[One]], bool]:
    return lambda made: any(fault(one) for each in made for line in _lines(each) for one in line)


def _options(fault: Callable[[Figure], bool]) -> Callable[[Sequence[One]], bool]:
    return lambda made: any(fault(one) for puzzle, _ in made for one in puzzle.options)


def _unseen(made: Sequence[One]) -> bool:
    return any(
        _looks_alike(*pair)
        for each in made
        for line in _lines(each)
        for pair in combinations(line, 2)
    )


def _doubled(made: Sequence[One]) -> bool:
    return any(
        _looks_alike(*pair) for puzzle, _ in made for pair in combinations(puzzle.options, 2)
    )


def _voted(made: Sequence[One]) -> bool:
    return any(len({*stare_shortcuts.agreeing(puzzle)}) > 1 for puzzle, _ in made)


def _uneven(shortcut: Callable[[Puzzle], list[float]]) -> Callable[[Sequence[One]], bool]:
    """Return whether the true options of four of a form cannot have four different ranks."""

    def found(made: Sequence[One]) -> bool:
        for told in (True, False):
            scores = [
                [round(one, 6) for one in shortcut(puzzle)]
                for puzzle, _ in made
                if puzzle.told is told
            ]
            spans = [
                (sum(one > true for one in others), 3 - sum(one < true for one in others))
                for true, *others in scores
            ]
            if not any(
                all(low <= rank <= high for rank, (low, high) in zip(ranks, spans))
                for ranks in permutations(range(len(spans)))
            ):
                return True
        return False

    return found


def _misread(made: Sequence[One]) -> bool:
    return any(True for puzzle, _ in made for _ in stare_readings.misled(puzzle))


def _unclear(made: Sequence[One]) -> bool:
    return any(
        not stare_soundness.leads(item.posings[AS_WRITTEN])
        for _, found in made
        for _, item in found.items
        if "words" in item.task
    )


SCORES = stare_shortcuts.SCORES
RANK = "the true option has not the drawn rank by"
CHECKS: Mapping[str, Callable[[Sequence[One]], bool]] = {
    "a shape leaves the picture": _states(_outside),
    "a shape becomes too small": _states(_small),
    "a step is not seen": _unseen,
    "options share shape or place with others more than each other": _voted,
    f"{RANK} way from the start": _uneven(SCORES["far from the start"]),
    f"{RANK} way from the end of the model": _uneven(SCORES["far from the end of the model"]),
    f"{RANK} size": _uneven(SCORES["large"]),
    f"{RANK} likeness to the others": _uneven(SCORES["like the other options"]),
    f"{RANK} likeness to the last intermediate picture": _uneven(stare_shortcuts.like_before),
    "a wrong option leaves the picture": _options(_outside),
    "a wrong option is too small": _options(_small),
    "two options look alike": _doubled,
    "a wrong option fits another reading of the model": _misread,
    _telling.TOO_NEAR: _unclear,
}
"""By filter: whether puzzles show what it prevents; ranks, of eight whose numbers follow each other."""
FAULTS = (
    ("2d", "a shape leaves the picture", [1]),
    ("2d", "a shape becomes too small", [71]),
    ("2d", "a step is not seen", [1]),
    ("2d", "options share shape or place with others more than each other", [69]),
    ("2d", f"{RANK} way from the start", range(48, 56)),
    ("2d", f"{RANK} way from the end of the model", range(48, 56)),
    ("2d", f"{RANK} size", range(40, 48)),
    ("2d", f"{RANK} likeness to the others", range(8)),
    ("2d", f"{RANK} likeness to the last intermediate picture", range(8, 16)),
    ("2d", "a wrong option leaves the picture", [1, 2, 7]),
    ("2d", "a wrong option is too small", [18, 23]),
    ("2d", "two options look alike", [9]),
    ("2d", "a wrong option fits another reading of the model", [11]),
    ("3d", _telling.TOO_NEAR, [58]),
    ("3d", "a shape leaves the picture", [10]),
    ("3d", "a step is not seen", [5]),
    ("3d", "a wrong option leaves the picture", [18]),
    ("3d", "a wrong option is too small", [39]),
    ("3d", "two options look alike", [3]),
)
"""Family, filter, and numbers whose first draws it throws away: one or, for ranks, eight.

A solid that is halved and halved again is too small in the end, or seen twice in one place.
"""


def _drawn(family: str, numbers: Iterable[int]) -> list[One]:
    """Return puzzles with all their probes; no picture is drawn."""
    found = []
    for number in numbers:
        made = Made()
        puzzle = _draw.puzzle(stare_soundness.WORLDS[family], SEED, number, {}, made.dropped)
        _asking.ask(puzzle, FOLDER, made, every=True)
        found.append((puzzle, made))
    return found


def _off(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    """Switch a filter off."""
    if reason == _telling.TOO_NEAR:
        monkeypatch.setattr(_telling, "clear", lambda _: True)
    for filters in (_draw.FILTERS, _offer.FILTERS):
        if reason in filters:
            monkeypatch.setitem(filters, reason, lambda *_: True)


@pytest.mark.parametrize(("family", "reason", "numbers"), FAULTS)
def test_without_a_filter_its_fault_is_found_and_with_it_none(
    family: str, reason: str, numbers: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_it = _drawn(family, numbers)
    _off(monkeypatch, reason)
    without = _drawn(family, numbers)
    assert not CHECKS[reason](with_it)
    assert CHECKS[reason](without)
    assert sum(made.dropped[reason] for _, made in with_it) > 0
    assert not sum(made.dropped[reason] for _, made in without)


def test_every_filter_has_a_check_and_a_fault_that_it_prevents() -> None:
    every = {*_draw.FILTERS, *_offer.FILTERS, _telling.TOO_NEAR}
    assert CHECKS.keys() == every == {reason for _, reason, _ in FAULTS}
