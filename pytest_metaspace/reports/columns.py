"""Tables of a terminal that are to be read at 80 columns: two spaces apart and no wider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GAP: Final = 2
USUAL: Final = 80
"""Columns where nobody says how many there are."""


def table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], left: Iterable[int]
) -> Iterator[str]:
    """Yield a table; headers and cells may have several lines.

    Args:
        headers: of the columns.
        rows: their cells.
        left: places of the columns that begin on the left; numbers end on the right.
    """
    from tabulate import tabulate

    cells = [list(row) for row in rows]
    wide = _widths(headers, cells)
    high = max(header.count("\n") for header in headers)
    heads = [("\n" * (high - one.count("\n")) + one).split("\n") for one in headers]
    sides = frozenset(left)
    yield from tabulate(
        [*map(list, zip(*heads)), ["-" * one for one in wide], *cells],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["left" if place in sides else "right" for place in range(len(headers))],
        preserve_whitespace=True,
    ).splitlines()


def width(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> int:
    """Return how wide a table is."""
    wide = _widths(headers, list(rows))
    return sum(wide) + GAP * (len(wide) - 1)


def _widths(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(len(line) for cell in column for line in cell.split("\n"))
        for column in zip(headers, *rows)
    ]
