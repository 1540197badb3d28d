"""Pictures of puzzles, alike in all families: smooth outlines on white, and digits of strokes.

Everything is drawn four times as large and made smaller, with whole numbers of pixels, so that the
same shapes are the same bytes everywhere.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PIL.Image import Image

Point = tuple[float, float]
Colour = tuple[int, int, int]
WHITE: Final[Colour] = (255, 255, 255)
GRID: Final[Colour] = (226, 229, 233)
AXIS: Final[Colour] = (170, 176, 184)
INK: Final[Colour] = (38, 42, 48)
PALETTE: Final[dict[str, Colour]] = {
    "blue": (66, 120, 190),
    "orange": (232, 146, 60),
    "green": (86, 160, 96),
    "red": (204, 78, 72),
    "purple": (140, 104, 180),
    "teal": (64, 160, 164),
    "pink": (222, 132, 176),
    "brown": (150, 112, 84),
}
_FINER: Final = 4
_STROKES: Final = {
    "a": ((0, 0), (1, 0)),
    "b": ((1, 0), (1, 1)),
    "c": ((1, 1), (1, 2)),
    "d": ((0, 2), (1, 2)),
    "e": ((0, 1), (0, 2)),
    "f": ((0, 0), (0, 1)),
    "g": ((0, 1), (1, 1)),
}
_DIGITS: Final = dict(
    enumerate(
        ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
    )
)


class Panel:
    """A picture that is being drawn; coordinates are its pixels, from the top left.

    Args:
        width: in pixels.
        height: in pixels.
        ground: its colour.
    """

    def __init__(self, width: int, height: int, ground: Colour = WHITE) -> None:
        from PIL import Image as Pictures
        from PIL import ImageDraw as Drawing

        self._size = (width, height)
        self._image: Image = Pictures.new("RGB", (width * _FINER, height * _FINER), ground)
        self._pen = Drawing.Draw(self._image, "RGBA")

    def polygon(
        self,
        corners: Iterable[Point],
        fill: Colour | None,
        edge: Colour | None = INK,
        width: float = 1.5,
    ) -> None:
        """Draw a filled polygon with an outline."""
        points = [_finer(corner) for corner in corners]
        if fill is not None:
            self._pen.polygon(points, fill=fill)
        if edge is not None:
            self._stroke([*points, points[0]], edge, width)

    def veil(self, corners: Iterable[Point], fill: Colour, opacity: float) -> None:
        """Draw a filled polygon without outline through which some of what is there shows."""
        self._pen.polygon([_finer(corner) for corner in corners], (*fill, round(255 * opacity)))

    def line(self, points: Iterable[Point], colour: Colour = INK, width: float = 1.5) -> None:
        """Draw a line through points."""
        self._stroke([_finer(point) for point in points], colour, width)

    def dot(self, centre: Point, radius: float, colour: Colour = INK) -> None:
        """Draw a filled circle."""
        self._disc(_finer(centre), round(radius * _FINER), colour)

    def arrow(self, tail: Point, tip: Point, colour: Colour = INK, width: float = 3) -> None:
        """Draw an arrow; its head is four times as wide as its shaft."""
        long = max(1e-9, ((tip[0] - tail[0]) ** 2 + (tip[1] - tail[1]) ** 2) ** 0.5)
        x, y = (tip[0] - tail[0]) / long, (tip[1] - tail[1]) / long
        head = 3.5 * width
        neck = (tip[0] - head * x, tip[1] - head * y)
        self.line([tail, neck], colour, width)
        side = 2 * width
        corners = [
            tip,
            (neck[0] - side * y, neck[1] + side * x),
            (neck[0] + side * y, neck[1] - side * x),
        ]
        self.polygon(corners, colour, None)

    def digits(self, text: str, centre: Point, height: float, colour: Colour = INK) -> None:
        """Write a number in straight strokes around a point."""
        wide, gap = height / 2, height / 4
        left = centre[0] - (len(text) * wide + (len(text) - 1) * gap) / 2
        top = centre[1] - height / 2
        for place, digit in enumerate(text):
            start = left + place * (wide + gap)
            for stroke in _DIGITS[int(digit)]:
                ends = [(start + x * wide, top + y * height / 2) for x, y in _STROKES[stroke]]
                self.line(ends, colour, max(1.5, height / 9))

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        return png(self.image())

    def image(self) -> Image:
        """Return the picture."""
        from PIL import Image as Pictures

        return self._image.resize(self._size, Pictures.Resampling.BOX)

    def _stroke(self, points: Sequence[tuple[int, int]], colour: Colour, width: float) -> None:
        wide = max(1, round(width * _FINER))
        self._pen.line(points, fill=colour, width=wide)
        for point in points:
            self._disc(point, wide // 2, colour)

    def _disc(self, centre: tuple[int, int], radius: int, colour: Colour) -> None:
        x, y = centre
        self._pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _finer(point: Point) -> tuple[int, int]:
    return round(point[0] * _FINER), round(point[1] * _FINER)


def png(image: Image) -> bytes:
    """Return a picture as a PNG file of few colours, the same bytes each time."""
    from PIL import Image as Pictures

    small = image.quantize(64, method=Pictures.Quantize.MEDIANCUT, dither=Pictures.Dither.NONE)
    file = io.BytesIO()
    small.save(file, format="PNG", optimize=True)
    return file.getvalue()


def grid(panels: Sequence[Image], columns: int, gap: int = 8) -> Image:
    """Return pictures of one size as one, row by row, with a line between them."""
    from PIL import Image as Pictures

    width, height = panels[0].size
    rows = -(-len(panels) // columns)
    whole = Pictures.new("RGB", (columns * (width + gap) + gap, rows * (height + gap) + gap), AXIS)
    for place, panel in enumerate(panels):
        down, across = divmod(place, columns)
        whole.paste(panel, (gap + across * (width + gap), gap + down * (height + gap)))
    return whole
