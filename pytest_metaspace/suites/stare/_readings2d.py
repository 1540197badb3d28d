"""What steps can be meant where a flat shape becomes another one: all that look like it."""

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
from pytest_metaspace.suites.stare._steps2d import catalogue
from pytest_metaspace.suites.stare._world import LIKE

if TYPE_CHECKING:
    from pytest_metaspace.suites.stare._affine import Matrix
    from pytest_metaspace.suites.stare._world import Reading

_NEAR: Final = 5.0
"""Units that centres lie apart at most in pictures that look alike."""


def readings(start: Figure, end: Figure, count: int) -> list[Reading]:
    """Return what some steps do in all, for each choice of steps that shows the same."""
    size = _size(end.linear) / _size(start.linear)
    looks: dict[Matrix, bool] = {}
    found: list[Reading] = []
    for linear, place, shift in _totals(count):
        centre = plus(times(place, start.centre), shift)
        if dist(centre, end.centre) > _NEAR:
            continue
        if linear not in looks and not LIKE < _size(linear) / size < 1 / LIKE:
            looks[linear] = False
        if linear not in looks:
            seen = Figure(start.name, start.corners, product(linear, start.linear), end.centre)
            looks[linear] = overlap(seen, end) > LIKE
        if looks[linear]:
            found.append((linear, place, shift))
    return found


def _size(linear: Matrix) -> float:
    (a, b), (c, d) = linear
    return abs(a * d - b * c)


@lru_cache(maxsize=3)
def _totals(count: int) -> tuple[Reading, ...]:
    """Return all that so many steps can do, each once."""
    if not count:
        return ((identity(2), identity(2), (0.0, 0.0)),)
    found = {
        (
            rounded(product(step.linear, linear)),
            product(step.place, place),
            plus(times(step.place, shift), step.shift),
        )
        for linear, place, shift in _totals(count - 1)
        for step in catalogue()
    }
    return tuple(sorted(found))
