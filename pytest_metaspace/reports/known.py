"""What a run says of known violations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Known, KnownState

_LONGEST = 160


def lines(states: Sequence[KnownState]) -> Iterator[str]:
    """Yield how many violations are known, and how things are with each entry: stale ones first."""
    broken = sum(state.broken for state in states)
    yield (
        f"{broken} violated or invalid {'case is' if broken == 1 else 'cases are'} known: expected "
        "failures (xfail), which count in every score and gate all the same"
    )
    ranked = sorted(states, key=lambda state: (not state.expired, not state.healed, state.idle))
    yield from (f"  {_told(state)}" for state in ranked)


def _told(state: KnownState) -> str:
    entry = state.known
    case = one_line(entry.case, _LONGEST)
    about = f"({one_line(entry.owner)}: {one_line(entry.reason, _LONGEST)})"
    counted = f"{state.broken} of {state.cases} {'case' if state.cases == 1 else 'cases'} violated"
    if state.expired:
        return f"EXPIRED on {entry.expires}: {case}, {counted} {about}"
    if state.healed:
        return f"HEALED: {case}, {counted}; remove it {about}"
    if state.idle:
        return f"matches no case of this run: {case} {about}"
    return f"until {entry.expires}: {case}, {counted} {about}"


def excuse(entry: Known) -> str:
    """Return the reason of an expected failure."""
    return (
        f"known: {one_line(entry.reason, _LONGEST)} ({one_line(entry.owner)}, until "
        f"{entry.expires})"
    )
