"""Gates on questions that came to no value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace import failures as kinds
from pytest_metaspace.domain import GateResult, Outcome
from pytest_metaspace.errors import UsageProblem, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def parse_limits(texts: Iterable[str]) -> dict[str, float]:
    """Return limits by kind of failure out of ``2%``, ``0.02`` and ``refused=1%``.

    Raises:
        UsageProblem: a kind is not known, or a share is not between 0 and 1.
    """
    names = {kind.word: kind.name for kind in kinds.KINDS.values()}
    names |= {outcome.value: outcome.value for outcome in kinds.OUTCOMES}
    limits: dict[str, float] = {}
    for text in texts:
        name, equals, number = (part.strip() for part in text.rpartition("="))
        word = name.lower().replace(" ", "-") if equals else Outcome.INVALID.value
        if word not in names:
            raise unknown(
                "kind of failure",
                name,
                names,
                hint="Write --metaspace-max-invalid 2% or --metaspace-max-invalid refused=1%; "
                "docs/concepts.md says what each kind is.",
            )
        limits[names[word]] = _share(text, number)
    return limits


def _share(text: str, number: str) -> float:
    percent = number.endswith("%")
    try:
        value = float(number.removesuffix("%")) / (100 if percent else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UsageProblem(
            f"metaspace: --metaspace-max-invalid {text}: expected a share between 0 and 1 or in "
            "percent, as in 0.02, 2% or refused=1%."
        )
    return value


def decide_failures(
    failures: Mapping[str, int], questions: int, limits: Mapping[str, float]
) -> tuple[GateResult, ...]:
    """Decide the gates on questions that came to no value.

    Args:
        failures: distinct questions by kind of failure.
        questions: distinct questions in all, of which the share is taken.
        limits: shares by kind, ``invalid`` or ``error``; at its limit a gate still passes.
    """
    return tuple(
        _limited(name, kinds.shared(failures, name), questions, limit)
        for name, limit in limits.items()
    )


def _limited(name: str, count: int, questions: int, limit: float) -> GateResult:
    share = count / questions if questions else None
    passed = share is not None and share <= limit + 1e-12
    told = f"{name}: {count} of {questions} questions"
    if share is not None:
        told += f" ({percent(share)}), {'at most' if passed else 'above'} {percent(limit)}"
    if not passed:
        told += " (--metaspace-max-invalid; -v and metaspace explain CASE show them)"
    return GateResult(
        name=f"max {name}", value=share, threshold=limit, passed=passed, sentence=told
    )


def percent(share: float) -> str:
    """Return a share in percent, never rounded down to nothing: ``2.5 %``, ``0.04 %``."""
    return f"{100 * share:.3g} %"
