"""What is known of the questions of suites that are held against what is true, case by case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Key
from pytest_metaspace.prompts.items import letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_metaspace.domain import Case, Outcome, Posing, Trajectory
    from pytest_metaspace.scoring import Entry
    from pytest_metaspace.scoring.accuracy import Marked


def marked(
    told: Iterable[tuple[Case, Outcome]], trajectories: Mapping[str, Trajectory]
) -> list[Marked]:
    """Return the cases that are about accuracy on a suite, with what is known of each.

    Args:
        told: cases and what they came to.
        trajectories: by id.
    """
    return [
        (case.address, key_of(case, trajectories[case.trajectory]), outcome)
        for case, outcome in told
        if case.relation == f"{case.capability.suite}-ACC"
    ]


def reported(
    cases: Mapping[str, Case], entries: Mapping[str, Entry], trajectories: Mapping[str, Trajectory]
) -> list[Marked]:
    """Return the same of cases that were reported, by address.

    Args:
        cases: by address.
        entries: what was reported, by address.
        trajectories: by id.
    """
    suites = {name: entry for name, entry in entries.items() if entry[2].endswith("-ACC")}
    told = ((cases[name], suites[name][-1]) for name in sorted(suites) if name in cases)
    return marked(told, trajectories)


def key_of(case: Case, trajectory: Trajectory) -> Key:
    """Return what is known of the question of a case about accuracy."""
    query = case.queries[0]
    posing = trajectory.posing(query)
    assert posing is not None
    item = trajectory.items[case.capability]
    return Key(
        answer=_said(posing),
        options=len(posing.options),
        lettered=posing.form == "letter",
        slices={**item.slices, **posing.slices},
        twin=f"{item.twin} {query.a}" if item.twin else "",
        probe=item.probe,
    )


def _said(posing: Posing) -> str:
    """Return the true answer as it would be said."""
    if posing.form != "letter":
        return str(posing.answer)
    return next(letter for letter, one in letters(posing).items() if one == posing.answer)
