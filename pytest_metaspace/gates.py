"""From scores to gates: decided once; exit status, banner and tables read the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, GateResult
from pytest_metaspace.errors import UsageProblem, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Score

TOTAL = "total"
ALLOWANCES = ("errors", "undecided")


def parse(texts: Iterable[str]) -> dict[str, float]:
    """Return thresholds by gate name out of ``0.5`` and ``SC2-a=0.4``.

    Raises:
        UsageProblem: a text is neither, or its number is not between 0 and 1.
    """
    thresholds: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        name = name.strip() if equals else TOTAL
        if name != TOTAL and name not in [code.value for code in Capability]:
            raise unknown(
                "gate",
                name,
                [TOTAL, *(code.value for code in Capability)],
                hint="Write --metaspace-fail-under 0.5 or --metaspace-fail-under SC2-a=0.4.",
            )
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise UsageProblem(
                f"metaspace: --metaspace-fail-under {text}: a threshold is a number between 0 "
                "and 1, as in 0.5 or SC2-a=0.4."
            )
        thresholds[name] = value
    return thresholds


def decide(
    scores: Sequence[Score],
    total: float | None,
    thresholds: Mapping[str, float],
    allowed: frozenset[str] = frozenset(),
) -> tuple[GateResult, ...]:
    """Decide every gate.

    A gate fails below its threshold, without a score, on a run with errors, and where less than
    half of the cases were decided; the last two unless they are allowed by name.

    Args:
        scores: by capability.
        total: their mean, or None.
        thresholds: by capability code, or ``total``.
        allowed: out of ``errors`` and ``undecided``.
    """
    known = {score.name: score for score in scores}
    errors = sum(score.error for score in scores)
    results = []
    for name, threshold in thresholds.items():
        concerned = list(scores) if name == TOTAL else [known[name]] if name in known else []
        value = total if name == TOTAL else (concerned[0].value if concerned else None)
        problems = list(_problems(value, threshold, concerned, errors, allowed))
        results.append(
            GateResult(
                name=name,
                value=value,
                threshold=threshold,
                passed=not problems,
                sentence=_sentence(name, value, threshold, problems),
            )
        )
    return tuple(results)


def _problems(
    value: float | None,
    threshold: float,
    concerned: Sequence[Score],
    errors: int,
    allowed: frozenset[str],
) -> Iterable[str]:
    if value is None:
        yield "has no score, since no case of it was decided"
    elif value < threshold - 1e-12:
        yield f"is {value:.3f}, below {threshold:g}"
    if errors and "errors" not in allowed:
        yield (
            f"cannot pass a run with {errors} {'error' if errors == 1 else 'errors'} "
            "(--metaspace-allow errors)"
        )
    undecided = [score.name for score in concerned if not score.half_decided]
    if undecided and value is not None and "undecided" not in allowed:
        yield (
            f"cannot pass with less than half of {', '.join(undecided)} decided "
            "(--metaspace-allow undecided)"
        )


def _sentence(name: str, value: float | None, threshold: float, problems: Sequence[str]) -> str:
    if not problems:
        return f"{name} is {value:.3f}, at least {threshold:g}"
    return f"{name} {'; '.join(problems)}"
