"""Pictures of nets: flat, and in space while they are folded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _panels, _space

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pytest_metaspace.suites.stare._panels import Colour
    from pytest_metaspace.suites.stare._space import Square
    from pytest_metaspace.suites.stare.nets import Net

SIZE: Final = 400
_EDGE: Final = 56
_MARGIN: Final = 24
_MOST_EDGE: Final = 100
_OPACITY: Final = 0.72
_PALE: Final = 0.5
_COLOURS: Final = ("blue", "orange", "green", "red", "purple", "teal")
_SHARE: Final = 0.42
"""Of an edge: how high numbers are."""


@dataclass(frozen=True)
class Look:
    """How a net is coloured.

    Attributes:
        colours: by number, which of the six.
    """

    colours: tuple[int, ...]

    def name(self, number: int) -> str:
        """Return what the colour of a number is called."""
        return _COLOURS[self.colours[number - 1]]

    def of(self, number: int) -> Colour:
        """Return the colour of a number."""
        strong = _panels.PALETTE[self.name(number)]
        red, green, blue = (round(part + (255 - part) * _PALE) for part in strong)
        return red, green, blue


def flat(net: Net, look: Look) -> bytes:
    """Draw a net as it lies, seen from above."""
    panel = _panels.Panel(SIZE, SIZE)
    rows = 1 + max(row for row, _ in net.cells)
    columns = 1 + max(column for _, column in net.cells)
    top, left = (SIZE - rows * _EDGE) / 2, (SIZE - columns * _EDGE) / 2
    for (row, column), number in zip(net.cells, net.numbers):
        y, x = top + row * _EDGE, left + column * _EDGE
        corners = [(x, y), (x + _EDGE, y), (x + _EDGE, y + _EDGE), (x, y + _EDGE)]
        panel.polygon(corners, look.of(number))
        centre = (x + _EDGE / 2, y + _EDGE / 2)
        panel.digits(str(number), centre, _SHARE * _EDGE)
    return panel.png()


def folded(net: Net, look: Look, base: int, order: Sequence[int], count: int) -> bytes:
    """Draw a net of which some squares are folded up.

    Args:
        net: the sheet.
        look: its colours.
        base: the square that stays on the table.
        order: the squares as they are folded; all pictures of one order have one scale.
        count: how many are.
    """
    panel = _panels.Panel(SIZE, SIZE)
    frame = _frame(net, base, order)
    squares = _space.folded(net.cells, base, order[:count])
    behind = sorted(range(len(squares)), key=lambda place: _space.seen(squares[place].centre)[2])
    for place in behind:
        _square(panel, frame, squares[place], net.number(place), look)
    return panel.png()


@dataclass(frozen=True)
class _Frame:
    left: float
    top: float
    scale: float

    def at(self, point: Collection[float]) -> tuple[float, float]:
        across, down, _ = _space.seen(tuple(point))
        return (across - self.left) * self.scale, (down - self.top) * self.scale


def _frame(net: Net, base: int, order: Sequence[int]) -> _Frame:
    """Return where all pictures of an order have what they show."""
    shown = [
        _space.seen(corner)[:2]
        for count in range(len(order) + 1)
        for square in _space.folded(net.cells, base, order[:count])
        for corner in square.corners()
    ]
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*shown))
    scale = min((SIZE - 2 * _MARGIN) / max(right - left, bottom - top), _MOST_EDGE / 2)
    return _Frame((left + right - SIZE / scale) / 2, (top + bottom - SIZE / scale) / 2, scale)


def _square(panel: _panels.Panel, frame: _Frame, square: Square, number: int, look: Look) -> None:
    corners = [frame.at(corner) for corner in square.corners()]
    panel.veil(corners, look.of(number), _OPACITY)
    panel.line([*corners, corners[0]])
    panel.digits(str(number), frame.at(square.centre), _SHARE * 2 * frame.scale * 0.8)
