"""Which pairs are asked about: two categories, or two things of a name of their own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from pytest_metaspace.suites.rem import _names
from pytest_metaspace.suites.rem._asks import (
    AFTER,
    BEFORE,
    EQUAL,
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

Asked = TypeVar("Asked")

QUESTIONS: Final[Mapping[str, int]] = {
    _names.IN_FRAME: 5,
    _names.OUT_OF_FRAME: 8,
    _names.SIDES: 5,
    _names.ORDER: 5,
}
_SIDES: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")
_APART, _TOGETHER = "apart", "together"


def compared(
    task: str, course: Course, chance: random.Random, dropped: Counter[str]
) -> Sequence[Comparing]:
    """Draw categories of one level of which there are more, fewer and as many as of the other.

    Those of two levels are not held against each other: of colours there are nearly always more
    than of kinds. A level is used where it has pairs of different and of equal numbers.
    """
    pools: dict[str, dict[str, list[Comparing]]] = {}
    for level, some in categories(course).items():
        pairs = _sharing(task, course, some, dropped)
        for ask, answer in certain(pairs, lambda one: one.answer(course), dropped, task):
            kind = _TOGETHER if answer == EQUAL else _APART
            pools.setdefault(level, {}).setdefault(kind, []).append(ask)
    found: list[Comparing] = []
    for kind, ask in _balanced(task, chance, pools, dropped):
        first_is_more = ask.answer(course) == ask.first.words
        wanted = chance.random() < 1 / 2
        exchanged = wanted if kind == _TOGETHER else wanted != first_is_more
        found.append(ask.swapped() if exchanged else ask)
    return found


def _sharing(
    task: str, course: Course, some: Sequence[Category], dropped: Counter[str]
) -> Iterator[Comparing]:
    """Yield the pairs of categories that one frame shows both, or that none does, by the task."""
    clear = {one: _frames(course, one, course.sights.clear) for one in some}
    seen = {one: _frames(course, one, course.sights.seen) for one in some}
    for first, second in combinations(some, 2):
        together = bool(clear[first] & clear[second])
        if not together and seen[first] & seen[second]:
            dropped[f"{task}: they share an image as slivers only"] += 1
        elif together == (task == _names.IN_FRAME):
            yield Comparing(first, second)


def _frames(course: Course, one: Category, frames: Sequence[frozenset[str]]) -> set[int]:
    return {place for place in course.frames if one.of(course, frames[place])}


def ordered(course: Course, chance: random.Random, dropped: Counter[str]) -> Sequence[Ordering]:
    """Draw pairs of which the first is seen before, after and with the second."""
    pools: dict[str, list[Ordering]] = {}
    task = _names.ORDER
    pairs = (Ordering(*pair) for pair in _named_alone(course, dropped, task))
    for ask, answer in certain(pairs, lambda one: one.answer(course), dropped, task):
        pools.setdefault(_TOGETHER if answer == SAME_TIME else _APART, []).append(ask)
    found = []
    for kind, ask in _balanced(task, chance, {"": pools}, dropped):
        wanted = chance.choice((BEFORE, AFTER))
        exchanged = wanted == (BEFORE if kind == _TOGETHER else ask.answer(course))
        found.append(ask.swapped() if exchanged else ask)
    return found


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


def _balanced(
    task: str,
    chance: random.Random,
    pools: Mapping[str, Mapping[str, Sequence[Asked]]],
    dropped: Counter[str],
) -> list[tuple[str, Asked]]:
    """Draw pairs, one in three of them together; a group of one answer only is left out."""
    for pool in pools.values():
        if len(pool) == 1:
            dropped[f"{task}: there is no pair of another answer"] += sum(map(len, pool.values()))
    return balanced(chance, pools, (_TOGETHER, _APART, _APART), QUESTIONS[task])


def _named_alone(course: Course, dropped: Counter[str], task: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of names, each of one thing alone among all that are seen."""
    unique = course.sights.unique
    things = course.sights.things
    names = {things[one].name for one in course.seen}
    shared = len(names) - sum(name in unique for name in names)
    if shared:
        dropped[f"{task}: names that more than one object has"] += shared
    yield from combinations(sorted(name for name in names if name in unique), 2)
