"""``mutant:FAULT:AGENT``: an agent with one spatial fault, to measure what the relations catch.

A mutant changes the world that is seen: it perturbs the value that the wrapped agent gives to
the open question, and answers claims from the perturbed value, so that it stands by its error.
``yes-sayer`` and ``random`` are faults of answering rather than of seeing, and do not.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._perceiving import final, holds, opened, phrase
from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, NONE, VERTICAL, Reply, Value
from pytest_metaspace.errors import UsageProblem, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Self

    from pytest_metaspace.agents._kinds import Agent, AgentContext
    from pytest_metaspace.domain import Query, Question, Trajectory

_MOST_STEPS = 12


class Mutant:
    """An agent that wraps another one and sees its world with a fault.

    Args:
        fault: name of the fault.
        inner: the wrapped agent.
        context: makes and reads the open question behind a claim.
    """

    def __init__(self, fault: str, inner: Agent, context: AgentContext) -> None:
        self.fault = fault
        self.inner = inner
        self._context = context
        asks = fault not in (*_BLIND, "random")
        self.deterministic: bool = getattr(inner, "deterministic", False)
        self.greedy: bool = getattr(inner, "greedy", False)
        self.structured: bool = getattr(inner, "structured", False)
        self.paid: bool | None = getattr(inner, "paid", None) if asks else None
        self.concurrency: int | None = getattr(inner, "concurrency", None)

    @property
    def identity(self) -> str | None:
        """That of the wrapped agent, which may be dear to find out, and the fault."""
        inner = self.inner.identity
        return None if inner is None else f"mutant:{self.fault}:{inner}"

    async def ask(self, question: Question) -> str | Reply:
        """Return the faulty answer; whatever the wrapped agent declines stays as it is."""
        query = question.query
        if self.fault == "yes-sayer":
            yes = final("yes", question)
            return yes if query.claim is not None else await self._inner(question)
        if self.fault == "random":
            return _guess(question)
        trajectory = question.trajectory
        shifted = _SHIFTS.get(self.fault, _same)(opened(query), trajectory)
        asked = self._context.question(shifted, trajectory, question.prompting)
        asked = replace(asked, sample=question.sample)
        if self.fault in _BLIND:
            return self._seen(Value(), question)
        said = await self._inner(asked)
        if isinstance(said, str):
            value = self._context.read(said, asked.format)
            return self._seen(value, question) if isinstance(value, Value) else said
        value = self._context.read(said.text, asked.format)
        if said.trouble is not None or not isinstance(value, Value):
            return said
        return replace(said, text=self._seen(value, question))

    def _seen(self, value: Value, question: Question) -> str:
        """Return what a value is in the eyes of the fault, as an answer to the question."""
        query = question.query
        seen = _FAULTS[self.fault](value, replace(question, query=opened(query)))
        if query.claim is not None:
            return final("yes" if holds(query.claim, seen) else "no", question)
        return phrase(seen, question)

    async def _inner(self, question: Question) -> str | Reply:
        said = self.inner.ask(question)
        return await said if inspect.isawaitable(said) else said

    async def __aenter__(self) -> Self:
        """Open the wrapped agent, where it can be opened."""
        if hasattr(self.inner, "__aenter__"):
            await self.inner.__aenter__()
        return self

    async def __aexit__(self, *raised: object) -> None:
        """Close it."""
        if hasattr(self.inner, "__aexit__"):
            await self.inner.__aexit__(*raised)


def _draw(question: Question) -> random.Random:
    """Return a generator seeded by what the question means, the same in every process."""
    query = question.query
    claim = query.claim and [query.claim.planar, query.claim.at_least, query.claim.exactly]
    asked = [query.trajectory, query.capability.value, query.a, query.b, query.reference]
    seed = json.dumps([*asked, list(query.evidence), claim, query.wording])
    return random.Random(hashlib.sha256(seed.encode()).digest())  # noqa: S311 - no secret


def _guess(question: Question) -> str:
    """Return any allowed answer, each as likely as the others, drawn anew for each question."""
    draw = _draw(question)
    form = question.format
    if form.kind == "yes-no":
        return final(draw.choice(("yes", "no")), question)
    value = Value(
        planar=draw.choice(sorted(form.planar.values())) if form.planar else None,
        vertical=draw.choice(VERTICAL) if form.vertical else None,
        steps=draw.randint(0, _MOST_STEPS),
        metres=draw.uniform(0.2, 5.0),
    )
    return phrase(value, question)


def _labels(question: Question) -> tuple[str, ...]:
    return ALLOCENTRIC if question.query.capability.about_map else EGOCENTRIC


def _mirrored(value: Value, question: Question) -> Value:
    """Swap left and right (east and west); distances do not change in a mirror."""
    if value.planar in (None, NONE):
        return value
    labels = _labels(question)
    return replace(value, planar=labels[-labels.index(value.planar) % 8])


def _constant(value: Value, question: Question) -> Value:
    """Say the same whatever is asked."""
    del value
    return Value(planar=_labels(question)[0], vertical="level", steps=3, metres=1.0)


def _collapsed(value: Value, question: Question) -> Value:
    """See everything in one spot."""
    del value, question
    return Value(planar=NONE, vertical="level", steps=0, metres=1.0)


def _off_by_one(value: Value, question: Question) -> Value:
    """Miss by one sector, one step or a tenth, up or down by a draw per question."""
    up = _draw(question).choice((-1, 1))
    planar, steps, metres = value.planar, value.steps, value.metres
    if planar is not None and planar != NONE:
        labels = _labels(question)
        planar = labels[(labels.index(planar) + up) % 8]
    if steps is not None:
        steps = steps + up if steps + up >= 0 else steps + 1
    if metres is not None:
        metres *= 1 + 0.1 * up
    return replace(value, planar=planar, steps=steps, metres=metres)


def _as_it_is(value: Value, question: Question) -> Value:
    del question
    return value


def _same(query: Query, trajectory: Trajectory) -> Query:
    del trajectory
    return query


def _to_own_frame(query: Query, trajectory: Trajectory) -> Query:
    """Tell directions in the heading from which the first subject was seen, not as asked.

    For a movement that is the heading at the state where it starts, for a map the heading of
    the last picture shown that has the object from which the direction goes.
    """
    if not query.capability.of_directions:
        return query
    if isinstance(query.a, int):
        return replace(query, reference=query.a)
    if not query.capability.about_map:
        return query
    boxes = trajectory.by_id[query.a].boxes
    return replace(query, reference=max(frame for frame in query.evidence if frame in boxes))


_FAULTS: Mapping[str, Callable[[Value, Question], Value]] = {
    "mirrored": _mirrored,
    "constant": _constant,
    "collapsed": _collapsed,
    "off-by-one": _off_by_one,
    "frame-locked": _as_it_is,
}
_SHIFTS: Mapping[str, Callable[[Query, Trajectory], Query]] = {"frame-locked": _to_own_frame}
_BLIND = frozenset({"constant", "collapsed"})
FAULTS = (*_FAULTS, "random", "yes-sayer")


def _build(argument: str, context: AgentContext) -> Mutant:
    fault, colon, inner = argument.partition(":")
    if fault not in FAULTS:
        raise unknown("fault", fault, FAULTS, hint="Write mutant:FAULT:AGENT.")
    if not colon or not inner:
        raise UsageProblem(
            f"metaspace: mutant:{fault} wraps no agent. Write mutant:{fault}:truth, say."
        )
    return Mutant(fault, context.build(inner), context)


def _build_random(argument: str, context: AgentContext) -> Mutant:
    del argument
    return Mutant("random", context.build("truth"), context)


def _build_collapsed(argument: str, context: AgentContext) -> Mutant:
    del argument
    return Mutant("collapsed", context.build("truth"), context)


KIND = AgentKind(
    name="mutant",
    usage="mutant:FAULT:AGENT",
    summary=f"an agent with one fault: {', '.join(FAULTS)}",
    build=_build,
)
RANDOM = AgentKind(
    name="random",
    usage="random",
    summary="any allowed answer; what guessing scores",
    build=_build_random,
)
COLLAPSED = AgentKind(
    name="collapsed",
    usage="collapsed",
    summary="none, 0 steps, 1 m to everything; what evading scores",
    build=_build_collapsed,
)
