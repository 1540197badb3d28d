"""Labels and capabilities: what can be asked for, and what can be answered."""

from __future__ import annotations

import re
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
Prompting = Literal["direct", "cot", "map", "likelihood"]
"""What an agent is asked to write: nothing but the answer; reasoning first; a map first; nothing,
where a question has options that can be weighed."""
Form = Literal["letter", "word", "count"]
"""How a question of a suite is answered: with a letter, the words of an option, a whole number."""
Compared = Literal["more", "equal", "fewer"]
"""How one number stands to another."""
SuiteLaw = Literal["MAP", "DIFF", "IMP", "SUM", "MON", "INV"]
"""The laws of relations of suites: an answer decides another, no two are equal, answers imply an
answer, sums are equal, a sum is at most another, twice the other way round is where it began."""
Boxes = Literal["text", "draw", "both", "none"]
"""How an agent is told which objects are meant: by coordinates, by boxes drawn on its pictures,
by both, by their names alone."""
Structured = Literal["off", "auto", "on"]
"""Whether an endpoint is asked to hold answers to a JSON schema: never, where it can, always."""
Vector = tuple[float, float, float]
Subject = Union[int, str]
"""What a relation speaks about: a state (by index) or an object (by id)."""


_OF_SUITE = re.compile(r"(?!SC)[A-Z]{2,8}-[a-z][a-z0-9-]{0,30}")


class Capability(str, Enum):
    """The eight spatial capabilities of the paper (its table of SC codes).

    Those are its members, so that whoever goes over them has them and nothing else. What a suite
    asks is a capability too, ``Capability.of_suite("EMB", "far")``, and not among them: it is in
    no score and no total of the paper's.
    """

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
    suite: str | None
    """The suite that a task belongs to; None for the eight of the paper."""

    def __init__(self, code: str) -> None:
        self.suite = None if code.startswith("SC") else code.partition("-")[0]
        self.of_directions = code in ("SC1-a", "SC2-a", "SC4-a")
        self.of_distances = code in ("SC1-b", "SC2-b", "SC4-b")
        self.about_map = code.startswith("SC4")

    #  As text: it equals its code, and a run asks for this a million times.
    __hash__ = str.__hash__

    def __str__(self) -> str:
        return str.__str__(self)

    @classmethod
    def of_suite(cls, suite: str, task: str) -> Capability:
        """Return a task of a suite: one and the same each time.

        Args:
            suite: two to eight capital letters, not SC.
            task: small letters, digits and dashes.
        """
        return cls(f"{suite}-{task}")

    @classmethod
    def _missing_(cls, value: object) -> Capability | None:
        if not isinstance(value, str) or not _OF_SUITE.fullmatch(value):
            return None
        made = str.__new__(cls, value)
        made._name_ = made._value_ = value
        Capability.__init__(made, value)
        known = cls._value2member_map_.setdefault(value, made)
        assert isinstance(known, Capability)
        return known

    @property
    def meaning(self) -> str:
        """The capability in words, as the score table prints it."""
        return _MEANINGS.get(self) or self.partition("-")[2].replace("-", " ")

    @property
    def directions(self) -> Capability:
        """The capability that asks for directions about the same things."""
        return _DIRECTIONS[self]


def suite_of(code: str) -> str | None:
    """Return the suite whose task a code names; None for any other text."""
    return code.partition("-")[0] if _OF_SUITE.fullmatch(code) else None


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
