"""Solids of cubes that no turn brings back onto themselves: how they are seen, and how alike."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.suites.stare import _panels
from pytest_metaspace.suites.stare._affine import Figure, Vector, identity, rounded

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from numpy.typing import NDArray

WIDE: Final = 300
HIGH: Final = 240
_FOCAL: Final = 410.0
_EYE: Final = (0.0, 8.5, 17.0)
_AIM: Final = (0.0, 1.9, 0.0)
_COARSE: Final = 1 / 4
_FINE: Final = 2
_BORDER: Final = 4
_ALIKE: Final = cos(20 * pi / 180)
_SMALLEST: Final = 0.1
_FLOOR: Final = 6
_SHADOW: Final = -1
_NOTHING: Final = -2
_LIGHT: Final = (0.0, 0.8, 0.6)
COLOURS: Final = ("blue", "orange")
CUBES: Final = {
    "hook": ((0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0)),
    "left screw": ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 0, -1), (0, 0, -2)),
    "stair": ((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (2, 0, 1), (2, 0, 2)),
    "chair": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 1)),
    "crane": ((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 2, 0), (0, 0, 1), (0, 0, 2)),
    "boot": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, -1), (0, 2, 0)),
}
"""The cubes of each solid."""
_SIDES: Final = (
    ((1, 0, 0), ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1))),
    ((-1, 0, 0), ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0))),
    ((0, 1, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0))),
    ((0, -1, 0), ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1))),
    ((0, 0, 1), ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))),
    ((0, 0, -1), ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0))),
)
"""Of a cube: which way each side looks, and its corners, counter-clockwise from outside."""


@lru_cache(maxsize=8)
def _built(name: str) -> tuple[tuple[Vector, ...], tuple[tuple[int, ...], ...]]:
    """Return corners around the centre, and outer sides as four of them and a plane each."""
    cubes = set(CUBES[name])
    middle = [sum(cube[axis] + 0.5 for cube in cubes) / len(cubes) for axis in range(3)]
    corners: dict[Vector, int] = {}
    planes: dict[tuple[object, int], int] = {}
    sides = []
    for cube in sorted(cubes):
        for way, square in _SIDES:
            if tuple(a + b for a, b in zip(cube, way)) in cubes:
                continue
            points = [tuple(a + b for a, b in zip(cube, corner)) for corner in square]
            level = sum(a * b for a, b in zip(points[0], way))
            plane = planes.setdefault((way, level), len(planes))
            sides.append((*(corners.setdefault(one, len(corners)) for one in points), plane))
    return tuple(tuple(a - b for a, b in zip(one, middle)) for one in corners), tuple(sides)


def draw(name: str, chance: random.Random) -> Figure:
    """Return a solid somewhere over the floor, at an angle by chance."""
    scale, yaw, tip = chance.uniform(0.9, 1.1), chance.random() * 2 * pi, chance.uniform(-1, 1)
    spun = tuple(_spun(one, scale, yaw, tip) for one in _built(name)[0])
    centre = (chance.uniform(-2.5, 2.5), chance.uniform(2.2, 3.8), chance.uniform(-2, 2.5))
    return Figure(name, spun, identity(3), centre)


def _spun(point: Vector, scale: float, yaw: float, tip: float) -> Vector:
    x, y, z = (scale * part for part in point)
    y, z = cos(tip) * y - sin(tip) * z, sin(tip) * y + cos(tip) * z
    return cos(yaw) * x + sin(yaw) * z, y, -sin(yaw) * x + cos(yaw) * z


def volume(figure: Figure) -> float:
    """Return by how much a solid was made larger."""
    (a, b, c), (d, e, f), (g, h, i) = figure.linear
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def inside(figure: Figure) -> bool:
    """Whether a solid hangs over the floor in the picture."""
    if any(point[1] < 0 for point in figure.points):
        return False
    seen = [_seen(point) for point in figure.points]
    return all(
        _BORDER < x < WIDE - _BORDER and _BORDER < y < HIGH - _BORDER and depth > 1
        for x, y, depth in seen
    )


def large(figure: Figure) -> bool:
    """Whether a solid is not too small to be looked at."""
    return volume(figure) >= _SMALLEST


def _seen(point: Vector) -> tuple[float, float, float]:
    """Return where a point is in the picture, and its depth."""
    across, over, behind = (a - b for a, b in zip(point, _EYE))
    down, ahead = _EYE[1] - _AIM[1], _EYE[2] - _AIM[2]
    long = sqrt(down * down + ahead * ahead)
    depth = (-over * down - behind * ahead) / long
    up = (over * ahead - behind * down) / long
    return WIDE / 2 + _FOCAL * across / depth, HIGH / 2 - _FOCAL * up / depth, depth


AXES: Final = (
    "Points are told as (x, y, z), in squares of a floor: x to the right of its middle, y up from "
    "the floor, z from its middle towards you. A solid is made of cubes; the middle of each cube "
    "is told, and the solid's own centre is the mean of these points. Something is"
)


def told(figure: Figure) -> str:
    """Return a solid in words: the middles of its cubes in squares, right, up and towards you."""
    points = ", ".join(f"({x:g}, {y:g}, {z:g})" for x, y, z in landmarks(figure))
    return f"a solid whose cubes have their middles at {points}"


def landmarks(figure: Figure) -> list[Vector]:
    """Return the middles of the cubes, to a tenth of a square."""
    points = figure.points
    found = []
    for corners in _cubes(figure.name):
        sums = map(sum, zip(*(points[one] for one in corners)))
        found.append(tuple(round(part / len(corners), 1) + 0.0 for part in sums))
    return found


@lru_cache(maxsize=8)
def _cubes(name: str) -> tuple[tuple[int, ...], ...]:
    """Return the corners of each cube by number; all of them are corners of the solid."""
    cubes = sorted(CUBES[name])
    middle = [sum(axis) / len(cubes) + 0.5 for axis in zip(*cubes)]
    corners = {rounded((one,))[0]: place for place, one in enumerate(_built(name)[0])}
    return tuple(
        tuple(
            corners[rounded((tuple(a + b - c for a, b, c in zip(cube, corner, middle)),))[0]]
            for corner in product((0, 1), repeat=3)
        )
        for cube in cubes
    )


def likeness(first: Figure, second: Figure) -> float:
    """Return how much of two pictures is the same: sides that look one way, and shadows."""
    one, other = _surface(first), _surface(second)
    both = (one[0] > _NOTHING) | (other[0] > _NOTHING)
    shadows = (one[0] == _SHADOW) & (other[0] == _SHADOW)
    sides = (one[0] >= 0) & (other[0] >= 0)
    same = shadows | (sides & ((one[1] * other[1]).sum(axis=2) > _ALIKE))
    return float(same.sum() / both.sum())


@lru_cache(maxsize=512)
def _surface(figure: Figure) -> tuple[NDArray[Any], NDArray[Any]]:
    return _raster(figure, _COARSE)


def _raster(figure: Figure, scale: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return for each pixel the plane that is seen there, and which way it looks."""
    import numpy as np

    shape = round(HIGH * scale), round(WIDE * scale)
    planes = np.full(shape, _NOTHING)
    normals = np.zeros((*shape, 3))
    near = np.zeros(shape)
    into = planes, normals, near
    points = figure.points
    spots = [_scaled(point, scale) for point in points]
    shade = [_scaled((x, 0.0, z), scale) for x, _, z in points]
    for *square, plane in _built(figure.name)[1]:
        normal = _normal(*(points[one] for one in square[:3]))
        for a, b, c in ((square[0], square[1], square[2]), (square[0], square[2], square[3])):
            _fill((shade[a], shade[b], shade[c]), _SHADOW, normal, into)
            _fill((spots[a], spots[b], spots[c]), plane, normal, into)
    return planes, normals


def _scaled(point: Vector, scale: float) -> tuple[float, float, float]:
    """Return where a point is in a picture of a scale, and the inverse of its depth."""
    x, y, depth = _seen(point)
    return x * scale, y * scale, 1 / depth


def _normal(first: Vector, second: Vector, third: Vector) -> Vector:
    (a, b, c), (d, e, f) = (tuple(p - q for p, q in zip(one, first)) for one in (second, third))
    x, y, z = b * f - c * e, c * d - a * f, a * e - b * d
    long = sqrt(x * x + y * y + z * z)
    return x / long, y / long, z / long


def _fill(
    corners: Sequence[tuple[float, float, float]],
    plane: int,
    normal: Vector,
    into: tuple[NDArray[Any], ...],
) -> None:
    """Draw a triangle where nothing is nearer."""
    import numpy as np

    planes, normals, near = into
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    left, right = max(0, int(min(ax, bx, cx))), min(planes.shape[1], int(max(ax, bx, cx)) + 1)
    top, bottom = max(0, int(min(ay, by, cy))), min(planes.shape[0], int(max(ay, by, cy)) + 1)
    whole = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if left >= right or top >= bottom or abs(whole) < 1e-9:  # noqa: PLR2004 - no area
        return
    x = np.arange(left, right)[None, :] + 0.5
    y = np.arange(top, bottom)[:, None] + 0.5
    second = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / whole
    third = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / whole
    inverse = az + second * (bz - az) + third * (cz - az)
    window = slice(top, bottom), slice(left, right)
    seen = (second >= 0) & (third >= 0) & (second + third <= 1)
    seen &= inverse > near[window] + (0 if plane == _SHADOW else 1e-7)
    near[window][seen] = inverse[seen]
    planes[window][seen] = plane
    normals[window][seen] = normal


def picture(figure: Figure, colour: int) -> bytes:
    """Return a picture of a solid over a floor of squares, with its shadow under it."""
    import numpy as np
    from PIL import Image as Pictures

    planes, normals = _raster(figure, _FINE)
    base = np.array(_panels.PALETTE[COLOURS[colour]])
    shade = 0.5 + 0.5 * np.clip(normals @ np.array(_LIGHT), 0, 1)
    pixels = np.asarray(_floor()).copy()
    pixels[planes == _SHADOW] = (150, 154, 160)
    pixels[planes >= 0] = (base * shade[..., None]).round()[planes >= 0]
    edge = np.zeros(planes.shape, dtype=bool)
    for axis in (0, 1):
        for way in (-1, 1):
            edge |= planes != np.roll(planes, way, axis)
    pixels[edge & (planes >= 0)] = _panels.INK
    image = Pictures.fromarray(pixels.astype("uint8"))
    return _panels.png(image.resize((WIDE, HIGH), Pictures.Resampling.BOX))


@lru_cache(maxsize=1)
def _floor() -> Any:
    panel = _panels.Panel(WIDE * _FINE, HIGH * _FINE)
    for place in range(-_FLOOR, _FLOOR + 1):
        tone = _panels.AXIS if place in (-_FLOOR, 0, _FLOOR) else _panels.GRID
        ends = ((place, -_FLOOR), (place, _FLOOR)), ((-_FLOOR, place), (_FLOOR, place))
        for pair in ends:
            seen = [_seen((float(x), 0.0, float(z))) for x, z in pair]
            panel.line([(_FINE * x, _FINE * y) for x, y, _ in seen], tone, 2)
    return panel.image()
