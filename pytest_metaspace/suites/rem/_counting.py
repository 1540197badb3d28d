"""Which numbers are asked for: kinds, colours and shapes that were seen, and kinds never seen."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._asks import Category, Counting
from pytest_metaspace.suites.rem._drawing import certain, drawn

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Sequence

    from pytest_metaspace.suites.rem._asks import Level
    from pytest_metaspace.suites.rem._course import Course

QUESTIONS: Final = 5
_NEVER: Final = 0.1
_TURN_EACH: Final = 2


def categories(course: Course) -> dict[Level, list[Category]]:
    """Return the kinds, colours and shapes of which a course shows a thing."""
    things = [course.sights.things[one] for one in sorted(course.seen)]
    return {
        "kind": sorted({Category(one.colour, one.shape) for one in things}, key=_words),
        "colour": sorted({Category(one.colour, None) for one in things}, key=_words),
        "shape": sorted({Category(None, one.shape) for one in things}, key=_words),
    }


def never_seen(course: Course) -> list[Category]:
    """Return the kinds, of colours and shapes of its scene, of which a course shows nothing."""
    things = course.sights.walk.things
    kinds = product(sorted({one.colour for one in things}), sorted({one.shape for one in things}))
    all_kinds = (Category(*one) for one in kinds)
    return [one for one in all_kinds if not one.of(course, course.seen)]


def counted(
    course: Course, chance: random.Random, dropped: Counter[str], task: str
) -> Sequence[Counting]:
    """Draw what is counted: a level and a number that occurs there, then what has this number.

    One in ten is a kind that was never seen. Who knows the level is not to know the number: so
    shapes, of which there are many, are drawn the more rarely the more there are of them, and a
    level that has one number only is left out.
    """
    left = _by_number(course, chance, dropped, task)
    never = drawn(chance, map(Counting, never_seen(course))) if "kind" in left else []
    found: list[Counting] = []
    while left and len(found) < QUESTIONS:
        if never and chance.random() < _NEVER:
            found.append(never.pop())
            continue
        cells = [(level, number) for level, numbers in left.items() for number in numbers]
        weights = [1 / number if level == "shape" else 1 for level, number in cells]
        ((level, number),) = chance.choices(cells, weights)
        found.append(left[level][number].pop())
        _tidy(left, level, number)
    return found


def _by_number(
    course: Course, chance: random.Random, dropped: Counter[str], task: str
) -> dict[Level, dict[int, list[Counting]]]:
    """Return what is certain by level and number, of levels of two numbers and more."""
    found: dict[Level, dict[int, list[Counting]]] = {}
    for level, some in categories(course).items():
        asks = certain(map(Counting, some), lambda one: one.answer(course), dropped, task)
        numbers: dict[int, list[Counting]] = {}
        for ask, number in drawn(chance, asks):
            numbers.setdefault(number, []).append(ask)
        if len(numbers) > 1:
            found[level] = numbers
        elif asks:
            dropped[f"{task}: nothing like it has another number"] += len(asks)
    return found


def counted_turning(
    course: Course, chance: random.Random, dropped: Counter[str], task: str
) -> Sequence[Counting]:
    """Draw kinds of which a full rotation shows none, one and more: of each as many.

    Colours and shapes are not asked for. Every kind stands there about once, so that of a shape
    there are eight, and of a colour three.
    """
    pools: tuple[list[Counting], ...] = (list(map(Counting, never_seen(course))), [], [])
    kinds = map(Counting, categories(course)["kind"])
    for ask, number in certain(kinds, lambda one: one.answer(course), dropped, task):
        pools[min(number, 2)].append(ask)
    each = min(_TURN_EACH, *map(len, pools))
    return drawn(chance, [one for pool in pools for one in drawn(chance, pool)[:each]])


def _tidy(left: dict[Level, dict[int, list[Counting]]], level: Level, number: int) -> None:
    if not left[level][number]:
        del left[level][number]
    if not left[level]:
        del left[level]


def _words(category: Category) -> str:
    return category.words
