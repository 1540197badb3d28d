"""A second truth of views and frames: where things stand in a picture, from places on the floor.

Angles are not used here: a thing is seen where the line from the eye to it meets the picture, and
its sides are those of the two tangents. What is compared are columns of pixels.
"""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from benchmarks.stare_fold_truth import drawing, files
from pytest_metaspace.suites.stare import _room
from pytest_metaspace.trajectories._altered import Altered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._family import Made
    from pytest_metaspace.suites.stare._room import Eye, Thing

Ends = dict[str, tuple[float, float]]
"""By colour, between which columns of a picture a thing is seen."""
WIDE = _room.VIEW[0]
LEAST_PX = 14
_SAME_PX = 1
_LEAST_SEEN = 3
_GAP_PX = 2
"""Columns between two things, at least: a degree and a half are more, wherever they stand."""
_ORDINALS = ("first", "second", "third", "fourth")
_COUNTS = {"easy": (5, 6), "medium": (7, 8), "hard": (7, 8)}


def ends(things: Sequence[Thing], eye: Eye) -> Ends:
    """Return what an eye sees, in whole or in part, from left to right."""
    angle = math.radians(eye.heading)
    look = (math.sin(angle), math.cos(angle))
    focal = WIDE / 2 / math.tan(math.radians(eye.field) / 2)
    found = {}
    for thing in things:
        x, y = thing.x - eye.x, thing.y - eye.y
        forward, right = x * look[0] + y * look[1], x * look[1] - y * look[0]
        if forward <= 0:
            continue
        left, end = (WIDE / 2 + focal * slope for slope in _tangents(right, forward))
        if left < WIDE and end > 0:
            found[thing.colour] = (left, end)
    return dict(sorted(found.items(), key=lambda one: one[1]))


def _tangents(right: float, forward: float) -> tuple[float, float]:
    """Return the slopes, to the right by one ahead, of the lines that touch a round thing."""
    whole = forward**2 - _room.RADIUS_M**2
    root = _room.RADIUS_M * math.sqrt(max(0.0, right**2 + forward**2 - _room.RADIUS_M**2))
    if whole <= 0:  # It reaches beside the eye, where no picture ends.
        near = (right * forward - math.copysign(root, right)) / (whole or -1e-9)
        return (near, math.inf) if right > 0 else (-math.inf, near)
    return (right * forward - root) / whole, (right * forward + root) / whole


def mirrored(seen: Ends) -> Ends:
    """Return what is seen in a mirror."""
    return {key: (WIDE - right, WIDE - left) for key, (left, right) in reversed(seen.items())}


def changed(posing: Posing) -> bool:
    """Whether the pictures of a question are mirrored."""
    images = posing.images
    return isinstance(images, Altered) and {change for _, change in images.parts} == {"mirrored"}


def _same(one: Ends, other: Ends) -> bool:
    return list(one) == list(other) and all(
        abs(a - b) < _SAME_PX for key in one for a, b in zip(one[key], other[key])
    )


def _right(posing: Posing, fits: Sequence[bool]) -> Iterator[str]:
    right = [option for option, fit in zip(posing.options, fits) if fit]
    if right != [posing.answer]:
        yield f"{right} fit, and not {posing.answer}"


def of_perspective(made: Made) -> Iterator[tuple[str, str]]:
    """Yield what does not hold of the question of a number, with the item."""
    ((name, item),) = made.items
    for told, posing in item.posings.items():
        for problem in _of_map(made, item, posing):
            yield name, f"{told}: {problem}"


def _of_map(made: Made, item: Item, posing: Posing) -> Iterator[str]:
    above, *views = [drawing(made, path) for path in files(posing)]
    assert above.func is _room.from_above
    things, eye = above.args[:2]
    seen = [ends(*one.args) for one in views]
    wanted = ends(things, eye)
    if changed(posing):
        seen, wanted = [mirrored(one) for one in seen], mirrored(wanted)
    yield from _right(posing, [_same(one, wanted) for one in seen])
    yield from _seen(item.slices["difficulty"], things, seen)


def _seen(level: str, things: Sequence[Thing], seen: Sequence[Ends]) -> Iterator[str]:
    """Yield what is wrong about a place and its views."""
    if len(things) not in _COUNTS[level]:
        yield f"{len(things)} things, which are not as many as {level} ones have"
    if not all(seen):
        yield "a view is empty"
    for one in seen:
        if any(left < 0 or right > WIDE for left, right in one.values()):
            yield "a thing is cut off by a border"
        if any(after[0] - before[1] < _GAP_PX for before, after in pairwise(one.values())):
            yield "a thing hides or touches another"
    for one, other in combinations(seen, 2):
        if _same(one, other):
            yield "two options look the same"
    if level == "hard":
        alone = [next(iter(one.values())) for one in seen if len(one) == 1]
        if any(abs(left + right - WIDE) / 2 < LEAST_PX - 1 for left, right in alone):
            yield "a view looks like its mirror image"


def missing(posing: Posing) -> int:
    """Return which picture a question about a ride asks for, from 0."""
    found = re.search("(" + "|".join(_ORDINALS) + ") picture", posing.text)
    assert found is not None
    return _ORDINALS.index(found[1])


def of_temporal(made: Made) -> Iterator[tuple[str, str]]:
    """Yield what does not hold of the question of a number, with the item."""
    ((name, item),) = made.items
    for told, posing in item.posings.items():
        for problem in _of_ride(made, posing):
            yield name, f"{told}: {problem}"


def _of_ride(made: Made, posing: Posing) -> Iterator[str]:
    drawn = [drawing(made, path) for path in files(posing)]
    place = missing(posing)
    count = len(drawn) - len(posing.options)
    eyes = [one.args[1] for one in drawn]
    fits = []
    for eye in eyes[count:]:
        ride = [*eyes[:place], eye, *eyes[place:count]]
        steps = [(after.x - before.x, after.y - before.y) for before, after in pairwise(ride)]
        fits.append(max(math.dist(one, other) for one, other in combinations(steps, 2)) < 0.01)
    yield from _right(posing, fits)
    yield from _shows([_whole(one) for one in drawn])


def _whole(one: Any) -> dict[str, float]:
    """Return the columns of the middles of things that are wholly in a picture."""
    things, eye = one.args
    focal = WIDE / 2 / math.tan(math.radians(eye.field) / 2)
    there = {
        colour for colour, (left, right) in ends(things, eye).items() if left >= 0 and right <= WIDE
    }
    return {
        thing.colour: WIDE / 2 + focal * (thing.x - eye.x) / (thing.y - eye.y)
        for thing in things
        if thing.colour in there
    }


def _shows(columns: Sequence[dict[str, float]]) -> Iterator[str]:
    if min(map(len, columns)) < _LEAST_SEEN:
        yield "too little is seen"
    for one, other in combinations(columns, 2):
        both = one.keys() & other.keys()
        if not both:
            yield "two pictures have nothing in common"
        elif max(abs(one[key] - other[key]) for key in both) < LEAST_PX:
            yield "two pictures are too much alike"
