"""Questions about a walk, and what their answers owe each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem import _names, _slices
from pytest_metaspace.suites.rem._book import Book
from pytest_metaspace.suites.rem._counting import counted, counted_turning
from pytest_metaspace.suites.rem._course import Course, Sights
from pytest_metaspace.suites.rem._drawing import draws
from pytest_metaspace.suites.rem._pairs import beside, compared, ordered
from pytest_metaspace.suites.rem._relations import relate

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites.rem._asks import Ask
    from pytest_metaspace.suites.rem._seen import Kind, Walk

    Draw = Callable[[Course, random.Random, Counter[str]], Sequence[Ask]]


@dataclass(frozen=True)
class Questions:
    """What is asked about a walk.

    Attributes:
        items: the questions of each task that has some.
        dropped: how many candidates each filter dropped, by task and reason.
    """

    items: list[Item]
    dropped: Counter[str] = field(default_factory=Counter)


def items(walk: Walk) -> list[Item]:
    """Return the questions of each task about a walk; none about what has no certain answer."""
    return questions(walk).items


def questions(walk: Walk) -> Questions:
    """Return the questions of each task about a walk, and what filters dropped.

    They depend on the walk alone, and all draws on its seed and number.
    """
    course = Course.whole(Sights(walk))
    added = None if walk.added is None else Course.whole(Sights(walk.added))
    made = Questions([])
    for task, draw in _TASKS[walk.kind].items():
        chance = draws(walk, task)
        asks = draw(course, chance, made.dropped)
        if asks:
            book = Book(task, course, asks, chance, added)
            book.write()
            relate(book)
            made.items.append(book.item(_slices.of_walk(walk)))
    return made


_TASKS: Final[Mapping[Kind, Mapping[str, Draw]]] = {
    "walk": {
        _names.COUNT: partial(counted, task=_names.COUNT),
        _names.IN_FRAME: partial(compared, _names.IN_FRAME),
        _names.OUT_OF_FRAME: partial(compared, _names.OUT_OF_FRAME),
        _names.SIDES: beside,
        _names.ORDER: ordered,
    },
    "frame": {_names.SINGLE_FRAME: partial(counted, task=_names.SINGLE_FRAME)},
    "rotation": {_names.FULL_ROTATION: partial(counted_turning, task=_names.FULL_ROTATION)},
}
