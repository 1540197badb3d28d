"""The words of puzzles of changes: what the pictures before the options show, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare._affine import Figure, identity, last

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.suites.stare._affine import Step
    from pytest_metaspace.suites.stare._world import Puzzle, World


@dataclass(frozen=True)
class Question:
    """A question without its options.

    Attributes:
        context: what is told first.
        text: what is asked.
        pictures: those before the options.
    """

    context: str
    text: str
    pictures: tuple[Path, ...]


Seen = tuple[int, "Path"]
"""After how many steps a picture is taken, and the picture."""


def instruction(world: World, steps: Sequence[Step], pictures: Sequence[Seen]) -> Question:
    """Tell steps in words.

    Args:
        world: of shapes or of solids.
        steps: all of them.
        pictures: the start, and what it is after some of the steps.
    """
    context = [f"Image 1 shows a {world.noun}. Its own centre is its centre of mass."]
    places = {done: place for place, (done, _) in enumerate(pictures, start=1)}
    for number, step in enumerate(steps, start=1):
        seen = f" Image {places[number]} shows it then." if number in places else ""
        context.append(f"Step {number}: {world.words(step)}.{seen}")
    return Question(" ".join(context), _after(world, len(steps)), _paths(pictures))


def _paths(pictures: Sequence[Seen]) -> tuple[Path, ...]:
    return tuple(path for _, path in pictures)


def in_words(world: World, start: str, steps: Sequence[Step]) -> Question:
    """Tell steps and the start in words, without a picture."""
    told = " ".join(
        f"Step {number}: {world.words(step)}." for number, step in enumerate(steps, start=1)
    )
    which = "this step" if len(steps) == 1 else f"these {len(steps)} steps, one after the other"
    return Question(f"{world.axes} {start}. {told}", f"What is it after {which}?", ())


TOO_NEAR: Final = "options in words are too near to each other"
"""Counts puzzles without a probe in words."""
_CLEAR: Final = 3
_ENDS: Final = ("start", "end")


def clear(puzzle: Puzzle) -> bool:
    """Whether words are enough: points are rounded, and steps make what is rounded off larger.

    Who does the steps to the points that are told comes out at least three times as near to the
    true option as to each other one, by the point that lies farthest.
    """
    world = puzzle.world
    points = world.landmarks(puzzle.asked)
    centre = tuple(sum(axis) / len(points) for axis in zip(*points))
    around = tuple(tuple(a - b for a, b in zip(one, centre)) for one in points)
    led = last(Figure("", around, identity(len(centre)), centre), puzzle.steps).points
    true, *others = (max(map(dist, led, world.landmarks(one))) for one in puzzle.options)
    return min(others) > _CLEAR * true


def analogy(
    world: World, count: int, model: Sequence[Seen], asked: Sequence[Seen], kinds: str
) -> Question:
    """Show steps by another figure.

    Args:
        world: of shapes or of solids.
        count: how many steps there are.
        model: the figure that shows them: start and end, and after some steps between.
        asked: the one that is asked about: its start, and after some steps.
        kinds: which steps there are.
    """
    steps = "1 step" if count == 1 else f"{count} steps"
    context = [f"Image 1 shows a {world.noun}."]
    if len(model) > len(_ENDS):
        context += _then(1, model)
    else:
        context.append(f"Image 2 shows it after {steps}.")
    first = len(model) + 1
    context.append(f"Image {first} shows another {world.noun}.")
    context += _then(first, asked)
    same = f"the same {steps}, in the same order" if count > 1 else "the same step"
    text = f"The other {world.noun} goes through {same}. Which image shows it then?"
    pictures = (*_paths(model), *_paths(asked))
    return Question(" ".join(context), f"{kinds} {text}".strip(), pictures)


def _then(first: int, pictures: Sequence[Seen]) -> list[str]:
    """Tell all pictures but the first, whose number is given."""
    return [
        f"Image {first + place} shows it after step {done}."
        for place, (done, _) in enumerate(pictures)
        if place
    ]


def sequence(world: World, model: Sequence[Path], asked: Sequence[Path]) -> Question:
    """Ask what comes next, and say nothing of steps."""
    until, first = len(model), len(model) + 1
    last = until + len(asked)
    others = f"image {first} shows" if first == last else f"images {first} to {last} show"
    return Question(
        f"Images 1 to {until} show a {world.noun} that is changed step by step; {others} another "
        f"{world.noun}, changed in the same way.",
        f"Which image comes after image {last}?",
        (*model, *asked),
    )


def _after(world: World, count: int) -> str:
    which = "this step" if count == 1 else f"these {count} steps, one after the other"
    return f"Which image shows the {world.noun} after {which}?"
