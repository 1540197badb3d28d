"""Rooms of four things on rods, seen by a pinhole camera; what cannot be told in one is dropped.

Each filter is a function of its own that says why it drops, so that the build can count it and a
test can switch it off and see what would be asked without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Box

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Sequence

SIZE: Final = (400, 300)
FOCAL: Final = 300.0
WALL_M: Final = 8.0
COUNT: Final = 4
_EYE_M: Final = 1.5
_HORIZON: Final = 110.0
"""The row of pixels at which the camera looks level: so high that all feet are seen."""
_NEAR_M, _FAR_M = 2.6, 5.2
_GAP: Final = 1.1
"""As many times as far as the nearer one is each next thing, at least."""
_PLACES: Final = 12
_APART_PX: Final = 8
_LEAST_PX: Final = 24
_FOOT_M: Final = 0.12
COLOURS: Final = {
    "red": (205, 40, 40),
    "blue": (45, 80, 200),
    "green": (40, 150, 60),
    "yellow": (235, 205, 45),
    "purple": (130, 60, 165),
    "orange": (240, 135, 30),
    "white": (240, 240, 240),
    "black": (30, 30, 30),
}
SHAPES: Final = ("ball", "box", "cone")
TIED: Final = "rooms: two depths differ by less than a tenth"
NEAR: Final = f"places: a box would be nearer than {_APART_PX} pixels to another one"
FULL: Final = f"rooms: no place for a thing in {_PLACES} tries"
COLUMN: Final = f"rooms: two feet are in one column, less than {_APART_PX} pixels apart"
HIDDEN: Final = "rooms: a foot is hidden by something nearer"


@dataclass(frozen=True)
class Thing:
    """A thing in the room.

    Attributes:
        name: colour and shape.
        across: metres right of where the camera looks.
        up: metres of its centre over the floor.
        depth: metres of its centre from the camera, along where it looks.
        size: metres wide and high.
    """

    name: str
    across: float
    up: float
    depth: float
    size: float

    @property
    def box(self) -> Box:
        """Where it is in the picture."""
        x, y = seen(self.across, self.up, self.depth)
        half = FOCAL * self.size / self.depth / 2
        return Box(x - half, y - half, x + half, y + half)

    @property
    def foot(self) -> Box:
        """Where its rod stands on the floor, in the picture."""
        x, y = seen(self.across, 0, self.depth)
        half = FOCAL * _FOOT_M / self.depth
        return Box(x - half, y - half / 3, x + half, y + half / 3)


def seen(across: float, up: float, depth: float) -> tuple[float, float]:
    """Return the column and the row at which a point is seen, in pixels.

    Args:
        across: metres right of where the camera looks.
        up: metres over the floor.
        depth: metres in front of the camera.
    """
    return SIZE[0] / 2 + FOCAL * across / depth, _HORIZON - FOCAL * (up - _EYE_M) / depth


def room(chance: random.Random, dropped: Counter[str]) -> list[Thing] | None:
    """Return four things whose depths can be told and that are seen whole; None by bad luck.

    Args:
        chance: of all draws.
        dropped: counts, by filter, what was thrown away.
    """
    names = chance.sample([f"{c} {s}" for c in COLOURS for s in SHAPES], COUNT)
    depths = [
        _NEAR_M * (_FAR_M / _NEAR_M) ** ((band + chance.random()) / COUNT)
        for band in chance.sample(range(COUNT), COUNT)
    ]
    if tied(depths):
        dropped[TIED] += 1
        return None
    things: list[Thing] = []
    for name, depth in zip(names, depths):
        thing = _placed(name, depth, things, chance, dropped)
        if thing is None:
            dropped[FULL] += 1
            return None
        things.append(thing)
    for reason, drops in ((COLUMN, in_one_column), (HIDDEN, foot_hidden)):
        if drops(things):
            dropped[reason] += 1
            return None
    return things


def tied(depths: Sequence[float]) -> bool:
    """Whether two depths are too much alike to be told apart."""
    return any(b < a * _GAP for a, b in pairwise(sorted(depths)))


def touch(a: Box, b: Box) -> bool:
    """Whether two boxes overlap, or are so near that they are apart in neither direction."""
    across = min(a.x2, b.x2) - max(a.x1, b.x1)
    down = min(a.y2, b.y2) - max(a.y1, b.y1)
    return across > -_APART_PX and down > -_APART_PX


def in_one_column(things: Sequence[Thing]) -> bool:
    """Whether it cannot be seen which of two feet is whose, as their rods are one line."""
    middles = [one.foot.x1 + one.foot.x2 for one in things]
    return any(abs(a - b) < 2 * _APART_PX for a, b in combinations(middles, 2))


def foot_hidden(things: Sequence[Thing]) -> bool:
    """Whether something nearer hides the foot of a thing, which alone tells its depth."""
    return any(
        other.depth < thing.depth
        and min(thing.foot.x2, other.box.x2) > max(thing.foot.x1, other.box.x1)
        and min(thing.foot.y2, other.box.y2) > max(thing.foot.y1, other.box.y1)
        for thing in things
        for other in things
    )


def _placed(
    name: str,
    depth: float,
    things: Sequence[Thing],
    chance: random.Random,
    dropped: Counter[str],
) -> Thing | None:
    """Return a thing at the first free place of some; None where none of them is."""
    for _ in range(_PLACES):
        thing = _thing_at(name, depth, chance)
        if not any(touch(thing.box, other.box) for other in things):
            return thing
        dropped[NEAR] += 1
    return None


def _thing_at(name: str, depth: float, chance: random.Random) -> Thing:
    """Return a thing at a depth, somewhere in the picture and over the floor."""
    wide = 2 * _LEAST_PX + 2 + 40 * chance.random()
    x = wide / 2 + 4 + chance.random() * (SIZE[0] - wide - 8)
    floor = seen(0, 0, depth)[1]
    y = wide / 2 + 4 + chance.random() * (floor - wide - 4)
    metre = FOCAL / depth
    return Thing(
        name, (x - SIZE[0] / 2) / metre, _EYE_M - (y - _HORIZON) / metre, depth, wide / metre
    )
