"""The tables of scores: with intervals, by scenario, beside other agents, and normalised errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.reports import accuracy, benchmarks, columns
from pytest_metaspace.reports.terminal import between, number, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Mean, Run, Score

HEADERS: Final = (
    "capability",
    "",
    "cases",
    "violated",
    "invalid",
    "inconclusive",
    "error",
    "decided",
    "score",
)
"""Of the columns that every table of scores has."""
_PUBLISHED: Final = (("people, as published", "0.96"), ("agents, as published", "0.44-0.52"))
"""Totals of the paper (Xu et al., MetaSpace, OOPSLA 2026), of its own 158 trajectories."""

Row = dict[str, str]


def tables(run: Run, *, verbose: bool, width: int = columns.USUAL) -> Iterator[str]:
    """Yield the scores of capabilities, and apart from them those of anchored relations.

    When verbose also those of relations, of the capabilities of scenarios and of reference
    agents, and how often what was violated. ``width`` is that of the terminal, in columns, to which
    tables of suites keep.
    """
    if run.scores or not run.anchors:
        yield from _scores(run, verbose=verbose)
        if verbose:
            yield from ("", *errors(run))
            yield from ("", *references(run)) if run.references else ()
    suites = benchmarks.of_suites(run)
    anchors = [score for score in run.anchors if score not in suites]
    if anchors:
        yield from ("", "answers held against the world, in no score above:") if run.scores else ()
        yield from _anchors(run, anchors, verbose=verbose)
    if suites:
        yield from ("", "items of suites, in no score above:") if run.scores or anchors else ()
        yield from benchmarks.lines(run, suites, verbose=verbose, width=width)
        yield from accuracy.lines(run, verbose=verbose, width=width)


def _scores(run: Run, *, verbose: bool) -> Iterator[str]:
    thresholds = {gate.name: f"{gate.threshold:g}" for gate in run.gates}
    rows: list[Row] = []
    for score in run.scores:
        rows.append(_row(score, score.name, thresholds) | _differing(run, score.name))
        if verbose:
            rows += (
                _row(part, "  " + part.name.split()[-1], thresholds)
                for part in run.by_relation
                if part.name.startswith(score.name + " ")
            )
    for mean in run.by_scenario:
        rows.append(_row(mean, mean.name, thresholds))
        if verbose:
            rows += (
                _row(part, "  " + part.name, thresholds, f"{mean.name}/{part.name}")
                for part in mean.parts
            )
    rows.append(_row(run.overall, "total", thresholds) | _differing(run, None))
    yield from _table(rows, HEADERS)


def _anchors(run: Run, anchors: Sequence[Score], *, verbose: bool) -> Iterator[str]:
    """Yield the table of anchored relations: what was measured, executed or is true decides."""
    thresholds = {gate.name: f"{gate.threshold:g}" for gate in run.gates}
    rows: list[Row] = []
    for score in anchors:
        rows.append(_row(score, score.name, thresholds))
        if verbose:
            rows += (
                _row(part, "  " + part.name.split()[0], thresholds)
                for part in run.by_anchor
                if part.name.endswith(f" {score.name}")
            )
    yield from _table(
        [{"anchor": row.pop("capability"), **row} for row in rows], ("anchor", *HEADERS[1:])
    )


def _row(
    score: Score | Mean, name: str, thresholds: Mapping[str, str], gate: str | None = None
) -> Row:
    known = gate or score.name.replace(" ", "/")
    return {
        "capability": name,
        "": score.title,
        "cases": str(score.cases),
        "violated": str(score.violated),
        "invalid": str(score.invalid),
        "inconclusive": str(score.inconclusive),
        "error": str(score.error),
        "decided": share(score.decided_share),
        "score": number(score.value),
        **({"interval": between(score.interval)} if score.interval else {}),
        **({"threshold": thresholds[known]} if known in thresholds else {}),
    }


def _differing(run: Run, name: str | None) -> Row:
    """Return the share of questions whose samples are not all equal, where there are several."""
    if run.settings.samples == 1:
        return {}
    pairs = [pair for code, pair in run.disagreement.items() if name in (None, code)]
    differing, compared = (sum(pair[i] for pair in pairs) for i in (0, 1))
    return {"disagrees": f"{100 * differing / compared:.1f} %" if compared else "n/a"}


def _table(rows: Sequence[Row], fixed: Sequence[str], left: int = 2) -> Iterator[str]:
    """Yield a table with the columns that are always there and those that some row has."""
    from tabulate import tabulate

    some = ("interval", "threshold", "disagrees")
    headers = [*fixed, *(name for name in some if any(name in row for row in rows))]
    titles = ["95 % interval" if name == "interval" else name for name in headers]
    yield from tabulate(
        [[row.get(name, "") for name in headers] for row in rows],
        headers=titles,
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left",) * left + ("right",) * (len(headers) - left),
        preserve_whitespace=True,
    ).splitlines()


def errors(run: Run) -> Iterator[str]:
    """Yield how often answers were violated, by what they are counted in, and by which relation."""
    told: tuple[Score | Mean, ...] = (*run.scores, *run.by_scenario, run.overall)
    rows = [_rates(score) | {"of which": _parts(run, score)} for score in told]
    yield from _table(rows, tuple(rows[0]), left=1)


def _rates(score: Score | Mean) -> Row:
    """Return what the paper calls normalised errors, and the rates of what is no violation.

    Movements (SC1) are of no object.
    """

    def per(count: int, of: int) -> str:
        return f"{count / of:.3g}" if of else "n/a"

    return {
        "": score.name,
        "readable score": number(score.readable),
        "invalid": share(score.invalid / score.cases if score.cases else None),
        "error": share(score.error / score.cases if score.cases else None),
        "violated per case": per(score.violated, score.cases),
        "per trajectory": per(score.violated, score.trajectories),
        "per object": per(score.violated, 0 if score.name.startswith("SC1") else score.objects),
    }


def _parts(run: Run, score: Score | Mean) -> str:
    """Return which share of the violations of a capability each relation has."""
    parts = [one for one in run.by_relation if one.name.startswith(f"{score.name} ")]
    return ", ".join(
        f"{part.name.split()[-1]} {share(part.violated / score.violated)}"
        for part in parts
        if part.violated
    )


def references(run: Run) -> Iterator[str]:
    """Yield what reference agents score on the same cases, and what is published of others."""
    names = [*(score.name for score in run.scores), "total"]
    own = {score.name: score.value for score in run.scores} | {"total": run.total}
    rows = [
        {"agent": agent, **{name: number(values.get(name)) for name in names}}
        for agent, values in ((run.agent, own), *run.references.items())
    ]
    if run.settings.semantics == "paper":
        rows += ({"agent": agent, "total": value} for agent, value in _PUBLISHED)
    yield from _table(rows, ("agent", *names), left=len(names) + 1)
    if run.settings.semantics == "paper":
        yield "published scores are of other trajectories, the paper's own 158, and its own prompts"
