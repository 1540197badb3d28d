"""What the benchmark asks, read from its words, and what its annotation answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

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
    Counting,
    Ordering,
    Side,
)
from pytest_metaspace.suites.rem._wording import plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.suites.rem._asks import Ask
    from pytest_metaspace.suites.rem._own_walk import OwnWalk

FILES: Final[Mapping[str, str]] = {
    "number_questions.csv": _names.COUNT,
    "comparison_questions_in_frame.csv": _names.IN_FRAME,
    "comparison_questions_out_of_frame.csv": _names.OUT_OF_FRAME,
    "left_right_questions.csv": _names.SIDES,
    "order_preserving_questions.csv": _names.ORDER,
}
"""The files of questions, and the tasks that they are in a walk."""
_COLOURS: Final = ("red", "green", "blue", "yellow", "purple", "brown", "black", "orange")
_SHAPES: Final = ("cuboid", "cone", "sphere", "cylinder")
_SEEN: Final = r"(?: (?:are there|are seen|were seen|can be seen|did we see|have we seen))?"
_HOW_MANY: Final = re.compile(rf"how many (?P<first>[a-z ]+?){_SEEN}(?: in (?:all|total))?")
_WHICH_MORE: Final = re.compile(r"are there more (?P<first>[a-z ]+?) or (?:more )?(?P<second>.+)")
_WHICH_SIDE: Final = re.compile(
    r"is the (?P<first>[a-z ]+?) (?:to|on) the (?P<side>left|right) of the (?P<second>[a-z ]+)"
)
_WHEN: Final = re.compile(
    r"did we see the (?P<first>[a-z ]+?) before,? after,? or (?:at )?(?:the )?same time as the "
    r"(?P<second>[a-z ]+)"
)
_ASKED: Final = {
    _names.COUNT: _HOW_MANY,
    _names.IN_FRAME: _WHICH_MORE,
    _names.OUT_OF_FRAME: _WHICH_MORE,
    _names.SIDES: _WHICH_SIDE,
    _names.ORDER: _WHEN,
}
_TIMES: Final = {
    "before": BEFORE,
    "after": AFTER,
    "same time": SAME_TIME,
    "at the same time": SAME_TIME,
}
_NUMBER: Final = re.compile(r"\d{1,6}", re.ASCII)
_PAIR: Final = 2


@dataclass(frozen=True)
class Words:
    """The words that a walk and the benchmark have for what is seen."""

    colours: frozenset[str]
    shapes: Mapping[str, str]
    """By plural."""

    @classmethod
    def of(cls, told: OwnWalk) -> Words:
        """Return those of a walk."""
        things = told.walk.things
        shapes = {*_SHAPES, *(one.shape for one in things)}
        colours = {*_COLOURS, *(one.colour for one in things)}
        return cls(frozenset(colours), {plural(one): one for one in shapes})

    def category(self, text: str) -> Category | None:
        """Return what "red objects", "cones" or "red cones" means; None for anything else."""
        *before, noun = text.split()
        if len(before) > 1 or any(one not in self.colours for one in before):
            return None
        colour = before[0] if before else None
        if noun == "objects":
            return None if colour is None else Category(colour, None)
        return Category(colour, self.shapes[noun]) if noun in self.shapes else None

    def name(self, text: str) -> str | None:
        """Return a name as in "red cone"; None for anything else."""
        words = text.split()
        known = len(words) == _PAIR and words[0] in self.colours
        return text if known and words[1] in self.shapes.values() else None


def ask_of(task: str, text: str, words: Words) -> Ask | None:
    """Return what a question of the benchmark asks; None where its words are others.

    Args:
        task: in a walk.
        text: the question.
        words: for what is seen.
    """
    match = _ASKED[task].fullmatch(plain(text))
    if match is None:
        return None
    if task in (_names.COUNT, _names.IN_FRAME, _names.OUT_OF_FRAME):
        return _of_categories(match, words)
    first, second = words.name(match["first"]), words.name(match["second"])
    if first is None or second is None:
        return None
    if task == _names.ORDER:
        return Ordering(first, second)
    return Side(first, "left" if match["side"] == "left" else "right", second)


def _of_categories(match: re.Match[str], words: Words) -> Ask | None:
    first = words.category(match["first"])
    if first is None or "second" not in match.groupdict():
        return None if first is None else Counting(first)
    second = words.category(match["second"])
    return None if second is None or second == first else Comparing(first, second)


def plain(text: str) -> str:
    """Return text in small letters, with single spaces, without the mark at its end."""
    return " ".join(text.casefold().split()).rstrip("?.! ")


def answer_of(task: str, given: str, ask: Ask | None, words: Words) -> str | int | None:
    """Return an answer of the benchmark as one of ours; None where it is none to the question.

    Args:
        task: in a walk.
        given: as the file has it.
        ask: the question; None where its words are others.
        words: for what is seen.
    """
    said = plain(given)
    if task == _names.COUNT:
        return int(said) if _NUMBER.fullmatch(said) else None
    if task == _names.ORDER:
        return _TIMES.get(said)
    if task == _names.SIDES:
        return said if said in (YES, NO) else None
    if not isinstance(ask, Comparing):
        return None
    if said == EQUAL:
        return EQUAL
    meant = words.category(said) if said else None
    return meant.words if meant in (ask.first, ask.second) else None


def found(ask: Ask, told: OwnWalk, names: Mapping[str, Sequence[str]]) -> tuple[str | int, ...]:
    """Return what an annotation answers; several where a name stands for several things.

    A single pixel counts, as in the benchmark. There is no answer about what is never seen, and on
    sides none where no frame shows both or frames differ.
    """
    seen = told.walk.things
    if isinstance(ask, Counting):
        return (sum(ask.category.holds(one) for one in seen),)
    if isinstance(ask, Comparing):
        first, second = (sum(one.holds(thing) for thing in seen) for one in (ask.first, ask.second))
        if first == second:
            return (EQUAL,)
        return ((ask.first if first > second else ask.second).words,)
    pair = [names.get(one, ()) for one in (ask.first, ask.second)]
    if not all(pair):
        return ()
    if isinstance(ask, Ordering):
        return (_time(*(_first(told, one) for one in pair)),)
    sides: set[str] = set()
    for two in product(*pair):
        if two[0] != two[1] and len(sides) < _PAIR:
            sides |= _sides(told, *two)
    return tuple(sorted(YES if one == ask.side else NO for one in sides))


def _time(first: int, second: int) -> str:
    if first == second:
        return SAME_TIME
    return BEFORE if first < second else AFTER


def _first(told: OwnWalk, ids: Sequence[str]) -> int:
    return next(at for at, order in enumerate(told.orders) if not set(ids).isdisjoint(order))


def _sides(told: OwnWalk, first: str, second: str) -> set[str]:
    """Return the side of one thing on which another is, if it is the same in all common frames."""
    found: set[str] = set()
    for one in told.orders:
        if first in one and second in one:
            found.add("left" if one[first] < one[second] else "right")
            if len(found) == _PAIR:
                return set()
    return found
