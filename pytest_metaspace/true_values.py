"""What is true of a trajectory: the answer of a perfect agent, from exact geometry.

Both who answers from it (the agent ``truth``) and who holds answers against it (A3) ask here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Value
from pytest_metaspace.geometry import depth_m, planar_label, vertical_label, whole_steps

if TYPE_CHECKING:
    from pytest_metaspace.domain import Query, Subject, Trajectory, Truth, Vector


def unknown_to_truth(query: Query, truth: Truth) -> str | None:
    """Return the object that a question is about and that the truth has no place of, or None."""
    named = (subject for subject in (query.a, query.b) if isinstance(subject, str))
    return next((name for name in named if name not in truth.objects), None)


def true_value(query: Query, trajectory: Trajectory) -> Value:
    """Return the true value of an open question (RELATIONS, "Vectors, labels, units").

    Args:
        query: what is asked; its ``claim`` is not read.
        trajectory: where; it has ground truth, which knows the objects asked about.
    """
    truth = trajectory.truth
    assert truth is not None
    if query.b is None:
        return _of_one(query, truth)
    start, end = _place(truth, query.a), _place(truth, query.b)
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


def _of_one(query: Query, truth: Truth) -> Value:
    assert isinstance(query.a, str)
    assert query.reference is not None
    thing = truth.objects[query.a]
    if query.capability.value == "SC3-a":
        return Value(metres=thing.extent[2])
    return Value(metres=depth_m(truth.poses[query.reference], thing.center))


def _place(truth: Truth, subject: Subject) -> Vector:
    if isinstance(subject, int):
        return truth.poses[subject].position
    return truth.objects[subject].center
