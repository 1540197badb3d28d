"""``geometric``: a classical vision agent (being written)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._perceiving import PerceivingAgent

if TYPE_CHECKING:
    from pytest_metaspace.agents._kinds import AgentContext


def _build(argument: str, context: AgentContext) -> PerceivingAgent:
    del argument, context
    return PerceivingAgent()


KIND = AgentKind(
    name="geometric",
    usage="geometric",
    summary="looks at the frames: visual odometry on the floor, boxes and typical sizes",
    build=_build,
)
