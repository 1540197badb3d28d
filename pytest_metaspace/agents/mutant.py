"""``mutant:FAULT:AGENT``: an agent with one spatial fault, to measure what the relations catch.

A mutant changes the world that is seen: it perturbs the value that the wrapped agent gives to
the open question, and answers claims from the perturbed value, so that it stands by its error.
Faults of answering rather than of seeing do not (``faults``).
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.agents import faults
from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._perceiving import final, opened, phrase
from pytest_metaspace.domain import Reply, Value
from pytest_metaspace.errors import AgentError, UsageProblem
from pytest_metaspace.true_values import holds

if TYPE_CHECKING:
    from typing_extensions import Self

    from pytest_metaspace.agents._kinds import Agent, AgentContext
    from pytest_metaspace.agents.faults import Fault
    from pytest_metaspace.domain import Question

FAULTS = tuple(faults.FAULTS)


class Mutant:
    """An agent that wraps another one and sees its world with a fault.

    Args:
        fault: the fault.
        inner: the wrapped agent.
        context: makes and reads the open questions behind a claim.
    """

    def __init__(self, fault: Fault, inner: Agent, context: AgentContext) -> None:
        self.fault = fault
        self.inner = inner
        self._context = context
        self.deterministic: bool = getattr(inner, "deterministic", False)
        self.greedy: bool = getattr(inner, "greedy", False)
        self.structured: bool = getattr(inner, "structured", False)
        self.weighs: bool = fault.alone or getattr(inner, "weighs", False)
        self.paid: bool | None = None if fault.alone else getattr(inner, "paid", None)
        self.concurrency: int | None = getattr(inner, "concurrency", None)
        self.no_items: str = "" if fault.says is not None else _no_items(fault)

    @property
    def identity(self) -> str | None:
        """That of the wrapped agent, which may be dear to find out, and the fault."""
        inner = self.inner.identity
        return None if inner is None else f"mutant:{self.fault.name}:{inner}"

    async def ask(self, question: Question) -> str | Reply:
        """Return the faulty answer; whatever the wrapped agent declines stays as it is."""
        if question.format.kind in ("choice", "word", "count") and self.no_items:
            raise AgentError(self.no_items)
        if self.fault.says is not None:
            said = self.fault.says(question)
            return await self._inner(question) if said is None else said
        values: list[Value] = []
        replies: list[Reply] = []
        for query, trajectory in self.fault.looks(opened(question.query), question.trajectory):
            asked = self._context.question(query, trajectory, question.prompting)
            reply = await self._inner(replace(asked, sample=question.sample))
            told = reply.text if isinstance(reply, Reply) else reply
            value = self._context.read(told, asked.format)
            if getattr(reply, "trouble", None) is not None or not isinstance(value, Value):
                return reply
            values.append(value)
            if isinstance(reply, Reply):
                replies.append(reply)
        seen = self._seen(values, question)
        return _as_one(replies, seen) if replies else seen

    def _seen(self, values: list[Value], question: Question) -> str:
        """Return what values are in the eyes of the fault, as an answer to the question."""
        query = question.query
        seen = self.fault.sees(values, replace(question, query=opened(query)))
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


def _no_items(fault: Fault) -> str:
    return (
        f"the fault {fault.name} is one of runs of robots, not of items of suites; ask "
        "mutant:first-option:truth or random about those"
    )


def _as_one(replies: list[Reply], text: str) -> Reply:
    """Return a reply with the tokens of all that it took."""
    return replace(
        replies[0],
        text=text,
        tokens_in=sum(reply.tokens_in for reply in replies),
        tokens_out=sum(reply.tokens_out for reply in replies),
    )


def _build(argument: str, context: AgentContext) -> Mutant:
    spelled, colon, inner = argument.partition(":")
    fault = faults.fault_of(spelled)
    if not colon or not inner:
        raise UsageProblem(
            f"metaspace: mutant:{spelled} wraps no agent. Write mutant:{spelled}:truth, say."
        )
    return Mutant(fault, context.build(inner), context)


def _build_random(argument: str, context: AgentContext) -> Mutant:
    del argument
    return Mutant(faults.FAULTS["random"], context.build("truth"), context)


def _build_collapsed(argument: str, context: AgentContext) -> Mutant:
    del argument
    return Mutant(faults.FAULTS["collapsed"], context.build("truth"), context)


KIND = AgentKind(
    name="mutant",
    usage="mutant:FAULT:AGENT",
    summary=f"an agent with one of {len(FAULTS)} faults; metaspace mutants --list tells which",
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
