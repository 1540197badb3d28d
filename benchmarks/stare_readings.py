"""Every way to read an analogy: all lists of steps that show the same, and what they lead to.

    python -m benchmarks.stare_readings [--puzzles 200] [--seed 1] [2d|3d ...]

Steps are composed here anew, as matrices: each turn, flip, size and skew that the question names,
skews in both directions, and moves by any whole squares. A list that makes of the model what its
picture shows is a reading; the option that lies nearest to its result has to be the true one. Flat
shapes are compared as drawn polygons, solids as the drawing of the suite sees them.
"""

from __future__ import annotations

import argparse
from functools import lru_cache, partial
from itertools import product
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any

from benchmarks import stare_soundness
from pytest_metaspace.suites.stare import _solids3d
from pytest_metaspace.suites.stare._affine import Figure, last

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    import numpy.typing as npt

    from pytest_metaspace.suites.stare._world import Puzzle

    Matrix = npt.NDArray[np.float64]
    Seen = Callable[[Matrix, Matrix], Any]

SAME = 0.9
"""Of pictures of the model: they share so much."""
TAKEN = 0.5
"""Of an option: it shares so much with a result, and is taken for it."""
_SCALE = 4
_EDGE = 50
_NEAR = 0.3
"""Squares between the place of a model and that to which a reading leads."""


def _turn(size: int, first: int, second: int, degrees: float) -> Matrix:
    import numpy as np

    turned = np.eye(size)
    c, s = cos(radians(degrees)), sin(radians(degrees))
    turned[first, first] = turned[second, second] = c
    turned[first, second], turned[second, first] = -s, s
    return turned


@lru_cache(maxsize=2)
def _steps(size: int) -> list[tuple[Matrix, Matrix, bool]]:
    """Return what each step does to corners and to the centre, and whether it moves."""
    import numpy as np

    one = np.eye(size)
    planes = [(0, 1), (1, 2), (2, 0)][: 1 if size == 2 else 3]
    found = [(one, one, True), (2 * one, one, False), (one / 2, one, False)]
    found += [
        (_turn(size, *plane, way * degrees), one, False)
        for plane in planes
        for degrees in (30, 60, 90)
        for way in (1, -1)
    ]
    for first, second in ((a, b) for a in range(size) for b in range(size) if a != b):
        for share in (0.5, -0.5):
            skewed = np.eye(size)
            skewed[first, second] = share
            found.append((skewed, one, False))
    if size == 2:
        found += [(flip, flip, False) for flip in (np.diag((-1.0, 1)), np.diag((1.0, -1)))]
    return found


@lru_cache(maxsize=8)
def totals(size: int, count: int) -> list[tuple[Matrix, Matrix, bool]]:
    """Return what so many steps can do in all, each once."""
    import numpy as np

    found = {}
    for steps in product(_steps(size), repeat=count):
        linear = place = np.eye(size)
        for by, around, _ in steps:
            linear, place = by @ linear, around @ place
        moves = any(moved for *_, moved in steps)
        found[tuple(linear.ravel().round(5) + 0.0), tuple(place.ravel()), moves] = (
            linear,
            place,
            moves,
        )
    return list(found.values())


def _drawn(points: Matrix) -> Any:
    import numpy as np
    from PIL import Image, ImageDraw

    image = Image.new("1", (2 * _EDGE * _SCALE, 2 * _EDGE * _SCALE))
    corners = [((x + _EDGE) * _SCALE, (_EDGE - y) * _SCALE) for x, y in points]
    ImageDraw.Draw(image).polygon(corners, fill=1)
    return np.asarray(image)


def _shared(one: Any, other: Any) -> float:
    return float((one & other).sum()) / max(1, int((one | other).sum()))


def misled(puzzle: Puzzle) -> Iterator[str]:
    """Yield the readings whose result lies nearest to a wrong option."""
    import numpy as np

    flat = puzzle.world.name == "2d"
    square = stare_soundness.SQUARES[puzzle.world.name]
    end = last(puzzle.model, puzzle.steps)
    looks = _polygon if flat else _solid
    likeness = _shared if flat else _solids3d.likeness
    model, asked = partial(looks, puzzle.model), partial(looks, puzzle.asked)
    shown = model(np.array(end.linear) @ np.linalg.inv(puzzle.model.linear), np.array(end.centre))
    offered = [
        asked(np.array(one.linear) @ np.linalg.inv(puzzle.asked.linear), np.array(one.centre))
        for one in puzzle.options
    ]
    start, there, other = (np.array(one.centre) for one in (puzzle.model, end, puzzle.asked))
    for linear, place, moves in totals(len(start), len(puzzle.steps)):
        shift = square * np.round((there - place @ start) / square) if moves else 0 * start
        led = place @ start + shift
        if np.linalg.norm(led - there) > _NEAR * square or not _sized(linear, puzzle, end):
            continue
        if not flat and not _boxed(puzzle.model, linear, end):
            continue
        if likeness(model(linear, led), shown) < SAME:
            continue
        result = asked(linear, place @ other + shift)
        shares = [likeness(result, one) for one in offered]
        if max(shares[1:]) > max(shares[0], TAKEN):
            told = ", ".join(f"{one:.2f}" for one in shares)
            yield f"{linear.round(2).tolist()}, moved {shift.tolist()}: options share {told}"


def _polygon(figure: Figure, linear: Matrix, centre: Matrix) -> Any:
    import numpy as np

    return _drawn(np.array(figure.corners) @ (linear @ np.array(figure.linear)).T + centre)


def _solid(figure: Figure, linear: Matrix, centre: Matrix) -> Figure:
    import numpy as np

    changed = linear @ np.array(figure.linear)
    rows = tuple(map(tuple, changed.tolist()))
    return Figure(figure.name, figure.corners, rows, tuple(centre.tolist()))


def _sized(linear: Matrix, puzzle: Puzzle, end: Figure) -> bool:
    """Whether a figure is made about as large as it is."""
    import numpy as np

    there = abs(np.linalg.det(np.array(end.linear) @ np.linalg.inv(puzzle.model.linear)))
    return bool(SAME**2 < abs(np.linalg.det(linear)) / there < 1 / SAME**2)


def _boxed(model: Figure, linear: Matrix, end: Figure) -> bool:
    """Whether a solid reaches about as far in each direction as it does."""
    import numpy as np

    at = np.array(model.corners) @ (linear @ np.array(model.linear)).T
    there = np.array(end.corners) @ np.array(end.linear).T
    sides = np.stack([at.max(0) - there.max(0), at.min(0) - there.min(0)])
    return bool(np.abs(sides).max() < 0.5)


def main() -> None:
    """Print readings that mislead, and how many puzzles were looked at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--puzzles", type=int, default=200, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for family in options.families or stare_soundness.WORLDS:
        wrong = 0
        for number in range(options.puzzles):
            puzzle, _ = stare_soundness.made(family, options.seed, number)
            for problem in misled(puzzle):
                wrong += 1
                print(f"{family}-{options.seed}-{number:04d}: {problem}")
        print(f"{family}, {options.puzzles} puzzles: {wrong} readings lead to a wrong option")


if __name__ == "__main__":
    main()
