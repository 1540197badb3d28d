"""Two records of the same cases, paired case by case and tested trajectory by trajectory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Capability, Comparison, Moves, Outcome, Shift, suite_of
from pytest_metaspace.scoring import paired

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pytest_metaspace.domain import Judged, Record, Semantics

MIN_CHANGE: Final = 0.01
_BROKEN: Final = frozenset((Outcome.VIOLATED, Outcome.INVALID))
_WORTH: Final[Mapping[Semantics, Mapping[Outcome, float]]] = {
    "sound": {Outcome.SATISFIED: 1.0, Outcome.VIOLATED: 0.0, Outcome.INVALID: 0.0},
    "paper": {
        Outcome.SATISFIED: 1.0,
        Outcome.VIOLATED: 0.0,
        Outcome.INVALID: 1.0,
        Outcome.INCONCLUSIVE: 1.0,
    },
}
"""What an outcome adds to a score under each of its formulas; others are left out of it."""

Pairs = dict[str, dict[str, list[tuple[float, float]]]]
"""By capability, or relation of a suite, and trajectory, what its cases are worth in each."""


def compare(
    before: Record,
    after: Record,
    *,
    min_change: float = MIN_CHANGE,
    gone: Collection[str] | None = None,
    other_trajectories: bool = False,
) -> Comparison:
    """Compare two records.

    Args:
        before: the baseline.
        after: what is held against it.
        min_change: changes of a capability below this count as none.
        gone: addresses that are known to be cases no more; None takes every case for gone whose
            trajectory the second record has.
        other_trajectories: pair cases also where their trajectory shows something else now.
    """
    moves = _moves(before, after, gone, other_trajectories=other_trajectories)
    left_out = frozenset(moves.changed)
    anchored = before.anchored | after.anchored
    pairs, suites = _pairs(before, after, left_out, anchored)
    return Comparison(
        before=before.source or before.agent,
        after=after.source or after.agent,
        differences=(),
        shifts=_shifts(pairs, [code.value for code in Capability], min_change),
        suites=_shifts(suites, sorted(suites, key=_accuracy_first), min_change),
        moves=moves,
        min_change=min_change,
        anchored=anchored,
        by_suites=bool(suites) and not all(_in_scores(one, anchored) for one in (before, after)),
    )


def trajectory_of(address: str) -> str:
    """Return the id of the trajectory that a case belongs to."""
    return address.rsplit("::", 3)[0]


def _moves(
    before: Record, after: Record, gone: Collection[str] | None, *, other_trajectories: bool
) -> Moves:
    found: dict[str, list[str]] = {name: [] for name in Moves.__slots__}
    others = frozenset() if other_trajectories else _others(before, after)
    for address, old in before.outcomes.items():
        new = after.outcomes.get(address)
        trajectory = trajectory_of(address)
        if new is None or new is Outcome.ERROR:
            is_gone = trajectory in after.trajectories if gone is None else address in gone
            found["removed" if is_gone else "not_run"].append(address)
        elif trajectory in others:
            found["changed"].append(address)
        elif new is not old:
            found[_move(old, new)].append(address)
    found["added"] = [
        address
        for address, new in after.outcomes.items()
        if address not in before.outcomes and new is not Outcome.ERROR
    ]
    return Moves(**{name: tuple(sorted(addresses)) for name, addresses in found.items()})


def _others(before: Record, after: Record) -> frozenset[str]:
    """Return the trajectories of both that show something else now."""
    return frozenset(
        name
        for name, shown in after.trajectories.items()
        if before.trajectories.get(name, shown) != shown
    )


def _move(old: Outcome, new: Outcome) -> str:
    if new in _BROKEN:
        return "otherwise" if old in _BROKEN else "newly_violated"
    return "newly_satisfied" if old in _BROKEN and new is Outcome.SATISFIED else "otherwise"


def _pairs(
    before: Record, after: Record, left_out: Collection[str], anchored: Collection[str]
) -> tuple[Pairs, Pairs]:
    """Return what the cases that both records decided are worth in each, and those of suites.

    The worth of cases of suites is that of ``sound`` under every semantics, as in their scores.
    """
    pairs: Pairs = {}
    suites: Pairs = {}
    for address, old in before.outcomes.items():
        new = after.outcomes.get(address)
        trajectory, capability, relation, _ = address.rsplit("::", 3)
        of_suite = suite_of(capability) is not None
        worth = _WORTH["sound" if of_suite else after.settings.semantics]
        if new is None or old not in worth or new not in worth or address in left_out:
            continue
        if of_suite or relation not in anchored:
            grouped = (
                suites.setdefault(relation, {}) if of_suite else pairs.setdefault(capability, {})
            )
            grouped.setdefault(trajectory, []).append((worth[old], worth[new]))
    return pairs, suites


def _in_scores(record: Record, anchored: Collection[str]) -> bool:
    """Whether a record has cases that are in a score of a capability."""
    parts = (address.rsplit("::", 3) for address in record.outcomes)
    return any(
        relation not in anchored and suite_of(capability) is None
        for _, capability, relation, _ in parts
    )


def _accuracy_first(relation: str) -> tuple[str, bool, str]:
    suite, _, name = relation.partition("-")
    return suite, name != "ACC", name


def _shifts(pairs: Pairs, order: Sequence[str], min_change: float) -> tuple[Shift, ...]:
    """Test each capability or relation; those with too few trajectories are tests too."""
    codes = [code for code in order if code in pairs]
    means = {code: [_means(cases) for cases in pairs[code].values()] for code in codes}
    differences = {code: [new - old for old, new in means[code]] for code in codes}
    tested = [code for code in codes if len(differences[code]) >= paired.FEWEST]
    flips = {code: paired.sign_flip(differences[code]) for code in tested}
    lower = dict(zip(tested, paired.holm([flips[code][0] for code in tested])))
    higher = dict(zip(tested, paired.holm([flips[code][1] for code in tested])))
    shifts = []
    for code in codes:
        change = sum(differences[code]) / len(differences[code])
        p = (lower if change <= 0 else higher).get(code)
        cases = [pair for group in pairs[code].values() for pair in group]
        shifts.append(
            Shift(
                capability=code,
                cases=len(cases),
                trajectories=len(differences[code]),
                before=sum(old for old, _ in means[code]) / len(means[code]),
                after=sum(new for _, new in means[code]) / len(means[code]),
                p=p,
                lost=sum(old > new for old, new in cases),
                won=sum(old < new for old, new in cases),
                detectable=paired.detectable(differences[code], len(codes)),
                needed=paired.needed(differences[code], change, len(codes)),
                judged=judged(change, p, min_change),
            )
        )
    return tuple(shifts)


def _means(cases: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the score of a trajectory before and after."""
    return sum(old for old, _ in cases) / len(cases), sum(new for _, new in cases) / len(cases)


def judged(change: float, p: float | None, min_change: float) -> Judged:
    """Return what a change and its adjusted p come to.

    Args:
        change: of the mean score over trajectories.
        p: None where there are too few trajectories to tell.
        min_change: the least that counts.
    """
    if abs(change) < min_change - 1e-12 or not change:
        return "same"
    if p is None:
        return "undecided"
    if p >= paired.LEVEL:
        return "chance"
    return "worse" if change < 0 else "better"
