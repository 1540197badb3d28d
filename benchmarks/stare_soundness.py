"""Truth of puzzles of changes, worked out anew from the words of their questions.

    python -m benchmarks.stare_soundness [--puzzles 200] [--seed 1] [2d|3d ...]

Each step is read from its sentence and done to the corners of the start; the option that lies on
the result has to be the true one, in every way in which an item is put. Of an item in words the
points are read too; they are rounded, so the true option has to be twice as near as each other one.
Then each tie has to hold.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from math import cos, dist, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING, Union

from pytest_metaspace.domain import Becomes
from pytest_metaspace.suites.stare import _asking, _draw, _family
from pytest_metaspace.suites.stare.transform2d import FLAT
from pytest_metaspace.suites.stare.transform3d import SOLID
from pytest_metaspace.trajectories._altered import Altered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._affine import Vector
    from pytest_metaspace.suites.stare._world import Puzzle

WORLDS = {"2d": FLAT, "3d": SOLID}
SQUARES = {"2d": 10.0, "3d": 1.0}
_WAYS = {
    "to the right": (1, 0, 0),
    "right": (1, 0, 0),
    "to the left": (-1, 0, 0),
    "left": (-1, 0, 0),
    "up": (0, 1, 0),
    "down": (0, -1, 0),
    "towards you": (0, 0, 1),
    "away from you": (0, 0, -1),
}
_MOVED = re.compile(rf"(\d+) squares? ({'|'.join(_WAYS)})")
_SKEWED = re.compile(r"what is (above|right of|left of) its centre goes ((?:\w+ )*?)and")
CLEAR = 2
_FOLDER = Path("pictures")
Points = list[tuple[float, float, float]]
Made = tuple["Puzzle", _family.Made]


def made(family: str, seed: int, number: int) -> Made:
    """Return a puzzle and its items; nothing is drawn."""
    found = _family.Made()
    puzzle = _draw.puzzle(WORLDS[family], seed, number, {}, found.dropped)
    _asking.ask(puzzle, _FOLDER, found)
    return puzzle, found


def told_steps(context: str) -> list[str]:
    """Return the sentences of steps in what is told before a question."""
    return re.findall(r"Step \d+: (.*?)\.(?= |$)", context)


def after(points: Points, centre: Vector, sentence: str, square: float) -> tuple[Points, Vector]:
    """Return corners and centre after a step, done as its sentence says."""
    if sentence.startswith("flip"):
        axis = 0 if "vertical" in sentence else 1
        flipped = [_but(one, axis, -one[axis]) for one in points]
        return flipped, _but(centre, axis, -centre[axis])
    if sentence.startswith("move"):
        shift = [0.0, 0.0, 0.0]
        for count, way in _MOVED.findall(sentence):
            shift = [a + square * int(count) * b for a, b in zip(shift, _WAYS[way])]
        return [_plus(one, shift) for one in points], _plus(centre, shift)
    around = [tuple(a - b for a, b in zip(one, centre)) for one in points]
    return [_plus(_changed(one, sentence), centre) for one in around], centre


def _changed(one: Vector, sentence: str) -> Vector:
    if sentence.startswith(("double", "halve")):
        return tuple(part * (2 if sentence.startswith("double") else 0.5) for part in one)
    if sentence.startswith("skew"):
        found = _SKEWED.search(sentence)
        assert found is not None
        far = {"above": one[1], "right of": one[0], "left of": -one[0]}[found[1]]
        way = _WAYS[found[2].strip()]
        return _plus(one, [0.5 * far * part for part in way])
    return _turned(one, sentence)


def _turned(one: Vector, sentence: str) -> Vector:
    degrees = re.search(r"(\d+) degrees", sentence)
    assert degrees is not None
    angle = radians(int(degrees[1]))
    x, y, z = one
    if sentence.startswith("tip"):
        c, s = cos(angle), sin(angle) * (1 if "towards you" in sentence else -1)
        return x, c * y - s * z, s * y + c * z
    c, s = cos(angle), sin(angle) * (-1 if " clockwise" in sentence else 1)
    if "from above" in sentence:
        return c * x + s * z, y, -s * x + c * z
    return c * x - s * y, s * x + c * y, z


def _plus(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = (a + b for a, b in zip(one, other))
    return x, y, z


def _but(one: Vector, axis: int, value: float) -> tuple[float, float, float]:
    x, y, z = (value if place == axis else part for place, part in enumerate(one))
    return x, y, z


def spatial(points: Sequence[Vector]) -> Points:
    """Return points with a depth; those of flat shapes have none."""
    return [(one[0], one[1], one[2] if len(one) > 2 else 0.0) for one in points]


def seen(points: Points, change: str | None) -> Points:
    """Return points as a changed picture shows them."""
    if change == "mirrored":
        return [(-x, y, z) for x, y, z in points]
    return [(-y, x, z) for x, y, z in points] if change == "turned" else points


def parts(posing: Posing) -> list[tuple[str, Union[str, None]]]:
    """Return the pictures of a question by name, each with what is done to it."""
    if isinstance(posing.images, Altered):
        return [(path.stem, change) for path, change in posing.images.parts]
    return [(path.stem, None) for path in posing.images]


def figures(puzzle: Puzzle, posing: Posing) -> dict[str, Points]:
    """Return the corners of each option that is a picture, as it is seen."""
    found = {}
    pictures = parts(posing)
    for option in posing.options:
        name, change = pictures[int(option.removeprefix("image ")) - 1]
        shown = puzzle.shown[int(name[-1])]
        found[option] = seen(spatial(puzzle.options[shown].points), change)
    return found


def worked_out(puzzle: Puzzle, posing: Posing) -> list[str]:
    """Return the options on which the start lies after the steps that are told.

    Args:
        puzzle: of the item.
        posing: whose steps are told in words and whose options are pictures.
    """
    change = parts(posing)[0][1]
    points = seen(spatial(puzzle.asked.points), change)
    centre: Vector = seen(spatial([puzzle.asked.centre]), change)[0]
    for sentence in told_steps(posing.context):
        points, centre = after(points, centre, sentence, SQUARES[puzzle.world.name])
    return [option for option, other in figures(puzzle, posing).items() if _same(points, other)]


def told_points(text: str) -> Points:
    """Return the points that a text tells, in squares."""
    found = [
        tuple(map(float, one.split(", ")))
        for one in re.findall(r"\((-?[\d.]+(?:, -?[\d.]+)+)\)", text)
    ]
    return spatial(found)


def ways_off(posing: Posing) -> dict[str, float]:
    """Return how far each option lies from what the words of a question lead to, in squares.

    Args:
        posing: whose start, steps and options are told in words.
    """
    points = told_points(posing.context)
    centre: Vector = tuple(sum(axis) / len(points) for axis in zip(*points))
    for sentence in told_steps(posing.context):
        points, centre = after(points, centre, sentence, 1.0)
    return {
        option: max(map(dist, points, told_points(option)), default=0.0)
        for option in posing.options
    }


def leads(posing: Posing) -> bool:
    """Whether the words of a question lead to its answer, and not nearly to another option."""
    off = ways_off(posing)
    true = off.pop(str(posing.answer))
    return CLEAR * true < min(off.values())


def _same(one: Points, other: Points) -> bool:
    return all(dist(a, b) < 1e-6 for a, b in zip(one, other))


def wrong(puzzle: Puzzle, item: Item) -> Iterator[str]:
    """Yield what does not hold of an item."""
    for name, posing in item.posings.items():
        told = bool(told_steps(posing.context)) and bool(posing.images)
        if told and worked_out(puzzle, posing) != [posing.answer]:
            yield f"{name}: the words do not lead to {posing.answer}"
        if not posing.images and not leads(posing):
            yield f"{name}: the points lead to another option than {posing.answer}"
        if posing.images and not told:
            true = figures(puzzle, posing)[str(posing.answer)]
            change = parts(posing)[0][1]
            if true != seen(spatial(puzzle.options[0].points), change):
                yield f"{name}: {posing.answer} is not the result"
    for tie in item.ties:
        first, second = (item.posings[name].answer for name in tie.posings)
        follows = {one.option: one.becomes for one in tie.givens if isinstance(one, Becomes)}
        if follows.get(str(first)) != second:
            yield f"{tie.relation}: {first} does not lead to {second}"


def main() -> None:
    """Print what does not hold, and how much was looked at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--puzzles", type=int, default=200, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for family in options.families or WORLDS:
        counts: Counter[str] = Counter()
        for number in range(options.puzzles):
            puzzle, found = made(family, options.seed, number)
            for name, item in found.items:
                counts["questions"] += len(item.posings)
                counts.update(tie.relation for tie in item.ties)
                for problem in wrong(puzzle, item):
                    counts["wrong"] += 1
                    print(f"{name}: {problem}")
        told = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        print(f"{family}, {options.puzzles} puzzles: {counts['wrong']} wrong; {told}")


if __name__ == "__main__":
    main()
