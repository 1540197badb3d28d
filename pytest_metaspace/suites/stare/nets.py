"""Nets of the cube: the 35 free hexominoes, which of them fold, and what touches what.

A die that is rolled over the cells of a sheet prints one face on each; the sheet folds into a cube
where it prints six different ones. Where cells form a 2x2 block, paper folds only once it is cut
there, and which faces are printed depends on the cut; that none of them is a net does not.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterable, Iterator, Sequence

Cell = tuple[int, int]
"""Row and column, downwards and rightwards."""
Shape = tuple[Cell, ...]
FACES: Final = 6
LONG: Final = 5
"""So many cells in a row are seen at once to be too many."""
_OPPOSITE_FACES: Final = 7
_STEPS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_QUARTERS: Final = 4


@dataclass(frozen=True)
class Net:
    """A sheet of six numbered squares.

    Attributes:
        cells: where each square lies.
        numbers: 1 to 6, one for each square.
    """

    cells: Shape
    numbers: tuple[int, ...]

    def number(self, place: int) -> int:
        """Return what stands on a square."""
        return self.numbers[place]

    def place(self, number: int) -> int:
        """Return which square has a number."""
        return self.numbers.index(number)

    def moved(self, quarters: int, mirrored: bool) -> Net:
        """Return it as it lies when the sheet is mirrored, left for right, and then turned."""
        return Net(moved(self.cells, quarters, mirrored), self.numbers)

    def renumbered(self, numbers: tuple[int, ...]) -> Net:
        """Return it with other numbers."""
        return Net(self.cells, numbers)


def numbered(cells: Shape, chance: random.Random) -> Net:
    """Return a shape in one of its positions, with numbers in any order."""
    lying = moved(cells, chance.randrange(_QUARTERS), chance.random() < 0.5)  # noqa: PLR2004
    return Net(lying, tuple(chance.sample(range(1, FACES + 1), FACES)))


@cache
def shapes() -> tuple[Shape, ...]:
    """Return the free hexominoes, each in the first of its positions."""
    grown: set[Shape] = {((0, 0),)}
    for _ in range(FACES - 1):
        grown = {canonical([*shape, cell]) for shape in grown for cell in _around(shape)}
    return tuple(sorted(grown))


@cache
def nets() -> tuple[Shape, ...]:
    """Return those that fold into a cube."""
    return tuple(shape for shape in shapes() if folds(shape))


@cache
def others(*, easy: bool | None = None) -> tuple[Shape, ...]:
    """Return those that do not fold.

    Args:
        easy: those with a 2x2 block or five cells in a row, which give them away; False for the
            others, None for all.
    """
    return tuple(
        shape
        for shape in shapes()
        if not folds(shape) and easy in (None, blocked(shape) or longest(shape) >= LONG)
    )


def canonical(cells: Iterable[Cell]) -> Shape:
    """Return the first of the eight positions of a shape, its cells sorted."""
    return _canonical(tuple(sorted(moved(tuple(cells), 0, mirrored=False))))


@cache
def _canonical(told: Shape) -> Shape:
    return min(
        tuple(sorted(moved(told, quarters, mirrored)))
        for quarters in range(_QUARTERS)
        for mirrored in (False, True)
    )


def moved(cells: Shape, quarters: int, mirrored: bool) -> Shape:
    """Return cells in the same order, mirrored and then turned clockwise, at the top left."""
    there = [(row, -column) if mirrored else (row, column) for row, column in cells]
    for _ in range(quarters % _QUARTERS):
        there = [(column, -row) for row, column in there]
    top = min(row for row, _ in there)
    left = min(column for _, column in there)
    return tuple((row - top, column - left) for row, column in there)


def folds(cells: Shape) -> bool:
    """Whether a sheet folds into a closed cube, each face of it covered once."""
    return len(set(printed(cells))) == FACES


def printed(cells: Shape) -> tuple[int, ...]:
    """Return the face, 1 to 6, that a die prints on each cell, rolled from the first one on.

    Faces that lie opposite to each other have the sum seven.
    """
    dice: dict[int, tuple[int, int, int]] = {0: (1, 2, 3)}
    for parent, child in tree(cells, 0):
        dice[child] = _rolled(dice[parent], _way(cells[parent], cells[child]))
    return tuple(dice[place][0] for place in range(len(cells)))


def opposite(cells: Shape) -> dict[int, int]:
    """Return which square of a net lies opposite to each on the cube."""
    faces = printed(cells)
    return {place: faces.index(_OPPOSITE_FACES - face) for place, face in enumerate(faces)}


def joined(cells: Shape) -> list[tuple[int, int]]:
    """Return the pairs of squares that share an edge on the sheet."""
    return [
        (first, second)
        for first in range(len(cells))
        for second in range(first + 1, len(cells))
        if _apart(cells[first], cells[second]) == 1
    ]


@cache
def tree(cells: Shape, base: int) -> tuple[tuple[int, int], ...]:
    """Return the edges along which squares hang on each other, from a base outwards.

    Each is the square that holds and the one that hangs on it. Edges of blocks that would close a
    ring are left out.
    """
    found: list[tuple[int, int]] = []
    seen = {base}
    waiting = deque([base])
    while waiting:
        place = waiting.popleft()
        for other in range(len(cells)):
            if other not in seen and _apart(cells[place], cells[other]) == 1:
                seen.add(other)
                waiting.append(other)
                found.append((place, other))
    return tuple(found)


def parts(cells: Shape, size: int) -> Iterator[tuple[int, ...]]:
    """Yield the connected parts of a sheet with so many squares, smallest numbers first."""
    grown: set[frozenset[int]] = {frozenset([place]) for place in range(len(cells))}
    for _ in range(size - 1):
        grown = {part | {other} for part in grown for other in _beside(cells, part)}
    yield from sorted(tuple(sorted(part)) for part in grown)


def blocked(cells: Collection[Cell]) -> bool:
    """Whether four cells form a block."""
    return any(
        {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= set(cells)
        for row, column in cells
    )


def longest(cells: Collection[Cell]) -> int:
    """Return how many cells the longest row or column has."""
    return max(
        _run(cells, cell, step) for cell in cells for step in (_STEPS["right"], _STEPS["down"])
    )


def _run(cells: Collection[Cell], cell: Cell, step: Cell) -> int:
    length = 0
    while cell in cells:
        length += 1
        cell = (cell[0] + step[0], cell[1] + step[1])
    return length


def _around(cells: Sequence[Cell]) -> set[Cell]:
    return {(row + y, column + x) for row, column in cells for y, x in _STEPS.values()} - set(cells)


def _beside(cells: Shape, part: frozenset[int]) -> set[int]:
    return {
        other
        for other in range(len(cells))
        if other not in part and any(_apart(cells[other], cells[one]) == 1 for one in part)
    }


def _apart(first: Cell, second: Cell) -> int:
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def _way(start: Cell, end: Cell) -> str:
    step = (end[0] - start[0], end[1] - start[1])
    return next(name for name, one in _STEPS.items() if one == step)


def _rolled(die: tuple[int, int, int], way: str) -> tuple[int, int, int]:
    """Return a die, told by the faces below, at its back and at its right, one cell further."""
    below, back, right = die
    if way == "up":
        return back, _OPPOSITE_FACES - below, right
    if way == "down":
        return _OPPOSITE_FACES - back, below, right
    if way == "right":
        return right, back, _OPPOSITE_FACES - below
    return _OPPOSITE_FACES - right, back, below
