"""The end of a folding or of a laying is shown: what is left is to see what came out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Capability, Item, Posing
from pytest_metaspace.suites.stare import CODE, _balance, _folds, nets
from pytest_metaspace.suites.stare._balance import UNCHANGED

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.suites.stare._album import Album
    from pytest_metaspace.suites.stare._folds import Folding
    from pytest_metaspace.suites.stare._net_drawing import Look
    from pytest_metaspace.suites.stare.nets import Net

_FOLDED: Final = (
    "Image 1 shows the sheet. Image 2 shows it folded up along all of its lines; the squares are "
    "drawn so that what lies behind them shows through."
)
_LAID: Final = (
    "Image 1 shows a board of {size} by {size} squares, and the pieces beside it. Image 2 shows "
    "where a search through all ways to lay them ended: with a full board and no piece left, or "
    "with the first of the longest beginnings that it came to."
)


def folded(
    net: Net, look: Look, way: Folding, album: Album, question: str, chance: random.Random
) -> Item:
    """Return the item that shows a sheet folded along all of its lines."""
    answer = _balance.answer(nets.folds(net.cells))

    def shown(of: Net) -> Posing:
        last = _folds.pictures(album, of, look, way, len(way.order), len(way.order))
        return Posing(
            text=question,
            options=_balance.ANSWERS,
            images=(_folds.sheet(album, of, look), *last),
            answer=answer,
            form="word",
            context=_FOLDED,
        )

    numbers = tuple(chance.sample(net.numbers, nets.FACES))
    return Item(
        task=Capability.of_suite(CODE, "fold-final"),
        posings={
            UNCHANGED: replace(shown(net), written=True),
            "mirrored": shown(net.moved(0, mirrored=True)),
            "with other numbers": shown(net.renumbered(numbers)),
        },
        ties=(
            *_balance.alike("STARE-MIRROR", ["mirrored"]),
            *_balance.alike("STARE-NUMBERED", ["with other numbers"]),
        ),
    )


def laid(asked: Posing, end: Path, mirrored: Sequence[Path], size: int) -> Item:
    """Return the item that shows the end of a search for a full board.

    Args:
        asked: the question with the picture of board and pieces.
        end: the picture of the end.
        mirrored: both pictures, mirrored.
        size: cells of the board along a side.
    """
    final = replace(asked, images=(*asked.images, end), context=_LAID.format(size=size))
    return Item(
        task=Capability.of_suite(CODE, "tangram-final"),
        posings={
            UNCHANGED: replace(final, written=True),
            "mirrored": replace(final, images=mirrored),
        },
        ties=tuple(_balance.alike("STARE-MIRROR", ["mirrored"])),
    )
