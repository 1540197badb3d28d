"""The words of questions about a walk."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.suites.rem._course import Course
    from pytest_metaspace.suites.rem._seen import Move

SCENE: Final = "Nothing moves in this scene except the camera."
_LONGER: Final = ("s", "x", "ch", "sh")


def plural(noun: str) -> str:
    """Return the plural of a shape."""
    return f"{noun}es" if noun.endswith(_LONGER) else f"{noun}s"


@lru_cache(maxsize=256)
def done(move: Move) -> str:
    """Return a move in words, as in "turn left 15 degrees"; the side of a turn is named."""
    told = []
    if move.forward_m:
        way = "forward" if move.forward_m > 0 else "backward"
        told.append(f"move {way} {abs(move.forward_m):g} m")
    if move.turn_deg:
        side = "right" if move.turn_deg > 0 else "left"
        told.append(f"turn {side} {abs(move.turn_deg):g} degrees")
    return ", ".join(told)


def context(course: Course) -> str:
    """Return what is told before a question: the images, and what is done between them."""
    if len(course.frames) == 1:
        return ""
    told = [SCENE, "Image 1."]
    for number, moves in enumerate(course.told, start=2):
        told += [f"Then: {_all(moves)}.", f"Image {number}."]
    return " ".join(told)


def _all(moves: Sequence[Move]) -> str:
    return ", ".join(filter(None, map(done, moves))) or "no move"


def how_many(what: str, *, images: int) -> str:
    """Return the question of a number."""
    if images == 1:
        return f"How many {what} can be seen?"
    return (
        f"How many different {what} can be seen in all? Count each of them once, no matter how "
        "many images show it."
    )


def which_more(first: str, second: str) -> str:
    """Return the question which of two numbers is larger."""
    return (
        "Count every object once, no matter how many images show it. Can you see more different "
        f"{first} or more different {second} in all, or is it equal?"
    )


def when_first(first: str, second: str) -> str:
    """Return the question which of two objects is seen first."""
    return (
        f"Is the {first} seen for the first time before the {second}, after it, or at the same "
        "time, in one and the same image?"
    )


def which_side(first: str, side: str, second: str) -> str:
    """Return the question on which side of another an object is."""
    return f"In the images that show both of them, is the {first} to the {side} of the {second}?"
