"""Temporal frames: a camera passes some things; which picture is the one that is missing?

Four pictures are taken at equal distances, three of them are shown in order. Wrong options are
taken by the same camera on the same line, farther on or before, so that none is the odd one out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _room
from pytest_metaspace.suites.stare._choices import Board, Making, first_that, placed
from pytest_metaspace.suites.stare._family import Made, chance_of, name_of
from pytest_metaspace.suites.stare._room import Eye, Thing

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from pytest_metaspace.suites.stare._family import Drawing, Options
    from pytest_metaspace.suites.stare._panels import Point

FRAMES: Final = 4
_ORDINALS: Final = ("first", "second", "third", "fourth")
_WRONG: Final = {0: (-1, 4), 1: (-1, 4), 2: (-1, 4), 3: (4, -1)}
"""Which picture is missing, and when the wrong ones were taken, in steps from the first."""
_LEAST_PX: Final = 14.0
"""By which something moves between any two pictures, at least."""
_LEAST_SEEN: Final = 3
_TRIES: Final = 4000
_FIELD: Final = 70.0
_STEPS: Final = (0.35, 0.5, 0.7)
"""Metres between two pictures; shorter ones are harder."""
LEVELS: Final = {"easy": 0.7, "medium": 0.5, "hard": 0.35}


@dataclass(frozen=True)
class Ride:
    """Things, and a camera that passes them."""

    things: tuple[Thing, ...]
    start: Eye
    step: Point

    def eye(self, moment: int) -> Eye:
        """Return the camera at a moment."""
        start = self.start
        x, y = start.x + moment * self.step[0], start.y + moment * self.step[1]
        return Eye(x, y, start.heading, start.field)

    def columns(self, moment: int) -> dict[str, float]:
        """Return where in a picture things are that are wholly in it: columns of pixels."""
        eye = self.eye(moment)
        return {
            span.thing.colour: _column(span.thing, eye)
            for span in _room.seen(self.things, eye)
            if not _room.cut(span, eye)
        }


def _column(thing: Thing, eye: Eye) -> float:
    right, ahead = eye.place(thing.x, thing.y)
    return _room.VIEW[0] / 2 + eye.focal * right / ahead


def make(seed: int, number: int, options: Options, pictures: Path) -> Made:
    """Return an item: three pictures of a ride, and three that may be the fourth."""
    made = Made()
    level = str(options.get("difficulty", "varied"))
    if level == "varied":
        level = tuple(LEVELS)[number % len(LEVELS)]
    chance = chance_of("temporal", seed, number)
    ride = first_that(_TRIES, lambda: drawn(chance, level), lambda why: made.dropped.update([why]))
    name = name_of("temporal", seed, number)
    turn = number // len(LEVELS)
    missing = turn % FRAMES
    moments = (*range(FRAMES), *_WRONG[missing])
    made.pictures.update({_picture(name, one): _drawing(ride, one) for one in moments})
    given = tuple(_picture(name, one) for one in range(FRAMES) if one != missing)
    wrong = [_picture(name, one) for one in _WRONG[missing]]
    true = _picture(name, missing)
    board = Board(
        text=_text(missing),
        told=_told(missing),
        before=given,
        options=placed(true, wrong, turn // FRAMES, chance),
        answer=true,
    )
    making = Making("temporal", board, pictures)
    making.usual(chance)
    back = FRAMES - 1 - missing
    reversed_ = Board(_text(back), _told(back), given[::-1], board.options, true)
    making.same("REVERSED", "the frames come the other way round", reversed_)
    slices = {"difficulty": level, "missing": _ORDINALS[missing]}
    made.items.append((name, making.item(slices)))
    return made


def drawn(chance: random.Random, level: str) -> tuple[Ride, str]:
    """Return a ride, and what speaks against it; empty for nothing.

    The camera looks up on the map and moves right or left, a little ahead or back.
    """
    side = chance.choice((-1, 1))
    far = LEVELS[level]
    step = (round(side * far, 3), round(chance.uniform(-0.2, 0.2) * far, 3))
    middle = (FRAMES - 1) / 2
    start = Eye(round(-middle * step[0], 3), round(-4.6 - middle * step[1], 3), 0.0, _FIELD)
    things = _room.scattered(chance, chance.choice((6, 7)), (0, -4.6), most_m=4.0)
    ahead = tuple(thing for thing in things if thing.y > -3)  # noqa: PLR2004 - 1.6 m before it
    ride = Ride(ahead, start, step)
    return ride, _problem(ride)


def _problem(ride: Ride) -> str:
    columns = [ride.columns(moment) for moment in range(-1, FRAMES + 1)]
    if any(len(one) < _LEAST_SEEN for one in columns):
        return "too little is seen"
    for one, other in combinations(columns, 2):
        both = one.keys() & other.keys()
        if not both:
            return "two pictures have nothing in common"
        if max(abs(one[key] - other[key]) for key in both) < _LEAST_PX:
            return "two pictures are too much alike"
    return ""


def _picture(name: str, moment: int) -> str:
    return f"{name}-at-{moment + 1}.png"


def _drawing(ride: Ride, moment: int) -> Drawing:
    return lambda: _room.view(ride.things, ride.eye(moment))


def _told(missing: int) -> str:
    there = [word for place, word in enumerate(_ORDINALS) if place != missing]
    return (
        "A camera moves on in a straight line, without turning, and takes four pictures, always "
        f"after the same distance. Images 1, 2 and 3 are the {there[0]}, the {there[1]} and the "
        f"{there[2]} of them."
    )


def _text(missing: int) -> str:
    return f"Which of the other images is the {_ORDINALS[missing]} picture?"
