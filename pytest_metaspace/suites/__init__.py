"""Suites: known benchmarks of spatial cognition, their questions asked and held against each other.

A suite brings the items of a format, each with the ways in which it is put, and names its
relations; laws judge them as they judge everything. Its scores stand beside those of the paper
and never in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, Query, TrueAnswer, Value
from pytest_metaspace.mrs import Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.domain import Case, Item
    from pytest_metaspace.mrs import Grounds
    from pytest_metaspace.trajectories import TrajectoryFormat

ACCURACY = "ACC"
"""Behind the code of a suite: the relation that holds answers against what is true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOption:
    """Something that can be chosen about the items that are built, ``--NAME``.

    Attributes:
        name: small letters and dashes.
        help: what it is, for ``--help``.
        default: its value where nothing is typed; a number, a word, or one of the choices.
        choices: what may be typed; empty for a whole number, or the word of the default.
        least: the smallest number.
        most: the largest one; None where there is none.
    """

    name: str
    help: str
    default: int | str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None


def untold(_done: int, _total: int) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be built.

    Attributes:
        seed: of all draws; the same one writes the same items, and the first of more.
        items: how many.
        folder: where they go; made when missing.
        options: the others that the suite has, by name.
        tell: takes how many are made or there, and of how many, whenever one more is.
    """

    seed: int
    items: int
    folder: Path
    options: Mapping[str, int | str] = field(default_factory=dict)
    tell: Callable[[int, int], None] = untold


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
        formats: how its items are stored.
        build: writes items of our own; None where there are none. Returns lines to print, raises
            ``UsageProblem``. One that was stopped goes on when it is called again.
        build_options: what ``metaspace build`` takes for it beside seed and number of items.
        counted: what ``--items`` counts.
        at_once: whether a build writes nothing before all is made.
    """

    name: str
    code: str
    title: str
    tasks: tuple[str, ...]
    relations: Mapping[str, str]
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    formats: tuple[TrajectoryFormat, ...] = ()
    build: Callable[[Order], list[str]] | None = field(default=None)
    build_options: tuple[BuildOption, ...] = ()
    counted: str = "items"
    at_once: bool = False

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """Its tasks, as cases have them."""
        return tuple(Capability.of_suite(self.code, task) for task in self.tasks)

    def judged(self) -> tuple[Relation, ...]:
        """Return its relations, ready to be registered."""
        told = {ACCURACY: "accuracy", **self.relations}
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
    """Yield the cases of a relation on the questions of a task about a trajectory."""
    item = grounds.trajectory.items.get(capability)
    if item is None:
        return
    if relation.endswith(f"-{ACCURACY}"):
        yield from _accuracy(relation, grounds, item)
        return
    if relation in item.unposed:
        grounds.drops[f"{relation}: {item.unposed[relation]}"] += 1
    for tie in item.ties:
        if tie.relation == relation:
            yield grounds.case(
                relation=relation,
                law=tie.law,
                capability=capability,
                tag="",
                subjects=tie.posings,
                queries=[_query(grounds, item, name) for name in tie.posings],
                givens=tie.givens,
            )


def _accuracy(relation: str, grounds: Grounds, item: Item) -> Iterator[Case]:
    for reason, count in item.dropped.items():
        grounds.drops[f"{item.task}: {reason}"] += count
    for name, posing in item.posings.items():
        if not posing.written:
            continue
        if posing.answer is None:
            grounds.drops[f"{relation}: the true answer is not known"] += 1
            continue
        query = _query(grounds, item, name)
        yield grounds.case(
            relation=relation,
            law="A3",
            capability=item.task,
            tag="",
            subjects=(name,),
            queries=[query],
            givens=(TrueAnswer(query, Value(choice=posing.answer)),),
        )


def _query(grounds: Grounds, item: Item, posing: str) -> Query:
    """Return a question; its evidence is a matter of its posing."""
    return Query(trajectory=grounds.trajectory.id, capability=item.task, a=posing, evidence=(0,))


__all__ = ["ACCURACY", "BuildOption", "Order", "Suite"]
