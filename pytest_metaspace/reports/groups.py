"""Cases as written reports tell them: grouped by what they test, the worst first, as text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Outcome
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import derivation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Comparison, Report, Said, ToldCase, ToldQuestion

BAD: Final = (Outcome.VIOLATED, Outcome.INVALID)
"""What counts against a score."""
MOST_LINES: Final = 14
_LONGEST: Final = 200
_LONGEST_RAW: Final = 60


@dataclass(frozen=True, kw_only=True)
class Group:
    """Cases of one capability and relation, and of one trajectory where there is one.

    Attributes:
        capability: its code.
        relation: its name.
        trajectory: its id; empty where they are of several.
        cases: by address.
    """

    capability: str
    relation: str
    trajectory: str = ""
    cases: tuple[ToldCase, ...]

    @cached_property
    def counts(self) -> Counter[Outcome]:
        """How many cases had which outcome."""
        return Counter(case.outcome for case in self.cases)

    @cached_property
    def bad(self) -> list[ToldCase]:
        """Those violated or invalid, the most worth telling first.

        New ones come before known ones, expected failures last; a violation comes before an answer
        that cannot be, and one with a derivation before one without.
        """
        return sorted((case for case in self.cases if case.outcome in BAD), key=_worth)

    @property
    def unexcused(self) -> int:
        """How many of the bad ones are no expected failures."""
        return sum(not case.excuse for case in self.bad)

    @property
    def sentence(self) -> str:
        """How many cases came out how: ``2 violated and 1 invalid of 12 cases``."""
        total = len(self.cases)
        said = [
            f"{self.counts[outcome]} {'in error' if outcome is Outcome.ERROR else outcome}"
            for outcome in (*BAD, Outcome.INCONCLUSIVE, Outcome.ERROR)
            if self.counts[outcome]
        ]
        told = " and ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)
        return f"{told or 'none violated'} of {total} {'case' if total == 1 else 'cases'}"


def _worth(case: ToldCase) -> tuple[bool, bool, bool, bool, str]:
    return (
        bool(case.excuse),
        case.news == "known",
        case.outcome is not Outcome.VIOLATED,
        case.derivation is None,
        case.address,
    )


def of(report: Report, *, by_trajectory: bool) -> list[Group]:
    """Return the cases in groups: by capability, relation and, if asked, trajectory as loaded."""
    order = {told.id: number for number, told in enumerate(report.trajectories)}
    found: dict[tuple[str, str, str], list[ToldCase]] = {}
    for case in report.cases:
        trajectory, capability, relation, _ = case.parts
        key = (capability, relation, trajectory if by_trajectory else "")
        found.setdefault(key, []).append(case)
    keys = sorted(found, key=lambda key: (*key[:2], order.get(key[2], len(order)), key[2]))
    return [
        Group(capability=key[0], relation=key[1], trajectory=key[2], cases=tuple(found[key]))
        for key in keys
    ]


def title(report: Report, group: Group) -> str:
    """Return what a capability and relation are called: ``object direction, transitivity``."""
    named = {score.name: score.title for score in report.run.scores}
    parts = (
        named.get(group.capability, group.capability),
        report.kept.titles.get(group.relation, group.relation),
    )
    return ", ".join(one_line(part) for part in parts)


def reason(case: ToldCase) -> str:
    """Return why a case is not satisfied, in one line, or how to learn it."""
    if case.derivation is not None:
        return one_line(case.derivation.summary, 2 * _LONGEST)
    own = one_line(case.parts[3], _LONGEST)
    return one_line(case.reason, 2 * _LONGEST) or f"not told here: metaspace explain {own}"


def lines(report: Report, case: ToldCase) -> Iterator[str]:
    """Yield a case: its address, why it is not satisfied, and the answers; at most 14 lines."""
    yield f"{one_line(case.parts[2])} {case.outcome}: {one_line(case.address, _LONGEST)}"
    if case.excuse:
        yield f"  expected: {one_line(case.excuse, _LONGEST)}"
    yield f"  {reason(case)}"
    if case.derivation is None:
        return
    told = [
        *derivation.steps(case.derivation.root, "    ", len(case.questions), case.givens),
        *_answers(report, case),
    ]
    yield from told[: MOST_LINES - 4]
    if len(told) > MOST_LINES - 4:
        own = one_line(case.parts[3], _LONGEST)
        yield f"  ... {len(told) - MOST_LINES + 4} more lines: metaspace explain {own}"


def _answers(report: Report, case: ToldCase) -> Iterator[str]:
    for number, index in enumerate(case.questions, start=1):
        question = report.questions[index]
        yield (
            f"  answer {number}: {answer(question.said)} to "
            f'"{one_line(question.sentence, 240)}" [{_shown(question)}]'
        )


def _shown(question: ToldQuestion) -> str:
    if question.pictures:
        return derivation.pictures(question.pictures)
    many = "frame" if len(question.frames) == 1 else "frames"
    return f"{many} {', '.join(map(str, question.frames))}"


def answer(said: Said) -> str:
    """Return what came back, in quotes, or why nothing did."""
    if said.raw is None:
        return f"none ({one_line(said.error or said.kind or 'no answer', _LONGEST_RAW)})"
    return f"{one_line(said.raw, _LONGEST_RAW)!a}"


def news(comparison: Comparison | None, cases: Sequence[ToldCase]) -> str:
    """Return how many of some bad cases are new since the baseline; empty without one."""
    if comparison is None:
        return ""
    fresh = sum(case.news == "new" for case in cases)
    return f"{fresh} of {len(cases)} new since {one_line(comparison.before, _LONGEST)}"
