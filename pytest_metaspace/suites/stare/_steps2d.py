"""Steps of flat shapes: which there are, their words, and how they look mirrored and turned."""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare._affine import Step, identity, scaled

if TYPE_CHECKING:
    from collections.abc import Iterator

SQUARE: Final = 10.0
"""Units a square of the grid is wide."""
ANGLES: Final = (-90, -60, -30, 30, 60, 90)
MOVES: Final = (-30, -10, 0, 10, 30)
SIZES: Final = (0.5, 2.0)
SKEWS: Final = (-0.5, 0.5)
KINDS: Final = (
    "A step turns a shape about its own centre, its centre of mass, by 30, 60 or 90 degrees, "
    "flips it across the vertical or the horizontal line through the black dot, moves it by whole "
    "squares, doubles or halves its width and height, or skews it."
)
COMMUTING: Final = (
    {"turn", "move"},
    {"size", "move"},
    {"skew", "move"},
    {"turn", "size"},
    {"skew", "size"},
)
"""Changes about the own centre and moves; changes of all sizes alike and others."""
_STILL: Final = (0.0, 0.0)
_ONE: Final = identity(2)


def turn(degrees: float) -> Step:
    """Return a turn about the own centre, counter-clockwise."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return Step("turn", (degrees,), ((c, -s), (s, c)), _ONE, _STILL)


def flip(across: str) -> Step:
    """Return a flip across the *vertical* or the *horizontal* line through the origin."""
    sign = -1.0 if across == "vertical" else 1.0
    matrix = ((sign, 0.0), (0.0, -sign))
    return Step("flip", (across,), matrix, matrix, _STILL)


def move(right: float, up: float) -> Step:
    """Return a move, in units."""
    return Step("move", (right, up), _ONE, _ONE, (float(right), float(up)))


def size(factor: float) -> Step:
    """Return a change of size about the own centre."""
    return Step("size", (factor,), scaled(2, factor), _ONE, _STILL)


def skew(along: str, share: float) -> Step:
    """Return a skew about the own centre.

    Args:
        along: ``x`` where what lies higher goes right, ``y`` where what lies right goes up.
        share: how far, of how much higher, or of how much farther right.
    """
    linear = ((1.0, share), (0.0, 1.0)) if along == "x" else ((1.0, 0.0), (share, 1.0))
    return Step("skew", (along, share), linear, _ONE, _STILL)


@lru_cache(maxsize=1)
def catalogue() -> tuple[Step, ...]:
    """Return every step that an item is made of."""
    return tuple(_all())


def _all() -> Iterator[Step]:
    yield from map(turn, ANGLES)
    yield from map(flip, ("vertical", "horizontal"))
    yield from (move(x, y) for x in MOVES for y in MOVES if x or y)
    yield from map(size, SIZES)
    yield from (skew("x", share) for share in SKEWS)


def mirrored(step: Step) -> Step:
    """Return what a step is in a picture with left and right exchanged."""
    if step.kind == "turn":
        return turn(-float(step.value[0]))
    if step.kind == "move":
        return move(-float(step.value[0]) + 0.0, float(step.value[1]))
    if step.kind == "skew":
        return skew(str(step.value[0]), -float(step.value[1]))
    return step


def turned(step: Step) -> Step:
    """Return what a step is in a picture that is turned by 90 degrees, counter-clockwise."""
    if step.kind == "flip":
        return flip("horizontal" if step.value[0] == "vertical" else "vertical")
    if step.kind == "move":
        return move(-float(step.value[1]) + 0.0, float(step.value[0]))
    if step.kind == "skew":
        return skew("y" if step.value[0] == "x" else "x", -float(step.value[1]))
    return step


def inverse(step: Step) -> Step:
    """Return the step that undoes a step."""
    if step.kind == "turn":
        return turn(-float(step.value[0]))
    if step.kind == "move":
        return move(-float(step.value[0]) + 0.0, -float(step.value[1]) + 0.0)
    if step.kind == "size":
        return size(1 / float(step.value[0]))
    if step.kind == "skew":
        return skew(str(step.value[0]), -float(step.value[1]))
    return step


def halves(step: Step) -> tuple[Step, Step] | None:
    """Return two steps that do the same, one after the other; None where there are none."""
    if step.kind == "turn" and abs(float(step.value[0])) > ANGLES[3]:
        degrees = float(step.value[0])
        first = 30 if degrees > 0 else -30
        return turn(first), turn(degrees - first)
    if step.kind == "move" and all(step.value):
        return move(float(step.value[0]), 0), move(0, float(step.value[1]))
    return None


def commute(first: Step, second: Step) -> bool:
    """Whether two steps do the same in either order: never said of a flip or of two alike."""
    kinds = {first.kind, second.kind}
    return kinds in COMMUTING


def words(step: Step) -> str:
    """Return a step as it is told."""
    if step.kind == "turn":
        degrees = float(step.value[0])
        way = "counter-clockwise" if degrees > 0 else "clockwise"
        return f"turn it {abs(degrees):g} degrees {way} about its own centre"
    if step.kind == "flip":
        return f"flip it across the {step.value[0]} line through the black dot"
    if step.kind == "move":
        return f"move it {_way(float(step.value[0]), float(step.value[1]))}"
    if step.kind == "size":
        many = "double" if float(step.value[0]) > 1 else "halve"
        return f"{many} its width and height, with its centre where it is"
    return _skewed(str(step.value[0]), float(step.value[1]))


def _way(right: float, up: float) -> str:
    parts = [
        f"{abs(size) / SQUARE:g} square{'' if abs(size) == SQUARE else 's'} {way}"
        for size, way in (
            (right, "to the right" if right > 0 else "to the left"),
            (up, "up" if up > 0 else "down"),
        )
        if size
    ]
    return " and ".join(parts)


def _skewed(along: str, share: float) -> str:
    over, under = ("above", "below") if along == "x" else ("right of", "left of")
    there, back = ("right", "left") if along == "x" else ("up", "down")
    if share < 0:
        there, back = back, there
    return (
        f"skew it: what is {over} its centre goes {there} and what is {under} it goes {back}, each "
        "point by half its distance from the line through the centre"
    )
