"""The table of suites: accuracy by task and overall, and what their relations found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Run, Score

ACCURACY = "-ACC"
"""What the names of relations end with that hold answers against what is true."""


def of_suites(run: Run) -> tuple[Score, ...]:
    """Return the scores of relations of suites, accuracy first."""
    names = {name for task, name in (one.name.split() for one in run.by_anchor) if _is_task(task)}
    found = [score for score in run.anchors if score.name in names]
    return tuple(sorted(found, key=lambda one: not one.name.endswith(ACCURACY)))


def parts(run: Run, score: Score, *, verbose: bool) -> Iterator[Score]:
    """Yield the scores of the tasks of a relation: always of accuracy, and of all when verbose."""
    if verbose or score.name.endswith(ACCURACY):
        yield from (part for part in run.by_anchor if part.name.endswith(f" {score.name}"))


def meaning(part: Score) -> str:
    """Return what a task asks for."""
    return Capability(part.name.split()[0]).meaning


def _is_task(code: str) -> bool:
    return code not in tuple(Capability) and Capability(code).suite is not None
