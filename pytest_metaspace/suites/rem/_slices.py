"""What tells walks and questions apart, by which accuracy is also told: the axes of REM.

"Seen" is one pixel, as in REM; what is asked about has the same answer however sharply one looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._asks import Comparing, Counting, Side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.suites.rem._asks import Ask
    from pytest_metaspace.suites.rem._course import Course
    from pytest_metaspace.suites.rem._seen import Walk

_ALONE: Final = 3


def of_walk(walk: Walk) -> dict[str, str]:
    """Return what tells a walk from others: its frames, objects and duplicates, objects seen."""
    there = {
        "objects": str(len(walk.things)),
        "duplicates": str(len(walk.things) - len({one.name for one in walk.things})),
    }
    return {**there, **of_seen(walk)}


def of_seen(walk: Walk) -> dict[str, str]:
    """Return what tells walks apart of which nobody says what else there is."""
    seen = grouped(len(walk.seen_in_all()))
    return {"frames": str(len(walk.frames)), "objects seen": seen}


def of_ask(ask: Ask, course: Course) -> Mapping[str, str]:
    """Return what tells a question from others about the same walk.

    Of a number, the most that one frame shows of it; of a comparison, by how much the two differ;
    of a side, in how many frames both things are, where these have names of their own. Nothing of
    an order.
    """
    seen = course.sights.seen
    if isinstance(ask, Counting):
        most = max(len(ask.category.of(course, seen[frame])) for frame in course.frames)
        return {"most in one frame": grouped(most)}
    if isinstance(ask, Comparing):
        one, other = (len(each.of(course, course.seen)) for each in (ask.first, ask.second))
        return {"difference": grouped(abs(one - other))}
    unique = course.sights.unique
    if isinstance(ask, Side) and {ask.first, ask.second} <= unique.keys():
        pair = {unique[ask.first], unique[ask.second]}
        return {"common frames": grouped(sum(pair <= seen[frame] for frame in course.frames))}
    return {}


def grouped(number: int) -> str:
    """Return a number up to 3, and larger ones in groups that double: ``4-7``, ``8-15``.

    So that a value of a slice has questions enough to tell something.
    """
    if number <= _ALONE:
        return str(number)
    least = 1 << (number.bit_length() - 1)
    return f"{least}-{2 * least - 1}"
