"""Gates on scores: what they go by, and on what runs none may pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import GateResult, Interval, Mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_metaspace.domain import Policy, Score

ALLOWANCES: Final = ("errors", "deselected", "sampled", "undecided")
"""What a gate may pass in spite of, where the user says so."""
_NOTHING: Final = 1e-12
_ANYWHERE: Final = Interval(0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """What a run lacks to be whole.

    Attributes:
        errors: cases in error, of all the run.
        deselected: cases of a gate that were there and did not run.
        sample: the share of cases that was drawn.
        stopped: whether they did not run because the run ended early.
    """

    errors: int = 0
    deselected: int = 0
    sample: float = 1.0
    stopped: bool = False


def decide(
    name: str,
    score: Score | Mean,
    threshold: float,
    *,
    policy: Policy = "point",
    short: Shortfall | None = None,
    allowed: frozenset[str] = frozenset(),
    drop: Callable[[Interval, float], float | None] = lambda _, __: None,
    suites: Sequence[str] = (),
) -> GateResult:
    """Decide a gate.

    It fails without a score, by what the policy says of the score, and on a run that is not
    whole or less than half decided, unless that is allowed by name.

    Args:
        name: of the gate.
        score: that it is on, with its interval where there is one.
        threshold: from which on it passes.
        policy: ``point`` goes by the score. The others go by the interval: where it lies on both
            sides of the threshold the gate is undecided, and passes under ``confident-fail``.
        short: what the run lacks.
        allowed: out of ``ALLOWANCES``.
        drop: tells from an interval which is the smallest drop below a threshold that shows.
        suites: names of accuracy on those of which there are cases, where there are no others.
    """
    told, fails, undecided = _compared(score, threshold, policy)
    if suites and not score.cases:
        told = (
            "has no score: all cases are of suites, which are in no total; to gate their accuracy "
            f"write --metaspace-fail-under={suites[0]}={threshold:g}"
        ) + (f", or of {', '.join(suites[1:])}" if suites[1:] else "")
    missing = list(_missing(score, short or Shortfall(), allowed))
    passed = not fails and not missing
    parts = [told, *missing] if fails or not missing else missing
    return GateResult(
        name=name,
        value=score.value,
        threshold=threshold,
        passed=passed,
        sentence=f"{name} {'; '.join(parts)}",
        basis="; ".join(_rests_on(score, threshold, drop)),
        undecided=undecided and not missing,
    )


def _compared(score: Score | Mean, threshold: float, policy: Policy) -> tuple[str, bool, bool]:
    """Return what the policy says of a score, whether it fails, and whether it is undecided."""
    value = score.value
    if value is None:
        return "has no score, since no case of it was decided", True, False
    at_least = value >= threshold - _NOTHING
    if policy == "point":
        side = "at least" if at_least else "below"
        return f"is {value:.3f}, {side} {threshold:g}", not at_least, False
    found = score.interval or _ANYWHERE
    if found.high < threshold - _NOTHING:
        return f"is {value:.3f}, and surely below {threshold:g}", True, False
    if found.low >= threshold - _NOTHING:
        return f"is {value:.3f}, and surely at least {threshold:g}", False, False
    told = f"is {value:.3f}, which may be on either side of {threshold:g}"
    if policy == "confident-fail":
        return f"{told}; confident-fail lets it pass", False, True
    return f"{told}; confident-pass does not let it pass", True, True


def _missing(score: Score | Mean, short: Shortfall, allowed: frozenset[str]) -> Iterator[str]:
    """Yield why a gate cannot pass whatever its score is."""
    yield from not_whole(short, allowed)
    if score.value is not None:
        yield from not_decided(score.parts if isinstance(score, Mean) else (score,), allowed)


def not_decided(scores: Iterable[Score], allowed: frozenset[str]) -> Iterator[str]:
    """Yield why no gate can pass on scores that rest on less than half of their cases."""
    undecided = [score.name for score in scores if not score.half_decided]
    if undecided and "undecided" not in allowed:
        yield (
            f"cannot pass with less than half of {', '.join(undecided)} decided "
            "(--metaspace-allow undecided)"
        )


def not_whole(short: Shortfall, allowed: frozenset[str]) -> Iterator[str]:
    """Yield why no gate can pass on a run that lacks something."""
    if short.errors and "errors" not in allowed:
        yield (
            f"cannot pass a run with {_plural(short.errors, 'error')} (--metaspace-allow errors)"
        )
    if short.deselected and "deselected" not in allowed:
        cases = _plural(short.deselected, "case")
        yield "cannot pass on a part: " + (
            f"the run was stopped before {cases} of it; run all of it"
            if short.stopped
            else f"{cases} of it did not run; run all of it, or add --metaspace-allow deselected"
        )
    if short.sample < 1 and "sampled" not in allowed:
        yield (
            f"cannot pass on a sample of {short.sample:g} of the cases (--metaspace-allow sampled)"
        )


def _rests_on(
    score: Score | Mean, threshold: float, drop: Callable[[Interval, float], float | None]
) -> Iterator[str]:
    """Yield what a score rests on: its interval, its cases, and what so many can show."""
    found, many = score.interval, score.trajectories
    where = f" in {many} {'trajectory' if many == 1 else 'trajectories'}" if many else ""
    cases = f"{_plural(score.cases, 'case')}{where}"
    if found is None:
        yield cases
        return
    yield f"95 % interval {found.low:.2f}-{found.high:.2f}"
    least = drop(found, threshold)
    if least is None:
        yield f"{cases} are too few to show a drop below {threshold:g}"
    else:
        yield f"{cases} can show a drop of {least:.2f} or more"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
