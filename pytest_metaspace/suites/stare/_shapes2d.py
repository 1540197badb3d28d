"""Flat shapes: their corners, how much two overlap, and their pictures."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _panels
from pytest_metaspace.suites.stare._affine import Figure, Vector, identity, times
from pytest_metaspace.suites.stare._steps2d import SQUARE

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

NAMES: Final = ("circle", "square", "rectangle", "triangle", "ellipse", "hexagon", "pentagon")
EDGE: Final = 50.0
"""Units from the origin to the edge of the board; shapes stay inside."""
PIXELS: Final = 2
_SMALLEST: Final = 60.0
"""Units square: about 15 by 15 pixels."""
_MARGIN: Final = 10
SIDE: Final = round(2 * EDGE * PIXELS) + 2 * _MARGIN
"""Pixels that a picture is wide and high."""
_ROUND: Final = 24
_LEAST, _MOST = 9.0, 15.0
_FLAT: Final = (0.45, 0.65)
COLOURS: Final = ("blue", "orange")
"""Of the shape that shows the steps, and of the one that is asked about."""


def draw(name: str, chance: random.Random) -> Figure:
    """Return a shape somewhere on the board, at an angle by chance."""
    corners = _corners(name, chance)
    angle = chance.random() * 2 * pi
    c, s = cos(angle), sin(angle)
    spun = tuple((c * x - s * y, s * x + c * y) for x, y in corners)
    centre = (chance.uniform(-28, 28), chance.uniform(-28, 28))
    return Figure(name, spun, identity(2), centre)


def _corners(name: str, chance: random.Random) -> list[tuple[float, float]]:
    size = chance.uniform(_LEAST, _MOST)
    flat = size * chance.uniform(*_FLAT)
    if name == "triangle":
        return _triangle(size, chance)
    if name in ("square", "rectangle"):
        high = size if name == "square" else flat
        return [(-size, -high), (size, -high), (size, high), (-size, high)]
    count = {"hexagon": 6, "pentagon": 5}.get(name, _ROUND)
    high = flat if name == "ellipse" else size
    turns = [2 * pi * place / count for place in range(count)]
    return [(size * cos(turn), high * sin(turn)) for turn in turns]


def _triangle(size: float, chance: random.Random) -> list[tuple[float, float]]:
    """Return a triangle with three different sides, around its centre."""
    apex = size * chance.uniform(0.25, 0.6) * chance.choice((-1, 1))
    return [(-size, -0.5 * size), (size - apex / 2, -0.5 * size), (apex / 2, size)]


def inside(figure: Figure) -> bool:
    """Whether a shape lies on the board."""
    return all(abs(part) <= EDGE - 1 for point in figure.points for part in point)


def large(figure: Figure) -> bool:
    """Whether a shape is not too small to be looked at."""
    return area(figure) >= _SMALLEST


def overlap(first: Figure, second: Figure) -> float:
    """Return the area that two convex shapes share, of the area that they cover together."""
    if any(max(a) < min(b) or max(b) < min(a) for a, b in zip(_sides(first), _sides(second))):
        return 0.0
    one, two = _ring(first.points), _ring(second.points)
    shared = abs(_area(_clipped(one, two)))
    return shared / (abs(_area(one)) + abs(_area(two)) - shared)


def _sides(figure: Figure) -> Iterable[Vector]:
    return zip(*figure.points)


def area(figure: Figure) -> float:
    """Return how large a shape is."""
    return abs(_area(figure.points))


def _area(points: Sequence[Vector]) -> float:
    pairs = zip(points, [*points[1:], *points[:1]])
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def _ring(points: Sequence[Vector]) -> list[Vector]:
    """Return corners counter-clockwise."""
    return list(points) if _area(points) > 0 else list(reversed(points))


def _clipped(ring: Sequence[Vector], by: Sequence[Vector]) -> Sequence[Vector]:
    """Return the part of a convex shape inside another one (Sutherland and Hodgman, 1974)."""
    for place, (end_x, end_y) in enumerate(by):
        if not ring:
            return ring
        start_x, start_y = by[place - 1]
        across, up = end_x - start_x, end_y - start_y
        sides = [across * (y - start_y) - up * (x - start_x) for x, y in ring]
        kept: list[Vector] = []
        (old_x, old_y), there = ring[-1], sides[-1]
        for (x, y), here in zip(ring, sides):
            if (here >= 0) != (there >= 0):
                share = there / (there - here)
                kept.append((old_x + share * (x - old_x), old_y + share * (y - old_y)))
            if here >= 0:
                kept.append((x, y))
            old_x, old_y, there = x, y, here
        ring = kept
    return ring


def picture(figure: Figure, colour: str) -> bytes:
    """Return a picture of a shape on the board: a grid, two lines and a dot at the origin."""
    panel = _panels.Panel(SIDE, SIDE)
    middle, reach = SIDE / 2, EDGE * PIXELS
    for place in range(-5, 6):
        at = middle + place * reach / 5
        tone = _panels.GRID if place else _panels.AXIS
        panel.line([(at, middle - reach), (at, middle + reach)], tone, 1)
        panel.line([(middle - reach, at), (middle + reach, at)], tone, 1)
    corners = [_pixel(point) for point in figure.points]
    panel.polygon(corners, _panels.PALETTE[colour])
    panel.dot((middle, middle), 4)
    return panel.png()


def _pixel(point: Vector) -> tuple[float, float]:
    return SIDE / 2 + PIXELS * point[0], SIDE / 2 - PIXELS * point[1]


AXES: Final = (
    "Points are told as (x, y), in squares to the right of a black dot and up from it. The own "
    "centre of a shape is the mean of its points. Something is"
)


def told(figure: Figure) -> str:
    """Return a shape in words: points of its outline in squares from the dot, right and up."""
    begin = "a shape with straight sides and the corners"
    if len(figure.points) == _ROUND:
        begin = f"{'a circle' if _is_circle(figure) else 'an ellipse'} through the points"
    points = ", ".join(f"({x / SQUARE:g}, {y / SQUARE:g})" for x, y in landmarks(figure))
    return f"{begin} {points}"


def landmarks(figure: Figure) -> list[Vector]:
    """Return corners, of what is round six points of the outline; to a tenth of a square."""
    points = figure.points
    some = points[:: _ROUND // 6] if len(points) == _ROUND else points
    return [tuple(SQUARE / 10 * round(10 * part / SQUARE) + 0.0 for part in one) for one in some]


def _is_circle(figure: Figure) -> bool:
    far = [hypot(*times(figure.linear, corner)) for corner in figure.corners]
    return max(far) - min(far) < 1e-6 * max(far)
