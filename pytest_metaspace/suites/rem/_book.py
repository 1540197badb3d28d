"""The questions of one task about a walk as they are gathered, each once, with their ties."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, Item
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.rem import _slices
from pytest_metaspace.suites.rem._asks import posing
from pytest_metaspace.suites.rem._names import CODE

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Posing, Tie
    from pytest_metaspace.suites.rem._asks import Ask
    from pytest_metaspace.suites.rem._course import Course
    from pytest_metaspace.suites.ties import Rule


@dataclass
class Book:
    """Questions by name, and ties between them.

    Attributes:
        task: which one.
        course: the walk as it was.
        asks: what is asked about it, as written.
        chance: a source of chance.
        added: the walk with one thing more; None where there is none.
    """

    task: str
    course: Course
    asks: Sequence[Ask]
    chance: random.Random
    added: Course | None = None
    posings: dict[str, Posing] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    unposed: dict[str, str] = field(default_factory=dict)

    def write(self) -> None:
        """Take in what is asked as written."""
        for ask in self.asks:
            made = posing(ask, self.course, written=True)
            told = _slices.of_ask(ask, self.course)
            self.posings[ask.name] = replace(made, slices=told)

    def pose(self, ask: Ask, course: Course | None = None, how: str = "") -> str:
        """Take in a question, where it is not in yet, and return its name.

        Args:
            ask: what is asked.
            course: what is shown; the walk as it was by default.
            how: what is changed, to stand in the name.

        Raises:
            Unmet: its answer is not certain.
        """
        name = f"{ask.name}, {how}" if how else ask.name
        if name not in self.posings:
            self.posings[name] = posing(ask, course or self.course)
        return name

    def mapped(
        self, relation: str, first: str, second: str, follows: Mapping[str, str] | None
    ) -> None:
        """Tie two questions: the answer to the first decides the second."""
        self._tie(ties.mapped(f"{CODE}-{relation}", first, second, follows))

    def at_most(self, relation: str, left: Sequence[str], right: Sequence[str]) -> None:
        """Tie questions of numbers: some sum up to no more than others."""
        self._tie(ties.at_most(f"{CODE}-{relation}", left, right))

    def equal(self, relation: str, left: Sequence[str], right: Sequence[str]) -> None:
        """Tie questions of numbers: some sum up to as many as others."""
        self._tie(ties.equal_sums(f"{CODE}-{relation}", left, right))

    def implied(self, relation: str, rules: Iterable[Rule]) -> None:
        """Tie questions by rules."""
        self._tie(ties.implied(f"{CODE}-{relation}", rules))

    def _tie(self, tie: Tie) -> None:
        case = (tie.relation, tie.posings)
        if case not in {(one.relation, one.posings) for one in self.ties}:
            self.ties.append(tie)

    def item(self, slices: Mapping[str, str]) -> Item:
        """Return the item; a question that is neither written nor tied is not asked."""
        tied = {name for tie in self.ties for name in tie.posings}
        return Item(
            task=Capability.of_suite(CODE, self.task),
            posings={
                name: one for name, one in self.posings.items() if one.written or name in tied
            },
            ties=tuple(self.ties),
            unposed=self.unposed,
            slices=slices,
        )
