"""The kinds of questions about what was seen, each with its certain answer to any course.

An answer is certain where it stays, whichever of the things that are seen but not clear (``_seen``)
somebody notices: where it is the same from a single pixel on, from clear sight on, and between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, Union

from pytest_metaspace.domain import Posing
from pytest_metaspace.suites.rem import _wording
from pytest_metaspace.suites.rem._course import Unmet
from pytest_metaspace.trajectories._altered import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_metaspace.suites.rem._course import Course
    from pytest_metaspace.suites.rem._seen import Sight, Thing
    from pytest_metaspace.trajectories._altered import Change

LEAST_GAP_PX: Final = 10.0
"""So far apart two objects are that lie left and right of each other."""
EQUAL: Final = "equal"
BEFORE, AFTER, SAME_TIME = "before", "after", "same time"
YES, NO = "yes", "no"
Level = Literal["kind", "colour", "shape"]
SLIVERS: Final = "the answer depends on slivers"


@dataclass(frozen=True, order=True)
class Category:
    """Objects of a colour, of a shape, or of both; None for any."""

    colour: str | None
    shape: str | None

    @property
    def level(self) -> Level:
        """What it says."""
        if self.colour is None:
            return "shape"
        return "colour" if self.shape is None else "kind"

    @property
    def words(self) -> str:
        """As in "red cones", "red objects" and "cones"."""
        noun = "objects" if self.shape is None else _wording.plural(self.shape)
        return noun if self.colour is None else f"{self.colour} {noun}"

    def apart_from(self, other: Category) -> bool:
        """Whether no thing can be of both."""
        told = ((self.colour, other.colour), (self.shape, other.shape))
        return any(None not in pair and pair[0] != pair[1] for pair in told)

    def holds(self, thing: Thing) -> bool:
        """Whether a thing is one of it."""
        return self.colour in (None, thing.colour) and self.shape in (None, thing.shape)

    def of(self, course: Course, ids: Iterable[str]) -> frozenset[str]:
        """Return those of some things that are of it."""
        things = course.sights.things
        return frozenset(one for one in ids if self.holds(things[one]))

    def between(self, course: Course) -> tuple[int, int]:
        """Return how many of it a course shows at least and at most: clearly, and at all."""
        return len(self.of(course, course.clear)), len(self.of(course, course.seen))


@dataclass(frozen=True)
class Counting:
    """How many there are of a category."""

    category: Category
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What to follow "when"."""
        return f"asked for {self.category.words}"

    def text(self, course: Course) -> str:
        """Return the question."""
        return _wording.how_many(self.category.words, images=len(course.frames))

    def answer(self, course: Course) -> int:
        """Return the number; raise ``Unmet`` where it is not certain."""
        least, most = self.category.between(course)
        if least < most:
            raise Unmet(SLIVERS)
        return most

    def untouched(self, thing: Thing) -> bool:
        """Whether another thing of this kind changes nothing."""
        return not self.category.holds(thing)


@dataclass(frozen=True)
class Comparing:
    """Of which of two categories there are more."""

    first: Category
    second: Category

    @property
    def name(self) -> str:
        """What to follow "when"."""
        return f"asked for {self.first.words} or {self.second.words}"

    @property
    def options(self) -> tuple[str, ...]:
        """Either of them, or neither."""
        return (self.first.words, self.second.words, EQUAL)

    def text(self, course: Course) -> str:
        """Return the question."""
        del course
        return _wording.which_more(self.first.words, self.second.words)

    def answer(self, course: Course) -> str:
        """Return which there are more of; raise ``Unmet`` where it is not certain."""
        least, most = self.first.between(course)
        other_least, other_most = self.second.between(course)
        told = {_sign(least, other_most), _sign(most, other_least)}
        if len(told) > 1:
            raise Unmet(SLIVERS)
        return {1: self.first.words, -1: self.second.words, 0: EQUAL}[told.pop()]

    def untouched(self, thing: Thing) -> bool:
        """Whether another thing of this kind changes nothing."""
        return not (self.first.holds(thing) or self.second.holds(thing))

    def swapped(self) -> Comparing:
        """Return it with the two for each other."""
        return Comparing(self.second, self.first)


@dataclass(frozen=True)
class Ordering:
    """Which of two things is seen first; each is the only one of its name."""

    first: str
    second: str
    options: tuple[str, ...] = (BEFORE, AFTER, SAME_TIME)

    @property
    def name(self) -> str:
        """What to follow "when"."""
        return f"asked for {self.first} before {self.second}"

    def text(self, course: Course) -> str:
        """Return the question."""
        del course
        return _wording.when_first(self.first, self.second)

    def answer(self, course: Course) -> str:
        """Return what it is; raise ``Unmet`` where it is not certain."""
        earliest, latest = _first(course, self.first)
        other_earliest, other_latest = _first(course, self.second)
        told = {_sign(earliest, other_latest), _sign(latest, other_earliest)}
        if len(told) > 1:
            raise Unmet(SLIVERS)
        return {-1: BEFORE, 1: AFTER, 0: SAME_TIME}[told.pop()]

    def untouched(self, thing: Thing) -> bool:
        """Whether another thing of this kind changes nothing."""
        return thing.name not in (self.first, self.second)

    def swapped(self) -> Ordering:
        """Return it with the two for each other."""
        return Ordering(self.second, self.first)


@dataclass(frozen=True)
class Side:
    """Whether a thing is left or right of another; each is the only one of its name."""

    first: str
    side: Literal["left", "right"]
    second: str
    options: tuple[str, ...] = (YES, NO)

    @property
    def name(self) -> str:
        """What to follow "when"."""
        return f"asked for {self.first} {self.side} of {self.second}"

    def text(self, course: Course) -> str:
        """Return the question."""
        del course
        return _wording.which_side(self.first, self.side, self.second)

    def answer(self, course: Course) -> str:
        """Return yes or no; raise ``Unmet`` where it is not certain."""
        found = side_of(course, _thing(course, self.first), _thing(course, self.second))
        return YES if found == self.side else NO

    def untouched(self, thing: Thing) -> bool:
        """Whether another thing of this kind changes nothing."""
        return thing.name not in (self.first, self.second)

    def swapped(self) -> Side:
        """Return it with the two for each other."""
        return replace(self, first=self.second, second=self.first)

    def converse(self) -> Side:
        """Return what says the same from the other thing."""
        return replace(self.swapped(), side="right" if self.side == "left" else "left")


Ask = Union[Counting, Comparing, Ordering, Side]


def posing(ask: Ask, course: Course, *, written: bool = False) -> Posing:
    """Return a question as it is put.

    Raises:
        Unmet: its answer is not certain.
    """
    change: Change | None = "mirrored" if course.mirrored else None
    pictures = course.pictures
    return Posing(
        text=ask.text(course),
        context=_wording.context(course),
        options=ask.options,
        images=shown([(one, change) for one in pictures], _kept(course)),
        answer=ask.answer(course),
        form="count" if isinstance(ask, Counting) else "word",
        written=written,
    )


def _kept(course: Course) -> Path:
    """Return the folder in which changed pictures are kept."""
    return course.sights.walk.kept or course.pictures[0].parent


def side_of(course: Course, first: str, second: str) -> Literal["left", "right"]:
    """Return on which side of a thing another one is, in all frames that show both.

    Raises:
        Unmet: none shows both clearly, it changes, the middles of the things and those of their
            pixels do not say the same, or they are too near to each other.
    """
    sights = course.sights
    frames = [sights.walk.frames[one] for one in course.frames]
    common = [one for one in frames if first in one and second in one]
    if not _clear_together(common, first, second):
        raise Unmet("no image shows both clearly")
    gaps = [gap for one in common for gap in _gaps(one, first, second)]
    if len({gap > 0 for gap in gaps}) > 1:
        centres = {gap > 0 for gap in gaps[::3]}
        raise Unmet(
            "the side is another one in another image"
            if len(centres) > 1
            else "middles of objects and of their pixels lie otherwise"
        )
    if min(map(abs, gaps)) < LEAST_GAP_PX:
        raise Unmet(f"they are less than {LEAST_GAP_PX:g} pixels apart")
    return "left" if (gaps[0] > 0) != course.mirrored else "right"


def _clear_together(frames: Iterable[Mapping[str, Sight]], first: str, second: str) -> bool:
    return any(one[first].clear and one[second].clear for one in frames)


def _gaps(frame: Mapping[str, Sight], first: str, second: str) -> tuple[float, float, float]:
    """Return how far right of the first thing the second is: by its centre, and by its pixels.

    The latter at least and at most.
    """
    one, other = frame[first], frame[second]
    apart, unsure = other.pixels_x - one.pixels_x, one.spread_px + other.spread_px
    return other.centre_x - one.centre_x, apart - unsure, apart + unsure


def _thing(course: Course, name: str) -> str:
    found = course.sights.unique.get(name)
    if found is None:
        raise Unmet("more than one object has this name")
    return found


def _first(course: Course, name: str) -> tuple[int, int]:
    """Return the first picture that shows a thing, and the first that shows it clearly."""
    thing = _thing(course, name)
    found = []
    for frames in (course.sights.seen, course.sights.clear):
        place = next((at for at, one in enumerate(course.frames) if thing in frames[one]), None)
        if place is None:
            raise Unmet("one of them is not seen clearly")
        found.append(place)
    return found[0], found[1]


def _sign(one: int, other: int) -> int:
    return (one > other) - (one < other)
