"""The parts that every prompting strategy is made of, all but how the answer is to be given.

The paper's prompts were not available; these are our own. Each names its reference frame, the
step and the rounding, the labels and their sectors, the objects with their boxes, the frames in
order, and a closed answer format. None tells the executed actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import NONE
from pytest_metaspace.prompts import _watched, pointing, words
from pytest_metaspace.prompts.manners import MANNERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Query, Trajectory

MARKER = "ANSWER:"
"""What the last line of an answer begins with where reasoning comes first."""


def opening(query: Query, trajectory: Trajectory) -> list[str]:
    """Return what is asked, in paragraphs.

    Args:
        query: what is asked.
        trajectory: where it is asked about; its actions and its truth are not read.
    """
    names = ("A", "B") if isinstance(query.a, str) else _moments(query, trajectory)
    return [
        MANNERS[trajectory.scenario].role,
        _pictures(query),
        *pointing.objects(query, trajectory),
        *_background(query, trajectory),
        sentence(query, names, trajectory),
    ]


def asked(query: Query, trajectory: Trajectory) -> str:
    """Return the one sentence that asks, with the names of the objects, for people."""
    if isinstance(query.a, int):
        return sentence(query, _moments(query, trajectory), trajectory)
    names = words.one_line(query.a), words.one_line(str(query.b))
    return sentence(query, names, trajectory)


def sentence(query: Query, names: tuple[str, str], trajectory: Trajectory) -> str:
    """Return the sentence that asks.

    Args:
        query: what is asked.
        names: how it speaks of the query's two subjects; the second may be of none.
        trajectory: where it is asked about.
    """
    code = query.capability
    if code == "SC3-a":
        return f"How tall is {names[0]} really, from its lowest to its highest point, in metres?"
    if code == "SC3-b":
        return (
            f"How far is the centre of {names[0]} from the camera, measured along the line in "
            "which the camera looks (depth, not the slanted line of sight), in metres?"
        )
    if query.capability.of_directions:
        return _direction(query, *names, trajectory)
    return _distance(query, *names, trajectory)


def _pictures(query: Query) -> str:
    frames = [str(frame) for frame in query.evidence]
    if len(frames) == 1:
        return f"Image 1 is frame {frames[0]} of the run."
    order = ", ".join(f"image {i + 1} is frame {frame}" for i, frame in enumerate(frames))
    return f"{len(frames)} images follow in the order in which they were taken: {order}."


def _frame_of_reference(query: Query, trajectory: Trajectory) -> str:
    level = MANNERS[trajectory.scenario].level
    if query.capability.about_map:
        return (
            "Directions are those of a map seen from above. Its north is the way the camera "
            f"faced in frame 0{level}."
        )
    if trajectory.watched:
        return _watched.FRAME_OF_REFERENCE
    if query.capability.startswith("SC1"):
        return (
            f"Directions of movement are told in the heading of frame {query.reference}, as if "
            "you kept facing that way all the time, even after turning: forward is the way "
            f"the camera faced in frame {query.reference}{level}, right is to the right of that."
        )
    return (
        f"Directions are told from the camera of frame {query.reference}, on the ground seen "
        f"from above: farther is the way the camera looks{level}, nearer is back towards it, left "
        "and right are as in the image."
    )


def _sectors(options: Sequence[str], trajectory: Trajectory) -> str:
    half = trajectory.step_length_m / 2
    return (
        "Each direction is a sector of 45 degrees centred on its name: "
        f"{', '.join(options)}. It is {NONE} when the two are less than half a step "
        f"({half:g} m) {MANNERS[trajectory.scenario].none_apart}."
    )


def _moments(query: Query, trajectory: Trajectory) -> tuple[str, str]:
    """Return how a question speaks of two states."""
    if trajectory.watched:
        return _watched.moments(query, trajectory)
    return f"the place where frame {query.a} was taken", f"the place of frame {query.b}"


def options(query: Query, trajectory: Trajectory) -> list[str]:
    """Return the allowed planar words of a direction question, in the order shown."""
    names = list(words.planar(query.capability, watched=trajectory.watched))
    if query.wording:
        names = [*names[3:], *names[:3]][::-1]
        return [NONE, *names]
    return [*names, NONE]


def _background(query: Query, trajectory: Trajectory) -> list[str]:
    """Say what the answer is told in: reference frame and sectors, or step and rounding."""
    if query.b is None:
        return []
    place = _watched.place(query, trajectory) if trajectory.watched else []
    if query.capability.of_distances:
        return [*place, _step(query, trajectory)]
    shown = [name for name in options(query, trajectory) if name != NONE]
    told = [_frame_of_reference(query, trajectory), _sectors(shown, trajectory)]
    if trajectory.vertical and query.claim is None:
        manner = MANNERS[trajectory.scenario]
        moved = isinstance(query.a, int)
        told.append(manner.up_and_down if moved else manner.above_and_below)
    return [*place, " ".join(filter(None, told))]


def _step(query: Query, trajectory: Trajectory) -> str:
    how = (
        "along the ground (the difference in height does not count)"
        if trajectory.distance_metric == "planar"
        else "in a straight line through space"
    )
    what = "" if isinstance(query.a, int) else " from centre to centre"
    return (
        f"A step is {trajectory.step_length_m:g} m. Distances are measured{what} {how} and "
        "rounded to whole steps, halves up."
    )


def _direction(query: Query, start: str, end: str, trajectory: Trajectory) -> str:
    centre = "" if isinstance(query.a, int) else " Measure from centre to centre."
    if query.claim is not None:
        assert query.claim.planar is not None
        claimed = words.said(query.claim.planar, query.capability, watched=trajectory.watched)
        return (
            f"Is it true that, of {words.listed(options(query, trajectory))}, the correct "
            f"direction from {start} to {end} is {claimed}?{centre}"
        )
    if query.wording and trajectory.watched:
        return f"Imagine an arrow from {start} to {end}. Which way does it point?{centre}"
    if query.wording:
        manner = MANNERS[trajectory.scenario]
        there = manner.being if isinstance(query.a, int) else "standing"
        return f"Imagine {there} at {start}. Which way would you point to point at {end}?{centre}"
    if isinstance(query.a, int):
        return f"In which direction is the movement from {start} to {end}, in a straight line?"
    return f"In which direction does {end} lie from {start}?{centre}"


def _distance(query: Query, start: str, end: str, trajectory: Trajectory) -> str:
    claim = query.claim
    if claim is not None:
        k = claim.at_least if claim.exactly is None else claim.exactly
        number = f"{k} step" if k == 1 else f"{k} steps"
        amount = f"{number} or more" if claim.exactly is None else f"exactly {number}"
        return f"Rounded to whole steps, is it {amount} from {start} to {end}?"
    if query.wording and trajectory.watched:
        return f"A straight line leads from {start} to {end}: how many steps long is it?"
    if query.wording:
        manner = MANNERS[trajectory.scenario]
        way = manner.way if isinstance(query.a, int) else "walk"
        return (
            f"Count the whole steps of a {way} from {start} straight to {end}: how many are they?"
        )
    return f"How many steps is it from {start} to {end}?"


def allowed(query: Query, trajectory: Trajectory) -> str:
    """Return what an answer must be, to follow "answer with" or the like."""
    if query.claim is not None:
        return "exactly one word: yes or no"
    if query.b is None:
        return "exactly one number above 0, in metres"
    if query.capability.of_distances:
        return "exactly one whole number, 0 or more"
    shown = ", ".join(options(query, trajectory))
    if not trajectory.vertical:
        return f"exactly one of: {shown}"
    rise = ", ".join(words.vertical(query.capability))
    half = trajectory.step_length_m / 2
    return (
        f"exactly two words with a comma between them: one of {shown}; "
        f"and one of {rise}, where level means less than {half:g} m of difference in height"
    )


def last_line(query: Query, trajectory: Trajectory) -> str:
    """Return how an answer that is reasoned out ends: the closed format that is read."""
    return (
        f"Then end with one last line that begins with {MARKER} and goes on with "
        f"{allowed(query, trajectory)}. Begin no other line with that word, and write nothing "
        "after it."
    )
