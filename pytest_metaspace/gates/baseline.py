"""From a comparison with a baseline to a gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import GateResult
from pytest_metaspace.gates._scores import Shortfall, not_decided, not_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.domain import Comparison, Score, Shift

NAME: Final = "baseline"
_TOLD: Final = 3
_LEAST: Final = 0.001


def decide_baseline(
    comparison: Comparison,
    *,
    undecided: str = "pass",
    scores: Iterable[Score] = (),
    short: Shortfall | None = None,
    allowed: frozenset[str] = frozenset(),
) -> GateResult:
    """Decide the gate of a baseline.

    It fails where a capability fell by at least the minimum effect and by more than chance, where
    nothing could be compared, and, where ``undecided`` is ``fail``, where a capability fell and
    there are too few trajectories to tell. Without cases of capabilities, relations of suites
    stand in for them.

    Args:
        comparison: of the baseline with the run.
        undecided: ``pass`` or ``fail``.
        scores: of what decides; an agent that evades is not as good as before.
        short: what the run lacks to be whole.
        allowed: what gates may pass in spite of.
    """
    worse, open_ = comparison.judged("worse"), _fallen(comparison)
    told = []
    nothing = not comparison.deciding
    if nothing:
        told.append("has no case to compare that this run and the baseline have both decided")
    if worse:
        told.append(f"{_listed(worse)}, more than chance would bring about")
    if open_:
        told.append(_cannot_tell(open_, undecided))
    stops = bool(worse or nothing or (open_ and undecided == "fail"))
    others = [*not_whole(short or Shortfall(), allowed), *not_decided(scores, allowed)]
    passed = not stops and not others
    sentence = "; ".join([*told, *others]) or _no_fall(comparison)
    return GateResult(
        name=NAME,
        value=min((shift.change for shift in comparison.deciding), default=None),
        threshold=-comparison.min_change,
        passed=passed,
        undecided=bool(open_ and not worse and not others),
        sentence=f"{NAME} {sentence}" if nothing else f"{NAME}: {sentence}",
    )


def _fallen(comparison: Comparison) -> tuple[Shift, ...]:
    return tuple(shift for shift in comparison.judged("undecided") if shift.change < 0)


def _listed(shifts: Sequence[Shift]) -> str:
    """Return the deepest falls in words, and how many more there are."""
    ordered = sorted(shifts, key=lambda shift: shift.change)
    told = ", ".join(map(_fall, ordered[:_TOLD]))
    return told if len(ordered) <= _TOLD else f"{told} and {len(ordered) - _TOLD} more"


def _fall(shift: Shift) -> str:
    sure = "" if shift.p is None else f", {chance(shift.p)}"
    return (
        f"{shift.capability} fell from {shift.before:.3f} to {shift.after:.3f} "
        f"({trajectories(shift.trajectories)}{sure})"
    )


def _cannot_tell(shifts: Sequence[Shift], undecided: str) -> str:
    needed = max(shift.needed for shift in shifts)
    what_then = (
        "passes; not under --metaspace-baseline-undecided=fail"
        if undecided == "pass"
        else "does not pass under --metaspace-baseline-undecided=fail"
    )
    return (
        f"cannot decide: {_listed(shifts)}, which may be chance; {needed} trajectories "
        f"or so would tell ({what_then})"
    )


def _no_fall(comparison: Comparison) -> str:
    chances = comparison.judged("chance")
    fallen = [shift for shift in chances if shift.change < 0]
    start = (
        f"{_listed(fallen)}, as chance alone often brings about"
        if fallen
        else f"no {comparison.unit} fell by {comparison.min_change:g} or more"
    )
    return start + _reach(comparison.deciding)


def _reach(shifts: Iterable[Shift]) -> str:
    """Say which fall would have been shown."""
    known = [shift for shift in shifts if shift.p is not None and shift.detectable]
    if not known:
        return ""
    bluntest = max(known, key=lambda shift: shift.detectable or 0.0)
    return f" (a fall of {bluntest.detectable:.3f} would mostly have been noticed)"


def chance(p: float) -> str:
    """Return a p-value as printed."""
    return f"p = {p:.3f}" if p >= _LEAST else f"p < {_LEAST}"


def trajectories(count: int) -> str:
    """Return ``1 trajectory`` or ``2 trajectories``."""
    return f"{count} trajectory" if count == 1 else f"{count} trajectories"
