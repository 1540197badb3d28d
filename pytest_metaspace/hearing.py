"""What an agent answers in a study: whoever computes is asked, of a model the stored answers count.

A study compares answers that are there already. It must cost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace import asking
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.asking import Keeping
    from pytest_metaspace.domain import Answer, Query, Question


def computes(agent: Agent) -> bool:
    """Whether asking an agent costs nothing, so that no answer needs to be stored."""
    return agent.identity is None or bool(getattr(agent, "deterministic", False))


def heard(
    questions: Iterable[Question], agent: Agent, store: Keeping | None
) -> dict[Query, Answer]:
    """Return an answer to every question; one without text where nobody recorded it.

    Args:
        questions: distinct in what they mean.
        agent: who is asked if it computes, and whose stored answers are taken if not.
        store: where they are; None for nowhere.
    """
    mode = "cached" if computes(agent) else "offline"
    return asking.ask(questions, agent, store, mode=mode).answers  # type: ignore[arg-type]


def require_some(answers: Mapping[Query, Answer]) -> None:
    """Make sure that somebody answered something.

    Raises:
        UsageProblem: nobody did; the text says how to record answers.
    """
    if any(answer.raw is not None for answer in answers.values()):
        return
    reason = next((answer.error for answer in answers.values()), None)
    raise UsageProblem(
        f"metaspace: none of {len(answers)} questions has an answer of this agent, and this "
        "command asks no model. Record them first, with the same options:  pytest "
        f"--metaspace-agent=NAME. The first reason: {reason}"
    )
