"""What scenes are made of: colours, shapes, places on the ground, and a level camera."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._seen import Move, Thing

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH: Final = 480
HEIGHT: Final = 270
FOCAL_PX: Final = WIDTH / 2
"""Of a camera that sees 90 degrees across."""
EYE_M: Final = 1.25
SIDE_M: Final = 1.0
"""How wide and high everything is."""
STEP_M: Final = 1.0
TURN_DEG: Final = 15.0
COLOURS: Final = {
    "red": (214, 28, 28),
    "orange": (245, 122, 10),
    "yellow": (255, 235, 50),
    "green": (30, 150, 50),
    "blue": (30, 70, 215),
    "purple": (140, 40, 170),
    "black": (22, 22, 22),
    "white": (250, 250, 250),
}
"""Those of REM, with white for brown, which shades of orange and red are taken for."""
SHAPES: Final = ("box", "sphere", "cone")
KINDS: Final = tuple((colour, shape) for shape in SHAPES for colour in COLOURS)
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A thing and the middle of its foot, in metres."""

    thing: Thing
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """Where the camera is, in metres, and where it looks: degrees counter-clockwise from +x."""

    x: float
    y: float
    yaw_deg: float

    def after(self, move: Move) -> Pose:
        """Return where a move leads."""
        yaw = math.radians(self.yaw_deg)
        return Pose(
            x=rounded(self.x + move.forward_m * math.cos(yaw)),
            y=rounded(self.y + move.forward_m * math.sin(yaw)),
            yaw_deg=180.0 - (180.0 - self.yaw_deg + move.turn_deg) % 360.0,
        )

    def seen_at(self, x: float, y: float) -> tuple[float, float]:
        """Return how far a point lies ahead in metres, and at which pixel across it is seen."""
        yaw = math.radians(self.yaw_deg)
        east, north = x - self.x, y - self.y
        ahead = east * math.cos(yaw) + north * math.sin(yaw)
        right = east * math.sin(yaw) - north * math.cos(yaw)
        return ahead, WIDTH / 2 + FOCAL_PX * right / ahead


def rounded(value: float) -> float:
    """Return a number as files have it, never minus nothing."""
    return round(value, _DIGITS) + 0.0


def things_of(kinds: Iterable[tuple[str, str]]) -> tuple[Thing, ...]:
    """Return a thing for each colour and shape, numbered among its like."""
    counts: dict[tuple[str, str], int] = {}
    made = []
    for colour, shape in kinds:
        number = counts[colour, shape] = counts.get((colour, shape), 0) + 1
        made.append(
            Thing(id=f"{colour}_{shape}_{number}", colour=colour, shape=shape, number=number)
        )
    return tuple(made)
