"""How a question points out its objects: in words, by coordinates, by boxes in its pictures.

Marks carry numbers and nothing else: labels come from files and are never drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts import words

if TYPE_CHECKING:
    from pytest_metaspace.domain import Box, Boxes, Query, TrackedObject, Trajectory


def objects(query: Query, trajectory: Trajectory) -> list[str]:
    """Return the paragraph that says which objects are asked about; none for movements."""
    things = _things(query, trajectory)
    if not things:
        return []
    boxes = shown(query, trajectory)
    lines = [_heading(boxes, trajectory)]
    for number, (letter, thing) in enumerate(zip("AB", things), start=1):
        named = f"  {letter} is the {words.one_line(thing.label)}"
        if boxes in ("draw", "both"):
            named = f"  {letter} is the object in box {number}, the {words.one_line(thing.label)}"
        where = _where(thing, query, boxes)
        lines.append(f"{named}; {where}" if where else named)
    return ["\n".join(lines)]


def shown(query: Query, trajectory: Trajectory) -> Boxes:
    """Return how the boxes of a question are shown.

    As the trajectory says; but names alone do not do where a picture shows a second thing of one
    of the names, so coordinates are told there.
    """
    boxes = trajectory.showing.boxes
    return "text" if boxes == "none" and _ambiguous(query, trajectory) else boxes


def marks(query: Query, trajectory: Trajectory, frame: int) -> tuple[tuple[int, Box], ...]:
    """Return the boxes to draw on a frame, with the number of each."""
    if trajectory.showing.boxes not in ("draw", "both"):
        return ()
    numbered = enumerate(_things(query, trajectory), start=1)
    return tuple((n, thing.boxes[frame]) for n, thing in numbered if frame in thing.boxes)


def _things(query: Query, trajectory: Trajectory) -> list[TrackedObject]:
    names = (query.a, query.b)
    return [trajectory.by_id[name] for name in names if isinstance(name, str)]


def _ambiguous(query: Query, trajectory: Trajectory) -> bool:
    things = _things(query, trajectory)
    seen = [
        thing
        for thing in trajectory.objects
        if thing in things or any(frame in thing.boxes for frame in query.evidence)
    ]
    names = [_name(thing) for thing in seen]
    return any(names.count(_name(thing)) > 1 for thing in things)


def _name(thing: TrackedObject) -> str:
    return words.one_line(thing.label).casefold()


def _heading(boxes: Boxes, trajectory: Trajectory) -> str:
    camera = trajectory.camera
    size = f"the image is {camera.width} wide and {camera.height} high"
    told = f"in pixels (left, top, right, bottom; {size})"
    if boxes == "text":
        return f"The objects asked about, with the box around each {told}:"
    if boxes == "none":
        return "The objects asked about:"
    marked = "The objects asked about are marked in the images, each with a box and its number"
    return f"{marked}:" if boxes == "draw" else f"{marked}; the boxes {told} are:"


def _where(thing: TrackedObject, query: Query, boxes: Boxes) -> str:
    if boxes == "none":
        return ""
    frames = [frame for frame in query.evidence if frame in thing.boxes]
    if boxes == "draw":
        noun = "frame" if len(frames) == 1 else "frames"
        return f"marked in {noun} {', '.join(map(str, frames))}"
    return "; ".join(
        f"frame {frame}: ({box.x1:.0f}, {box.y1:.0f}, {box.x2:.0f}, {box.y2:.0f})"
        for frame, box in ((frame, thing.boxes[frame]) for frame in frames)
    )
