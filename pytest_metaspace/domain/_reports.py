"""What a run tells people: all that every report is made of, JSON-simple at heart.

Run (scores, gates) + Kept (what each case came to) + what was seen, asked, said and derived
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain._records import Kept
    from pytest_metaspace.domain._verdicts import Derivation, Outcome, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What came back when a question was put once.

    Attributes:
        raw: the answer as it came, at most 20,000 characters of it; None where there is none.
        length: of the whole answer, in characters.
        error: why there is none.
        kind: the kind of failure, where it came to no value.
        value: what it was read as, in the words of an answer.
    """

    raw: str | None
    length: int = 0
    error: str | None = None
    kind: str | None = None
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldQuestion:
    """A question with what came back.

    Attributes:
        trajectory: its id.
        capability: its code.
        sentence: what was asked, in one sentence.
        frames: states whose frames were shown, in order; of a suite's question, also those whose
            frames were changed before.
        said: what it came to.
        samples: what came back each time, where it was put several times.
        text: the whole text as it was put; empty where no case that is told rests on it.
        truth: the true answer in the same words; None where it is not known.
        pictures: names of the pictures of a suite's question, in order, where a case that is told
            rests on it; they need not be frames of states.
    """

    trajectory: str
    capability: str
    sentence: str
    frames: tuple[int, ...]
    said: Said
    samples: tuple[Said, ...] = ()
    text: str = ""
    truth: str | None = None
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldCase:
    """What became of a case, and why.

    Attributes:
        address: ``trajectory::capability::relation::id``.
        objects: ids of the tracked objects it is about.
        states: the states it is about, where it is about states.
        reason: why it is not satisfied, where there is no derivation.
        derivation: of a case that is told in full.
        questions: indices into ``Report.questions``, in the order of the case's queries; a step
            of the derivation whose ``observation`` is i rests on the ith, and from their number
            on on the givens.
        givens: where each thing that was not asked comes from.
        news: what the baseline knew of it, where there is one: ``new``, ``known``; else empty.
        excuse: why it is an expected failure, where it is in quarantine.
    """

    address: str
    outcome: Outcome
    objects: tuple[str, ...] = ()
    states: tuple[int, ...] = ()
    reason: str = ""
    derivation: Derivation | None = None
    questions: tuple[int, ...] = ()
    givens: tuple[str, ...] = ()
    news: str = ""
    excuse: str = ""

    @property
    def parts(self) -> tuple[str, str, str, str]:
        """Trajectory, capability, relation and own id."""
        trajectory, capability, relation, own = self.address.rsplit("::", 3)
        return trajectory, capability, relation, own


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldObject:
    """A tracked object: its boxes ``(x1, y1, x2, y2)`` in pixels, by state."""

    id: str
    label: str
    boxes: Mapping[int, tuple[float, float, float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldTrajectory:
    """A trajectory as people look at it.

    Attributes:
        id: its id.
        scenario: household, arm or drone.
        source: its file, as the run named it.
        size: of its frames in pixels, across and down.
        frames: the file of each state's frame; relative ones belong to the folder of the report.
        actions: what was done after each state, in words; empty where nothing was.
        objects: those that are tracked.
    """

    id: str
    scenario: str
    source: str
    size: tuple[int, int]
    frames: tuple[str, ...]
    actions: tuple[str, ...]
    objects: tuple[ToldObject, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Report:
    """One run with its evidence: every report is made of this and of nothing else.

    Attributes:
        run: scores, gates, comparison.
        kept: what each case came to; what is kept of every run.
        cases: those that ran, by address; those that are told in full have a derivation.
        questions: each once.
        trajectories: in the order in which they were loaded.
        made_by: the version of this package.
        finished: when the run ended, in UTC, as ``2026-11-30T12:00:00Z``.
        status: the exit status that the run asked for: 0 or 1.
        untold: how many cases that are not satisfied have no derivation, as there are too many.
        others: other runs to be shown beside this one.
        problems: what could not be collected, and why, a line each.
    """

    run: Run
    kept: Kept
    cases: tuple[ToldCase, ...]
    questions: tuple[ToldQuestion, ...]
    trajectories: tuple[ToldTrajectory, ...]
    made_by: str
    finished: str
    status: int = 0
    untold: int = 0
    others: tuple[Run, ...] = ()
    problems: tuple[str, ...] = ()
