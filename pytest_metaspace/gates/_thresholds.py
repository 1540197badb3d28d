"""What thresholds are of, and how they are written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import SCENARIOS, TOTAL, Capability, Selection, suite_of
from pytest_metaspace.errors import UsageProblem, unknown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_CODES: Final = tuple(code.value for code in Capability)
_EXAMPLES: Final = (
    "Write --metaspace-fail-under 0.5 for the total, or SC2-a=0.4, MR1=0.5, drone=0.6 or, of what "
    "is in all three, drone/SC1-a/MR2=0.5; of suites EMB-ACC=0.5 or EMB-far=0.5 (docs/gates.md)."
)


def parse(texts: Iterable[str]) -> dict[str, float]:
    """Return thresholds by gate name out of ``0.5``, ``SC2-a=0.4`` and ``drone/SC1-a/MR2=0.5``.

    Whether relations of those names exist is for ``check_names`` to say.

    Raises:
        UsageProblem: a number is not between 0 and 1, or a name has two parts of one kind.
    """
    thresholds: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        what = _named(name.strip(), text) if equals else Selection()
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise UsageProblem(
                f"metaspace: --metaspace-fail-under {text}: a threshold is a number between 0 "
                "and 1, as in 0.5 or SC2-a=0.4."
            )
        thresholds[what.name] = value
    return thresholds


def _named(name: str, text: str) -> Selection:
    """Return what a gate is on; codes and scenarios may be written in any case."""
    known = {word.lower(): word for word in (*_CODES, *SCENARIOS, TOTAL)}
    parts = [known.get(part.strip().lower(), part.strip()) for part in name.split("/")]
    what = Selection.of("/".join(parts))
    if sum(part != TOTAL for part in parts) != sum(part != TOTAL for part in what.name.split("/")):
        raise UsageProblem(
            f"metaspace: --metaspace-fail-under {text}: names a scenario, a capability or a "
            f"relation twice, or one that is empty. {_EXAMPLES}"
        )
    return _of_accuracy(what)


def _of_accuracy(what: Selection) -> Selection:
    """Return what a gate is on: of a task of a suite by itself, its accuracy."""
    suite = suite_of(what.capability or "")
    if suite is None or what.relation is not None:
        return what
    return replace(what, relation=f"{suite}-ACC")


def check_names(
    thresholds: Mapping[str, float], relations: Collection[str], tasks: Collection[str] = ()
) -> None:
    """Check that each gate is on something that there is.

    Args:
        thresholds: by gate name.
        relations: that cases can be of.
        tasks: of suites.

    Raises:
        UsageProblem: a name is not known.
    """
    for name in thresholds:
        what = Selection.of(name)
        for part, known in ((what.capability, {*_CODES, *tasks}), (what.relation, relations)):
            if part is not None and part not in known:
                there = [TOTAL, *_CODES, *sorted(relations), *sorted(tasks), *SCENARIOS]
                raise unknown("gate", part, there, hint=_EXAMPLES)
