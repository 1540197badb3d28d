"""What an answer about a net rests on: items about opposite, folded and joined squares.

The net of these items is drawn by itself, so that each has one answer; those of yes and no are
even over answers, numbers of folds and everything else that a picture shows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Capability, Item, Posing
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.stare import CODE, _balance, _fold_seen, _folds, nets
from pytest_metaspace.suites.stare._balance import NO, UNCHANGED
from pytest_metaspace.suites.stare._net_drawing import Look

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.suites.stare._album import Album
    from pytest_metaspace.suites.stare.nets import Net

_OPPOSITE: Final = (
    "This sheet is folded along its lines into a closed cube. Which square lies opposite to "
    "square {number} then?"
)
_NEIGHBOURS: Final = (
    "This sheet is folded along its lines into a closed cube. Do square {first} and square "
    "{second} share an edge of the cube then?"
)
_COLOUR: Final = "Which colour has square {number} of this sheet?"
_COLOURS: Final = 4
"""So many are offered."""
_CONNECTED: Final = "Do square {first} and square {second} share an edge on this sheet?"
_ROWS: Final = (
    "A sheet consists of squares with numbers. Row by row, with - where there is no square and "
    "a slash before the next row, it is: {rows}."
)


def of_a_net(
    seed: int, number: int, album: Album, chance: random.Random, dropped: Counter[str]
) -> Iterator[tuple[str, Item]]:
    """Yield the items about the net of a number, each with what its id ends in."""
    net = nets.numbered(chance.choice(nets.nets()), chance)
    look = Look(tuple(chance.sample(range(nets.FACES), nets.FACES)))
    (place,) = _balance.drawn("folding opposite", seed, number, range(nets.FACES - 1))
    yield "opposite", _opposite(net, look, album, chance, place)
    yes, steps = _balance.drawn("folding seen", seed, number, (True, False), _folds.STEPS)
    yield "seen", _fold_seen.item(net, look, steps, album, chance, dropped, yes=yes)
    yield "connected", _connected(seed, number, net, look, album, chance)
    (place,) = _balance.drawn("folding colour", seed, number, range(_COLOURS))
    yield "colour", _colour(net, look, album, chance, place)


def words(net: Net, look: Look, album: Album, question: str) -> Item:
    """Return the item that tells a sheet in words, tied to the one that shows it."""
    told = Posing(
        text=question,
        options=_balance.ANSWERS,
        images=(),
        answer=_balance.answer(nets.folds(net.cells)),
        form="word",
        context=_ROWS.format(rows=_rows(net)),
    )
    shown = replace(told, context="", images=(_folds.sheet(album, net, look),))
    return Item(
        task=Capability.of_suite(CODE, "fold-words"),
        posings={UNCHANGED: replace(told, written=True), "shown": shown},
        ties=tuple(_balance.alike("STARE-FORMS", ["shown"])),
    )


def _rows(net: Net) -> str:
    """Return a sheet on a field that is as large for all of them: its text is as long."""
    there = dict(zip(net.cells, net.numbers))
    return " / ".join(
        " ".join(str(there.get((row, column), "-")) for column in range(nets.FACES))
        for row in range(nets.FACES)
    )


def _opposite(net: Net, look: Look, album: Album, chance: random.Random, right: int) -> Item:
    """Return the item that asks for the opposite square of each; the first has a place drawn."""
    across = nets.opposite(net.cells)
    picture = (_folds.sheet(album, net, look),)

    def asked(number: int, of: Net = net) -> Posing:
        others = [one for one in of.numbers if one != number]
        return Posing(
            text=_OPPOSITE.format(number=number),
            options=tuple(map(_square, chance.sample(others, len(others)))),
            images=(_folds.sheet(album, of, look),),
            answer=_square(of.number(across[of.place(number)])),
        )

    first, *rest = chance.sample(net.numbers, nets.FACES)
    main = _with_right_at(asked(first), right)
    posings = {UNCHANGED: replace(main, written=True)}
    posings |= {f"asked for square {number}": asked(number) for number in sorted(rest)}
    about = {UNCHANGED: _square(first)}
    about |= {f"asked for square {number}": _square(number) for number in sorted(rest)}
    mapping = dict(zip(net.numbers, chance.sample(net.numbers, nets.FACES)))
    renumbered = net.renumbered(tuple(mapping[one] for one in net.numbers))
    wrong = [option for option in main.options if option != main.answer]
    left_out = chance.choice(wrong)
    posings |= {
        "options in another order": replace(main, options=_balance.shuffled(main.options, chance)),
        "a wrong option left out": replace(
            main, options=tuple(option for option in main.options if option != left_out)
        ),
        "mirrored": replace(main, images=(_folds.sheet(album, net.moved(0, mirrored=True), look),)),
        "with other numbers": asked(mapping[first], renumbered),
    }
    same = {option: option for option in main.options}
    rules, neighbours = _neighbours(net, first, across, picture, chance)
    return Item(
        task=Capability.of_suite(CODE, "fold-opposite"),
        posings={**posings, **neighbours},
        ties=(
            ties.inverse("STARE-OPPOSITE", about),
            ties.implied("STARE-NEIGHBOUR", rules),
            ties.mapped("STARE-ORDER", UNCHANGED, "options in another order", same),
            ties.mapped(
                "STARE-FEWER",
                UNCHANGED,
                "a wrong option left out",
                {option: option for option in main.options if option != left_out},
            ),
            ties.mapped("STARE-MIRROR", UNCHANGED, "mirrored", same),
            ties.mapped(
                "STARE-NUMBERED",
                UNCHANGED,
                "with other numbers",
                {_square(one): _square(mapping[one]) for one in net.numbers if one != first},
            ),
        ),
    )


def _with_right_at(posing: Posing, place: int) -> Posing:
    others = [option for option in posing.options if option != posing.answer]
    return replace(posing, options=(*others[:place], str(posing.answer), *others[place:]))


def _neighbours(
    net: Net, first: int, across: dict[int, int], picture: tuple[Path, ...], chance: random.Random
) -> tuple[list[ties.Rule], dict[str, Posing]]:
    """Return two questions about neighbours on the cube, and what follows from their answers."""
    opposite = net.number(across[net.place(first)])
    beside = chance.choice([one for one in net.numbers if one not in (first, opposite)])
    rules: list[ties.Rule] = []
    posings: dict[str, Posing] = {}
    for other in sorted((opposite, beside)):
        name = f"asked whether square {other} is beside it"
        posings[name] = Posing(
            text=_NEIGHBOURS.format(first=first, second=other),
            options=_balance.ANSWERS,
            images=picture,
            answer=_balance.answer(other != opposite),
            form="word",
        )
        rules.append(([(UNCHANGED, _square(other))], (name, NO)))
        rules.append(([(name, NO)], (UNCHANGED, _square(other))))
    return rules, posings


def _connected(
    seed: int, number: int, net: Net, look: Look, album: Album, chance: random.Random
) -> Item:
    """Return the item that asks whether two squares share an edge on the sheet."""
    (yes,) = _balance.drawn("folding connected", seed, number, (True, False))
    joined = nets.joined(net.cells)
    apart = [
        (first, second)
        for first in range(nets.FACES)
        for second in range(first + 1, nets.FACES)
        if (first, second) not in joined
    ]
    pair = chance.choice(joined if yes else apart)

    def asked(of: Net) -> Posing:
        first, second = sorted(map(of.number, pair))
        return Posing(
            text=_CONNECTED.format(first=first, second=second),
            options=_balance.ANSWERS,
            images=(_folds.sheet(album, of, look),),
            answer=_balance.answer(yes),
            form="word",
        )

    posings = {
        UNCHANGED: replace(asked(net), written=True),
        "mirrored": asked(net.moved(0, mirrored=True)),
        "with other numbers": asked(net.renumbered(tuple(chance.sample(net.numbers, nets.FACES)))),
    }
    return Item(
        task=Capability.of_suite(CODE, "fold-connected"),
        posings=posings,
        ties=(
            *_balance.alike("STARE-MIRROR", ["mirrored"]),
            *_balance.alike("STARE-NUMBERED", ["with other numbers"]),
        ),
    )


def _colour(net: Net, look: Look, album: Album, chance: random.Random, right: int) -> Item:
    """Return the item that asks for the colour of a square; colours go with numbers."""
    number = chance.choice(net.numbers)
    true = look.name(number)
    wrong = [name for name in map(look.name, net.numbers) if name != true]
    options = chance.sample(wrong, _COLOURS - 1)
    options.insert(right, true)
    main = Posing(
        text=_COLOUR.format(number=number),
        options=tuple(options),
        images=(_folds.sheet(album, net, look),),
        answer=true,
        written=True,
    )
    plain = replace(main, written=False)
    left_out = chance.choice([option for option in options if option != true])
    kept = tuple(option for option in options if option != left_out)
    mirrored = _folds.sheet(album, net.moved(0, mirrored=True), look)
    numbers = _balance.shuffled(net.numbers, chance)
    renumbered = _folds.sheet(album, net.renumbered(numbers), look)
    others = {
        "ORDER": replace(plain, options=_balance.shuffled(main.options, chance)),
        "FEWER": replace(plain, options=kept),
        "MIRROR": replace(plain, images=(mirrored,)),
        "NUMBERED": replace(plain, images=(renumbered,)),
    }
    told = {
        "ORDER": "options in another order",
        "FEWER": "a wrong option left out",
        "MIRROR": "mirrored",
        "NUMBERED": "with numbers and colours on other squares",
    }
    return Item(
        task=Capability.of_suite(CODE, "fold-colour"),
        posings={UNCHANGED: main, **{told[one]: posing for one, posing in others.items()}},
        ties=tuple(
            ties.mapped(
                f"{CODE}-{one}", UNCHANGED, told[one], {option: option for option in posing.options}
            )
            for one, posing in others.items()
        ),
    )


def _square(number: int) -> str:
    return f"square {number}"
