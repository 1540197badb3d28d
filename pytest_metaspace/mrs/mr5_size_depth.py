"""MR5 size and depth: what is twice as far looks half as tall."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability
from pytest_metaspace.geometry import elevation_deg
from pytest_metaspace.mrs._ids import word
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case, TrackedObject
    from pytest_metaspace.mrs._grounds import Grounds

MAX_ASPECT_CHANGE = 0.10
MAX_ELEVATION_CHANGE_DEG = 5.0
MAX_TOLERANCE = 0.5
_BOX_ERROR_PX = 1.5


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every object and pair of frames that show it whole and from one side."""
    for thing in grounds.persistent:
        for first, last in combinations(grounds.seen(thing), 2):
            if not (grounds.whole(thing, first) and grounds.whole(thing, last)):
                grounds.drops["MR5: the object is not whole in both frames"] += 1
                continue
            parts = _parts(grounds, thing, first, last)
            tolerance = sum(parts.values())
            reason = _unfit(grounds, thing, first, last, tolerance)
            if reason:
                grounds.drops[f"MR5: {reason}"] += 1
                continue
            yield grounds.case(
                relation="MR5",
                law="MR5",
                capability=capability,
                tag="",
                subjects=(first, last),
                object=thing.id,
                queries=[grounds.about(capability, thing, frame) for frame in (first, last)],
                givens=(grounds.given(thing, first), grounds.given(thing, last)),
                tolerance={"depth": tolerance},
                tolerance_parts=parts,
                suffix=word(thing.id),
                identity=[thing.id],
            )


def _parts(grounds: Grounds, thing: TrackedObject, first: int, last: int) -> dict[str, float]:
    """Return what tau is made up of (RELATIONS, MR5)."""
    boxes = {frame: thing.boxes[frame] for frame in (first, last)}
    wider = max(box.width for box in boxes.values())
    return {
        "epsilon": grounds.settings.epsilon,
        **{f"1.5 px of frame {f}": _BOX_ERROR_PX / box.height for f, box in boxes.items()},
        "its own depth": wider / (2 * grounds.trajectory.camera.focal),
    }


def _unfit(
    grounds: Grounds, thing: TrackedObject, first: int, last: int, tolerance: float
) -> str | None:
    """Say why two frames do not show an object as one pinhole point, or None."""
    one, other = thing.boxes[first].aspect, thing.boxes[last].aspect
    if max(one, other) / min(one, other) - 1 >= MAX_ASPECT_CHANGE:
        return "the aspect ratios of the boxes differ"
    if tolerance > MAX_TOLERANCE:
        return "the boxes are too small or too wide to tell"
    if not grounds.rested(thing, first, last):
        return "the object was moved"
    truth = grounds.trajectory.truth
    if truth is not None and thing.id in truth.objects:
        center = truth.objects[thing.id].center_at(first)  # it rests until the last
        elevations = [elevation_deg(truth.poses[frame], center) for frame in (first, last)]
        if abs(elevations[0] - elevations[1]) >= MAX_ELEVATION_CHANGE_DEG:
            return "the object is seen from different elevations"
    return None


RELATION = Relation(
    name="MR5",
    title="size-depth",
    capabilities=(Capability.DEPTH,),
    instances=instances,
)
