"""Which pairs are asked about: two categories, or two things of a name of their own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeVar

from pytest_metaspace.suites.rem import _names
from pytest_metaspace.suites.rem._asks import (
    NO,
    SAME_TIME,
    YES,
    Category,
    Comparing,
    Ordering,
    Side,
)
from pytest_metaspace.suites.rem._counting import categories
from pytest_metaspace.suites.rem._drawing import balanced, certain, drawn

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.suites.rem._course import Course


Asked = TypeVar("Asked", Comparing, Ordering)
_PLACES: Final = (1, 2, 0)
"""Where a pair goes whose first, second or last option is true."""
QUESTIONS: Final[Mapping[str, int]] = {
    _names.IN_FRAME: 5,
    _names.OUT_OF_FRAME: 8,
    _names.SIDES: 5,
    _names.ORDER: 5,
}
_SIDES: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")


def compared(
    task: str, course: Course, chance: random.Random, dropped: Counter[str]
) -> Sequence[Comparing]:
    """Draw categories of which there are more, fewer and as many as of the other one.

    Colours, shapes and kinds are held against each other where each of these answers is found: of
    colours there are nearly always more than of kinds.
    """
    pools: dict[str, Pools[Comparing]] = {}
    some = [one for level in categories(course).values() for one in level]
    pairs = _sharing(task, course, some, dropped)
    for ask, answer in certain(pairs, lambda one: one.answer(course), dropped, task):
        levels = ask.first.level, ask.second.level
        pool = pools.setdefault(" ".join(levels), Pools(mixed=levels[0] != levels[1]))
        pool.put(ask, _PLACES[ask.options.index(answer)])
    return _balanced(task, chance, pools, dropped)


def _sharing(
    task: str, course: Course, some: Sequence[Category], dropped: Counter[str]
) -> Iterator[Comparing]:
    """Yield the pairs without common things that one frame shows both, or none, by the task."""
    clear = {one: _frames(course, one, course.sights.clear) for one in some}
    seen = {one: _frames(course, one, course.sights.seen) for one in some}
    for first, second in combinations(some, 2):
        if not first.apart_from(second):
            continue
        together = bool(clear[first] & clear[second])
        if not together and _slivers_share(seen[first], seen[second]):
            dropped[f"{task}: they share an image as slivers only"] += 1
        elif together == (task == _names.IN_FRAME):
            yield Comparing(first, second)


def _slivers_share(first: set[int], second: set[int]) -> bool:
    return bool(first & second)


def _frames(course: Course, one: Category, frames: Sequence[frozenset[str]]) -> set[int]:
    return {place for place in course.frames if one.of(course, frames[place])}


def ordered(course: Course, chance: random.Random, dropped: Counter[str]) -> Sequence[Ordering]:
    """Draw pairs of which the first is seen before, after and with the second."""
    task = _names.ORDER
    pool: Pools[Ordering] = Pools(mixed=False)
    pairs = (Ordering(*pair) for pair in _named_alone(course, dropped, task))
    for ask, answer in certain(pairs, lambda one: one.answer(course), dropped, task):
        pool.put(ask, 0 if answer == SAME_TIME else 1)
    return _balanced(task, chance, {"": pool}, dropped)


def beside(course: Course, chance: random.Random, dropped: Counter[str]) -> Sequence[Side]:
    """Draw pairs that lie left and right of each other, asked in all four ways."""
    task = _names.SIDES
    pairs = (Side(one, "left", two) for one, two in _named_alone(course, dropped, task))
    asks = [one for one, _ in certain(pairs, lambda one: one.answer(course), dropped, task)]
    found = []
    for ask in drawn(chance, asks)[: QUESTIONS[task]]:
        asked = replace(ask, side=chance.choice(_SIDES))
        wanted = chance.choice((YES, NO))
        found.append(asked if asked.answer(course) == wanted else asked.swapped())
    return found


class Pools(Generic[Asked]):
    """Pairs by their answer: alike, and apart in the one way and the other.

    Args:
        mixed: whether the two differ in kind, so that the ways are told apart; else either way is
            the other one with the two for each other.
    """

    def __init__(self, *, mixed: bool) -> None:
        one_way: list[Asked] = []
        self.lists: tuple[list[Asked], ...] = ([], one_way, [] if mixed else one_way)

    def put(self, ask: Asked, place: int) -> None:
        """Take in a pair."""
        self.lists[place].append(ask)


def _balanced(
    task: str, chance: random.Random, pools: Mapping[str, Pools[Asked]], dropped: Counter[str]
) -> list[Asked]:
    """Draw pairs, one of three alike, the two in an order by chance."""
    for pool in pools.values():
        if not all(pool.lists):
            count = len({id(ask) for one in pool.lists for ask in one})
            dropped[f"{task}: there is no pair of another answer"] += count
    by_group = {group: pool.lists for group, pool in pools.items()}
    found = balanced(chance, by_group, QUESTIONS[task])
    return [ask.swapped() if chance.random() < 1 / 2 else ask for ask in found]


def _named_alone(course: Course, dropped: Counter[str], task: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of names, each of one thing alone among all that are seen."""
    unique = course.sights.unique
    things = course.sights.things
    names = {things[one].name for one in course.seen}
    shared = len(names) - sum(name in unique for name in names)
    if shared:
        dropped[f"{task}: names that more than one object has"] += shared
    yield from combinations(sorted(name for name in names if name in unique), 2)
