"""Items about what a picture of a folding shows: which lines are folded by then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Capability, Item, Posing
from pytest_metaspace.suites.stare import CODE, _balance, _folds, _space, nets
from pytest_metaspace.suites.stare._balance import UNCHANGED

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Iterable

    from pytest_metaspace.suites.stare._album import Album
    from pytest_metaspace.suites.stare._folds import Folding
    from pytest_metaspace.suites.stare._net_drawing import Look
    from pytest_metaspace.suites.stare.nets import Net

UNDONE, WITH_STEPS = "folded once more and unfolded", "with the pictures between"
_SEEN: Final = (
    "In the last image, is the sheet folded along the line between square {first} and square "
    "{second}, so that the two stand at a right angle to each other?"
)
_TOLD: Final = (
    "Image 1 shows a sheet of six squares. Square {still} stays on the table, and the others are "
    "folded up, one line after the other; the images after the first show how far that has come."
)
_UNDONE: Final = "Before the last image, the last fold is undone."
_TRIES: Final = 500


@dataclass(frozen=True)
class _Asked:
    """A line of a net that is folded so far.

    Attributes:
        net: the sheet.
        look: its colours.
        way: how it is folded.
        line: two squares by their places.
        yes: whether the line is folded by then.
    """

    net: Net
    look: Look
    way: Folding
    line: tuple[int, int]
    yes: bool

    def posing(self, album: Album, counts: Iterable[int]) -> Posing:
        """Return the question, with pictures after each of some numbers of folds."""
        net = self.net
        first, second = sorted(map(net.number, self.line))
        pictures = [
            picture
            for count in counts
            for picture in _folds.pictures(album, net, self.look, self.way, count, count)
        ]
        return Posing(
            text=_SEEN.format(first=first, second=second),
            options=_balance.ANSWERS,
            images=(_folds.sheet(album, net, self.look), *pictures),
            answer=_balance.answer(self.yes),
            form="word",
            context=_TOLD.format(still=net.number(self.way.base)),
        )


def item(
    net: Net,
    look: Look,
    steps: int,
    album: Album,
    chance: random.Random,
    dropped: Counter[str],
    *,
    yes: bool,
) -> Item:
    """Return the item that asks whether a line is folded after some folds."""
    way, line = line_of(net, steps, chance, dropped, yes=yes)
    asked = _Asked(net, look, way, line, yes)
    renumbered = net.renumbered(tuple(chance.sample(net.numbers, nets.FACES)))
    again = asked.posing(album, (steps, steps + 1, steps))
    posings = {
        UNCHANGED: replace(asked.posing(album, [steps]), written=True),
        UNDONE: replace(again, context=f"{again.context} {_UNDONE}"),
        "with other numbers": replace(asked, net=renumbered).posing(album, [steps]),
    }
    unposed = {}
    if steps > 1:
        posings[WITH_STEPS] = asked.posing(album, range(1, steps + 1))
    else:
        unposed["STARE-STEPS"] = "there is one fold, and nothing between"
    mirrored = net.moved(0, mirrored=True)
    if readable(mirrored, way, steps, line):
        posings["mirrored"] = replace(asked, net=mirrored).posing(album, [steps])
    else:
        unposed["STARE-MIRROR"] = "a square that is asked about is hidden in the mirrored picture"
    relations = {
        "STARE-UNFOLDED": UNDONE,
        "STARE-NUMBERED": "with other numbers",
        "STARE-STEPS": WITH_STEPS,
        "STARE-MIRROR": "mirrored",
    }
    return Item(
        task=Capability.of_suite(CODE, "fold-seen"),
        posings=posings,
        ties=tuple(
            tie
            for relation, name in relations.items()
            if relation not in unposed
            for tie in _balance.alike(relation, [name])
        ),
        unposed=unposed,
        slices={"steps": str(steps)},
    )


def line_of(
    net: Net, steps: int, chance: random.Random, dropped: Counter[str], *, yes: bool
) -> tuple[Folding, tuple[int, int]]:
    """Draw a folding and a line that is folded by then, or not, whose two squares can be read."""
    for _ in range(_TRIES):
        way = _folds.folding(net.cells, chance)
        done = way.order[:steps]
        lines = [line for line in nets.tree(net.cells, way.base) if (line[1] in done) == yes]
        line = chance.choice(lines)
        if readable(net, way, steps, line):
            return way, line
        dropped["a square that is asked about is hidden"] += 1
    raise AssertionError("no folding shows a line")


def readable(net: Net, way: Folding, steps: int, line: tuple[int, int]) -> bool:
    """Whether the numbers of both squares at a line can be read after some folds."""
    squares = _space.folded(net.cells, way.base, way.order[:steps])
    return all(map(partial(_space.readable, squares), line))
