"""Two runs held against each other: what differs between them, and what that did to the cases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace import records
from pytest_metaspace.scoring.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_metaspace.domain import Comparison, Record


def pair(
    before: Record,
    after: Record,
    *,
    min_change: float,
    across: Collection[str] = (),
    gone: Collection[str] | None = None,
) -> Comparison:
    """Compare two records, and say what differs between the runs themselves.

    Args:
        before: the baseline.
        after: what is held against it.
        min_change: changes of a capability below this count as none.
        across: what may differ; ``trajectories`` pairs cases also where their trajectory shows
            something else now.
        gone: as ``scoring.comparison.compare`` takes it.
    """
    found = compare(
        before,
        after,
        min_change=min_change,
        gone=gone,
        other_trajectories="trajectories" in across,
    )
    apart = [text for _, text in records.differences(before, after)]
    return replace(found, differences=(*apart, *records.notes(before, after)))


def refused(
    before: Record, after: Record, kinds: Collection[str], across: Collection[str]
) -> dict[str, str]:
    """Return what forbids a comparison: for each kind of difference how to say it.

    Args:
        before: the baseline.
        after: what is held against it.
        kinds: differences that matter here.
        across: those that are wanted all the same.
    """
    found: dict[str, str] = {}
    for kind, text in records.differences(before, after):
        if kind in kinds and kind not in across:
            found[kind] = f"{found[kind]}; {text}" if kind in found else text
    return found
