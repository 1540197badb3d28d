"""A floor with coloured things on it, seen by an eye that stands on it, and from above.

Things are round when seen from above, so that each looks the same from all around: what an eye
sees of one is a span of angles and a depth, exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare._panels import AXIS, GRID, INK, PALETTE, Panel

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.suites.stare._panels import Colour, Point

SHAPES: Final = ("ball", "cone", "post")
HALF_M: Final = 5.0
"""Half of the side of the floor, metres."""
RADIUS_M: Final = 0.45
_TALL_M: Final = {"ball": 2 * RADIUS_M, "cone": 1.2, "post": 1.0}
VIEW: Final = (320, 220)
"""Width and height of what an eye sees, pixels."""
MAP: Final = 260
"""Side of the picture from above, pixels."""
_EYE_M: Final = 1.6
_HORIZON: Final = 70.0
_NEAR_M: Final = 0.4
_SKY: Final[Colour] = (222, 229, 236)
_FLOOR: Final[Colour] = (198, 190, 178)
_LINES: Final[Colour] = (176, 168, 156)
_ROUND: Final = 28
"""Corners of what is drawn round."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that stands on the floor, at metres to the right and up on the map."""

    colour: str
    shape: str
    x: float
    y: float

    def mirrored(self) -> Thing:
        """Return it in a world of which left is right."""
        return replace(self, x=-self.x)


@dataclass(frozen=True, slots=True)
class Eye:
    """Where somebody stands, and where they look: degrees clockwise from up on the map."""

    x: float
    y: float
    heading: float
    field: float = 90.0
    """How wide the view is, degrees."""

    def turned(self, degrees: float) -> Eye:
        """Return it turned clockwise."""
        return replace(self, heading=(self.heading + degrees) % 360)

    def place(self, x: float, y: float) -> Point:
        """Return how far to the right and ahead of it a place is, metres."""
        angle = math.radians(self.heading)
        east, north = x - self.x, y - self.y
        return (
            east * math.cos(angle) - north * math.sin(angle),
            east * math.sin(angle) + north * math.cos(angle),
        )

    @property
    def focal(self) -> float:
        """Pixels from the eye to the picture."""
        return VIEW[0] / 2 / math.tan(math.radians(self.field / 2))


@dataclass(frozen=True, slots=True)
class Span:
    """Between which angles an eye has a thing, degrees clockwise from where it looks."""

    thing: Thing
    low: float
    high: float
    ahead: float
    """Its depth, metres."""


def spans(things: Iterable[Thing], eye: Eye) -> list[Span]:
    """Return where an eye has things, from left to right, all around it."""
    found = []
    for thing in things:
        right, ahead = eye.place(thing.x, thing.y)
        far = math.hypot(right, ahead)
        half = math.degrees(math.asin(min(1.0, RADIUS_M / far)))
        middle = math.degrees(math.atan2(right, ahead))
        found.append(Span(thing, middle - half, middle + half, ahead))
    return sorted(found, key=lambda one: one.low)


def seen(things: Iterable[Thing], eye: Eye) -> list[Span]:
    """Return what lies in the view of an eye, whole or in part, from left to right."""
    half = eye.field / 2
    return [one for one in spans(things, eye) if one.low < half and one.high > -half]


def cut(span: Span, eye: Eye) -> bool:
    """Whether the border of a view goes through a thing."""
    half = eye.field / 2
    return span.low < -half < span.high or span.low < half < span.high


def scattered(
    chance: random.Random, count: int, away: Point, most_m: float = HALF_M
) -> list[Thing]:
    """Return things of different colours, none of them touching, none near a place.

    Args:
        chance: the draws.
        count: how many are tried for; fewer where there is no room.
        away: what they stay 1.4 m away from.
        most_m: how far from the middle they stand, on each axis.
    """
    things: list[Thing] = []
    colours = chance.sample(sorted(PALETTE), len(PALETTE))
    for colour in colours[:count]:
        for _ in range(40):
            x, y = (chance.uniform(-most_m + RADIUS_M, most_m - RADIUS_M) for _ in "xy")
            apart = all(math.hypot(x - one.x, y - one.y) > 3 * RADIUS_M for one in things)
            if apart and math.hypot(x - away[0], y - away[1]) > 1.4:  # noqa: PLR2004 - told above
                things.append(Thing(colour, chance.choice(SHAPES), round(x, 3), round(y, 3)))
                break
    return things


# ----------------------------------------------------------------------------------- pictures


def view(things: Sequence[Thing], eye: Eye) -> bytes:
    """Draw what an eye sees, as a PNG file."""
    panel = Panel(*VIEW, ground=_SKY)
    width, height = VIEW
    panel.polygon([(0, _HORIZON), (width, _HORIZON), (width, height), (0, height)], _FLOOR, None)
    _floor(panel, eye)
    for span in sorted(seen(things, eye), key=lambda one: -one.ahead):
        if span.ahead > _NEAR_M:
            _stand(panel, span.thing, eye)
    return panel.png()


def _floor(panel: Panel, eye: Eye) -> None:
    """Draw the metres of the floor, by which depths can be told."""
    marks = [HALF_M * share / 5 for share in range(-5, 6)]
    for mark in marks:
        for ends in (((mark, -HALF_M), (mark, HALF_M)), ((-HALF_M, mark), (HALF_M, mark))):
            line = _ahead(*(eye.place(*end) for end in ends))
            if line is not None:
                panel.line([_drawn(point, 0.0, eye) for point in line], _LINES, 1)


def _ahead(start: Point, end: Point) -> tuple[Point, Point] | None:
    """Return the part of a line on the floor that lies ahead; None where none does."""
    if start[1] < end[1]:
        start, end = end, start
    if start[1] <= _NEAR_M:
        return None
    if end[1] < _NEAR_M:
        share = (start[1] - _NEAR_M) / (start[1] - end[1])
        end = (start[0] + share * (end[0] - start[0]), _NEAR_M)
    return start, end


def _drawn(place: Point, up: float, eye: Eye) -> Point:
    """Return where in a picture a place is, given to the right, ahead and above the floor."""
    scale = eye.focal / place[1]
    return VIEW[0] / 2 + place[0] * scale, _HORIZON + (_EYE_M - up) * scale


def _stand(panel: Panel, thing: Thing, eye: Eye) -> None:
    place = eye.place(thing.x, thing.y)
    fill = PALETTE[thing.colour]
    scale = eye.focal / place[1]
    wide = RADIUS_M * scale
    x, foot = _drawn(place, 0.0, eye)
    _, top = _drawn(place, _TALL_M[thing.shape], eye)
    flat = wide * _EYE_M / place[1] / 2
    if thing.shape == "ball":
        panel.polygon(_ellipse((x, (foot + top) / 2), wide, wide), fill)
        return
    bottom = _ellipse((x, foot), wide, flat)
    if thing.shape == "cone":
        panel.polygon([(x, top), *_lower(bottom, x)], fill)
        return
    panel.polygon([(x - wide, top), *reversed(_lower(bottom, x)), (x + wide, top)], fill)
    panel.polygon(_ellipse((x, top), wide, flat), _lighter(fill))


def _lower(ellipse: list[Point], x: float) -> list[Point]:
    """Return the half of an ellipse that is nearer to the eye, from right to left."""
    middle = sum(y for _, y in ellipse) / len(ellipse)
    return sorted(
        (point for point in ellipse if point[1] >= middle - 1e-6),
        key=lambda point: -(point[0] - x),
    )


def _ellipse(centre: Point, wide: float, high: float) -> list[Point]:
    turns = (2 * math.pi * step / _ROUND for step in range(_ROUND))
    return [
        (centre[0] + wide * math.cos(turn), centre[1] + high * math.sin(turn)) for turn in turns
    ]


def _lighter(colour: Colour) -> Colour:
    red, green, blue = (part + (255 - part) // 3 for part in colour)
    return red, green, blue


def from_above(things: Sequence[Thing], eye: Eye, quarters: int = 0) -> bytes:
    """Draw a map with an arrow where somebody stands and looks, as a PNG file.

    Args:
        things: what stands there.
        eye: who stands there.
        quarters: by how many right angles the map is turned, clockwise.
    """
    panel = Panel(MAP, MAP)
    metre = (MAP - 20) / (2 * HALF_M)

    def place(x: float, y: float) -> Point:
        for _ in range(quarters % 4):
            x, y = y, -x
        return MAP / 2 + x * metre, MAP / 2 - y * metre

    for mark in range(-int(HALF_M), int(HALF_M) + 1):
        panel.line([place(mark, -HALF_M), place(mark, HALF_M)], GRID, 1)
        panel.line([place(-HALF_M, mark), place(HALF_M, mark)], GRID, 1)
    corners = [(-HALF_M, -HALF_M), (HALF_M, -HALF_M), (HALF_M, HALF_M), (-HALF_M, HALF_M)]
    panel.polygon([place(*corner) for corner in corners], None, AXIS, 2)
    for thing in things:
        _lie(panel, thing, place(thing.x, thing.y), RADIUS_M * metre)
    turn = math.radians(eye.heading)
    reach = (0.75 * math.sin(turn), 0.75 * math.cos(turn))
    tail = place(eye.x - reach[0], eye.y - reach[1])
    panel.arrow(tail, place(eye.x + reach[0], eye.y + reach[1]))
    return panel.png()


def _lie(panel: Panel, thing: Thing, at: Point, wide: float) -> None:
    """Draw a thing as it is seen from above: the tip of a cone, the top of a post."""
    fill = PALETTE[thing.colour]
    panel.polygon(_ellipse(at, wide, wide), fill)
    if thing.shape == "cone":
        panel.dot(at, 2.5, INK)
    elif thing.shape == "post":
        panel.polygon(_ellipse(at, wide * 0.7, wide * 0.7), _lighter(fill), None)
