"""From the outcomes of a run to its scores and gates, whoever ran it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace import gates, scoring
from pytest_metaspace.domain import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_metaspace.domain import Cluster, Settings, Verdict


def entry(found: Verdict) -> scoring.Entry:
    """Return what scores are counted from: trajectory, capability, relation and outcome."""
    case = found.case
    return case.trajectory, case.capability.value, case.relation, found.outcome


def summarise(
    *,
    agent: str,
    settings: Settings,
    titles: Mapping[str, str],
    trajectories: tuple[str, ...],
    outcomes: Iterable[scoring.Entry],
    drops: Mapping[str, int],
    questions: int,
    thresholds: Mapping[str, float],
    allowed: frozenset[str] = frozenset(),
    anchored: frozenset[str] = frozenset(),
    clusters: Mapping[str, Cluster] | None = None,
    references: Mapping[str, Mapping[str, float | None]] | None = None,
    verdicts: tuple[Verdict, ...] = (),
    failures: Mapping[str, int] | None = None,
    disagreement: Mapping[str, tuple[int, int]] | None = None,
    limits: Mapping[str, float] | None = None,
) -> Run:
    """Turn outcomes into scores and gates.

    Args:
        agent: its full name.
        settings: of the run.
        titles: what each relation is called.
        trajectories: ids of all that took part.
        outcomes: what each case came to, in any order.
        drops: candidates left out, by reason.
        questions: distinct ones.
        thresholds: by gate.
        allowed: what gates may pass in spite of.
        anchored: names of relations whose cases are in no score but their own.
        clusters: what is known of trajectories, by id.
        references: scores of reference agents.
        verdicts: where the caller wants them in the run.
        failures: questions that came to no value, by kind.
        disagreement: by capability, how many questions have samples that differ, of how many.
        limits: of failures, by kind.
    """
    counts = scoring.count(outcomes)
    related, apart = scoring.parted(counts, anchored)
    scores = scoring.by_capability(related, settings.semantics)
    anchors = scoring.by_anchor(apart, titles)
    total = scoring.total(scores)
    return Run(
        agent=agent,
        settings=settings,
        trajectories=trajectories,
        scores=scores,
        by_relation=scoring.by_relation(related, settings.semantics, titles),
        anchors=anchors,
        by_anchor=scoring.by_relation(apart, "sound", titles),
        total=total,
        gates=(
            *gates.decide(scores, total, thresholds, allowed, anchors),
            *gates.decide_failures(failures or {}, questions, limits or {}),
        ),
        verdicts=verdicts,
        drops=drops,
        questions=questions,
        counts=counts,
        clusters=clusters or {},
        references=references or {},
        failures=failures or {},
        disagreement=disagreement or {},
    )
