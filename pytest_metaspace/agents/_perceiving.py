"""Agents that compute: they perceive a value, say it in the words asked for, and stand by it.

An agent of this kind answers a claim from the value that it would give to the open question, so
it never contradicts itself; what it cannot perceive it declines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts import words
from pytest_metaspace.prompts.parts import MARKER
from pytest_metaspace.true_values import holds

if TYPE_CHECKING:
    from pytest_metaspace.domain import AnswerFormat, Query, Question, Trajectory, Value

DECLINED = "I cannot tell."


class PerceivingAgent:
    """Base of agents whose answers are computed from a query, not read by a model."""

    identity: str | None = None
    deterministic = True
    weighs = True

    def perceive(self, query: Query, trajectory: Trajectory) -> Value | None:
        """Return the value for an open question, or None to decline.

        Args:
            query: what is asked; its ``claim`` is None.
            trajectory: where.
        """
        raise NotImplementedError

    def ask(self, question: Question) -> str:
        """Answer an open question with the perceived value, a claim from that value."""
        query = question.query
        value = self.perceive(opened(query), question.trajectory)
        if value is None:
            return final(DECLINED, question)
        if query.claim is not None:
            return final("yes" if holds(query.claim, value) else "no", question)
        return phrase(value, question)


def opened(query: Query) -> Query:
    """Return the open question behind a claim or a rewording."""
    if query.claim is None and query.wording == 0:
        return query
    return type(query)(
        trajectory=query.trajectory,
        capability=query.capability,
        a=query.a,
        b=query.b,
        reference=query.reference,
        evidence=query.evidence,
    )


def final(answer: str, question: Question) -> str:
    """Return an answer where a question wants it; who computes has no reasoning to show."""
    return f"{MARKER} {answer}" if question.format.reasoned else answer


def phrase(value: Value, question: Question) -> str:
    """Return a value in the words that a question allows, where it wants them."""
    return final(_worded(value, question.format), question)


def _worded(value: Value, form: AnswerFormat) -> str:
    if form.kind == "choice":
        return next(letter for letter, option in form.options.items() if option == value.choice)
    if form.kind in ("word", "count"):
        return str(value.choice)
    if form.kind == "direction":
        return words.direction(value, form)
    if form.kind == "steps":
        return str(value.steps)
    return f"{value.metres:.6f}"
