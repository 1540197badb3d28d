"""What is given with a case: measured, recorded or known, and never asked.

The ``origin`` of a fact says in a derivation where it is from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Union

if TYPE_CHECKING:
    from pytest_metaspace.domain._cases import Query, Value
    from pytest_metaspace.domain._labels import Compared, Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A tracked height in pixels."""

    origin: ClassVar[str] = "measured"
    frame: int
    object: str
    size_px: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Between which columns of pixels the tracked box of an object lies."""

    origin: ClassVar[str] = "measured"
    frame: int
    object: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PrincipalColumn:
    """The column of pixels along which the camera of a frame looks."""

    origin: ClassVar[str] = "measured"
    frame: int
    column: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """What was done between a state and the next one.

    Attributes:
        first: the state before it.
        move_m: metres forward, right and up in the mover's own frame at that state.
        turn_deg: degrees clockwise seen from above.
    """

    origin: ClassVar[str] = "executed"
    first: int
    move_m: Vector
    turn_deg: float


@dataclass(frozen=True, slots=True)
class HeadingAt:
    """Directions are told in the heading at a state."""

    origin: ClassVar[str] = "as asked"
    state: int


@dataclass(frozen=True, slots=True)
class StepLength:
    """How long a step is."""

    origin: ClassVar[str] = "as asked"
    metres: float


@dataclass(frozen=True, slots=True)
class TrueAnswer:
    """What a perfect agent answers to an open question."""

    origin: ClassVar[str] = "ground truth"
    query: Query
    value: Value


@dataclass(frozen=True, slots=True)
class Becomes:
    """Which option has to be chosen when an item is put in another way."""

    origin: ClassVar[str] = "by construction"
    option: str
    becomes: str


@dataclass(frozen=True, slots=True)
class IfAnswer:
    """A rule holds where a question has this answer, and its other conditions hold."""

    origin: ClassVar[str] = "by construction"
    rule: str
    posing: str
    answer: str


@dataclass(frozen=True, slots=True)
class IfCounts:
    """A rule holds where the first number is more than, equal to or fewer than the second."""

    origin: ClassVar[str] = "by construction"
    rule: str
    compares: Compared
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ThenAnswer:
    """What a question has to be answered with where a rule holds."""

    origin: ClassVar[str] = "by construction"
    rule: str
    posing: str
    answer: str


@dataclass(frozen=True, slots=True)
class OnSide:
    """The number that a question is answered with counts on one side of a comparison of sums."""

    origin: ClassVar[str] = "by construction"
    side: Literal["left", "right"]
    posing: str


@dataclass(frozen=True, slots=True)
class AsksAbout:
    """A question asks what lies opposite to an option, or is else its other one."""

    origin: ClassVar[str] = "by construction"
    posing: str
    option: str


Fact = Union[
    Given,
    Columns,
    PrincipalColumn,
    Executed,
    HeadingAt,
    StepLength,
    TrueAnswer,
    Becomes,
    IfAnswer,
    IfCounts,
    ThenAnswer,
    OnSide,
    AsksAbout,
]
"""Something that a law holds answers against."""
