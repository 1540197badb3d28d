"""What the first page shows: scores, gates, change, agents side by side, what was left out."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.reports import accuracy, benchmarks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_metaspace.domain import Comparison, GateResult, Mean, Report, Run, Score

_MOST_PROBLEMS: Final = 20
_LONGEST: Final = 2_000


def summary_of(report: Report) -> dict[str, Any]:
    """Return what is told of the whole run, JSON-simple."""
    run, kept = report.run, report.kept
    return {
        "agent": run.agent,
        "madeBy": report.made_by,
        "finished": report.finished,
        "status": report.status,
        "trajectories": len(run.trajectories),
        "cases": len(report.cases),
        "questions": run.questions,
        "untold": report.untold,
        "stopped": kept.stopped,
        "problems": [text[:_LONGEST] for text in report.problems[:_MOST_PROBLEMS]],
        "moreProblems": max(0, len(report.problems) - _MOST_PROBLEMS),
        "shard": list(kept.shard),
        "settings": _settings(run),
        "total": row(run.overall),
        "scores": [row(one) for one in run.scores],
        "relations": [row(one) for one in run.by_relation],
        "scenarios": [row(one) for one in run.by_scenario],
        "anchors": [row(one) for one in run.anchors],
        "suites": [one.name for one in benchmarks.of_suites(run)],
        "anchorParts": [row(one) for one in run.by_anchor],
        "accuracy": [list(one) for one in accuracy.rows(run)],
        "accuracyHeads": list(accuracy.HEADERS),
        "accuracyNotes": [*accuracy.NOTES, *accuracy.notes(run)] if run.accuracy else [],
        "slices": [list(one) for one in accuracy.slices(run)],
        "sliceHeads": list(accuracy.SLICE_HEADERS),
        "gates": [_gate(gate) for gate in run.gates],
        "change": None if run.comparison is None else _change(run.comparison),
        "agents": list(_agents(report)),
        "disagreement": {code: list(pair) for code, pair in run.disagreement.items()},
        "failures": _counts(run.failures),
        "drops": _counts(run.drops),
        "skips": [[what, why] for what, why in kept.skips.items()],
        "known": [
            {
                "case": state.known.case,
                "reason": state.known.reason,
                "owner": state.known.owner,
                "expires": state.known.expires.isoformat(),
                "cases": state.cases,
                "broken": state.broken,
                "expired": state.expired,
                "healed": state.healed,
                "idle": state.idle,
            }
            for state in run.known
        ],
    }


def row(score: Score | Mean) -> dict[str, Any]:
    """Return a score with what it is made of."""
    interval = score.interval
    return {
        "name": score.name,
        "title": score.title,
        "value": _rounded(score.value),
        "low": _rounded(interval.low if interval else None),
        "high": _rounded(interval.high if interval else None),
        "cases": score.cases,
        "satisfied": score.satisfied,
        "violated": score.violated,
        "invalid": score.invalid,
        "inconclusive": score.inconclusive,
        "error": score.error,
        "decided": _rounded(score.decided_share),
        "trajectories": score.trajectories,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _settings(run: Run) -> list[list[str]]:
    """Return what decides which cases there are and how they are judged, as people read it."""
    pairs = []
    for field in fields(run.settings):
        value = getattr(run.settings, field.name)
        told = ", ".join(sorted(value)) or "all" if isinstance(value, frozenset) else str(value)
        if field.name == "anchors" and not value:
            told = "none"
        pairs.append([field.name, told])
    return pairs


def _gate(gate: GateResult) -> dict[str, Any]:
    return asdict(gate)


def _change(comparison: Comparison) -> dict[str, Any]:
    moves = comparison.moves
    return {
        "before": comparison.before,
        "after": comparison.after,
        "differences": list(comparison.differences),
        "minChange": comparison.min_change,
        "shifts": [
            {
                "capability": shift.capability,
                "cases": shift.cases,
                "trajectories": shift.trajectories,
                "before": _rounded(shift.before),
                "after": _rounded(shift.after),
                "p": _rounded(shift.p),
                "lost": shift.lost,
                "won": shift.won,
                "needed": shift.needed,
                "judged": shift.judged,
            }
            for shift in (*comparison.shifts, *comparison.suites)
        ],
        "moves": {field.name: len(getattr(moves, field.name)) for field in fields(moves)},
    }


def _agents(report: Report) -> Iterator[dict[str, Any]]:
    """Yield who is shown side by side: this run, the baseline, other runs, reference agents."""
    yield _agent(report.run.agent, "run", _values(report.run), report.run.total)
    comparison = report.run.comparison
    if comparison is not None and comparison.shifts:
        before = {shift.capability: shift.before for shift in comparison.shifts}
        yield _agent(comparison.before, "baseline", before, None)
    for other in report.others:
        yield _agent(other.agent, "other", _values(other), other.total)
    for name, values in report.run.references.items():
        yield _agent(name, "reference", values, values.get("total"))


def _values(run: Run) -> dict[str, float | None]:
    return {score.name: score.value for score in run.scores}


def _agent(
    name: str, kind: str, values: Mapping[str, float | None], total: float | None
) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "values": {
            code: _rounded(value) for code, value in sorted(values.items()) if code != "total"
        },
        "total": _rounded(total),
    }


def _counts(counts: Mapping[str, int]) -> list[list[Any]]:
    """Return names with their numbers, the largest first."""
    return [
        [name, number] for name, number in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]
