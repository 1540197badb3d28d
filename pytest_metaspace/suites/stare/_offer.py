"""Draws the wrong options of a puzzle of changes, so that they give nothing away.

Of four options none may be told from the others without the steps. So each shares its shape, and
its place, with as many others as each other one does. How much the true one looks like the others,
how large it is and how far from the start have ranks that are drawn first.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import dist
from typing import TYPE_CHECKING, Final, Optional

from pytest_metaspace.suites.stare._affine import (
    Figure,
    Step,
    last,
    plus,
    product,
    rounded,
    times,
)
from pytest_metaspace.suites.stare._world import LIKE

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.suites.stare._world import World

Steps = tuple[Step, ...]
Edit = tuple[int, Optional[Step]]
"""Where steps are made wrong, and what stands there then: None for nothing. Below 0, two steps that
are exchanged, from the last on; past the last one, a step too many."""
COUNT: Final = 4
_TRIES: Final = 500
_OMITTED: Final = 0.5
"""How often a step that is made wrong is left out: what who does not do it would choose."""
_EQUAL: Final = 1e-6
_RATHER: Final = 0.5
"""An option that shares more with a result is taken for it, where no other one shares as much."""
_NONE: Final = "no four options are found"


class Unlucky(Exception):
    """A draw cannot be used; the text is the filter that it fell through."""


def edited(steps: Steps, edits: Iterable[Edit]) -> Steps:
    """Return steps that are made wrong in some places, and exchanged after that."""
    found: list[Step | None] = list(steps)
    for place, other in sorted(edits, key=lambda one: (one[0] < 0, one[0])):
        if place < 0:
            found[place], found[place - 1] = found[place - 1], found[place]
        elif place < len(steps):
            found[place] = other
        else:
            found.append(other)
    return tuple(step for step in found if step is not None)


class Offer:
    """Finds three wrong options for a figure and its steps.

    Args:
        world: of shapes or of solids.
        steps: the true ones.
        model: the figure that shows them.
        asked: the figure that is asked about.
    """

    def __init__(self, world: World, steps: Steps, model: Figure, asked: Figure) -> None:
        self._world = world
        self._steps = steps
        self._model = model
        self._asked = asked
        self._result = last(model, steps)
        self._like: dict[tuple[Figure, Figure], float] = {}
        self._read: list[Figure] | None = None

    def options(
        self, near: int, ranks: tuple[int, ...], chance: random.Random, dropped: Counter[str]
    ) -> tuple[Figure, ...]:
        """Return four results, the true one first.

        Args:
            near: how many of the others are wrong in one step.
            ranks: of the true one, as this module says.
            chance: the draws.
            dropped: counts what is thrown away, by filter.

        Raises:
            Unlucky: none are found.
        """
        for _ in range(_TRIES):
            try:
                lists = self._wrong(near, chance)
                figures = [last(self._asked, steps) for steps in (self._steps, *lists)]
                self._check(figures, lists, ranks)
            except Unlucky as reason:
                dropped[str(reason)] += 1
                continue
            first, *others = figures
            chance.shuffle(others)
            return (first, *others)
        raise Unlucky(_NONE)

    def _wrong(self, near: int, chance: random.Random) -> list[Steps]:
        """Return wrong steps: one edit and two more, two edits and both, or three of one place."""
        count = len(self._steps)
        places = [*range(1 - count, 0), *range(count + 2)]
        if near == COUNT - 1:
            place = chance.choice([one for one in places if 0 <= one <= count])
            kind = self._kind(place, chance)
            steps = self._others(place, kind)
            if len(steps) < near:
                raise Unlucky("too few steps of a kind")
            drawn = chance.sample(steps, near)
            if None in steps and None not in drawn and chance.random() < _OMITTED:
                drawn[0] = None
            return [edited(self._steps, [(place, one)]) for one in drawn]
        if near == 1:
            a, b, c = (self._edit(one, chance) for one in chance.sample(places, 3))
            return [edited(self._steps, one) for one in ((a,), (b, c), (a, b, c))]
        a, b = (self._edit(one, chance) for one in chance.sample(places[:-1], 2))
        return [edited(self._steps, one) for one in ((a,), (b,), (a, b))]

    def _edit(self, place: int, chance: random.Random) -> Edit:
        omitted = chance.random() < _OMITTED and len(self._steps) > 1
        if place < 0 or (omitted and place < len(self._steps)):
            return place, None
        return place, chance.choice(self._others(place, self._kind(place, chance)))

    def _kind(self, place: int, chance: random.Random) -> str:
        kinds = list(dict.fromkeys(step.kind for step in self._world.catalogue()))
        own = [self._steps[place].kind] * len(kinds) if place < len(self._steps) else []
        return chance.choice([*kinds, *own])

    def _others(self, place: int, kind: str) -> list[Step | None]:
        """Return steps of a kind that may stand in a place, and none where one is there."""
        inside = place < len(self._steps)
        here = self._steps[place] if inside else None
        found: list[Step | None] = [
            step for step in self._world.catalogue() if step.kind == kind and step != here
        ]
        return [*found, None] if inside and len(self._steps) > 1 else found

    def _check(
        self, figures: Sequence[Figure], lists: Sequence[Steps], ranks: Sequence[int]
    ) -> None:
        """Make sure that four results can be offered.

        Raises:
            Unlucky: they cannot.
        """
        if not _alike(figures):
            raise Unlucky("options share shape or place with others more than each other")
        moved = [dist(self._asked.centre, one.centre) for one in figures]
        if not _fits(moved, ranks[1]):
            raise Unlucky("the true option has not the drawn rank")
        if not all(map(self._world.inside, figures)):
            raise Unlucky("a wrong option is too small or leaves the picture")
        if not _fits([self._world.extent(one) for one in figures], ranks[0]):
            raise Unlucky("the true option has not the drawn rank")
        if any(self._likeness(*pair) > LIKE for pair in combinations(figures, 2)):
            raise Unlucky("two options look alike")
        central = [sum(self._likeness(a, b) for b in figures if b is not a) for a in figures]
        if not _fits(central, ranks[2]):
            raise Unlucky("the true option has not the drawn rank")
        self._check_reading(figures, lists)

    def _check_reading(self, figures: Sequence[Figure], lists: Sequence[Steps]) -> None:
        for steps in lists:
            model = last(self._model, steps)
            if self._world.inside(model) and self._likeness(model, self._result) > LIKE:
                raise Unlucky("wrong steps change the model alike")
        for other in self._other_results():
            true, *rest = (self._likeness(one, other) for one in figures)
            if max(rest) > max(true, _RATHER):
                raise Unlucky("a wrong option fits another reading of the model")

    def _likeness(self, first: Figure, second: Figure) -> float:
        key = (first, second)
        if key not in self._like:
            self._like[key] = self._like[second, first] = self._world.likeness(first, second)
        return self._like[key]

    def _other_results(self) -> list[Figure]:
        """Return what the figure becomes, for each way to read the model."""
        if self._read is None:
            own, count = self._asked, len(self._steps)
            found = {
                (
                    rounded(product(linear, own.linear)),
                    plus(times(place, own.centre), shift),
                )
                for linear, place, shift in self._world.readings(self._model, self._result, count)
            }
            self._read = [Figure(own.name, own.corners, *one) for one in found]
        return self._read


def _alike(figures: Sequence[Figure]) -> bool:
    """Whether each shares its shape and its place with as many others as each other one does."""
    keys = [(("shape", rounded(one.linear)), ("place", rounded((one.centre,)))) for one in figures]
    counts = Counter(part for key in keys for part in key)
    return len({sum(counts[part] for part in key) for key in keys}) == 1


def _fits(values: Sequence[float], rank: int) -> bool:
    """Whether the first of some values can have a rank, the largest being 0."""
    larger = sum(value > values[0] + _EQUAL for value in values[1:])
    smaller = sum(value < values[0] - _EQUAL for value in values[1:])
    return larger <= rank <= len(values) - 1 - smaller
