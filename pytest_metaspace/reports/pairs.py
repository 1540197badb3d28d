"""Which pair of things a case is about, and which pairs are violated most."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Outcome
from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_metaspace.domain import Case, Subject

Group = tuple[str, str]
"""Capability and relation."""


def about(case: Case) -> str:
    """Return the pair that a case is about: of three subjects the outer two; or the one thing."""
    first, last = case.subjects[0], case.subjects[-1]
    if case.object is not None or (isinstance(first, str) and first == last):
        return one_line(str(case.object or first))
    return _joined(*(case.objects or (first, last)))


@lru_cache(maxsize=4096)
def _joined(one: Subject, other: Subject) -> str:
    ends = (one, other)
    return " ~ ".join(f"state {end}" if isinstance(end, int) else one_line(end) for end in ends)


class Pairs:
    """Counts cases by what they are about, in each capability and relation."""

    def __init__(self) -> None:
        self._all: defaultdict[Group, Counter[str]] = defaultdict(Counter)
        self._violated: defaultdict[Group, Counter[str]] = defaultdict(Counter)

    def enter(self, case: Case, outcome: Outcome) -> None:
        """Count a case."""
        group, pair = (case.capability.value, case.relation), about(case)
        self._all[group][pair] += 1
        if outcome is Outcome.VIOLATED:
            self._violated[group][pair] += 1

    def worst(self, group: Group) -> list[tuple[str, int, int]]:
        """Return what is violated in a group, most often first: pair, violated cases, cases."""
        counted = [
            (pair, violated, self._all[group][pair])
            for pair, violated in self._violated.get(group, {}).items()
        ]
        return sorted(counted, key=lambda entry: (-entry[1], entry[2], entry[0]))

    def in_turn(self, group: Group, violated: Iterable[Case]) -> list[Case]:
        """Return cases of a group so that each pair, the worst first, has its turn."""
        rank = {pair: place for place, (pair, _, _) in enumerate(self.worst(group))}
        seen: Counter[str] = Counter()
        keyed = []
        for case in violated:
            pair = about(case)
            keyed.append(((seen[pair], rank.get(pair, len(rank))), case))
            seen[pair] += 1
        return [case for _, case in sorted(keyed, key=lambda entry: entry[0])]
