"""From masks to what a frame shows of each thing: how many pixels, where, and in which box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._render import NOTHING
from pytest_metaspace.suites.rem._seen import Sight

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from pytest_metaspace.suites.rem._render import Studio
    from pytest_metaspace.suites.rem._scene import Place, Pose

    Mask = npt.NDArray[np.bool_]

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
    owners = studio.masks(pose)
    found = {}
    for number in _shown(owners):
        place = places[number]
        mask = owners == number
        _, top, _, bottom = _corners(mask)
        found[place.thing.id] = Sight(
            pixels=int(mask.sum()),
            height_px=float(bottom - top),
            centre_x=round(pose.seen_at(place.x, place.y)[1], 3),
            pixels_x=round(float(mask.nonzero()[1].mean()) + 0.5, 3),
        )
    return dict(sorted(found.items()))


def _boxes(studio: Studio, places: Sequence[Place], pose: Pose) -> Mapping[str, Boxed]:
    owners = studio.masks(pose)
    found = {}
    for number in _shown(owners):
        mask = owners == number
        if int(mask.sum()) >= LEAST_PX:
            corners = _corners(mask)
            whole = _corners(studio.masks(pose, alone=number) == number)
            share = (corners[3] - corners[1]) / (whole[3] - whole[1])
            found[places[number].thing.id] = Boxed(
                corners=corners, height_fraction=round(min(share, 1.0), 6)
            )
    return found


def _shown(owners: npt.NDArray[np.int16]) -> list[int]:
    import numpy as np

    return [int(one) for one in np.unique(owners) if one != NOTHING]


def _corners(mask: Mask) -> Corners:
    rows, columns = mask.any(axis=1).nonzero()[0], mask.any(axis=0).nonzero()[0]
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
