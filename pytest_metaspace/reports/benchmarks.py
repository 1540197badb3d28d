"""The table of suites: accuracy by task and overall, and what their relations found."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Capability
from pytest_metaspace.reports import columns
from pytest_metaspace.reports.terminal import between, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Run, Score

ACCURACY = "-ACC"
"""What the names of relations end with that hold answers against what is true."""
_LEAST_TITLE: Final = 20
_COUNTS: Final = {"invalid": "invalid", "incon-\nclusive": "inconclusive", "error": "error"}
"""Columns that are there where something is to be counted in them."""


def of_suites(run: Run) -> tuple[Score, ...]:
    """Return the scores of relations of suites, accuracy first."""
    names = {name for task, name in (one.name.split() for one in run.by_anchor) if _is_task(task)}
    found = [score for score in run.anchors if score.name in names]
    return tuple(sorted(found, key=lambda one: not one.name.endswith(ACCURACY)))


def parts(run: Run, score: Score, *, verbose: bool) -> Iterator[Score]:
    """Yield the scores of the tasks of a relation: always of accuracy, and of all when verbose."""
    if verbose or score.name.endswith(ACCURACY):
        yield from (part for part in run.by_anchor if part.name.endswith(f" {score.name}"))


def _is_task(code: str) -> bool:
    return code not in tuple(Capability) and Capability(code).suite is not None


# --------------------------------------------------------------------------------- a terminal


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    title: str
    score: Score


def lines(run: Run, scores: Sequence[Score], *, verbose: bool, width: int) -> Iterator[str]:
    """Yield the table for a terminal: accuracy with its tasks, then the relations.

    What a relation says stands beside its name, in as many lines as it takes, or below the table
    where there is no room.

    Args:
        run: what is told of.
        scores: of relations of suites.
        verbose: tell relations by task, too.
        width: of the terminal, in columns.
    """
    rows = []
    for score in scores:
        rows.append(_Row(score.name, score.title, score))
        rows += [
            _Row(f"  {part.name.split()[0]}", "", part)
            for part in parts(run, score, verbose=verbose)
        ]
    thresholds = {gate.name: f"{gate.threshold:g}" for gate in run.gates}
    headers = _headers(rows, thresholds)
    cells = [_cells(row, headers, thresholds) for row in rows]
    room = width - columns.width(headers, cells) - columns.GAP
    if room < _LEAST_TITLE:
        yield from columns.table(headers, cells, left=[0, _score(headers)])
        yield from (f"{row.name}: {row.title}" for row in rows if row.title)
        return
    titled = [
        [first, "\n".join(textwrap.wrap(row.title, room)), *rest]
        for row, (first, *rest) in zip(rows, cells)
    ]
    left = [0, 1, 1 + _score(headers)]
    yield from columns.table([headers[0], "", *headers[1:]], titled, left)


def _headers(rows: Sequence[_Row], thresholds: Mapping[str, str]) -> list[str]:
    some = [head for head, name in _COUNTS.items() if any(getattr(r.score, name) for r in rows)]
    around = any(row.score.interval for row in rows)
    gated = any(_gate(row) in thresholds for row in rows)
    return [
        "suite",
        "violated",
        *some,
        "score\n(95 % interval)" if around else "score",
        *(["threshold"] if gated else []),
    ]


def _cells(row: _Row, headers: Sequence[str], thresholds: Mapping[str, str]) -> list[str]:
    score = row.score
    told = f" ({between(score.interval)})" if score.interval else ""
    return [
        row.name,
        f"{score.violated} of {score.cases}",
        *(str(getattr(score, name)) for head, name in _COUNTS.items() if head in headers),
        f"{number(score.value)}{told}",
        *([thresholds.get(_gate(row), "")] if "threshold" in headers else []),
    ]


def _score(headers: Sequence[str]) -> int:
    return next(place for place, head in enumerate(headers) if head.startswith("score"))


def _gate(row: _Row) -> str:
    return row.score.name.replace(" ", "/")
