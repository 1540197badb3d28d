"""The relations of REM: under which condition a question is put again, and what its answer is then.

A relation takes a question and ties it to changed ones, or says by ``Unmet`` which condition of its
is not met. All conditions are about what was really seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from pytest_metaspace.suites.rem import _rules
from pytest_metaspace.suites.rem._asks import (
    AFTER,
    BEFORE,
    NO,
    SAME_TIME,
    YES,
    Category,
    Counting,
    Ordering,
    Side,
)
from pytest_metaspace.suites.rem._course import Unmet
from pytest_metaspace.suites.rem._names import about

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_metaspace.suites.rem._asks import Ask
    from pytest_metaspace.suites.rem._book import Book
    from pytest_metaspace.suites.rem._course import Course

    Relate = Callable[[Book, Ask], None]

EACH: Final = 2
"""For so many of the questions of a walk and task each relation is posed, in an order by chance."""
_OTHER_TIME: Final = {BEFORE: AFTER, AFTER: BEFORE, SAME_TIME: SAME_TIME}
_OTHER_SIDE: Final = {YES: NO, NO: YES}


def relate(book: Book) -> None:
    """Tie the questions of a task by all relations that are about it; note which have no case."""
    for relation in about(book.task):
        before = len(book.ties)
        done = 0
        reason = ""
        for ask in book.chance.sample(book.asks, len(book.asks)):
            if done == EACH:
                break
            try:
                _RELATE[relation](book, ask)
                done += 1
            except Unmet as unmet:
                reason = reason or str(unmet)
        if len(book.ties) == before:
            book.unposed[f"REM-{relation}"] = reason


def _again(
    relation: str,
    book: Book,
    ask: Ask,
    how: str,
    course: Course,
    follows: Mapping[str, str] | None = None,
    asked: Ask | None = None,
) -> None:
    """Tie a question to one that is put otherwise; its answer stays where nothing else is said."""
    second = book.pose(asked or ask, course, how)
    options = None if isinstance(ask, Counting) else follows or {one: one for one in ask.options}
    book.mapped(relation, book.pose(ask), second, options)


def mirrored(book: Book, ask: Ask) -> None:
    """In a mirror, left is right and all else stays."""
    follows = _OTHER_SIDE if isinstance(ask, Side) else None
    _again("MIRROR", book, ask, "mirrored", book.course.mirror(), follows)


def swapped(book: Book, ask: Ask) -> None:
    """With the two for each other, before is after, and left is not left but right."""
    assert not isinstance(ask, Counting)
    follows: Mapping[str, str] | None = None
    if isinstance(ask, Ordering):
        follows = _OTHER_TIME
    if isinstance(ask, Side):
        follows = _OTHER_SIDE
        _again("SWAP", book, ask, "", book.course, asked=ask.converse())
    _again("SWAP", book, ask, "", book.course, follows, asked=ask.swapped())


def backwards(book: Book, ask: Ask) -> None:
    """Walked backwards, last sightings are first ones: both have to say the same."""
    course = book.course.backwards()
    follows = None
    if isinstance(ask, Ordering):
        follows = _OTHER_TIME
        if not ends_agree(ask, book.course):
            raise Unmet("first and last sightings do not agree")
    _again("REVERSED", book, ask, "walked backwards", course, follows)


def ends_agree(ask: Ordering, course: Course) -> bool:
    """Whether of two things the same is first seen first and last seen first."""
    return ask.answer(course.backwards()) == _OTHER_TIME[ask.answer(course)]


def returned(book: Book, ask: Ask) -> None:
    """Walked back the same way, nothing new is seen."""
    _several(book.course)
    _again("RETURNED", book, ask, "walked there and back", book.course.there_and_back())


def added(book: Book, ask: Ask) -> None:
    """One object more, of another kind, which hides nothing that was seen."""
    course = book.added
    if course is None:
        raise Unmet("there was no place for one object more")
    old, new = book.course.sights, course.sights
    more = [thing for one, thing in new.things.items() if one not in old.things]
    if not all(ask.untouched(thing) for thing in more):
        raise Unmet("the object that comes in is asked for")
    ids = frozenset(old.things)
    if [one & ids for one in new.seen] != old.seen or [one & ids for one in new.clear] != old.clear:
        raise Unmet("the object that comes in hides another one")
    _again("ADDED", book, ask, "with one object more", course)


def repeated(book: Book, ask: Ask) -> None:
    """One picture is shown twice, and nothing is done between."""
    place = book.chance.randrange(len(book.course.frames))
    course = book.course.repeated(place)
    _again("REPEATED", book, ask, f"with image {place + 1} twice", course)


def prefix(book: Book, ask: Ask) -> None:
    """The first half counts no more than the whole, and no image does."""
    assert isinstance(ask, Counting)
    whole = book.course
    _several(whole)
    half = len(whole.frames) // 2
    first = book.pose(ask, whole.part(0, half), "in the first half")
    at = _fullest(ask.category, whole)
    one = book.pose(ask, whole.part(at, at + 1), f"in image {at + 1}")
    name = book.pose(ask)
    for less in dict.fromkeys((first, one)):
        book.at_most("PREFIX", [less], [name])


def parts(book: Book, ask: Ask) -> None:
    """The whole counts no more than its halves together, and the second half no more than it."""
    whole = book.course
    _several(whole)
    half = len(whole.frames) // 2
    first = book.pose(ask, whole.part(0, half), "in the first half")
    second = book.pose(ask, whole.part(half, len(whole.frames)), "in the second half")
    name = book.pose(ask)
    book.at_most("PARTS", [name], [first, second])
    book.at_most("PARTS", [second], [name])


def coarser(book: Book, ask: Ask) -> None:
    """Every other picture shows no more."""
    _several(book.course)
    less = book.pose(ask, book.course.coarser(), "with every other image")
    book.at_most("COARSER", [less], [book.pose(ask)])


def summed(book: Book, ask: Ask) -> None:
    """A colour is all its kinds; all colours are all shapes."""
    assert isinstance(ask, Counting)
    things = book.course.sights.walk.things
    colours = sorted({one.colour for one in things})
    shapes = sorted({one.shape for one in things})
    colour = ask.category.colour or book.chance.choice(colours)
    whole = book.pose(Counting(Category(colour, None)))
    kinds = [book.pose(Counting(Category(colour, shape))) for shape in shapes]
    book.equal("SUM", kinds, [whole])
    if book.course.seen == book.course.clear:
        by_colour = [book.pose(Counting(Category(one, None))) for one in colours]
        by_shape = [book.pose(Counting(Category(None, one))) for one in shapes]
        book.equal("SUM", by_colour, by_shape)


def shifted(book: Book, ask: Ask) -> None:
    """A circle may begin anywhere."""
    count = len(book.course.frames)
    by = book.chance.randint(max(1, count // 3), max(1, count * 2 // 3))
    course = book.course.shifted(by)
    _again("SHIFTED", book, ask, f"begun at image {by + 1}", course)


def closed(book: Book, ask: Ask) -> None:
    """After a whole circle the first picture comes again."""
    _again("CLOSED", book, ask, "with the first image again", book.course.closed())


def _several(course: Course) -> None:
    if len(course.frames) < 2:  # noqa: PLR2004 - a half of one is none
        raise Unmet("there are too few images")


def _fullest(category: Category, course: Course) -> int:
    """Return the place of the first of the frames that show the most of a category."""
    seen = course.sights.seen
    numbers = [len(category.of(course, seen[frame])) for frame in course.frames]
    return numbers.index(max(numbers))


_RELATE: Final = cast(
    "Mapping[str, Relate]",
    {
        "MIRROR": mirrored,
        "SWAP": swapped,
        "REVERSED": backwards,
        "RETURNED": returned,
        "ADDED": added,
        "PREFIX": prefix,
        "PARTS": parts,
        "COARSER": coarser,
        "REPEATED": repeated,
        "SUM": summed,
        "SIGN": _rules.sign,
        "TRANSITIVE": _rules.transitive,
        "SHIFTED": shifted,
        "CLOSED": closed,
    },
)
