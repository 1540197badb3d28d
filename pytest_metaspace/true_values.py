"""What is true of a trajectory: the answer of a perfect agent, from exact geometry.

Both who answers from it (the agent ``truth``) and who holds answers against it (A3) ask here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Value
from pytest_metaspace.geometry import depth_m, planar_label, vertical_label, whole_steps

if TYPE_CHECKING:
    from pytest_metaspace.domain import (
        Claim,
        Query,
        Subject,
        Trajectory,
        Truth,
        Vector,
    )


def unknown_to_truth(query: Query, trajectory: Trajectory) -> str | None:
    """Say what ``truth.json`` lacks to answer a question and how to add it, or None.

    Args:
        query: what is asked.
        trajectory: where; it has ground truth, or the query is about an item of a suite.
    """
    posing = trajectory.posing(query)
    if posing is not None:
        known = posing.answer is not None
        return None if known else "the item does not say what is true when it is put like this"
    truth = trajectory.truth
    assert truth is not None
    subjects = [one for one in (query.a, query.b) if one is not None]
    return next(filter(None, (_lacking(one, query, trajectory, truth) for one in subjects)), None)


def _lacking(subject: Subject, query: Query, trajectory: Trajectory, truth: Truth) -> str | None:
    if isinstance(subject, int):
        if trajectory.watched and truth.mover is None:
            return (
                f"truth.json does not say where the {trajectory.mover!a} was. Add `mover`, a place "
                "for each state"
            )
        return None
    thing = truth.objects.get(subject)
    if thing is None:
        return (
            f"truth.json does not know the place of {subject!a} (which may be nothing real, if a "
            "tracker found it). Add it to `objects` there"
        )
    state = query.reference or 0
    if thing.centers is None and state and not thing.rested(0, state):
        return f"truth.json says that {subject!a} moved, but not where to. Add its `centers` there"
    return None


def true_value(query: Query, trajectory: Trajectory) -> Value:
    """Return the true value of an open question (RELATIONS, "Vectors, labels, units").

    Args:
        query: what is asked; its ``claim`` is not read.
        trajectory: where; it has ground truth, which knows the objects asked about, or the query
            is about an item of a suite.
    """
    posing = trajectory.posing(query)
    if posing is not None:
        return Value(choice=posing.answer)
    truth = trajectory.truth
    assert truth is not None
    if query.b is None:
        return _of_one(query, truth)
    start, end = (_place(trajectory, truth, query, one) for one in (query.a, query.b))
    step = trajectory.step_length_m
    if query.capability.of_distances:
        return Value(steps=whole_steps(start, end, step, trajectory.distance_metric))
    return Value(
        planar=planar_label(
            start,
            end,
            yaw_deg=truth.poses[query.reference or 0].yaw_deg,
            step_m=step,
            labels=ALLOCENTRIC if query.capability.about_map else EGOCENTRIC,
        ),
        vertical=vertical_label(start, end, step_m=step) if trajectory.vertical else None,
    )


def knows_truth(query: Query, trajectory: Trajectory) -> bool:
    """Whether there is anything to answer a question from."""
    return trajectory.truth is not None or query.capability.suite is not None


def holds(claim: Claim, value: Value) -> bool:
    """Whether a claim is true of a value."""
    if claim.planar is not None:
        return value.planar == claim.planar
    assert value.steps is not None
    if claim.at_least is not None:
        return value.steps >= claim.at_least
    return value.steps == claim.exactly


def _of_one(query: Query, truth: Truth) -> Value:
    assert isinstance(query.a, str)
    assert query.reference is not None
    thing = truth.objects[query.a]
    if query.capability.value == "SC3-a":
        return Value(metres=thing.extent[2])
    return Value(metres=depth_m(truth.poses[query.reference], thing.center_at(query.reference)))


def _place(trajectory: Trajectory, truth: Truth, query: Query, subject: Subject) -> Vector:
    """Return where the mover was at a state, or an object at the frame asked about.

    A map has no frame; it shows what rested throughout.
    """
    if isinstance(subject, str):
        return truth.objects[subject].center_at(query.reference or 0)
    if trajectory.watched:
        assert truth.mover is not None
        return truth.mover[subject]
    return truth.poses[subject].position
