"""What a fault is: where it looks, what it makes of what is seen there, and who really has it."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, NONE, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_metaspace.domain import Query, Question, Trajectory

    Look = tuple[Query, Trajectory]
    Looks = Callable[[Query, Trajectory], Sequence[Look]]
    Sees = Callable[[Sequence[Value], Question], Value]
    Says = Callable[[Question], "str | None"]

UNMOVED = Value(planar=NONE, vertical="level", steps=0)
"""What is between two things in one place."""


def as_asked(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    """Look at what is asked."""
    return ((query, trajectory),)


def nowhere(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    """Look at nothing."""
    del query, trajectory
    return ()


def as_it_is(values: Sequence[Value], question: Question) -> Value:
    """See what is there."""
    del question
    return values[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One way to fail.

    A fault of seeing changes the world that is seen: ``looks`` are the open questions that the
    wrapped agent is asked instead of one, and ``sees`` makes one value of its answers, from which
    claims are answered too. A fault of answering has ``says`` and does not stand by what it sees.

    Attributes:
        name: as in ``mutant:NAME:AGENT``.
        does: what goes wrong, to follow the name.
        who: who really fails so, one sentence.
        symmetry: why relations between answers cannot see it, one sentence; empty if they can.
        looks: the questions, each with the trajectory it is about.
        sees: the value; gets the open question that was asked.
        says: the answer to a question, or None for that of the wrapped agent.
        alone: whether the wrapped agent is never asked.
        at: makes the same fault at another rate, 0 to 1; None where there is no rate.
    """

    name: str
    does: str
    who: str
    symmetry: str = ""
    looks: Looks = as_asked
    sees: Sees = as_it_is
    says: Says | None = None
    alone: bool = False
    at: Callable[[float], Fault] | None = None


def draw(question: Question) -> random.Random:
    """Return a generator seeded by what a question means, the same in every process."""
    query = question.query
    claim = query.claim and [query.claim.planar, query.claim.at_least, query.claim.exactly]
    asked = [query.trajectory, query.capability.value, query.a, query.b, query.reference]
    return chance_of([*asked, list(query.evidence), claim, query.wording])


def chance_of(seed: Sequence[object]) -> random.Random:
    """Return a generator seeded by what JSON can hold, the same in every process."""
    text = json.dumps(seed)
    return random.Random(hashlib.sha256(text.encode()).digest())  # noqa: S311 - no secret


def labels(question: Question) -> tuple[str, ...]:
    """Return the eight sectors that a question asks for, clockwise from ahead."""
    return ALLOCENTRIC if question.query.capability.about_map else EGOCENTRIC


def whole(steps: float) -> int:
    """Return a number of steps rounded half up."""
    return int(steps + 0.5)
