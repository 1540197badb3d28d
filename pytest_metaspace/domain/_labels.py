"""Labels and capabilities: what can be asked for, and what can be answered."""

from __future__ import annotations

from enum import Enum
from typing import Literal, Union

# Eight sectors of 45 degrees, centred on their names, clockwise from straight ahead.
EGOCENTRIC = (
    "front",
    "front-right",
    "right",
    "back-right",
    "back",
    "back-left",
    "left",
    "front-left",
)
ALLOCENTRIC = (
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
)
SCENARIOS = ("household", "arm", "drone")
NONE = "none"
VERTICAL = ("above", "level", "below")

Semantics = Literal["sound", "paper"]
Metric = Literal["spatial", "planar"]
Prompting = Literal["direct", "cot", "map"]
"""What an agent is asked to write: nothing but the answer; reasoning first; a map first."""
Boxes = Literal["text", "draw", "both", "none"]
"""How an agent is told which objects are meant: by coordinates, by boxes drawn on its pictures,
by both, by their names alone."""
Structured = Literal["off", "auto", "on"]
"""Whether an endpoint is asked to hold answers to a JSON schema: never, where it can, always."""
Vector = tuple[float, float, float]
Subject = Union[int, str]
"""What a relation speaks about: a state (by index) or an object (by id)."""


class Capability(str, Enum):
    """The eight spatial capabilities of the paper (its table of SC codes)."""

    MOVEMENT_DIRECTION = "SC1-a"
    MOVEMENT_DISTANCE = "SC1-b"
    OBJECT_DIRECTION = "SC2-a"
    OBJECT_DISTANCE = "SC2-b"
    SIZE = "SC3-a"
    DEPTH = "SC3-b"
    MAP_DIRECTION = "SC4-a"
    MAP_DISTANCE = "SC4-b"

    of_directions: bool
    """Whether its questions are answered with a direction."""
    of_distances: bool
    """Whether its questions are answered with whole steps."""
    about_map: bool
    """Whether its reference frame is the map instead of a camera."""

    def __init__(self, code: str) -> None:
        self.of_directions = code in ("SC1-a", "SC2-a", "SC4-a")
        self.of_distances = code in ("SC1-b", "SC2-b", "SC4-b")
        self.about_map = code.startswith("SC4")

    #  As text: it equals its code, and a run asks for this a million times.
    __hash__ = str.__hash__

    def __str__(self) -> str:
        return str.__str__(self)

    @property
    def meaning(self) -> str:
        """The capability in words, as the score table prints it."""
        return _MEANINGS[self]

    @property
    def directions(self) -> Capability:
        """The capability that asks for directions about the same things."""
        return _DIRECTIONS[self]


_MEANINGS = {
    "SC1-a": "movement direction",
    "SC1-b": "movement distance",
    "SC2-a": "object direction",
    "SC2-b": "object distance",
    "SC3-a": "size",
    "SC3-b": "depth",
    "SC4-a": "allocentric direction",
    "SC4-b": "allocentric distance",
}
_DIRECTIONS = {code: Capability(code[:3] + "-a") for code in Capability}
