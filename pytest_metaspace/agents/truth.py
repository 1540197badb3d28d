"""``truth``: answers from ``truth.json``, exactly as RELATIONS defines what is true.

It scores 1.000 on everything; when it does not, the plugin is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._perceiving import PerceivingAgent
from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Value
from pytest_metaspace.errors import AgentError
from pytest_metaspace.geometry import depth_m, planar_label, vertical_label, whole_steps

if TYPE_CHECKING:
    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.domain import Query, Subject, Trajectory, TrueObject, Truth, Vector


class TruthAgent(PerceivingAgent):
    """Answers every question from ground truth; raises ``AgentError`` where there is none."""

    def perceive(self, query: Query, trajectory: Trajectory) -> Value | None:
        """Return the true value."""
        truth = trajectory.truth
        if truth is None:
            raise AgentError(
                f"{trajectory.source.parent} has no truth.json, so none is known. Record poses, or "
                "ask another agent (docs/agents.md)."
            )
        if query.b is None:
            return self._of_one(query, truth)
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

    def _of_one(self, query: Query, truth: Truth) -> Value:
        assert isinstance(query.a, str)
        assert query.reference is not None
        thing = _object(truth, query.a)
        if query.capability.value == "SC3-a":
            return Value(metres=thing.extent[2])
        return Value(metres=depth_m(truth.poses[query.reference], _center(thing, query.reference)))


def _object(truth: Truth, name: str) -> TrueObject:
    try:
        return truth.objects[name]
    except KeyError:
        raise AgentError(
            f"truth.json does not know the place of {name!a}. Add it to `objects` there "
            "(docs/format.md), or ask another agent (docs/agents.md)."
        ) from None


def _center(thing: TrueObject, state: int) -> Vector:
    if thing.centers is None and state and not thing.rested(0, state):
        raise AgentError(
            f"truth.json says that {thing.id!a} moved, but not where to. Add its `centers` there "
            "(docs/format.md), or ask another agent (docs/agents.md)."
        )
    return thing.center_at(state)


def _place(trajectory: Trajectory, truth: Truth, query: Query, subject: Subject) -> Vector:
    """Return where the mover was at a state, or an object at the frame asked about.

    A map has no frame; it shows what rested throughout.
    """
    if isinstance(subject, str):
        return _center(_object(truth, subject), query.reference or 0)
    if not trajectory.watched:
        return truth.poses[subject].position
    if truth.mover is None:
        raise AgentError(
            f"truth.json does not say where the {trajectory.mover!a} was. Add `mover`, a place for "
            "each state (docs/format.md), or ask another agent (docs/agents.md)."
        )
    return truth.mover[subject]


def _build(argument: str, context: AgentContext) -> TruthAgent:
    del argument, context
    return TruthAgent()


KIND = AgentKind(
    name="truth",
    usage="truth",
    summary="answers from truth.json; scores 1.000, always",
    build=_build,
)
