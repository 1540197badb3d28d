"""Where things stand: apart from each other, and clear of the walk."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._scene import (
    COLOURS,
    KINDS,
    SHAPES,
    SIDE_M,
    Place,
    Pose,
    things_of,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from pytest_metaspace.suites.rem._seen import Thing

Spot = tuple[float, float]
HALF_M: Final = 12.0
"""Half a side of the square of ground that things stand on."""
APART_M: Final = 1.5 * SIDE_M
"""Between the middles of two: one and a half times the sum of their radii."""
CLEAR_M: Final = 1.0 + SIDE_M / 2
"""Between the middle of a thing and a place of the walk: one metre is free."""
TWINS: Final = (1, 2)
"""How many things of a full rotation have another one of their kind behind."""
_QUADRANTS: Final = ((1, 1), (-1, 1), (-1, -1), (1, -1))
_NEAREST_M: Final = 3.0
_WIDER: Final = 1.08
_BESIDE_DEG: Final = 6.0
_WEDGE_DEG: Final = 43.0
_WEDGE_M: Final = (2.5, 19.0)
_RING_M: Final = (2.5, 9.0)
_SIDE_DEG: Final = 84.0
_TRIES: Final = 40


def kinds(chance: random.Random, objects: int, duplicates: int) -> tuple[Thing, ...]:
    """Draw what stands in a scene, in an order by chance.

    Args:
        chance: what draws.
        objects: how many things.
        duplicates: how many of them are of a kind that another one is of already.
    """
    single = chance.sample(KINDS, objects - duplicates)
    doubled = chance.sample(single, chance.randint(1, len(single)))
    drawn = [*single, *chance.choices(doubled, k=duplicates)]
    chance.shuffle(drawn)
    return things_of(drawn)


def around(
    chance: random.Random, things: Sequence[Thing], poses: Sequence[Pose]
) -> tuple[Place, ...]:
    """Place things in the four quadrants in turn, from the middle outwards."""
    turns = chance.sample(_QUADRANTS, len(_QUADRANTS))
    spots: list[Spot] = []
    for number in range(len(things)):
        across, up = turns[number % len(turns)]
        reach = max(_NEAREST_M, HALF_M * math.sqrt((number + 1) / len(things)))

        def draw(wide: float, across: int = across, up: int = up) -> Spot:
            return across * chance.uniform(0, wide), up * chance.uniform(0, wide)

        spots.append(_free(draw, reach, spots, poses))
    return _placed(things, spots)


def ahead(chance: random.Random, things: Sequence[Thing], pose: Pose) -> tuple[Place, ...]:
    """Place things where a camera sees them; the nearest places are filled first."""
    near, far = _WEDGE_M
    spots: list[Spot] = []
    for number in range(len(things)):
        reach = max(near + _NEAREST_M, far * math.sqrt((number + 1) / len(things)))
        spots.append(_free(lambda wide: _polar(chance, _WEDGE_DEG, wide), reach, spots, [pose]))
    return _placed(things, spots)


def opposite(chance: random.Random, objects: int) -> tuple[Place, ...]:
    """Place half of some things around the front of a spot, the others behind, point by point.

    What stands behind has the shape of what stands in front at the mirrored place, so that
    opposite views show one arrangement; its kind is another one than any in front, but for one
    or two.
    """
    half = objects // 2
    spots: list[Spot] = []
    while len(spots) < half:
        for _ in range(half * _TRIES):
            spot = _polar(chance, _SIDE_DEG, _RING_M[1])
            if len(spots) < half and _fits(spot, spots):
                spots.append(spot)
        if len(spots) < half:
            spots = []
    front, behind = _two_sides(chance, half)
    return _placed(things_of([*front, *behind]), [*spots, *((-x, -y) for x, y in spots)])


def another(
    chance: random.Random, places: Sequence[Place], poses: Sequence[Pose], tries: int
) -> list[Place]:
    """Draw places for one thing more, of a kind as unlike the others as can be."""
    there = [one.thing for one in places]
    kind = chance.choice(_unlike(there))
    thing = things_of([*((one.colour, one.shape) for one in there), kind])[-1]
    found = []
    for _ in range(tries):
        spot = _free(
            lambda wide: _square(chance, wide), HALF_M, [(p.x, p.y) for p in places], poses
        )
        found.append(Place(thing=thing, x=spot[0], y=spot[1]))
    return found


def _unlike(there: Sequence[Thing]) -> list[tuple[str, str]]:
    """Return kinds of a colour that nothing has; else those that nothing is of; else all."""
    used = {(one.colour, one.shape) for one in there}
    colours = {one.colour for one in there}
    fresh = [(colour, shape) for colour, shape in KINDS if colour not in colours]
    return fresh or [kind for kind in KINDS if kind not in used] or list(KINDS)


def _two_sides(
    chance: random.Random, half: int
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return kinds in front and behind, of the same shapes in the same order."""
    shapes = [SHAPES[number % len(SHAPES)] for number in range(half)]
    chance.shuffle(shapes)
    colours = {shape: chance.sample(list(COLOURS), len(COLOURS)) for shape in SHAPES}
    front = [(colours[shape].pop(), shape) for shape in shapes]
    behind = [(colours[shape].pop(), shape) for shape in shapes]
    for place in chance.sample(range(half), chance.randint(*TWINS)):
        like = [kind for kind in front if kind[1] == shapes[place] and kind not in behind]
        behind[place] = chance.choice(like)
    return front, behind


def _free(
    draw: Callable[[float], Spot], reach: float, spots: Sequence[Spot], poses: Sequence[Pose]
) -> Spot:
    """Return a drawn place that is free; what is drawn reaches out wider where there is none."""
    clear = [(pose.x, pose.y) for pose in poses]
    while True:
        for _ in range(_TRIES):
            spot = draw(reach)
            if _far(spot, spots, APART_M) and _far(spot, clear, CLEAR_M):
                return round(spot[0], 3), round(spot[1], 3)
        reach *= _WIDER


def _far(spot: Spot, others: Sequence[Spot], metres: float) -> bool:
    return all(math.dist(spot, other) >= metres for other in others)


def _fits(spot: Spot, spots: Sequence[Spot]) -> bool:
    """Whether a place and its mirrored one are free, and nothing stands in front of another."""
    behind = [(-x, -y) for x, y in spots]
    bearings = [math.degrees(math.atan2(y, x)) for x, y in spots]
    bearing = math.degrees(math.atan2(spot[1], spot[0]))
    return _far(spot, [*spots, *behind, (-spot[0], -spot[1])], APART_M) and all(
        abs(bearing - one) >= _BESIDE_DEG for one in bearings
    )


def _polar(chance: random.Random, side_deg: float, far: float) -> Spot:
    """Draw a place ahead, as likely on each square metre."""
    angle = math.radians(chance.uniform(-side_deg, side_deg))
    metres = math.sqrt(chance.uniform(_RING_M[0] ** 2, far**2))
    return round(metres * math.cos(angle), 3), round(metres * math.sin(angle), 3)


def _square(chance: random.Random, wide: float) -> Spot:
    return chance.uniform(-wide, wide), chance.uniform(-wide, wide)


def _placed(things: Sequence[Thing], spots: Sequence[Spot]) -> tuple[Place, ...]:
    return tuple(Place(thing=thing, x=x, y=y) for thing, (x, y) in zip(things, spots))
