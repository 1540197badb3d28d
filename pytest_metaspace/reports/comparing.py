"""What differs from a baseline: a table by capability, and the cases that came out otherwise."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Comparison, Judged, Shift

_SAID: Final[dict[Judged, str]] = {
    "worse": "WORSE",
    "better": "better",
    "same": "no change",
    "chance": "may be chance",
    "undecided": "too few to tell",
}
_HEADERS: Final = (
    "capability",
    "cases",
    "trajectories",
    "before",
    "now",
    "change",
    "p (Holm)",
    "lost",
    "won",
    "",
)
_MOVES: Final = {
    "newly_violated": "newly violated",
    "newly_satisfied": "newly satisfied",
    "otherwise": "changed otherwise",
    "added": "added",
    "removed": "removed",
    "not_run": "not run",
    "changed": "of trajectories that show something else, not compared",
}
_LISTED: Final = 10


def lines(comparison: Comparison, *, verbose: bool) -> Iterator[str]:
    """Yield the table, how many cases moved, and those newly violated; all of them if verbose."""
    yield from table(comparison)
    yield from (f"note: {text}" for text in comparison.differences)
    yield from moved(comparison, verbose=verbose)


def table(comparison: Comparison) -> Iterator[str]:
    """Yield a row for each capability."""
    from tabulate import tabulate

    if not comparison.shifts:
        yield "no case was decided both in the baseline and in this run"
        return
    yield from tabulate(
        [_row(shift) for shift in comparison.shifts],
        headers=_HEADERS,
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", *["right"] * (len(_HEADERS) - 2), "left"),
    ).splitlines()
    yield (
        "scores of the cases compared, as means over trajectories; p: a change like that by "
        "chance alone, sign-flip test over trajectories"
    )


def _row(shift: Shift) -> list[str]:
    return [
        shift.capability,
        str(shift.cases),
        str(shift.trajectories),
        f"{shift.before:.3f}",
        f"{shift.after:.3f}",
        signed(shift.change),
        "n/a" if shift.p is None else f"{shift.p:.3f}",
        str(shift.lost),
        str(shift.won),
        _SAID[shift.judged],
    ]


def signed(change: float) -> str:
    """Return a change with its sign; what rounds to nothing has none."""
    return f"{change:+.3f}" if abs(change) >= 0.0005 else "0.000"  # noqa: PLR2004 - half of the last digit


def moved(comparison: Comparison, *, verbose: bool) -> Iterator[str]:
    """Yield how many cases came out otherwise, and which are newly violated."""
    moves = comparison.moves
    counts = [
        f"{len(getattr(moves, name))} {text}"
        for name, text in _MOVES.items()
        if getattr(moves, name) or name in ("newly_violated", "newly_satisfied")
    ]
    yield f"cases: {', '.join(counts)}"
    if not verbose:
        yield from _some("newly violated", in_turn(comparison), _LISTED)
        return
    for name, text in _MOVES.items():
        yield from _some(text, getattr(moves, name), None)


def in_turn(comparison: Comparison) -> Sequence[str]:
    """Return newly violated cases, those of capabilities that fell the most first.

    Each capability and relation has its turn before any has another, and in it each trajectory.
    """
    change = {shift.capability: shift.change for shift in comparison.shifts}
    groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
    turns: Counter[tuple[str, str, str]] = Counter()
    for address in comparison.moves.newly_violated:  # sorted
        trajectory, capability, relation, _ = address.rsplit("::", 3)
        group = groups.setdefault((capability, relation), [])
        group.append((turns[trajectory, capability, relation], address))
        turns[trajectory, capability, relation] += 1
    keyed = [
        ((turn, change.get(capability, 0.0), capability, relation), address)
        for (capability, relation), found in groups.items()
        for turn, (_, address) in enumerate(sorted(found))
    ]
    return [address for _, address in sorted(keyed)]


def _some(what: str, addresses: Sequence[str], most: int | None) -> Iterator[str]:
    kept = addresses[:most]
    yield from (f"  {what}: {one_line(address, 160)}" for address in kept)
    if len(kept) < len(addresses):
        yield f"  and {len(addresses) - len(kept)} more (-v lists them)"
