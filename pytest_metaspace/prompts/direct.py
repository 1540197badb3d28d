"""Direct prompting: the question, and nothing but the answer.

The paper's prompts were not available; these are our own. Each names its reference frame, the
step and the rounding, the labels and their sectors, the objects with their boxes, the frames in
order, and a closed answer format. None tells the executed actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import NONE
from pytest_metaspace.prompts import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Capability, Query, Trajectory

_ROLES = {
    "household": "You are a household robot. The pictures are from the camera in your head.",
    "arm": "You watch a robot arm at a table through a fixed camera.",
    "drone": "You are a drone. The pictures are from the camera on your nose.",
}


def write(query: Query, trajectory: Trajectory) -> str:
    """Return the text of a question.

    Args:
        query: what is asked.
        trajectory: where it is asked about; its actions and its truth are not read.
    """
    parts = [_ROLES[trajectory.scenario], _pictures(query), *_objects(query, trajectory)]
    capability = query.capability.value
    if capability == "SC3-a":
        parts.append(_size())
    elif capability == "SC3-b":
        parts.append(_depth())
    elif query.capability.of_directions:
        parts += _direction(query, trajectory)
    else:
        parts += _distance(query, trajectory)
    return "\n\n".join(parts) + "\n"


def _pictures(query: Query) -> str:
    frames = [str(frame) for frame in query.evidence]
    if len(frames) == 1:
        return f"Image 1 is frame {frames[0]} of the run."
    order = ", ".join(f"image {i + 1} is frame {frame}" for i, frame in enumerate(frames))
    return f"{len(frames)} images follow in the order in which they were taken: {order}."


def _objects(query: Query, trajectory: Trajectory) -> list[str]:
    ids = [subject for subject in (query.a, query.b) if isinstance(subject, str)]
    if not ids:
        return []
    camera = trajectory.camera
    heading = (
        "The objects asked about, with the box around each in pixels (left, top, right, bottom; "
        f"the image is {camera.width} wide and {camera.height} high):"
    )
    lines = [heading]
    for letter, name in zip("AB", ids):
        thing = trajectory.by_id[name]
        boxes = [
            f"frame {frame}: ({', '.join(f'{v:.0f}' for v in (box.x1, box.y1, box.x2, box.y2))})"
            for frame in query.evidence
            if (box := thing.boxes.get(frame)) is not None
        ]
        lines.append(f"  {letter} is the {words.one_line(thing.label)}; {'; '.join(boxes)}")
    return ["\n".join(lines)]


def _frame_of_reference(query: Query, trajectory: Trajectory) -> str:
    if query.capability.about_map:
        return (
            "Directions are those of a map seen from above. Its north is the way the camera "
            "faced in frame 0."
        )
    if query.capability.value.startswith("SC1"):
        mover = "you" if trajectory.mover == "agent" else f"the {trajectory.mover}"
        return (
            f"Directions of movement are told in the heading of frame {query.reference}, as if "
            f"{mover} kept facing that way all the time, even after turning: forward is the way "
            f"the camera faced in frame {query.reference}, right is to the right of that."
        )
    return (
        f"Directions are told from the camera of frame {query.reference}, on the ground seen "
        "from above: farther is the way the camera looks, nearer is back towards it, left and "
        "right are as in the image."
    )


def _sectors(options: Sequence[str], trajectory: Trajectory) -> str:
    half = trajectory.step_length_m / 2
    return (
        "Each direction is a sector of 45 degrees centred on its name: "
        f"{', '.join(options)}. It is {NONE} when the two are less than half a step "
        f"({half:g} m) apart on the ground."
    )


def _ends(query: Query) -> tuple[str, str]:
    """Return how a question speaks of its two subjects."""
    if isinstance(query.a, int):
        return f"the place where frame {query.a} was taken", f"the place of frame {query.b}"
    return "A", "B"


def options(query: Query) -> list[str]:
    """Return the allowed planar words of a direction question, in the order shown."""
    names = list(words.planar(query.capability))
    if query.wording:
        names = [*names[3:], *names[:3]][::-1]
        return [NONE, *names]
    return [*names, NONE]


def _direction(query: Query, trajectory: Trajectory) -> list[str]:
    shown = options(query)
    start, end = _ends(query)
    centre = "" if isinstance(query.a, int) else " Measure from centre to centre."
    frame = _frame_of_reference(query, trajectory)
    sectors = _sectors([name for name in shown if name != NONE], trajectory)
    if query.claim is not None:
        assert query.claim.planar is not None
        claimed = words.said(query.claim.planar, query.capability)
        ask = (
            f"Is it true that, of {words.listed(shown)}, the right direction from {start} to "
            f"{end} is {claimed}?{centre}"
        )
        return [frame + " " + sectors, ask, "Answer with exactly one word: yes or no."]
    if query.wording:
        ask = f"Imagine standing at {start}. Which way would you point to point at {end}?{centre}"
    elif isinstance(query.a, int):
        ask = f"In which direction is the movement from {start} to {end}, in a straight line?"
    else:
        ask = f"In which direction does {end} lie from {start}?{centre}"
    return [frame + " " + sectors, ask, _direction_answer(query.capability, shown, trajectory)]


def _direction_answer(capability: Capability, shown: Sequence[str], trajectory: Trajectory) -> str:
    if not trajectory.vertical:
        return f"Answer with exactly one of: {', '.join(shown)}."
    rise = ", ".join(words.vertical(capability))
    half = trajectory.step_length_m / 2
    return (
        f"Answer with exactly two words with a comma between them: one of {', '.join(shown)}; "
        f"and one of {rise}, where level means less than {half:g} m of difference in height."
    )


def _distance(query: Query, trajectory: Trajectory) -> list[str]:
    start, end = _ends(query)
    how = (
        "along the ground (the difference in height does not count)"
        if trajectory.distance_metric == "planar"
        else "in a straight line through space"
    )
    what = "" if isinstance(query.a, int) else " from centre to centre"
    unit = (
        f"A step is {trajectory.step_length_m:g} m. Distances are measured{what} {how} and "
        "rounded to whole steps, halves up."
    )
    if query.claim is not None:
        k = query.claim.at_least if query.claim.exactly is None else query.claim.exactly
        number = f"{k} step" if k == 1 else f"{k} steps"
        amount = f"{number} or more" if query.claim.exactly is None else f"exactly {number}"
        ask = f"Rounded to whole steps, is the distance from {start} to {end} {amount}?"
        return [unit, ask, "Answer with exactly one word: yes or no."]
    if query.wording:
        ask = f"Count the whole steps of a walk from {start} straight to {end}: how many are they?"
    else:
        ask = f"How many steps is it from {start} to {end}?"
    return [unit, ask, "Answer with exactly one whole number, 0 or more."]


def _size() -> str:
    return (
        "How tall is A really, from its lowest to its highest point, in metres?\n\n"
        "Answer with exactly one number above 0, in metres."
    )


def _depth() -> str:
    return (
        "How far is the centre of A from the camera, measured along the line in which the camera "
        "looks (depth, not the slanted line of sight), in metres?\n\n"
        "Answer with exactly one number above 0, in metres."
    )
