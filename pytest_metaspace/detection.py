"""What the relations catch: every mutant of an agent on the same cases, side by side.

Cases are planned once and the agent is asked once; a mutant changes its answers, and only cases
whose answers changed are judged again. Nobody who could cost anything is asked: of a model, the
stored answers count.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import pipeline
from pytest_metaspace.agents import AgentContext
from pytest_metaspace.agents._perceiving import opened
from pytest_metaspace.agents.mutant import Mutant
from pytest_metaspace.answers import read
from pytest_metaspace.domain import Answer, Outcome, Reply
from pytest_metaspace.errors import AgentError, UsageProblem
from pytest_metaspace.hearing import heard, require_some
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.questions import distinct, question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.agents.faults import Fault
    from pytest_metaspace.asking import Keeping
    from pytest_metaspace.domain import Case, Prompting, Query, Question, Settings, Trajectory
    from pytest_metaspace.oracle import Oracle

_DECIDED = (Outcome.SATISFIED, Outcome.VIOLATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a relation found of a mutant.

    Attributes:
        cases: all, whatever became of them.
        decided: satisfied or violated.
        violated: by the mutant.
        new: violated by the mutant, and not by the agent that it wraps.
    """

    cases: int
    decided: int
    violated: int
    new: int

    @property
    def rate(self) -> float | None:
        """The detection rate, violated / decided; None where nothing was decided."""
        return self.violated / self.decided if self.decided else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One mutant, or the agent itself.

    Attributes:
        name: the fault; empty for the agent itself.
        answers: how many questions were answered.
        changed: how many of them otherwise than by the agent itself.
        missing: how many have no answer, as nobody recorded what the fault looks at.
        found: by capability and relation.
    """

    name: str
    answers: int
    changed: int
    missing: int
    found: Mapping[tuple[str, str], Found]

    def by(self, relation: str) -> Found | None:
        """Return what a relation found, over all capabilities; None where it has no case."""
        parts = [found for (_, name), found in self.found.items() if name == relation]
        if not parts:
            return None
        return Found(
            cases=sum(part.cases for part in parts),
            decided=sum(part.decided for part in parts),
            violated=sum(part.violated for part in parts),
            new=sum(part.new for part in parts),
        )

    @property
    def caught_by(self) -> tuple[str, ...]:
        """The relations that accuse the mutant of what the agent itself does not do."""
        names = dict.fromkeys(name for _, name in self.found)
        return tuple(name for name in names if (found := self.by(name)) and found.new)


class Study:
    """Measures what relations catch of mutants.

    Args:
        paths: trajectories, or folders of them.
        settings: which cases, and how they are judged.
        registries: relations and agents.
        agent: who is wrapped.
        store: where its answers are kept; None for an agent that computes them.
        progress: called with what is done next.

    Attributes:
        cases: every case.

    Raises:
        UsageProblem: there is no case, or no stored answer.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        settings: Settings,
        registries: pipeline.Registries,
        agent: Agent,
        store: Keeping | None = None,
        *,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._settings = settings
        self._registries = registries
        self._progress = progress
        self._loaded = {one.id: one for one in pipeline.load(paths, registries)}
        plans = [pipeline.plan(one, registries, settings) for one in self._loaded.values()]
        self.cases = [case for plan in plans for case in plan.cases]
        if not self.cases:
            raise UsageProblem(
                "metaspace: no case is selected, so there is nothing to catch a mutant by. Type:  "
                "metaspace plan PATH"
            )
        self._questions = [self._question(query) for query in distinct(self.cases)]
        self._heard = _Heard(agent, store, settings.prompting)

    def rows(self, faults: Sequence[Fault]) -> Iterator[Row]:
        """Yield the agent itself, then a row for each of its mutants, in order."""
        self._progress("the agent itself")
        self._heard.hear(self._questions)
        own = {one.query: self._heard.answers[_key(one)] for one in self._questions}
        require_some(own)
        with pipeline.oracle_for(self._registries, self._settings) as oracle:
            pipeline.require_laws(self.cases, oracle)
            base = self._outcomes(self.cases, own, oracle)
            yield self._row("", own, own, base, base)
            for number, fault in enumerate(faults):
                self._progress(f"{fault.name}, {number + 1} of {len(faults)}")
                told = self._told(fault, own)
                touched = [
                    i
                    for i, case in enumerate(self.cases)
                    if any(told[query] != own[query] for query in case.queries)
                ]
                again = self._outcomes([self.cases[i] for i in touched], told, oracle)
                outcomes = [*base]
                for i, outcome in zip(touched, again):
                    outcomes[i] = outcome
                yield self._row(fault.name, told, own, outcomes, base)

    def _question(self, query: Query) -> Question:
        return question(query, self._loaded[query.trajectory], self._settings.prompting)

    def _told(self, fault: Fault, own: Mapping[Query, Answer]) -> Mapping[Query, Answer]:
        """Return what the mutant of a fault answers."""
        self._heard.look(fault, self._questions)
        context = AgentContext(
            build=lambda _: self._heard,
            question=self._heard.question,
            read=read,
            root=Path.cwd(),
        )
        mutant = Mutant(fault, self._heard, context)
        told = asyncio.run(_all(mutant, self._questions))
        #  An answer that is the agent's own keeps what is known about it.
        return {query: own[query] if own[query].raw == one.raw else one for query, one in told}

    def _outcomes(
        self, cases: Sequence[Case], answers: Mapping[Query, Answer], oracle: Oracle
    ) -> list[Outcome]:
        judged = Judgement(answers, self._loaded, oracle, self._settings.prompting)
        return [verdict.outcome for verdict in judged.verdicts(cases)]

    def _row(
        self,
        name: str,
        told: Mapping[Query, Answer],
        own: Mapping[Query, Answer],
        outcomes: Sequence[Outcome],
        base: Sequence[Outcome],
    ) -> Row:
        grouped: dict[tuple[str, str], list[tuple[Outcome, Outcome]]] = defaultdict(list)
        for case, *pair in zip(self.cases, outcomes, base):
            grouped[case.capability.value, case.relation].append((pair[0], pair[1]))
        return Row(
            name=name,
            answers=len(told),
            changed=sum(told[query] != own[query] for query in told),
            missing=sum(answer.raw is None for answer in told.values()),
            found={key: _found(pairs) for key, pairs in grouped.items()},
        )


def _found(pairs: Sequence[tuple[Outcome, Outcome]]) -> Found:
    violated = [own for outcome, own in pairs if outcome is Outcome.VIOLATED]
    return Found(
        cases=len(pairs),
        decided=sum(outcome in _DECIDED for outcome, _ in pairs),
        violated=len(violated),
        new=sum(own is not Outcome.VIOLATED for own in violated),
    )


async def _all(agent: Mutant, questions: Iterable[Question]) -> list[tuple[Query, Answer]]:
    return [(one.query, await _answer(agent, one)) for one in questions]


async def _answer(agent: Mutant, asked: Question) -> Answer:
    try:
        reply = await agent.ask(asked)
    except AgentError as problem:
        return Answer(raw=None, error=str(problem), kind=problem.kind)
    if isinstance(reply, Reply):
        return Answer(raw=reply.text, trouble=reply.trouble)
    return Answer(raw=reply)


_Key = tuple["Query", float]


def _key(asked: Question) -> _Key:
    return asked.query, asked.trajectory.step_length_m


class _Heard:
    """An agent's answers, each of them asked for once; in the place of the agent."""

    identity: str | None = None
    deterministic = True

    def __init__(self, agent: Agent, store: Keeping | None, prompting: Prompting) -> None:
        self.answers: dict[_Key, Answer] = {}
        self._agent = agent
        self._store = store
        self._prompting = prompting
        self._questions: dict[_Key, Question] = {}

    def question(
        self, query: Query, trajectory: Trajectory, prompting: Prompting = "direct"
    ) -> Question:
        """Return a question; its text is written once."""
        key = query, trajectory.step_length_m
        if key not in self._questions:
            self._questions[key] = question(query, trajectory, prompting)
        return self._questions[key]

    def look(self, fault: Fault, questions: Iterable[Question]) -> None:
        """Hear the answers to everything at which a fault looks for some questions."""
        if fault.says is not None:
            return
        self.hear(
            self.question(query, trajectory, self._prompting)
            for one in questions
            for query, trajectory in fault.looks(opened(one.query), one.trajectory)
        )

    def hear(self, questions: Iterable[Question]) -> None:
        """Hear the answers that are not known yet."""
        unknown: dict[float, dict[Query, Question]] = defaultdict(dict)
        for one in questions:
            if _key(one) not in self.answers:
                unknown[one.trajectory.step_length_m][one.query] = one
        for step, group in unknown.items():
            told = heard(group.values(), self._agent, self._store)
            self.answers |= {(query, step): answer for query, answer in told.items()}

    def ask(self, asked: Question) -> str | Reply:
        """Return a known answer.

        Raises:
            AgentError: there is none.
        """
        answer = self.answers[_key(asked)]
        if answer.raw is None:
            raise AgentError(answer.error or "no answer", kind=answer.kind or "failed")
        if answer.trouble is None:
            return answer.raw
        return Reply(text=answer.raw, trouble=answer.trouble)
