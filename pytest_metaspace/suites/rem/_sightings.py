"""From masks to what a frame shows of each thing: how many pixels, where, and in which box."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._render import NOTHING
from pytest_metaspace.suites.rem._scene import SIDE_M
from pytest_metaspace.suites.rem._seen import Sight

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from pytest_metaspace.suites.rem._render import Studio
    from pytest_metaspace.suites.rem._scene import Place, Pose

    Pixels = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]

LEAST_PX: Final = 60
"""A thing of fewer pixels has no box in ``objects.json``, as in the walks through rooms."""
Corners = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are exclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxed:
    """The box of a thing's pixels, and how much of its height is seen, 0 to 1."""

    corners: Corners
    height_fraction: float


def frames(
    studio: Studio, places: Sequence[Place], poses: Sequence[Pose]
) -> Iterator[Mapping[str, Sight]]:
    """Yield what each frame shows, by the ids of the things, sorted."""
    studio.arrange(places)
    for pose in poses:
        yield _frame(studio, places, pose)


def boxes(
    studio: Studio, places: Sequence[Place], poses: Sequence[Pose]
) -> tuple[Mapping[str, Boxed], ...]:
    """Return the boxes of what each frame shows well enough."""
    studio.arrange(places)
    return tuple(_boxes(studio, places, pose) for pose in poses)


def _frame(studio: Studio, places: Sequence[Place], pose: Pose) -> Mapping[str, Sight]:
    found = {}
    for number, (rows, columns) in _pixels(studio.masks(pose)).items():
        place = places[number]
        found[place.thing.id] = Sight(
            pixels=len(rows),
            height_px=float(rows.max() - rows.min() + 1),
            centre_x=round(pose.seen_at(place.x, place.y)[1], 3),
            pixels_x=round(float(columns.mean()) + 0.5, 3),
        )
    return dict(sorted(found.items()))


def _boxes(studio: Studio, places: Sequence[Place], pose: Pose) -> Mapping[str, Boxed]:
    found = {}
    for number, pixels in _pixels(studio.masks(pose)).items():
        if len(pixels[0]) >= LEAST_PX:
            corners = _corners(pixels)
            share = 1.0
            if _may_be_hidden(number, places, pose):
                whole = _corners(_pixels(studio.masks(pose, alone=number))[number])
                share = (corners[3] - corners[1]) / (whole[3] - whole[1])
            found[places[number].thing.id] = Boxed(corners=corners, height_fraction=round(share, 6))
    return found


def _pixels(owners: npt.NDArray[np.int16]) -> dict[int, Pixels]:
    """Return the rows and columns of the pixels of each thing that has any."""
    import numpy as np

    rows, columns = np.nonzero(owners != NOTHING)
    shown = owners[rows, columns]
    return {
        int(one): (rows[shown == one], columns[shown == one]) for one in np.unique(shown).tolist()
    }


def _corners(pixels: Pixels) -> Corners:
    rows, columns = pixels
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def _may_be_hidden(number: int, places: Sequence[Place], pose: Pose) -> bool:
    """Whether another thing is nearer and in a direction in which a part of this one lies.

    Things are so far apart that the discs around their corners are, too; then what is nearer by
    its middle is nearer wherever both are met.
    """
    bearing, distance = _direction(places[number], pose)
    for other in places:
        its_bearing, its_distance = _direction(other, pose)
        apart = abs((bearing - its_bearing + math.pi) % (2 * math.pi) - math.pi)
        if its_distance < distance and apart < _half(distance) + _half(its_distance):
            return True
    return False


def _direction(place: Place, pose: Pose) -> tuple[float, float]:
    east, north = place.x - pose.x, place.y - pose.y
    return math.atan2(north, east), math.hypot(east, north)


def _half(distance: float) -> float:
    """Return half the angle under which the disc around a thing's corners is seen."""
    return math.asin(min(1.0, SIDE_M * math.sqrt(0.5) / distance))
