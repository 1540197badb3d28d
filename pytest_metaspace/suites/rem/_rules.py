"""Relations by rules: comparisons follow from numbers, and a third pair from two."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from pytest_metaspace.suites.rem._asks import (
    AFTER,
    BEFORE,
    EQUAL,
    SAME_TIME,
    Comparing,
    Counting,
    Ordering,
    Side,
)
from pytest_metaspace.suites.rem._counting import categories
from pytest_metaspace.suites.rem._course import Unmet
from pytest_metaspace.suites.rem._drawing import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.suites.rem._asks import Ask, Category
    from pytest_metaspace.suites.rem._book import Book
    from pytest_metaspace.suites.rem._course import Course
    from pytest_metaspace.suites.ties import Rule

    Triple = tuple[Ask, Ask, Ask]

_MORE, _FEWER = "more", "fewer"
_ORDERS: Final = (BEFORE, AFTER, SAME_TIME)
_TRIPLES: Final = 12
"""So many third ones are tried for a pair."""


def sign(book: Book, ask: Ask) -> None:
    """Of what is counted more, there are more."""
    assert isinstance(ask, Comparing)
    first = book.pose(Counting(ask.first))
    second = book.pose(Counting(ask.second))
    name = book.pose(ask)
    book.implied(
        "SIGN",
        [
            ([(how, first, second)], (name, option))
            for how, option in ((_MORE, ask.options[0]), ("equal", EQUAL), (_FEWER, ask.options[1]))
        ],
    )


def transitive(book: Book, ask: Ask) -> None:
    """From the first pair and the second follows what the third one is."""
    for triple in _triples(book, ask):
        try:
            answers = [str(one.answer(book.course)) for one in triple]
        except Unmet:
            continue
        meant = [_meant(one, said) for one, said in zip(triple, answers)]
        if follows(meant[0], meant[1]) is None:
            continue
        names = [book.pose(one) for one in triple]
        book.implied("TRANSITIVE", _rules(triple, names))
        return
    raise Unmet("there is no third one from which anything follows")


def follows(first: str, second: str) -> str | None:
    """Return how the first stands to the third, by how each stands to the next; None for open."""
    if SAME_TIME in (first, second):
        return second if first == SAME_TIME else first
    return first if first == second else None


def _triples(book: Book, ask: Ask) -> Iterator[Triple]:
    """Yield the question with those for the second and a third, and for the first and the third."""
    course = book.course
    if isinstance(ask, Comparing):
        some = [one for level in categories(course).values() for one in level]
        left: Sequence[str | Category] = [one for one in some if _apart(one, ask)]
    else:
        assert isinstance(ask, (Ordering, Side))
        names = _names_for(ask, course)
        left = [one for one in names if one not in (ask.first, ask.second)]
    for third in drawn(book.chance, left)[:_TRIPLES]:
        yield ask, _of(ask, ask.second, third), _of(ask, ask.first, third)


def _apart(one: Category, ask: Comparing) -> bool:
    return one.apart_from(ask.first) and one.apart_from(ask.second)


def _of(ask: Ask, first: str | Category, second: str | Category) -> Ask:
    return cast("Ask", replace(cast("Any", ask), first=first, second=second))


def _names_for(ask: Ordering | Side, course: Course) -> list[str]:
    """Return names of one thing each; for sides, of those that a frame shows with both others."""
    unique = course.sights.unique
    names = sorted(name for name, thing in unique.items() if thing in course.seen)
    if isinstance(ask, Ordering):
        return names
    pair = {unique[ask.first], unique[ask.second]}
    return [name for name in names if shown_together(course, {*pair, unique[name]})]


def shown_together(course: Course, things: set[str]) -> bool:
    """Whether one frame shows all of some things clearly."""
    return any(things <= course.sights.clear[one] for one in course.frames)


def _rules(triple: Sequence[Ask], names: Sequence[str]) -> list[Rule]:
    """Return all that may follow for the third question."""
    said: list[Mapping[str, str]] = [
        {_meant(ask, option): option for option in ask.options} for ask in triple
    ]
    rules: list[Rule] = []
    for first, option in said[0].items():
        for second, other in said[1].items():
            third = follows(first, second)
            if third is not None:
                conditions = [(names[0], option), (names[1], other)]
                rules.append((conditions, (names[2], said[2][third])))
    return rules


def _meant(ask: Ask, option: str) -> str:
    """Return what an option says in words that all pairs share."""
    return dict(zip(ask.options, _ORDERS))[option]
