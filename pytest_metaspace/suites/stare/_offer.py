"""Draws the wrong options of a puzzle of changes, so that they give nothing away.

Of four options none may be told from the others without the steps. So each shares its shape, and
its place, with as many others as each other one does; and the true one has, by each cue, a rank
that is drawn first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
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
    from collections.abc import Iterable

    from pytest_metaspace.suites.stare._world import World

Steps = tuple[Step, ...]
Edit = tuple[int, Optional[Step]]
"""Where steps are made wrong, and what stands there then: None for nothing. Below 0, two steps that
are exchanged, from the last on; past the last one, a step too many."""
COUNT: Final = 4
_TRIES: Final = 100
_OMITTED: Final = 0.5
"""How often a step that is made wrong is left out: what who does not do it would choose."""
_EQUAL: Final = 1e-6
_RATHER: Final = 0.5
"""An option that shares more with a result is taken for it, where no other one shares as much."""
_CLEARLY: Final = 0.05
"""So much more than each wrong option the true one shares with what a reading leads to."""
NO_OPTIONS: Final = "no four options are found"
"""Told of a draw of figures that is given up; what spoke against options is counted by itself."""


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
        self.world = world
        self._steps = steps
        self._model = model
        self.asked = asked
        self.result = last(model, steps)
        self.before = last(asked, steps[:-1])
        self._true = last(asked, steps)
        self._like: dict[tuple[Figure, Figure], float] = {}
        self._read: list[Figure] | None = None

    def options(
        self, near: int, ranks: Mapping[str, int], chance: random.Random, dropped: Counter[str]
    ) -> tuple[Figure, ...]:
        """Return four results, the true one first.

        Args:
            near: how many of the others are wrong in one step.
            ranks: of the true one, by cue; the largest is 0.
            chance: the draws.
            dropped: counts what is thrown away, by filter.

        Raises:
            Unlucky: none are found.
        """
        for _ in range(_TRIES):
            lists = self._wrong(near, chance)
            figures = [self._true, *(last(self.asked, steps) for steps in lists)]
            reason = next(
                (one for one, fits in FILTERS.items() if not fits(self, figures, ranks)), ""
            )
            if reason:
                dropped[reason] += 1
                continue
            first, *others = figures
            chance.shuffle(others)
            return (first, *others)
        raise Unlucky(NO_OPTIONS)

    def _wrong(self, near: int, chance: random.Random) -> list[Steps]:
        """Return wrong steps: one edit and two more, two edits and both, or three of one place."""
        count = len(self._steps)
        places = [*range(1 - count, 0), *range(count + 2)]
        if near == COUNT - 1:
            place = chance.choice([one for one in places if 0 <= one <= count])
            steps = self._others(place, self._kind(place, chance, near))
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

    def _kind(self, place: int, chance: random.Random, least: int = 1) -> str:
        """Return a kind of which there are so many other steps for a place."""
        kinds = list(dict.fromkeys(step.kind for step in self.world.catalogue()))
        own = [self._steps[place].kind] * len(kinds) if place < len(self._steps) else []
        return chance.choice(
            [kind for kind in (*kinds, *own) if len(self._others(place, kind)) >= least]
        )

    def _others(self, place: int, kind: str) -> list[Step | None]:
        """Return steps of a kind that may stand in a place, and none where one is there."""
        inside = place < len(self._steps)
        here = self._steps[place] if inside else None
        found: list[Step | None] = [
            step for step in self.world.catalogue() if step.kind == kind and step != here
        ]
        return [*found, None] if inside and len(self._steps) > 1 else found

    def likeness(self, first: Figure, second: Figure) -> float:
        """Return how much of what is seen of two figures is the same."""
        key = (first, second)
        if key not in self._like:
            self._like[key] = self._like[second, first] = self.world.likeness(first, second)
        return self._like[key]

    def other_results(self) -> list[Figure]:
        """Return what the figure becomes, for each way to read the model."""
        if self._read is None:
            own, count = self.asked, len(self._steps)
            found = {
                (
                    rounded(product(linear, own.linear)),
                    plus(times(place, own.centre), shift),
                )
                for linear, place, shift in self.world.readings(self._model, self.result, count)
            }
            self._read = [Figure(own.name, own.corners, *one) for one in found]
        return self._read


def _agree(offer: Offer, figures: Sequence[Figure], ranks: Mapping[str, int]) -> bool:
    """Whether each shares its shape and its place with as many others as each other one does."""
    del offer, ranks
    keys = [(("shape", rounded(one.linear)), ("place", rounded((one.centre,)))) for one in figures]
    counts = Counter(part for key in keys for part in key)
    return len({sum(counts[part] for part in key) for key in keys}) == 1


def _ranked(cue: str, offer: Offer, figures: Sequence[Figure], ranks: Mapping[str, int]) -> bool:
    """Whether the first can have the rank by a cue that is drawn for it."""
    values = CUES[cue](offer, figures)
    larger = sum(value > values[0] + _EQUAL for value in values[1:])
    smaller = sum(value < values[0] - _EQUAL for value in values[1:])
    return larger <= ranks[cue] <= len(values) - 1 - smaller


def _differ(offer: Offer, figures: Sequence[Figure], ranks: Mapping[str, int]) -> bool:
    """Whether no two look alike."""
    del ranks
    return all(offer.likeness(*pair) <= LIKE for pair in combinations(figures, 2))


def _read_right(offer: Offer, figures: Sequence[Figure], ranks: Mapping[str, int]) -> bool:
    """Whether no way to read the model leads to another one than the first."""
    del ranks
    for other in offer.other_results():
        true, *rest = (offer.likeness(one, other) for one in figures)
        if max(rest) > max(true - _CLEARLY, _RATHER):
            return False
    return True


def _far(origin: Figure, figures: Sequence[Figure]) -> list[float]:
    return [dist(origin.centre, one.centre) for one in figures]


def _like_others(offer: Offer, figures: Sequence[Figure]) -> list[float]:
    return [sum(offer.likeness(a, b) for b in figures if b is not a) for a in figures]


def _like_before(offer: Offer, figures: Sequence[Figure]) -> list[float]:
    """Return how like the last intermediate picture each is; all the same where there is none."""
    if offer.before is offer.asked:
        return [0.0] * len(figures)
    return [offer.likeness(offer.before, one) for one in figures]


Filter = Callable[[Offer, Sequence[Figure], Mapping[str, int]], bool]
CUES: Final[Mapping[str, Callable[[Offer, Sequence[Figure]], list[float]]]] = {
    "way from the start": lambda offer, figures: _far(offer.asked, figures),
    "way from the end of the model": lambda offer, figures: _far(offer.result, figures),
    "size": lambda offer, figures: [offer.world.extent(one) for one in figures],
    "likeness to the last intermediate picture": _like_before,
    "likeness to the others": _like_others,
}
"""By what the true option could be told from the others without the steps."""
_RANK: Final = "the true option has not the drawn rank by"
FILTERS: Final[dict[str, Filter]] = {
    "options share shape or place with others more than each other": _agree,
    **{f"{_RANK} {cue}": partial(_ranked, cue) for cue in list(CUES)[:2]},
    "a wrong option leaves the picture": lambda offer, figures, _: all(
        map(offer.world.inside, figures)
    ),
    "a wrong option is too small": lambda offer, figures, _: all(map(offer.world.large, figures)),
    **{f"{_RANK} {cue}": partial(_ranked, cue) for cue in list(CUES)[2:4]},
    "two options look alike": _differ,
    f"{_RANK} likeness to the others": partial(_ranked, "likeness to the others"),
    "a wrong option fits another reading of the model": _read_right,
}
"""What four options have to be, the cheapest first; what is not so is dropped under this name."""
