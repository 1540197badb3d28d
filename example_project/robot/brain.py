"""The robot's agent: it sees with classical vision, and it is too agreeable.

``scout`` looks at the frames as the built-in agent ``geometric`` does. But when it is asked to
confirm a direction, it also nods at the neighbours of the one it saw, as an eager model would.
Its open answers may all be right; that it confirms two directions for one thing is not.
"""

from dataclasses import replace

from pytest_metaspace.agents import AgentKind
from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, NONE


class Scout:
    """Wraps the agent that sees and answers claims about directions leniently."""

    def __init__(self, eyes):
        self._eyes = eyes
        self.identity = f"scout-1 with {eyes.identity}"

    def ask(self, question):
        claim = question.query.claim
        if claim is None or claim.planar is None:
            return self._eyes.ask(question)
        seen = self._eyes.perceive(replace(question.query, claim=None), question.trajectory)
        if seen is None:
            return "I cannot tell."
        return "yes" if _near(seen.planar, claim.planar) else "no"


def _near(seen, claimed):
    if NONE in (seen, claimed):
        return seen == claimed
    labels = EGOCENTRIC if seen in EGOCENTRIC else ALLOCENTRIC
    apart = (labels.index(seen) - labels.index(claimed)) % 8
    return apart in (0, 1, 7)


SCOUT = AgentKind(
    name="scout",
    usage="scout",
    summary="this project's robot: classical vision, too agreeable",
    build=lambda argument, context: Scout(context.build("geometric")),
)
