"""Foldings of a sheet: which square stays, and in which order the others are folded up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _net_drawing, _space, nets

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.suites.stare._album import Album
    from pytest_metaspace.suites.stare._net_drawing import Look
    from pytest_metaspace.suites.stare.nets import Net, Shape

STEPS: Final = (1, 2, 3, 4)
"""After how many folds pictures stop, before the last one, whatever comes of it."""


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


def folding(cells: Shape, chance: random.Random) -> Folding:
    """Draw a way to fold all squares of a sheet."""
    base = chance.randrange(len(cells))
    return _finished(cells, Folding(base, ()), chance)


def clear(cells: Shape, way: Folding, count: int) -> bool:
    """Whether no square comes to lie on another one in the first folds."""
    return all(
        _space.apart(_space.folded(cells, way.base, way.order[:step]))
        for step in range(1, count + 1)
    )


def clear_folding(
    cells: Shape,
    count: int,
    chance: random.Random,
    dropped: Counter[str],
    among: Callable[[Folding], bool] = lambda _: True,
) -> Folding | None:
    """Draw a way to fold whose first folds lay no square on another; None where there is none.

    Args:
        cells: the sheet.
        count: how many folds are shown.
        chance: of all draws.
        dropped: counts ways that lay a square on another before that.
        among: which ways come into question, told by their base and first folds.
    """
    ways = [way for base in range(len(cells)) for way in _begun(cells, base, count) if among(way)]
    good = [way for way in ways if clear(cells, way, count)]
    if len(good) < len(ways):
        dropped["a square on another before the pictures stop"] += len(ways) - len(good)
    return _finished(cells, chance.choice(good), chance) if good else None


def pictures(album: Album, net: Net, look: Look, way: Folding, first: int, last: int) -> list[Path]:
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


def _begun(cells: Shape, base: int, count: int) -> list[Folding]:
    """Return all ways in which a folding can begin on a base."""
    ways = [Folding(base, ())]
    for _ in range(count):
        ways = [
            Folding(base, (*way.order, square)) for way in ways for square in _ready(cells, way)
        ]
    return ways


def _finished(cells: Shape, way: Folding, chance: random.Random) -> Folding:
    while ready := _ready(cells, way):
        way = Folding(way.base, (*way.order, chance.choice(ready)))
    return way


def _ready(cells: Shape, way: Folding) -> list[int]:
    """Return the squares that can be folded next."""
    up = {way.base, *way.order}
    return [
        child for parent, child in nets.tree(cells, way.base) if child not in up and parent in up
    ]
