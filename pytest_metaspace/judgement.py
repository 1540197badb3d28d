"""Cases and their answers before the oracle: the verdicts of all, the derivations of a few.

A derivation costs twice as much as its verdict, and its proof as much again. A run of thousands
of cases judges all of them first and then has derived what it tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.answers import brief, read, troubled
from pytest_metaspace.domain import Evidence, Missing, Outcome
from pytest_metaspace.observations import framed, observation, record
from pytest_metaspace.oracle.wire import encoded
from pytest_metaspace.questions import answer_format, asked
from pytest_metaspace.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.domain import (
        Answer,
        AnswerFormat,
        Case,
        Prompting,
        Query,
        Reading,
        Trajectory,
        Verdict,
    )
    from pytest_metaspace.oracle import Oracle
    from pytest_metaspace.oracle.engine import Derivations


class Judgement:
    """Has the oracle judge cases by the answers to their questions.

    Args:
        answers: by query; what is missing is an error of the cases that need it.
        trajectories_by_id: those that the queries are about.
        oracle: it judges.
        prompting: how the questions were put, and so how answers are read.
    """

    def __init__(
        self,
        answers: Mapping[Query, Answer],
        trajectories_by_id: Mapping[str, Trajectory],
        oracle: Oracle,
        prompting: Prompting = "direct",
    ) -> None:
        self._answers = answers
        self._trajectories = trajectories_by_id
        self._oracle = oracle
        self._prompting = prompting
        self._observed: dict[Query, str] = {}
        self._shown: dict[Query, Evidence] = {}

    def verdicts(self, cases: Sequence[Case]) -> Iterator[Verdict]:
        """Yield the verdict on every case, in order, without derivations."""
        records = map(self._record, cases)
        for case, found in zip(cases, self._oracle.judge(records, derivations="none")):
            yield verdict(case, found)

    def told(self, cases: Sequence[Case], *, check: bool) -> Iterator[Verdict]:
        """Yield the verdict on every case, in order, with what a report tells of it.

        Args:
            cases: in any number.
            check: whether the independent checker confirms each derivation of a violation.
        """
        records = map(self._record, cases)
        proofs: Derivations | None = "violated" if check else None
        for case, found in zip(cases, self._oracle.judge(records, proofs=proofs, again=True)):
            told = found
            if check and found["verdict"] == Outcome.VIOLATED.value:
                told = self._oracle.confirmed(self._plain(case), found)
            judged = verdict(case, told)
            quiet = judged.outcome in (Outcome.SATISFIED, Outcome.INCONCLUSIVE)
            yield judged if quiet else verdict(case, told, self._evidence(case.queries))

    def _record(self, case: Case) -> dict[str, Any]:
        """Return a case with its observations written: most of them are in several cases."""
        return framed(case, [self._encoded(query) for query in case.queries])

    def _plain(self, case: Case) -> dict[str, Any]:
        """Return a case for the checker, which reads it."""
        return record(case, [self._read(query) for query in case.queries])

    def _encoded(self, query: Query) -> str:
        found = self._observed.get(query)
        if found is None:
            found = encoded(observation(query, self._read(query)))
            self._observed[query] = found
        return found

    def _read(self, query: Query) -> Reading:
        answer = self._answers.get(query)
        if answer is None:
            return Missing("this question was not asked")
        if answer.raw is None:
            return Missing(answer.error or "there is no answer")
        if answer.trouble is not None:
            return troubled(answer.trouble)
        return read(answer.raw, self._format(query))

    def _format(self, query: Query) -> AnswerFormat:
        trajectory = self._trajectories[query.trajectory]
        return answer_format(query, trajectory, self._prompting)

    def _evidence(self, queries: Iterable[Query]) -> tuple[Evidence, ...]:
        """Return questions with their pictures and raw answers."""
        return tuple(self._shown.get(query) or self._evident(query) for query in queries)

    def _evident(self, query: Query) -> Evidence:
        states = self._trajectories[query.trajectory].states
        answer = self._answers.get(query)
        raw = (answer.raw if answer is not None else None) or ""
        self._shown[query] = Evidence(
            question=asked(query),
            images=tuple(states[frame].frame.name for frame in query.evidence),
            raw=brief(raw, self._format(query)),
        )
        return self._shown[query]
