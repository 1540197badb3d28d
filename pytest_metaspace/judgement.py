"""Cases and their answers before the oracle: the verdicts of all, the derivations of a few.

A derivation costs twice as much as its verdict, and its proof as much again. A run of thousands
of cases judges all of them first and then has derived what it tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.answers import brief
from pytest_metaspace.domain import Evidence, Outcome
from pytest_metaspace.failures import kind_of
from pytest_metaspace.observations import framed, observation, record
from pytest_metaspace.oracle.wire import encoded
from pytest_metaspace.questions import answer_format, asked, shown_names
from pytest_metaspace.repeats import reading_of
from pytest_metaspace.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.domain import (
        Answer,
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

    Attributes:
        failed: the questions that came to no value, and the kind of failure; complete once all
            verdicts were taken.
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
        self.failed: dict[Query, str] = {}
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
            reading = self._read(query)
            kind = kind_of(self._answers.get(query), reading)
            if kind is not None:
                self.failed[query] = kind
            found = encoded(observation(query, reading))
            self._observed[query] = found
        return found

    def _read(self, query: Query) -> Reading:
        trajectory = self._trajectories[query.trajectory]
        return reading_of(self._answers.get(query), query, trajectory, self._prompting)

    def _evidence(self, queries: Iterable[Query]) -> tuple[Evidence, ...]:
        """Return questions with their pictures and raw answers."""
        return tuple(self._shown.get(query) or self._evident(query) for query in queries)

    def _evident(self, query: Query) -> Evidence:
        trajectory = self._trajectories[query.trajectory]
        answer = self._answers.get(query)
        self._shown[query] = Evidence(
            question=asked(query, trajectory),
            images=shown_names(query, trajectory),
            raw="" if answer is None else self._words(answer, query),
        )
        return self._shown[query]

    def _words(self, answer: Answer, query: Query) -> str:
        """Return what was said, of a tie by each sample; of reasoning only what it came to."""
        form = answer_format(query, self._trajectories[query.trajectory], self._prompting)
        said = (answer,) if answer.raw is not None else answer.samples
        return " / ".join(dict.fromkeys(brief(one.raw, form) for one in said if one.raw))
