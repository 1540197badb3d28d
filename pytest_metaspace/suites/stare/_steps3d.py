"""Steps of solids: which there are, their words, and how they look mirrored.

Right, up and towards who looks are the three directions. Nothing is flipped.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare._affine import Step, identity, scaled
from pytest_metaspace.suites.stare._steps2d import COMMUTING

if TYPE_CHECKING:
    from collections.abc import Iterator

AXES: Final = ("y", "x", "z")
ANGLES: Final = (-90, -60, -30, 30, 60, 90)
MOVES: Final = (-2, -1, 1, 2)
SIZES: Final = (0.5, 2.0)
SKEWS: Final = (-0.5, 0.5)
KINDS: Final = (
    "A step turns or tips a solid about its own centre, its centre of mass, by 30, 60 or 90 "
    "degrees, moves it by whole squares of the floor to the right or left, up or down, towards "
    "you or away, doubles or halves its size, or skews it. Each solid hangs over its shadow."
)
_PLACES: Final = {"x": 0, "y": 1, "z": 2}
_ONE: Final = identity(3)
_STILL: Final = (0.0, 0.0, 0.0)
_WAYS: Final = (("to the right", "to the left"), ("up", "down"), ("towards you", "away from you"))


def turn(axis: str, degrees: float) -> Step:
    """Return a turn about the own centre, by the right hand around an axis."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    rows = [list(row) for row in _ONE]
    rows[first][first] = rows[second][second] = c
    rows[first][second], rows[second][first] = -s, s
    return Step("turn", (axis, degrees), tuple(map(tuple, rows)), _ONE, _STILL)


def move(axis: str, squares: float) -> Step:
    """Return a move along an axis."""
    shift = tuple(float(squares) if _PLACES[axis] == place else 0.0 for place in range(3))
    return Step("move", (axis, squares), _ONE, _ONE, shift)


def size(factor: float) -> Step:
    """Return a change of size about the own centre."""
    return Step("size", ("", factor), scaled(3, factor), _ONE, _STILL)


def skew(axis: str, share: float) -> Step:
    """Return a skew about the own centre: what lies higher goes along an axis, by a share."""
    rows = [list(row) for row in _ONE]
    rows[_PLACES[axis]][1] = share
    return Step("skew", (axis, share), tuple(map(tuple, rows)), _ONE, _STILL)


@lru_cache(maxsize=1)
def catalogue() -> tuple[Step, ...]:
    """Return every step that an item is made of."""
    return tuple(_all())


def _all() -> Iterator[Step]:
    yield from (turn(axis, degrees) for axis in AXES for degrees in ANGLES)
    yield from (move(axis, squares) for axis in AXES for squares in MOVES)
    yield from map(size, SIZES)
    yield from (skew(axis, share) for axis in "xz" for share in SKEWS)


def mirrored(step: Step) -> Step:
    """Return what a step is in a picture with left and right exchanged."""
    axis, much = str(step.value[0]), float(step.value[1])
    if step.kind == "turn":
        return turn(axis, much if axis == "x" else -much)
    if step.kind == "move":
        return move(axis, -much if axis == "x" else much)
    if step.kind == "skew":
        return skew(axis, -much if axis == "x" else much)
    return step


def inverse(step: Step) -> Step:
    """Return the step that undoes a step."""
    axis, much = str(step.value[0]), float(step.value[1])
    if step.kind == "size":
        return size(1 / much)
    return {"turn": turn, "move": move, "skew": skew}[step.kind](axis, -much)


def halves(step: Step) -> tuple[Step, Step] | None:
    """Return two steps that do the same, one after the other; None where there are none."""
    axis, much = str(step.value[0]), float(step.value[1])
    if step.kind == "turn" and abs(much) > ANGLES[3]:
        first = ANGLES[3] if much > 0 else -ANGLES[3]
        return turn(axis, first), turn(axis, much - first)
    if step.kind == "move" and abs(much) > 1:
        return move(axis, much / 2), move(axis, much / 2)
    return None


def commute(first: Step, second: Step) -> bool:
    """Whether two steps do the same in either order: never said of two turns."""
    return {first.kind, second.kind} in COMMUTING


def words(step: Step) -> str:
    """Return a step as it is told."""
    axis, much = str(step.value[0]), float(step.value[1])
    if step.kind == "turn":
        return _turned(axis, much)
    if step.kind == "move":
        way = _WAYS[_PLACES[axis]][much < 0]
        return f"move it {abs(much):g} square{'' if abs(much) == 1 else 's'} {way}"
    if step.kind == "size":
        many = "double" if much > 1 else "halve"
        return f"{many} its width, height and depth, with its centre where it is"
    there, back = _WAYS[_PLACES[axis]][:: 1 if much > 0 else -1]
    return (
        f"skew it: what is above its centre goes {there} and what is below it goes {back}, each "
        "point by half of how far above or below it is"
    )


def _turned(axis: str, degrees: float) -> str:
    if axis == "x":
        way = "towards you" if degrees > 0 else "away from you"
        return f"tip it {abs(degrees):g} degrees about its own centre, its top {way}"
    way = "counter-clockwise" if degrees > 0 else "clockwise"
    where = "above" if axis == "y" else "the front"
    return f"turn it {abs(degrees):g} degrees {way} as seen from {where}, about its own centre"
