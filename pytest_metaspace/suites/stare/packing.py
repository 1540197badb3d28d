"""Pieces on a square board: cut from it, changed, and laid back by exact search.

A piece is a set of unit cells that may be turned and flipped. The search takes the first empty
cell of the board, in the order of reading, and tries every piece in every position that covers it,
so it finds a solution wherever there is one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from pytest_metaspace.suites.stare.nets import canonical, moved

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_metaspace.suites.stare.nets import Cell, Shape

Placed = tuple[int, tuple["Cell", ...]]
"""A piece by its place in the list, and the cells of the board that it covers."""


@dataclass
class Search:
    """What a search for a solution found.

    Attributes:
        solution: where each piece goes, in the order of the board; None where none fits.
        deepest: the longest beginning that was reached, none of its pieces on another.
    """

    solution: list[Placed] | None = None
    deepest: list[Placed] = field(default_factory=list)


def area(pieces: Iterable[Shape]) -> int:
    """Return how many cells pieces have together."""
    return sum(map(len, pieces))


def solvable(size: int, pieces: Sequence[Shape]) -> bool:
    """Whether pieces fill a board, each used once."""
    return searched(size, pieces).solution is not None


def searched(size: int, pieces: Sequence[Shape]) -> Search:
    """Look for a way to fill a board with pieces, each used once.

    Args:
        size: cells of the board along a side.
        pieces: in the order in which they are tried.
    """
    found = Search()
    kinds = [canonical(piece) for piece in pieces]
    if _fill(size, kinds, 0, [], found) and area(pieces) == size * size:
        found.solution = list(found.deepest)
    return found


def positions(piece: Shape) -> tuple[Shape, ...]:
    """Return the different ways in which a piece can lie, each from the top left."""
    return _positions(canonical(piece))


def rectangular(piece: Shape) -> bool:
    """Whether a piece is a rectangle."""
    rows = {row for row, _ in piece}
    columns = {column for _, column in piece}
    return len(piece) == len(rows) * len(columns)


def connected(cells: Iterable[Cell]) -> bool:
    """Whether cells hang together by edges."""
    left = set(cells)
    waiting = [left.pop()] if left else []
    while waiting:
        row, column = waiting.pop()
        near = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & left
        left -= near
        waiting += near
    return not left


def cut(size: int, count: int, chance: random.Random) -> list[Shape]:
    """Cut a board into rectangles, each cut from side to side of what it cuts."""
    pieces = [tuple((row, column) for row in range(size) for column in range(size))]
    while len(pieces) < count:
        whole = chance.choice([piece for piece in pieces if len(piece) > 1])
        pieces.remove(whole)
        pieces += _halves(whole, chance)
    return pieces


def split(piece: Shape, chance: random.Random) -> tuple[Shape, Shape] | None:
    """Return a piece cut in two that hang together each; None for a single cell."""
    ways = list(_splits(piece))
    return chance.choice(ways) if ways else None


def glued(first: Shape, second: Shape, size: int, chance: random.Random) -> Shape | None:
    """Return two pieces put together along an edge, as far as a board still holds them."""
    ways = sorted({whole for whole in _unions(first, second) if fits(whole, size)})
    return moved(chance.choice(ways), 0, mirrored=False) if ways else None


def fits(piece: Shape, size: int) -> bool:
    """Whether a piece is no longer than a board either way."""
    return all(max(line) - min(line) < size for line in zip(*piece))


@cache
def polyominoes(cells: int) -> tuple[Shape, ...]:
    """Return the free shapes of so many cells, each in the first of its positions."""
    if cells == 1:
        return (((0, 0),),)
    return tuple(
        sorted(
            {
                canonical([*shape, cell])
                for shape in polyominoes(cells - 1)
                for cell in _border(shape)
            }
        )
    )


@cache
def _positions(piece: Shape) -> tuple[Shape, ...]:
    found = {
        tuple(sorted(moved(piece, quarters, mirrored)))
        for quarters in range(4)
        for mirrored in (False, True)
    }
    return tuple(sorted(found))


def _fill(
    size: int, pieces: Sequence[Shape], covered: int, laid: list[Placed], found: Search
) -> bool:
    """Lay pieces until the board is full or none is left; return whether that came out.

    Each piece is told by the first of its positions.
    """
    if len(laid) > len(found.deepest):
        found.deepest = list(laid)
    if len(laid) == len(pieces) or covered == 2 ** (size * size) - 1:
        return True
    used = {place for place, _ in laid}
    first = (~covered & (covered + 1)).bit_length() - 1
    tried: set[Shape] = set()
    for place, kind in enumerate(pieces):
        if place in used or kind in tried:
            continue
        tried.add(kind)
        for bits, cells in _on(size, kind, divmod(first, size)):
            if not covered & bits and _fill(
                size, pieces, covered | bits, [*laid, (place, cells)], found
            ):
                return True
    return False


@cache
def _on(size: int, piece: Shape, first: Cell) -> tuple[tuple[int, tuple[Cell, ...]], ...]:
    """Return where a piece can lie on a board so that its first cell is a given one."""
    found = []
    for position in _positions(piece):
        row, column = first[0] - position[0][0], first[1] - position[0][1]
        cells = tuple((y + row, x + column) for y, x in position)
        if all(0 <= y < size and 0 <= x < size for y, x in cells):
            found.append((sum(2 ** (y * size + x) for y, x in cells), cells))
    return tuple(found)


def _halves(piece: Shape, chance: random.Random) -> list[Shape]:
    ways = []
    for axis in (0, 1):
        lines = sorted({cell[axis] for cell in piece})
        ways += [(axis, line) for line in lines[1:]]
    axis, line = chance.choice(ways)
    return [
        tuple(cell for cell in piece if cell[axis] < line),
        tuple(cell for cell in piece if cell[axis] >= line),
    ]


def _splits(piece: Shape) -> Iterator[tuple[Shape, Shape]]:
    for axis in (0, 1):
        for line in sorted({cell[axis] for cell in piece})[1:]:
            sides = (
                tuple(cell for cell in piece if cell[axis] < line),
                tuple(cell for cell in piece if cell[axis] >= line),
            )
            if all(map(connected, sides)):
                yield sides


def _unions(first: Shape, second: Shape) -> Iterator[Shape]:
    for position in positions(second):
        for row, column in _border(first):
            for y, x in position:
                there = {(r + row - y, c + column - x) for r, c in position}
                if there.isdisjoint(first):
                    yield tuple(sorted({*first, *there}))


def _border(piece: Iterable[Cell]) -> set[Cell]:
    own = set(piece)
    return {
        near
        for row, column in own
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    } - own
