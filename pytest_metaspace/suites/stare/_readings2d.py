"""What steps can be meant where a flat shape becomes another one: all that look like it.

More is read than items are made of, since who looks is told no more: a move by any whole squares,
a skew along either direction.
"""

from __future__ import annotations

from functools import lru_cache
from math import dist
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare._affine import (
    Figure,
    identity,
    plus,
    product,
    rounded,
    times,
)
from pytest_metaspace.suites.stare._shapes2d import overlap
from pytest_metaspace.suites.stare._steps2d import SQUARE, catalogue, skew

if TYPE_CHECKING:
    from pytest_metaspace.suites.stare._affine import Matrix, Vector
    from pytest_metaspace.suites.stare._world import Reading

_LOOKS: Final = 0.85
"""Shapes that share more can be taken for each other: less than makes two options too alike."""
_NEAR: Final = 5.0
"""Units that centres lie apart at most in pictures that look alike."""
Total = tuple["Matrix", "Matrix", bool]
"""What steps do to corners and to the centre, and whether one of them moves."""


def readings(start: Figure, end: Figure, count: int) -> list[Reading]:
    """Return what some steps do in all, for each choice of steps that shows the same.

    Among them is, for each change of the corners, the one that shifts every centre alike: what
    somebody does who is not told how shapes are flipped.
    """
    size = _size(end.linear) / _size(start.linear)
    looks: dict[Matrix, bool] = {}
    found: dict[Reading, None] = {}
    for linear, place, moves in _totals(count):
        if linear not in looks:
            looks[linear] = _LOOKS < _size(linear) / size < 1 / _LOOKS and _looks(
                linear, start, end
            )
        if not looks[linear]:
            continue
        centre = times(place, start.centre)
        shift = _whole(end.centre, centre) if moves else (0.0, 0.0)
        if dist(plus(centre, shift), end.centre) <= _NEAR:
            found[linear, place, shift] = None
        found[linear, identity(2), _between(start.centre, end.centre)] = None
    return list(found)


def _looks(linear: Matrix, start: Figure, end: Figure) -> bool:
    seen = Figure(start.name, start.corners, product(linear, start.linear), end.centre)
    return overlap(seen, end) > _LOOKS


def _whole(end: Vector, start: Vector) -> Vector:
    """Return the move by whole squares that leads nearest to an end."""
    return tuple(SQUARE * round(part / SQUARE) for part in _between(start, end))


def _between(start: Vector, end: Vector) -> Vector:
    return tuple(b - a for a, b in zip(start, end))


def _size(linear: Matrix) -> float:
    (a, b), (c, d) = linear
    return abs(a * d - b * c)


@lru_cache(maxsize=4)
def _totals(count: int) -> tuple[Total, ...]:
    """Return all that so many steps can do, each once; how far they move is left open."""
    if not count:
        return ((identity(2), identity(2), False),)
    steps = {
        (step.linear, step.place, step.kind == "move")
        for step in (*catalogue(), skew("y", -0.5), skew("y", 0.5))
    }
    found = {
        (rounded(product(linear, before)), product(place, set_before), moves or moved)
        for before, set_before, moved in _totals(count - 1)
        for linear, place, moves in steps
    }
    return tuple(sorted(found))
