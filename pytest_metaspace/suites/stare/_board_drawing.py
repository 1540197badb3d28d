"""Pictures of boards and of pieces beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _panels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.suites.stare._panels import Colour, Point
    from pytest_metaspace.suites.stare.nets import Shape
    from pytest_metaspace.suites.stare.packing import Placed

TURNS: Final = (0, 30, 60, 90)
"""Degrees at which pieces lie beside the board."""
_CELLS: Final = {3: 34, 4: 28, 5: 22}
_SLOT: Final = 132
_COLUMNS: Final = 5
_ROWS: Final = 2
_TOP: Final = 140
MOST: Final = _COLUMNS * _ROWS
_COLOURS: Final = ("blue", "orange", "green", "red", "purple", "teal", "pink", "brown")


@dataclass(frozen=True)
class Lying:
    """How a piece lies beside the board.

    Attributes:
        piece: its cells.
        turned: degrees clockwise.
        colour: which of the palette.
    """

    piece: Shape
    turned: int
    colour: int


@dataclass(frozen=True)
class Scene:
    """What a picture shows.

    Attributes:
        size: cells of the board along a side.
        pieces: in the order of the places in which they lie.
        larger: how large it is drawn, 1 for as large as all are.
    """

    size: int
    pieces: tuple[Lying, ...]
    larger: float = 1.0


def drawn(scene: Scene, laid: Sequence[Placed] = ()) -> bytes:
    """Draw a board with the pieces that are laid on it, and the others below it."""
    panel = _panels.Panel(
        round(_COLUMNS * _SLOT * scene.larger), round((_TOP + _ROWS * _SLOT) * scene.larger)
    )
    cell = _CELLS[scene.size] * scene.larger
    left = (_COLUMNS * _SLOT * scene.larger - scene.size * cell) / 2
    top = (_TOP * scene.larger - scene.size * cell) / 2
    board = [(row, column) for row in range(scene.size) for column in range(scene.size)]
    _cells(panel, board, (left, top), cell, _panels.WHITE, _panels.AXIS)
    for place, cells in laid:
        _cells(panel, cells, (left, top), cell, _colour(scene.pieces[place].colour))
    _outline(panel, board, (left, top), cell)
    used = {place for place, _ in laid}
    for place, one in enumerate(scene.pieces):
        if place not in used:
            _beside(panel, one, place, cell, scene.larger)
    return panel.png()


def _beside(panel: _panels.Panel, one: Lying, place: int, cell: float, larger: float) -> None:
    row, column = divmod(place, _COLUMNS)
    middle = ((column + 0.5) * _SLOT * larger, (_TOP + (row + 0.5) * _SLOT) * larger)
    high = 1 + max(y for y, _ in one.piece)
    wide = 1 + max(x for _, x in one.piece)
    angle = math.radians(_turn(one, high, wide, cell, larger))

    def at(y: float, x: float) -> Point:
        across, down = (x - wide / 2) * cell, (y - high / 2) * cell
        return (
            middle[0] + across * math.cos(angle) - down * math.sin(angle),
            middle[1] + across * math.sin(angle) + down * math.cos(angle),
        )

    for y, x in one.piece:
        panel.polygon([at(y, x), at(y, x + 1), at(y + 1, x + 1), at(y + 1, x)], _colour(one.colour))


def _turn(one: Lying, high: int, wide: int, cell: float, larger: float) -> int:
    """Return how a piece is turned, upright where it would not have room."""
    angle = math.radians(one.turned)
    across = wide * abs(math.cos(angle)) + high * abs(math.sin(angle))
    down = wide * abs(math.sin(angle)) + high * abs(math.cos(angle))
    return one.turned if max(across, down) * cell < (_SLOT - 4) * larger else 0


def _cells(
    panel: _panels.Panel,
    cells: Sequence[tuple[int, int]],
    corner: Point,
    cell: float,
    fill: Colour,
    edge: Colour = _panels.INK,
) -> None:
    for row, column in cells:
        y, x = corner[1] + row * cell, corner[0] + column * cell
        panel.polygon([(x, y), (x + cell, y), (x + cell, y + cell), (x, y + cell)], fill, edge)


def _outline(
    panel: _panels.Panel, board: Sequence[tuple[int, int]], corner: Point, cell: float
) -> None:
    side = (1 + max(row for row, _ in board)) * cell
    x, y = corner
    corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    panel.polygon(corners, None, width=3)


def _colour(place: int) -> Colour:
    return _panels.PALETTE[_COLOURS[place % len(_COLOURS)]]
