"""What differs from a baseline: tables of capabilities and of suites, and the cases that moved."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import suite_of
from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Comparison, Judged, Record, Shift

_SAID: Final[dict[Judged, str]] = {
    "worse": "WORSE",
    "better": "better",
    "same": "no change",
    "chance": "may be chance",
    "undecided": "too few to tell",
}
HEADERS: Final = (
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
    "not_run": "not run or without an answer",
    "changed": "of trajectories that show something else, not compared",
}
_LISTED: Final = 10
_LEAST: Final = 0.001


def lines(comparison: Comparison, *, verbose: bool) -> Iterator[str]:
    """Yield the table, how many cases moved, and those newly violated; all of them if verbose."""
    yield from table(comparison)
    yield from (f"note: {text}" for text in comparison.differences)
    yield from moved(comparison, verbose=verbose)


def table(comparison: Comparison) -> Iterator[str]:
    """Yield a row for each capability, and apart from them for each relation of suites."""
    if not comparison.deciding:
        yield "no case was decided both in the baseline and in this run"
    if comparison.shifts:
        yield from _rows(comparison.shifts, HEADERS)
    if comparison.suites:
        beside = "items of suites, which do not decide beside capabilities:"
        yield from () if comparison.by_suites else ("", beside)
        yield from _rows(comparison.suites, ("suite", *HEADERS[1:]))
    if not comparison.shifts and not comparison.suites:
        return
    yield (
        "scores of the cases compared, as means over trajectories; p: a change like that by "
        "chance alone, sign-flip test over trajectories"
    )


def _rows(shifts: Sequence[Shift], headers: Sequence[str]) -> Iterator[str]:
    from tabulate import tabulate

    yield from tabulate(
        [row(shift) for shift in shifts],
        headers=headers,
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", *["right"] * (len(headers) - 2), "left"),
    ).splitlines()


def row(shift: Shift) -> list[str]:
    """Return the cells of a capability or of a relation of a suite, as ``HEADERS`` names them."""
    return [
        shift.capability,
        str(shift.cases),
        str(shift.trajectories),
        f"{shift.before:.3f}",
        f"{shift.after:.3f}",
        signed(shift.change),
        "n/a" if shift.p is None else "< 0.001" if shift.p < _LEAST else f"{shift.p:.3f}",
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
    yield from _apart(comparison)
    if not verbose:
        yield from _some("newly violated", in_turn(comparison), _LISTED)
        return
    for name, text in _MOVES.items():
        yield from _some(text, getattr(moves, name), None)


def in_turn(comparison: Comparison) -> Sequence[str]:
    """Return newly violated cases, those of capabilities that fell the most first.

    Those of relations that are in no capability, anchored ones and those of suites, come last.
    Each capability and relation has its turn before any has another, and in it each trajectory.
    """
    change = {shift.capability: shift.change for shift in (*comparison.shifts, *comparison.suites)}
    groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
    turns: Counter[tuple[str, str, str]] = Counter()
    for address in comparison.moves.newly_violated:  # sorted
        trajectory, capability, relation, _ = address.rsplit("::", 3)
        group = groups.setdefault((capability, relation), [])
        group.append((turns[trajectory, capability, relation], address))
        turns[trajectory, capability, relation] += 1
    keyed = [
        (
            (
                relation in comparison.anchored,
                turn,
                change.get(relation if suite_of(capability) else capability, 0.0),
                capability,
                relation,
            ),
            address,
        )
        for (capability, relation), found in groups.items()
        for turn, (_, address) in enumerate(sorted(found))
    ]
    return [address for _, address in sorted(keyed)]


def _apart(comparison: Comparison) -> Iterator[str]:
    """Yield how many newly violated cases are in no score of a capability, and what they are of."""
    parts = [address.rsplit("::", 3) for address in comparison.moves.newly_violated]
    suites = sum(suite_of(capability) is not None for _, capability, *_ in parts)
    anchored = sum(
        name in comparison.anchored and suite_of(capability) is None
        for _, capability, name, _ in parts
    )
    if anchored:
        told = "of anchored relations, which are in no score"
        yield f"  {anchored} of those newly violated are {told}"
    if suites and not comparison.by_suites:
        told = "of suites, which are in no score of a capability"
        yield f"  {suites} of those newly violated are {told}"


def _some(what: str, addresses: Sequence[str], most: int | None) -> Iterator[str]:
    kept = addresses[:most]
    yield from (f"  {what}: {one_line(address, 160)}" for address in kept)
    if len(kept) < len(addresses):
        yield f"  and {len(addresses) - len(kept)} more (-v lists them)"


def side_by_side(
    first: Record, others: Sequence[Record], found: Sequence[Comparison], *, verbose: bool
) -> Iterator[str]:
    """Yield a file and those that are compared with it.

    Args:
        first: what the others are compared with.
        others: at least one.
        found: the comparison of each.
        verbose: list every case that came out otherwise.
    """
    for record in (first, *others):
        trajectories = {address.rsplit("::", 3)[0] for address in record.outcomes}
        yield (
            f"{record.source}: {_many(len(record.outcomes), 'case', 'cases')} of "
            f"{_many(len(trajectories), 'trajectory', 'trajectories')}, "
            f"agent {one_line(record.agent)}"
        )
    if len(found) > 1:
        yield ""
        yield from _overview(first, found)
    for one in found:
        yield ""
        yield f"{one.before} -> {one.after}"
        yield from lines(one, verbose=verbose)
        yield said(one)


def _overview(first: Record, found: Sequence[Comparison]) -> Iterator[str]:
    """Yield what each capability scores in each file, over what it shares with the first."""
    from tabulate import tabulate

    codes = sorted({shift.capability for one in found for shift in one.deciding})
    rows = []
    for code in codes:
        shifts = [
            next((shift for shift in one.deciding if shift.capability == code), None)
            for one in found
        ]
        known = next(shift for shift in shifts if shift is not None)
        row = [code, f"{known.before:.3f}"]
        for shift in shifts:
            row += ["", ""] if shift is None else [f"{shift.after:.3f}", _SAID[shift.judged]]
        rows.append(row)
    headers = ["suite" if any(one.by_suites for one in found) else "capability", first.source]
    for one in found:
        headers += [one.after, ""]
    yield from tabulate(
        rows,
        headers=headers,
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", "right", *("right", "left") * len(found)),
    ).splitlines()


def said(comparison: Comparison) -> str:
    """Return what a comparison comes to, in a sentence."""
    worse = [shift.capability for shift in comparison.judged("worse")]
    better = [shift.capability for shift in comparison.judged("better")]
    open_ = [shift for shift in comparison.judged("undecided") if shift.change < 0]
    if worse:
        return f"worse by more than chance: {', '.join(worse)}"
    if not comparison.deciding:
        return "cannot decide: they have no case in common that both have decided"
    if open_:
        needed = max(shift.needed for shift in open_)
        codes = ", ".join(shift.capability for shift in open_)
        return f"cannot decide: {codes} fell, and to tell takes {needed} trajectories or so"
    if better:
        return f"better by more than chance: {', '.join(better)}"
    chances = any(shift.change < 0 for shift in comparison.judged("chance"))
    fell = f"no {comparison.unit} fell"
    return f"{fell} by more than chance" if chances else fell


def _many(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"
