"""From scores to gates: decided once; exit status, banner and tables read the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace import failures as kinds
from pytest_metaspace.domain import Capability, GateResult, Outcome
from pytest_metaspace.errors import UsageProblem, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Score

TOTAL = "total"
ALLOWANCES = ("errors", "undecided")


def parse(texts: Iterable[str], anchors: Iterable[str] = ()) -> dict[str, float]:
    """Return thresholds by gate name out of ``0.5``, ``SC2-a=0.4`` and ``A2=0.9``.

    Args:
        texts: as typed.
        anchors: names of anchored relations that may have a gate.

    Raises:
        UsageProblem: a text is neither, or its number is not between 0 and 1.
    """
    thresholds: dict[str, float] = {}
    names = [TOTAL, *(code.value for code in Capability), *anchors]
    for text in texts:
        name, equals, number = text.rpartition("=")
        name = name.strip() if equals else TOTAL
        if name not in names:
            raise unknown(
                "gate",
                name,
                names,
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
    anchors: Sequence[Score] = (),
) -> tuple[GateResult, ...]:
    """Decide every gate.

    A gate fails below its threshold, without a score, on a run with errors, and where less than
    half of the cases were decided; the last two unless they are allowed by name.

    Args:
        scores: by capability.
        total: their mean, or None.
        thresholds: by capability code, name of an anchored relation, or ``total``.
        allowed: out of ``errors`` and ``undecided``.
        anchors: by anchored relation; they bear on no gate but their own.
    """
    known = {score.name: score for score in (*scores, *anchors)}
    results = []
    for name, threshold in thresholds.items():
        apart = [score for score in anchors if score.name == name]
        errors = sum(score.error for score in (*scores, *apart))
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


# ------------------------------------------------------------- questions that came to no value


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
