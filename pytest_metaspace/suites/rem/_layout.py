"""Where things stand: apart from each other, and clear of the walk."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._scene import (
    COLOURS,
    EYE_M,
    FOCAL_PX,
    KINDS,
    SHAPES,
    SIDE_M,
    Place,
    Pose,
    things_of,
)
from pytest_metaspace.suites.rem._seen import CLEAR_HEIGHT_PX

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
_WEDGE_M: Final = (2.5, 18.0)
_HALF_WIDE_M: Final = 0.6 * SIDE_M
"""Half as wide as that, between the side and the corner of a box, is what stands in front."""
_MIDDLE: Final = 0.3
"""What stands farther off shows this share of its width at least, to both sides of its middle."""
_ABOVE_PX: Final = CLEAR_HEIGHT_PX + 2
"""Or it shows so much above what stands in front of it."""
_OUTSIDE_DEG: Final = 65.0
"""What stands so far to the side is not in the picture, however near it is."""
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


def ahead(chance: random.Random, things: Sequence[Thing]) -> tuple[Place, ...]:
    """Place things where a camera at the origin that looks along +x sees them clearly.

    What finds no such place after some tries stands beside the camera and behind it.
    """
    spots: list[Spot] = []
    shown: list[Spot] = []
    for _ in things:
        spot = _shown(chance, spots, shown)
        if spot is None:
            spot = _free(lambda wide: _hidden(chance, wide), _WEDGE_M[1], spots, [])
        else:
            shown.append(spot)
        spots.append(spot)
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
            spot = _polar(chance, _SIDE_DEG, _RING_M)
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


def _polar(chance: random.Random, side_deg: float, metres: tuple[float, float]) -> Spot:
    """Draw a place ahead, as likely on each square metre."""
    return _at(chance, chance.uniform(-side_deg, side_deg), metres)


def _shown(chance: random.Random, spots: Sequence[Spot], shown: Sequence[Spot]) -> Spot | None:
    """Draw a free place in the picture that is seen apart from others there; None by bad luck."""
    for _ in range(_TRIES):
        spot = _polar(chance, _WEDGE_DEG, _WEDGE_M)
        if _far(spot, spots, APART_M) and all(_seen_apart(spot, one) for one in shown):
            return spot
    return None


def _hidden(chance: random.Random, far: float) -> Spot:
    """Draw a place that is in no picture of a camera at the origin."""
    return _at(chance, chance.uniform(_OUTSIDE_DEG, 360 - _OUTSIDE_DEG), (_WEDGE_M[0], far))


def _at(chance: random.Random, degrees: float, metres: tuple[float, float]) -> Spot:
    angle = math.radians(degrees)
    near, far = metres
    away = math.sqrt(chance.uniform(near**2, far**2))
    return round(away * math.cos(angle), 3), round(away * math.sin(angle), 3)


def _seen_apart(one: Spot, other: Spot) -> bool:
    """Whether from the origin the nearer of two is seen beside the farther one, or below it."""
    near, far = sorted((one, other), key=lambda spot: math.hypot(*spot))
    near_m, far_m = math.hypot(*near), math.hypot(*far)
    between = abs(math.atan2(near[1], near[0]) - math.atan2(far[1], far[0]))
    beside = math.asin(_HALF_WIDE_M / near_m) + _MIDDLE * math.asin(SIDE_M / 2 / far_m)
    above_px = FOCAL_PX * (EYE_M - SIDE_M) * (1 / near_m - 1 / far_m)
    return between >= beside or above_px >= _ABOVE_PX


def _square(chance: random.Random, wide: float) -> Spot:
    return chance.uniform(-wide, wide), chance.uniform(-wide, wide)


def _placed(things: Sequence[Thing], spots: Sequence[Spot]) -> tuple[Place, ...]:
    return tuple(Place(thing=thing, x=x, y=y) for thing, (x, y) in zip(things, spots))
