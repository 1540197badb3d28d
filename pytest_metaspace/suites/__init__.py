"""Suites: known benchmarks of spatial cognition, their questions asked and held against each other.

A suite brings the items of a format, each with the ways in which it is put, and names its
relations; laws judge them as they judge everything. Its scores stand beside those of the paper
and never in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_metaspace.domain import AS_WRITTEN, Becomes, Capability, Query, TrueAnswer, Value
from pytest_metaspace.mrs import Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.domain import Case, Posing
    from pytest_metaspace.mrs import Grounds
    from pytest_metaspace.trajectories import TrajectoryFormat

ACCURACY = "ACC"
"""Behind the code of a suite: the relation that holds answers against what is true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A benchmark.

    Attributes:
        name: as ``metaspace build`` has it.
        code: two to eight capital letters; its tasks and relations begin with it.
        title: what it is called.
        tasks: their names, of small letters, digits and dashes.
        relations: names without the code, each to what it says, beside ``ACC``.
        only: relations that are about some of the tasks, and which.
        chance: what guessing scores, in words.
        formats: how its items are stored.
        build: writes items of our own; None where there are none. Gets seed, number of items and
            folder, returns lines to print, raises ``UsageProblem``.
    """

    name: str
    code: str
    title: str
    tasks: tuple[str, ...]
    relations: Mapping[str, str]
    chance: str
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    formats: tuple[TrajectoryFormat, ...] = ()
    build: Callable[[int, int, Path], list[str]] | None = field(default=None)

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """Its tasks, as cases have them."""
        return tuple(Capability.of_suite(self.code, task) for task in self.tasks)

    def judged(self) -> tuple[Relation, ...]:
        """Return its relations, ready to be registered."""
        told = {ACCURACY: f"accuracy; {self.chance} by guessing", **self.relations}
        return tuple(self._relation(name, title) for name, title in told.items())

    def _relation(self, short: str, title: str) -> Relation:
        name = f"{self.code}-{short}"
        tasks = self.only.get(short, self.tasks)

        def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
            return _instances(name, grounds, capability)

        return Relation(
            name=name,
            title=title,
            capabilities=tuple(Capability.of_suite(self.code, task) for task in tasks),
            instances=instances,
            suite=self.code,
        )


def _instances(relation: str, grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield the cases of a relation on an item: a truth to hold it against, or a second posing."""
    item = grounds.trajectory.item
    if item is None or item.task != capability:
        return
    if relation.endswith(f"-{ACCURACY}"):
        yield from _accuracy(relation, grounds, capability)
        return
    if relation in item.unposed:
        grounds.drops[f"{relation}: {item.unposed[relation]}"] += 1
    for name, posing in item.posings.items():
        if posing.relation == relation:
            yield _case(relation, grounds, capability, name, posing)


def _accuracy(relation: str, grounds: Grounds, capability: Capability) -> Iterator[Case]:
    item = grounds.trajectory.item
    assert item is not None
    if item.written.answer is None:
        grounds.drops[f"{relation}: the true answer is not known"] += 1
        return
    query = _query(grounds, capability, AS_WRITTEN)
    yield grounds.case(
        relation=relation,
        law="A3",
        capability=capability,
        tag="",
        subjects=(AS_WRITTEN,),
        queries=[query],
        givens=(TrueAnswer(query, Value(choice=item.written.answer)),),
    )


def _case(
    relation: str, grounds: Grounds, capability: Capability, name: str, posing: Posing
) -> Case:
    return grounds.case(
        relation=relation,
        law=posing.law,
        capability=capability,
        tag="",
        subjects=(AS_WRITTEN, name),
        queries=[_query(grounds, capability, one) for one in (AS_WRITTEN, name)],
        givens=tuple(Becomes(*pair) for pair in posing.follows.items()),
    )


def _query(grounds: Grounds, capability: Capability, posing: str) -> Query:
    return Query(trajectory=grounds.trajectory.id, capability=capability, a=posing, evidence=(0,))


__all__ = ["ACCURACY", "Suite"]
