"""Perspective: somebody stands on a map and looks; which of the views do they see?

Wrong options are the other three headings of the same place (easy, medium), or the mirror image of
the true view and another heading with its own mirror image (hard), so that neither a thing that
is not there nor the odd one out gives the answer away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _balance, _room
from pytest_metaspace.suites.stare._choices import Board, Making, first_that, placed
from pytest_metaspace.suites.stare._family import Made, chance_of, name_of
from pytest_metaspace.suites.stare._room import Eye, Thing

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from pytest_metaspace.suites.stare._family import Drawing, Options

TURNS: Final = {"turned right": 90, "turned round": 180, "turned left": 270}
"""What is done to who stands on the map, and degrees clockwise."""
LEVELS: Final = ("easy", "medium", "hard")
_LEAST_GAP: Final = 1.5
"""Degrees between two things, all around: none hides another or touches it."""
_LEAST_LEAN: Final = 5.0
"""Degrees by which a lone thing lies aside, at least, where its mirror image counts."""
_THINGS: Final = {"easy": (5, 6), "medium": (7, 8), "hard": (7, 8)}
_OPTIONS: Final = 4
_TRIES: Final = 4000
_TEXT: Final = "Which of the views does this person see?"
_TOLD: Final = (
    "Image 1 is a map: a floor with things on it, seen from above. The arrow shows where a person "
    "stands and which way the person looks. The other images are views."
)
View = tuple[int, bool]
"""Degrees clockwise from where the person looks, and whether the view is mirrored."""


@dataclass(frozen=True)
class Place:
    """Things, and somebody among them."""

    things: tuple[Thing, ...]
    eye: Eye

    def views(self) -> list[tuple[Thing, ...]]:
        """Return what is seen when looking ahead, right, back and left, each from left to right."""
        return [
            tuple(one.thing for one in _room.seen(self.things, self.eye.turned(turn)))
            for turn in (0, *TURNS.values())
        ]


def make(seed: int, number: int, options: Options, pictures: Path) -> Made:
    """Return an item: a map and four views."""
    made = Made()
    asked = str(options.get("difficulty", "varied"))
    levels = LEVELS if asked == "varied" else (asked,)
    right, level = _balance.drawn("perspective", seed, number, range(_OPTIONS), levels)
    chance = chance_of("perspective", seed, number)
    place = first_that(_TRIES, lambda: drawn(chance, level), lambda why: made.dropped.update([why]))
    name = name_of("perspective", seed, number)
    true, *wrong = _views(level, chance)
    names = {
        view: f"{name}-view-{where}.png"
        for where, view in enumerate(placed(true, wrong, right, chance), start=1)
    }
    above = f"{name}-map.png"
    made.pictures[above] = _map(place.things, place.eye)
    made.pictures.update({names[view]: _looking(place, *view) for view in names})
    board = Board(_TEXT, _TOLD, (above,), tuple(names.values()), names[true])
    making = Making("perspective", board, pictures)
    making.usual(chance)
    quarters = chance.choice((1, 2, 3))
    turned = f"{name}-map-turned.png"
    made.pictures[turned] = partial(_room.from_above, place.things, place.eye, quarters)
    making.same("TURNED", "the map is turned", replace(board, before=(turned,)))
    if level == "hard":
        making.unposed["STARE-HEADINGS"] = "the options are not four headings"
    else:
        boards = {}
        for told, degrees in TURNS.items():
            other = f"{name}-map-{told.split()[1]}.png"
            eye = place.eye.turned(degrees)
            made.pictures[other] = _map(place.things, eye)
            boards[told] = replace(board, before=(other,), answer=names[degrees, False])
        making.different("HEADINGS", boards)
    slices = {"difficulty": level, "objects": str(len(place.things))}
    made.items.append((name, making.item(slices)))
    return made


def drawn(chance: random.Random, level: str) -> tuple[Place, str]:
    """Return a place, and what speaks against it; empty for nothing."""
    eye = Eye(
        round(chance.uniform(-2, 2), 3),
        round(chance.uniform(-2, 2), 3),
        float(chance.randrange(0, 360, 15)),
    )
    count = chance.choice(_THINGS[level])
    things = tuple(_room.scattered(chance, count, (eye.x, eye.y)))
    place = Place(things, eye)
    return place, _problem(place, level, count)


def _problem(place: Place, level: str, count: int) -> str:
    if len(place.things) < count:
        return "things had no room"
    around = _room.spans(place.things, place.eye)
    for one, other in zip(around, [*around[1:], replace(around[0], low=around[0].low + 360)]):
        if other.low - one.high < _LEAST_GAP:
            return "a thing hides or touches another"
    eyes = [place.eye.turned(turn) for turn in (0, *TURNS.values())]
    if any(_room.cut(span, eye) for eye in eyes for span in _room.seen(place.things, eye)):
        return "a thing is cut off by a border"
    if not all(place.views()):
        return "a view is empty"
    if level == "hard" and not all(_leans(place, eye) for eye in eyes):
        return "a view looks like its mirror image"
    return ""


def _leans(place: Place, eye: Eye) -> bool:
    """Whether a view and its mirror image can be told apart."""
    middles = [(one.low + one.high) / 2 for one in _room.seen(place.things, eye)]
    return len(middles) > 1 or abs(middles[0]) >= _LEAST_LEAN


def _views(level: str, chance: random.Random) -> list[View]:
    """Return what is offered, the true view first."""
    if level != "hard":
        return [(turn, False) for turn in (0, *TURNS.values())]
    other = chance.choice(list(TURNS.values()))
    return [(turn, mirrored) for turn in (0, other) for mirrored in (False, True)]


def _map(things: tuple[Thing, ...], eye: Eye) -> Drawing:
    return partial(_room.from_above, things, eye)


def _looking(place: Place, degrees: int, mirrored: bool) -> Drawing:
    eye = place.eye.turned(degrees)
    if not mirrored:
        return partial(_room.view, place.things, eye)
    things = tuple(thing.mirrored() for thing in place.things)
    back = replace(eye, x=-eye.x, heading=-eye.heading % 360)
    return partial(_room.view, things, back)
