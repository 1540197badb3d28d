"""Sightings, and the tracks that they are put into."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from pytest_metaspace.tracking._kinds import Detection
    from pytest_metaspace.tracking._sight import Floats, Sight


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A detection with its frame, and its edges as numbers: left, right, top, bottom."""

    frame: int
    found: Detection
    edges: Floats
    closed: npt.NDArray[np.bool_]
    appearance: Floats

    @classmethod
    def of(cls, frame: int, found: Detection, sight: Sight) -> Sighting:
        """Return what a detection shows."""
        box = found.box
        return cls(
            frame,
            found,
            np.array([box.x1, box.x2, box.y1, box.y2]),
            sight.closed(box),
            np.array(found.appearance),
        )


@dataclass(slots=True, eq=False)
class Track:
    """Sightings of one object, one a frame."""

    label: str
    sightings: list[Sighting] = field(default_factory=list)
    ended: bool = False

    @property
    def frames(self) -> set[int]:
        """Where it was seen."""
        return {sighting.frame for sighting in self.sightings}


def place(one: Detection) -> tuple[object, ...]:
    """Return what orders detections, whatever order they came in."""
    box = one.box
    return one.label, box.x1, box.y1, box.x2, box.y2, one.confidence, one.appearance
