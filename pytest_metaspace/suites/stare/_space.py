"""A sheet in space, folded along some of its lines: where each square lies, and a picture of it.

Squares are told in half edges, so that all coordinates are whole; z is up from the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare.nets import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.suites.stare.nets import Shape

Vector = tuple[int, int, int]
_AZIMUTH: Final = math.radians(-62)
_ELEVATION: Final = math.radians(38)
_LEAST_APART: Final = 0.6
_KEPT: Final = 4096
_HIDING: Final = 1
"""So many squares before a number leave it readable: they are veils."""


@dataclass(frozen=True)
class Square:
    """A square in space.

    Attributes:
        centre: of it, in half edges.
        right: where its right side points.
        down: where its lower side points.
        up: where its printed side looks.
    """

    centre: Vector
    right: Vector
    down: Vector
    up: Vector

    def corners(self) -> list[Vector]:
        """Return its four corners, in turn."""
        return [
            _sum(self.centre, _sum(_times(self.right, x), _times(self.down, y)))
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]


def folded(cells: Shape, base: int, up: Iterable[int]) -> tuple[Square, ...]:
    """Return where the squares of a sheet lie.

    Args:
        cells: the sheet.
        base: the square that stays on the table.
        up: the squares that are folded up, each at the line at which it hangs on the one before,
            with everything that hangs on it.
    """
    return _folded(cells, base, frozenset(up))


@lru_cache(_KEPT)
def _folded(cells: Shape, base: int, up: frozenset[int]) -> tuple[Square, ...]:
    row, column = cells[base]
    squares = {base: Square((2 * column, -2 * row, 0), (1, 0, 0), (0, -1, 0), (0, 0, 1))}
    for parent, child in tree(cells, base):
        squares[child] = _hung(squares[parent], cells[parent], cells[child], bent=child in up)
    return tuple(squares[place] for place in range(len(cells)))


def apart(squares: Sequence[Square]) -> bool:
    """Whether no two squares lie in one place."""
    return len({square.centre for square in squares}) == len(squares)


def seen(point: Sequence[float]) -> tuple[float, float, float]:
    """Return where a point is seen, rightwards and downwards in half edges, and how near it is."""
    x, y, z = point
    along = x * math.cos(_AZIMUTH) + y * math.sin(_AZIMUTH)
    across = -x * math.sin(_AZIMUTH) + y * math.cos(_AZIMUTH)
    height = z * math.cos(_ELEVATION) - along * math.sin(_ELEVATION)
    return across, -height, along * math.cos(_ELEVATION) + z * math.sin(_ELEVATION)


def readable(squares: Sequence[Square], place: int) -> bool:
    """Whether the number on a square can be read: beside the others, behind one veil at most."""
    across, down, near = seen(squares[place].centre)
    before = 0
    for other, square in enumerate(squares):
        x, y, depth = seen(square.centre)
        if other == place:
            continue
        if math.hypot(x - across, y - down) < _LEAST_APART:
            return False
        before += depth > near and _covers(square, (across, down))
    return before <= _HIDING


def _covers(square: Square, point: tuple[float, float]) -> bool:
    corners = [seen(corner)[:2] for corner in square.corners()]
    sides = [
        (x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1)
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]])
    ]
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


def _hung(held: Square, start: tuple[int, int], end: tuple[int, int], *, bent: bool) -> Square:
    down, right = end[0] - start[0], end[1] - start[1]
    way = _sum(_times(held.right, right), _times(held.down, down))
    line = _sum(held.centre, way)
    if not bent:
        return Square(_sum(line, way), held.right, held.down, held.up)
    return Square(
        _sum(line, held.up),
        _times(held.up, right) if right else held.right,
        _times(held.up, down) if down else held.down,
        _times(way, -1),
    )


def _sum(first: Vector, second: Vector) -> Vector:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def _times(vector: Vector, factor: int) -> Vector:
    return vector[0] * factor, vector[1] * factor, vector[2] * factor
