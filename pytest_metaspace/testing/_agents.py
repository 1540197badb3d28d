"""Does an agent do what we demand?"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import asking, pipeline
from pytest_metaspace.agents import Agent, AgentContext, AgentKind
from pytest_metaspace.answers import read
from pytest_metaspace.domain import Settings, Unreadable
from pytest_metaspace.errors import AgentError, MetaspaceError
from pytest_metaspace.questions import distinct, own_words, question
from pytest_metaspace.registry import NAME, NAME_RULE
from pytest_metaspace.testing._grounds import demand, loaded, watched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Answer, Query, Question, Trajectory

_OF_EACH_KIND = 2
_LONGEST_IDENTITY = 1000
_UNFORESEEN = "the agent raised "


def check_agent(
    agent: str | AgentKind | Agent,
    *,
    argument: str = "",
    trajectories: Iterable[Path | str] = (),
    deterministic: bool = True,
    root: Path | None = None,
) -> None:
    """Check that an agent can be asked: alone, among others, in any order and any thread.

    It is asked some thirty questions of all kinds, three times over, and one in free words.

    Args:
        agent: a full name as on the command line, what is handed to ``register``, or an agent.
        argument: what stands behind the first colon of the full name, for an ``AgentKind``.
        trajectories: trajectories, or folders of them; the shipped one when empty.
        deterministic: whether equal questions must get equal answers. A model that samples may
            differ; its answers are stored, so a run never sees two.
        root: the folder to which relative paths in a name belong; the current one when None.

    Raises:
        AssertionError: it does not; the text says what, where and what to do.
    """
    there = loaded(trajectories)
    first, second = (_built(agent, argument, root or Path.cwd()) for _ in range(2))
    name = _named(agent)
    _check_identity(name, first, second)
    asked = _questions(there)
    together = _answers(first, asked)
    _check_answers(name, asked, together)
    alone = {one.query: _answers(first, [one])[one.query] for one in reversed(asked)}
    _check_same(name, asked, together, alone, deterministic, "alone and in another order")
    apart = _in_a_thread(lambda: _answers(first, asked))
    _check_same(name, asked, together, apart, deterministic, "in another thread")
    _check_own_words(name, first, asked[0].images)


def _named(agent: str | AgentKind | Agent) -> str:
    if isinstance(agent, str):
        return f"agent {agent}"
    return f"agent {agent.name if isinstance(agent, AgentKind) else type(agent).__name__}"


def _built(agent: str | AgentKind | Agent, argument: str, root: Path) -> Agent:
    registries = pipeline.Registries.built_in()
    try:
        if isinstance(agent, str):
            return registries.agent(agent, root)
        if isinstance(agent, AgentKind):
            return _of_kind(agent, argument, registries, root)
    except MetaspaceError as problem:
        raise AssertionError(f"{_named(agent)}: cannot be made: {problem}") from problem
    return agent


def _of_kind(kind: AgentKind, argument: str, registries: pipeline.Registries, root: Path) -> Agent:
    demand(
        isinstance(kind.name, str) and NAME.fullmatch(kind.name),
        f"agent {kind.name!r}: field name: expected {NAME_RULE}.",
    )
    context = AgentContext(
        build=lambda inner: registries.agent(inner, root), question=question, read=read, root=root
    )
    advice = "Raise pytest_metaspace.errors.UsageProblem with what to type where it cannot be made."
    with watched(f"agent {kind.name}: build", advice):
        return kind.build(argument, context)


def _check_identity(name: str, first: Agent, second: Agent) -> None:
    demand(
        isinstance(first, Agent),
        f"{name}: {type(first).__name__} has no attribute identity or no method ask(question).",
    )
    identity = first.identity
    demand(
        identity is None
        or (isinstance(identity, str) and identity.strip() and len(identity) < _LONGEST_IDENTITY),
        f"{name}: field identity: expected one line that names the model, its revision and its "
        f"settings, or None for an agent whose answers cost nothing; found {identity!r}.",
    )
    demand(
        first.identity == second.identity,
        f"{name}: field identity: is {first.identity!r} for one and {second.identity!r} for "
        "another of the same name. It is part of the key of stored answers, so each run would "
        "ask everything again. Leave out times, addresses and counters.",
    )


def _questions(there: Mapping[str, Trajectory]) -> list[Question]:
    """Return a few questions of each kind: capability, open or claim, and wording."""
    registries = pipeline.Registries.built_in()
    cases = [
        case
        for trajectory in there.values()
        for case in pipeline.plan(trajectory, registries, Settings()).cases
    ]
    kinds: dict[tuple[Any, ...], list[Query]] = {}
    for query in distinct(cases):
        kind = kinds.setdefault((query.capability, query.claim is None, query.wording), [])
        if len(kind) < _OF_EACH_KIND:
            kind.append(query)
    return [question(query, there[query.trajectory]) for few in kinds.values() for query in few]


def _answers(agent: Agent, asked: Sequence[Question]) -> dict[Query, Answer]:
    return asking.ask(asked, agent, None).answers


def _check_answers(name: str, asked: Sequence[Question], answers: Mapping[Query, Answer]) -> None:
    raws = []
    for one in asked:
        answer = answers[one.query]
        told = answer.error or ""
        demand(
            answer.raw is not None or not told.startswith(_UNFORESEEN),
            f"{name}: asked {_brief(one)}: {told}. Raise pytest_metaspace.errors.AgentError with a "
            "reason where there is no answer; anything else looks like a bug in each report.",
        )
        demand(
            "expected a str" not in told,
            f"{name}: asked {_brief(one)}: {told}. Return the raw text of the answer.",
        )
        if answer.raw is not None:
            raws.append((one, answer.raw))
    if not raws:
        raise AssertionError(
            f"{name}: answers none of {len(asked)} questions, and says: "
            f"{answers[asked[0].query].error}"
        )
    readings = [read(raw, one.format) for one, raw in raws]
    if all(isinstance(reading, Unreadable) for reading in readings):
        one, raw = raws[0]
        raise AssertionError(
            f"{name}: none of its {len(raws)} answers can be read, as in {raw[:80]!a} to "
            f"{_brief(one)}: {readings[0].reason}. Answer with the words that the "  # type: ignore[union-attr]
            "prompt allows, and nothing else."
        )


def _check_same(
    name: str,
    asked: Sequence[Question],
    before: Mapping[Query, Answer],
    after: Mapping[Query, Answer],
    deterministic: bool,
    how: str,
) -> None:
    for one in asked:
        was, now = before[one.query], after[one.query]
        both = f"{_said(was)} among others, {_said(now)} {how}"
        demand(
            (was.raw is None) == (now.raw is None) or now.raw is not None,
            f"{name}: asked {_brief(one)}: {both}. Questions come from several threads, one at a "
            "time, each with an event loop of its own: open connections where they are used.",
        )
        demand(
            not deterministic or was.raw == now.raw,
            f"{name}: asked {_brief(one)}: {both}. Keep nothing between questions; for a model "
            "that samples, set its temperature to 0 or pass deterministic=False.",
        )


def _said(answer: Answer) -> str:
    return f"says {answer.raw[:80]!a}" if answer.raw is not None else f"fails ({answer.error})"


def _check_own_words(name: str, agent: Agent, images: Sequence[Path]) -> None:
    one = own_words("How many doors can you see? Answer with one number.\n", images[:1])
    answer = _answers(agent, [one])[one.query]
    told = answer.error or ""
    demand(
        not told.startswith(_UNFORESEEN),
        f"{name}: asked a question in a test's own words: {told}. Let the {AgentError.__name__} "
        "that question.query raises pass, or answer from question.text and question.images.",
    )


def _in_a_thread(work: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def _brief(one: Question) -> str:
    query = one.query
    claim = "" if query.claim is None else " (a claim)"
    return f"for {query.capability} of {query.a!r} and {query.b!r}{claim}"
