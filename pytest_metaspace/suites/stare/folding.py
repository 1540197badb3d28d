"""Nets of the cube: whether a sheet folds, with and without pictures of its folding, and probes.

One number of a seed gives one sheet, and all questions about it are items of their own: whether it
folds, the same with the first folds shown, told in words; and of a net what lies opposite to what,
which lines are folded, which squares hang together.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Capability, Item, Posing
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.stare import (
    CODE,
    _balance,
    _finals,
    _fold_probes,
    _folds,
    _space,
    nets,
)
from pytest_metaspace.suites.stare._album import Album
from pytest_metaspace.suites.stare._balance import NO, STEPS, UNCHANGED, WITHOUT_STEPS, YES
from pytest_metaspace.suites.stare._family import Made, chance_of, name_of
from pytest_metaspace.suites.stare._net_drawing import Look

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.suites.stare._family import Options
    from pytest_metaspace.suites.stare._folds import Folding
    from pytest_metaspace.suites.stare.nets import Net, Shape

FAMILY: Final = "folding"
_DIFFICULTIES: Final = ("easy", "medium", "hard")
_QUESTION: Final = (
    "Can this sheet of six squares be folded along its lines into a closed cube, so that each of "
    "the six sides of the cube is covered exactly once?"
)
_PART: Final = (
    "Now only {squares} of this sheet are kept, joined as they are, and folded along their lines. "
    "Does each of them then cover a side of the cube of its own, no two the same side?"
)
_UNSTEPPED_HAS: Final = ("STARE-TURNED", "STARE-NUMBERED", "STARE-PART")
_UNSTEPPED: Final = {
    "STARE-BASE": "no folding is shown",
    "STARE-SEQUENCE": "no folding is shown",
}


@dataclass(frozen=True)
class Sheet:
    """What a number draws.

    Attributes:
        net: the numbered squares.
        look: their colours.
        folds: whether they fold into a cube.
        steps: after how many folds pictures stop.
        difficulty: how soon it is seen that a sheet does not fold: at once, or not.
        way: how it is folded; None where that is not shown.
    """

    net: Net
    look: Look
    folds: bool
    steps: int
    difficulty: str
    way: Folding | None

    @property
    def slices(self) -> dict[str, str]:
        """What tells its items from others."""
        return {"difficulty": self.difficulty, "steps": str(self.steps)}


def make(seed: int, number: int, options: Options, folder: Path) -> Made:
    """Return the items of a number; nothing is drawn yet.

    Args:
        seed: of all draws.
        number: which of that seed.
        options: ``difficulty``: easy for sheets with a 2x2 block or five squares in a row where
            they do not fold, hard for none of those, medium for all without a block.
        folder: in which pictures will lie.
    """
    chance = chance_of(FAMILY, seed, number)
    name = name_of(FAMILY, seed, number)
    album = Album(folder, name)
    dropped: Counter[str] = Counter()
    drawn = sheet(seed, number, options, chance, dropped)
    items = [(name, _unstepped(drawn, album, chance, name if drawn.way else ""))]
    if drawn.way is not None:
        stepped = _stepped(drawn, drawn.way, album, chance, dropped)
        items.append((f"{name}-steps", replace(stepped, twin=name)))
        final = _finals.folded(drawn.net, drawn.look, drawn.way, album, _QUESTION, chance)
        items.append((f"{name}-final", final))
    items.append((f"{name}-words", _fold_probes.words(drawn.net, drawn.look, album, _QUESTION)))
    probes = _fold_probes.of_a_net(seed, number, album, chance, dropped)
    items += [(f"{name}-{probe}", item) for probe, item in probes]
    return Made(items, album.pictures, dropped)


def sheet(
    seed: int, number: int, options: Options, chance: random.Random, dropped: Counter[str]
) -> Sheet:
    """Draw a sheet: first the answer, the number of steps and the difficulty, then the shape."""
    asked = str(options.get("difficulty", "varied"))
    levels = _DIFFICULTIES if asked == "varied" else (asked,)
    folds, steps, difficulty = _balance.drawn(
        FAMILY, seed, number, (True, False), _folds.STEPS, levels
    )
    while True:
        cells = chance.choice(_shapes(difficulty, folds=folds))
        net = nets.numbered(cells, chance)
        look = Look(tuple(chance.sample(range(nets.FACES), nets.FACES)))
        if difficulty == "easy":
            return Sheet(net, look, folds, steps, difficulty, None)
        way = _folds.clear_folding(net.cells, steps, chance, dropped)
        if way is not None:
            return Sheet(net, look, folds, steps, difficulty, way)
        dropped["no folding of a shape shows so many steps"] += 1


def _shapes(difficulty: str, *, folds: bool) -> tuple[Shape, ...]:
    if folds:
        return nets.nets()
    if difficulty == "medium":
        return tuple(shape for shape in nets.others() if not nets.blocked(shape))
    return nets.others(easy=difficulty == "easy")


def _unstepped(drawn: Sheet, album: Album, chance: random.Random, twin: str) -> Item:
    """Return the item that shows the sheet alone."""
    net, look = drawn.net, drawn.look
    plain = Posing(
        text=_QUESTION,
        options=_balance.ANSWERS,
        images=(_folds.sheet(album, net, look),),
        answer=_balance.answer(drawn.folds),
        form="word",
    )

    def shown(other: Net, colours: Look = look) -> Posing:
        return replace(plain, images=(_folds.sheet(album, other, colours),))

    numbers = _balance.shuffled(net.numbers, chance)
    turned = net.moved(chance.randint(1, 3), mirrored=False)
    posings = {
        UNCHANGED: replace(plain, written=True),
        "mirrored": shown(net.moved(0, mirrored=True)),
        "turned": shown(turned),
        "with other numbers": shown(net.renumbered(numbers)),
    }
    tied = [
        *_balance.alike("STARE-MIRROR", ["mirrored"]),
        *_balance.alike("STARE-TURNED", ["turned"]),
        *_balance.alike("STARE-NUMBERED", ["with other numbers"]),
    ]
    unposed = {**_UNSTEPPED, STEPS: "its twin has it" if twin else "no folding is shown"}
    if nets.blocked(net.cells):
        unposed["STARE-PART"] = "the sheet has a block of four, and how it folds depends on a cut"
    else:
        part = _part(net, chance, folds=drawn.folds)
        posings["asked about a part"] = replace(plain, text=part[0], answer=part[1])
        tied.append(
            ties.implied(
                "STARE-PART",
                [
                    ([(UNCHANGED, YES)], ("asked about a part", YES)),
                    ([("asked about a part", NO)], (UNCHANGED, NO)),
                ],
            )
        )
    return Item(
        task=Capability.of_suite(CODE, "folding"),
        posings=posings,
        ties=tuple(tied),
        unposed=unposed,
        slices={**drawn.slices, **({_balance.BETWEEN: "without"} if twin else {})},
        twin=twin,
    )


def _stepped(
    drawn: Sheet, way: Folding, album: Album, chance: random.Random, dropped: Counter[str]
) -> Item:
    """Return the item that shows the first folds, too."""
    net = drawn.net
    plain = Posing(
        text=_QUESTION,
        options=_balance.ANSWERS,
        images=(),
        answer=_balance.answer(drawn.folds),
        form="word",
    )

    def shown(other: Net, by: Folding) -> Posing:
        pictures = _folds.pictures(album, other, drawn.look, by, 1, drawn.steps)
        return replace(
            plain,
            context=_told(other, by, drawn.steps),
            images=(_folds.sheet(album, other, drawn.look), *pictures),
        )

    alone = replace(plain, images=(_folds.sheet(album, net, drawn.look),))
    posings = {UNCHANGED: replace(shown(net, way), written=True), WITHOUT_STEPS: alone}
    posings["mirrored"] = shown(net.moved(0, mirrored=True), way)
    tied = [
        *_balance.alike(STEPS, [WITHOUT_STEPS]),
        *_balance.alike("STARE-MIRROR", ["mirrored"]),
    ]
    unposed = dict.fromkeys(_UNSTEPPED_HAS, "the item without pictures between has it")
    others: dict[str, tuple[str, Callable[[Folding], bool]]] = {
        "STARE-BASE": ("another square lies still", lambda other: other.base != way.base),
        "STARE-SEQUENCE": (
            "folded in another order",
            lambda other: other.base == way.base and other.order != way.order[: drawn.steps],
        ),
    }
    for relation, (told, among) in others.items():
        other = _folds.clear_folding(net.cells, drawn.steps, chance, dropped, among)
        if other is None:
            unposed[relation] = "no other folding shows as many steps"
        else:
            posings[told] = shown(net, other)
            tied += _balance.alike(relation, [told])
    return Item(
        task=Capability.of_suite(CODE, "folding"),
        posings=posings,
        ties=tuple(tied),
        unposed=unposed,
        slices={**drawn.slices, _balance.BETWEEN: "with"},
    )


def _told(net: Net, way: Folding, steps: int) -> str:
    folds = [
        f"Image {place + 2}: square {net.number(square)} has been folded up, with all that hangs "
        "on it."
        for place, square in enumerate(way.order[:steps])
    ]
    still = f"Square {net.number(way.base)} stays on the table, and the folding begins."
    return " ".join(["Image 1 shows the sheet.", still, *folds])


def _part(net: Net, chance: random.Random, *, folds: bool) -> tuple[str, str]:
    """Return the question about a part, and its answer: one that overlaps, where there is one."""
    parts = [part for size in (3, 4, 5) for part in nets.parts(net.cells, size)]
    bad = [] if folds else [part for part in parts if not _clear(net, part)]
    part = chance.choice(bad or parts)
    squares = sorted(net.number(place) for place in part)
    told = f"squares {', '.join(map(str, squares[:-1]))} and {squares[-1]}"
    return _PART.format(squares=told), _balance.answer(_clear(net, part))


def _clear(net: Net, part: tuple[int, ...]) -> bool:
    kept = tuple(net.cells[place] for place in part)
    return _space.apart(_space.folded(kept, 0, range(len(kept))))
