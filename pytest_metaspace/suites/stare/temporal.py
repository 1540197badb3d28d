"""Temporal frames: a camera passes some things; which picture is the one that is missing?

Four pictures are taken at equal distances, three of them are shown in order. The options are taken
by the same camera at three places of its line that are as far from each other, and each of them is
the true one as often: where the shown pictures are taken is decided last. So the options alone tell
nothing: not which is the middle one, and not which shows most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _balance, _room
from pytest_metaspace.suites.stare._choices import Board, Making, first_that, placed
from pytest_metaspace.suites.stare._family import Made, chance_of, name_of
from pytest_metaspace.suites.stare._room import Eye, Thing

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from pytest_metaspace.suites.stare._family import Options
    from pytest_metaspace.suites.stare._panels import Point

FRAMES: Final = 4
_ORDINALS: Final = ("first", "second", "third", "fourth")
OPTIONS: Final = 3
_APART: Final = {0: (4 / 3, 4 / 3), 1: (2.4, 1.6), 2: (1.6, 2.4), 3: (4 / 3, 4 / 3)}
"""Which picture is missing, and how many steps the options are apart. Whichever of them is true, no
wrong one is nearer than a third of a step to a picture that is shown; of one missing between two,
one wrong option is nearer to the shown pictures than the true one, and one is farther from them."""
_LEAST_PX: Final = 14.0
"""By which something moves between any two pictures, at least."""
_LEAST_SEEN: Final = 3
_TRIES: Final = 4000
_FIELD: Final = 70.0
LEVELS: Final = {"easy": 0.7, "medium": 0.5, "hard": 0.35}
"""Metres between two pictures; shorter ones are harder."""


@dataclass(frozen=True)
class Ride:
    """Things, and a camera that passes them.

    Attributes:
        things: what stands there.
        middle: the camera where the option in the middle is taken.
        step: by how much it moves between two pictures, metres on the map.
        missing: which picture is, from 0.
    """

    things: tuple[Thing, ...]
    middle: Eye
    step: Point
    missing: int

    def eye(self, way: float) -> Eye:
        """Return the camera so many steps from where the option in the middle is taken."""
        x, y = self.middle.x + way * self.step[0], self.middle.y + way * self.step[1]
        return replace(self.middle, x=x, y=y)

    def options(self) -> list[float]:
        """Return where the options are taken, in the order of the ride."""
        before, after = _APART[self.missing]
        return [-before, 0.0, after]

    def shown(self, true: int) -> list[float]:
        """Return where the shown pictures are taken, if an option is the true one."""
        first = self.options()[true] - self.missing
        return [first + place for place in _others(self.missing)]

    def columns(self, way: float) -> dict[str, float]:
        """Return where in a picture things are that are wholly in it: columns of pixels."""
        eye = self.eye(way)
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
    asked = str(options.get("difficulty", "varied"))
    levels = tuple(LEVELS) if asked == "varied" else (asked,)
    place, level, missing, right = _balance.drawn(
        "temporal", seed, number, range(OPTIONS), levels, range(FRAMES), range(OPTIONS)
    )
    chance = chance_of("temporal", seed, number)
    ride = first_that(
        _TRIES, lambda: drawn(chance, level, missing), lambda why: made.dropped.update([why])
    )
    name = name_of("temporal", seed, number)
    given = {
        f"{name}-at-{where + 1}.png": way for where, way in zip(_others(missing), ride.shown(right))
    }
    wrong = ride.options()
    true = wrong.pop(right)
    offered = {
        f"{name}-option-{where}.png": way
        for where, way in enumerate(placed(true, wrong, place, chance), start=1)
    }
    made.pictures.update(
        {
            one: partial(_room.view, ride.things, ride.eye(way))
            for one, way in {**given, **offered}.items()
        }
    )
    board = Board(
        text=_text(missing),
        told=_told(missing),
        before=tuple(given),
        options=tuple(offered),
        answer=list(offered)[place],
    )
    making = Making("temporal", board, pictures)
    making.usual(chance)
    back = FRAMES - 1 - missing
    backwards = replace(board, text=_text(back), told=_told(back), before=board.before[::-1])
    making.same("REVERSED", "the frames come the other way round", backwards)
    slices = {"difficulty": level, "missing": _ORDINALS[missing]}
    made.items.append((name, making.item(slices)))
    return made


def drawn(chance: random.Random, level: str, missing: int) -> tuple[Ride, str]:
    """Return a ride, and what speaks against it; empty for nothing.

    The camera looks up on the map and moves right or left, a little ahead or back. Nothing here
    depends on which of the options is true, and nothing may.
    """
    side = chance.choice((-1, 1))
    far = LEVELS[level]
    step = (round(side * far, 3), round(chance.uniform(-0.2, 0.2) * far, 3))
    before = missing - (FRAMES - 1) / 2
    middle = Eye(round(before * step[0], 3), round(-4.6 + before * step[1], 3), 0.0, _FIELD)
    things = _room.scattered(chance, chance.choice((6, 7)), (0, -4.6), most_m=4.0)
    ahead = tuple(thing for thing in things if thing.y > -3)  # noqa: PLR2004 - 1.6 m before it
    ride = Ride(ahead, middle, step, missing)
    return ride, _problem(ride)


def _problem(ride: Ride) -> str:
    """Return what speaks against a ride, if any of its options may be the true one."""
    for true in range(OPTIONS):
        columns = [ride.columns(way) for way in (*ride.options(), *ride.shown(true))]
        if any(len(one) < _LEAST_SEEN for one in columns):
            return "too little is seen"
        for one, other in combinations(columns, 2):
            both = one.keys() & other.keys()
            if not both:
                return "two pictures have nothing in common"
            if max(abs(one[key] - other[key]) for key in both) < _LEAST_PX:
                return "two pictures are too much alike"
    return ""


def _others(missing: int) -> list[int]:
    return [place for place in range(FRAMES) if place != missing]


def _told(missing: int) -> str:
    there = [_ORDINALS[place] for place in _others(missing)]
    return (
        "A camera moves on in a straight line, without turning, and takes four pictures, always "
        f"after the same distance. Images 1, 2 and 3 are the {there[0]}, the {there[1]} and the "
        f"{there[2]} of them."
    )


def _text(missing: int) -> str:
    return f"Which of the other images is the {_ORDINALS[missing]} picture?"
