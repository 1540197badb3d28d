"""Foldings of a sheet: which square stays, and in which order the others are folded up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _net_drawing, _space, nets

if TYPE_CHECKING:
    import random
    from collections import Counter
    from pathlib import Path

    from pytest_metaspace.suites.stare._album import Album
    from pytest_metaspace.suites.stare._net_drawing import Look
    from pytest_metaspace.suites.stare.nets import Net, Shape

STEPS: Final = (1, 2, 3, 4)
"""After how many folds pictures stop, before the last one, whatever comes of it."""
_TRIES: Final = 1000


@dataclass(frozen=True)
class Folding:
    """How a sheet is folded, square by square.

    Attributes:
        base: the square that stays on the table.
        order: the squares in the order in which they are folded, those that hold before those
            that hang on them; all of them, or the first.
    """

    base: int
    order: tuple[int, ...]


def folding(cells: Shape, chance: random.Random, base: int | None = None) -> Folding:
    """Draw a way to fold all squares of a sheet."""
    start = chance.randrange(len(cells)) if base is None else base
    holds = {child: parent for parent, child in nets.tree(cells, start)}
    order: list[int] = []
    while len(order) < len(holds):
        ready = [
            child
            for child, parent in holds.items()
            if child not in order and (parent == start or parent in order)
        ]
        order.append(chance.choice(ready))
    return Folding(start, tuple(order))


def clear(cells: Shape, way: Folding, count: int) -> bool:
    """Whether no square comes to lie on another one in the first folds."""
    return all(
        _space.apart(_space.folded(cells, way.base, way.order[:step]))
        for step in range(1, count + 1)
    )


def clear_folding(  # noqa: PLR0913 - what it has to be
    cells: Shape,
    count: int,
    chance: random.Random,
    dropped: Counter[str],
    *,
    unlike: Folding | None = None,
    base: int | None = None,
) -> Folding | None:
    """Draw a way to fold whose first folds lay no square on another; None where none is found.

    Args:
        cells: the sheet.
        count: how many folds are shown.
        chance: of all draws.
        dropped: counts what was thrown away, by the reason.
        unlike: a way from which it has to differ: in its base, or with that base in its order.
        base: the square that stays; None to draw it.
    """
    for _ in range(_TRIES):
        way = folding(cells, chance, base)
        if unlike is not None and _alike(way, unlike, count, other_base=base is None):
            dropped["folded in the same way"] += 1
        elif not clear(cells, way, count):
            dropped["a square on another before the pictures stop"] += 1
        else:
            return way
    return None


def pictures(  # noqa: PLR0913 - all that they show
    album: Album, net: Net, look: Look, way: Folding, first: int, last: int
) -> list[Path]:
    """Return pictures of a net after each number of folds, from the first to the last."""
    return [
        album.add(
            ("folded", net, look, way, count),
            partial(_net_drawing.folded, net, look, way.base, way.order, count),
        )
        for count in range(first, last + 1)
    ]


def sheet(album: Album, net: Net, look: Look) -> Path:
    """Return the picture of a net as it lies."""
    return album.add(("flat", net, look), partial(_net_drawing.flat, net, look))


def _alike(way: Folding, other: Folding, count: int, *, other_base: bool) -> bool:
    if other_base:
        return way.base == other.base
    return way.order[:count] == other.order[:count]
