"""``truth``: answers from ``truth.json``, exactly as RELATIONS defines what is true.

It scores 1.000 on everything; when it does not, the plugin is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._perceiving import PerceivingAgent
from pytest_metaspace.errors import AgentError
from pytest_metaspace.true_values import knows_truth, true_value, unknown_to_truth

if TYPE_CHECKING:
    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.domain import Query, Trajectory, Value


class TruthAgent(PerceivingAgent):
    """Answers every question from ground truth; raises ``AgentError`` where there is none."""

    def perceive(self, query: Query, trajectory: Trajectory) -> Value | None:
        """Return the true value."""
        if not knows_truth(query, trajectory):
            raise AgentError(
                f"{trajectory.source.parent} has no truth.json, so none is known. Record poses, or "
                "ask another agent (docs/agents.md)."
            )
        lacking = unknown_to_truth(query, trajectory)
        if lacking is not None:
            raise AgentError(f"{lacking} (docs/format.md), or ask another agent (docs/agents.md).")
        return true_value(query, trajectory)


def _build(argument: str, context: AgentContext) -> TruthAgent:
    del argument, context
    return TruthAgent()


KIND = AgentKind(
    name="truth",
    usage="truth",
    summary="answers from truth.json; scores 1.000, always",
    build=_build,
)
