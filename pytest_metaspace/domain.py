"""The whole vocabulary on one page: what every stage takes and returns.

    Trajectory → Case → Question → Answer → Observation → Verdict → Score → GateResult

Positions are metres, angles degrees, pixels count from the top left corner.
A yaw of 0 looks along +x and grows counter-clockwise seen from above; z points up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Union

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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
NONE = "none"
VERTICAL = ("above", "level", "below")

_NOTHING = 1e-9
_HALF = 0.5

Semantics = Literal["sound", "paper"]
Metric = Literal["spatial", "planar"]
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

    def __str__(self) -> str:
        return self.value

    @property
    def meaning(self) -> str:
        """The capability in words, as the score table prints it."""
        return _MEANINGS[self.value]

    @property
    def of_directions(self) -> bool:
        """Whether its questions are answered with a direction."""
        return self.value in ("SC1-a", "SC2-a", "SC4-a")

    @property
    def of_distances(self) -> bool:
        """Whether its questions are answered with whole steps."""
        return self.value in ("SC1-b", "SC2-b", "SC4-b")

    @property
    def directions(self) -> Capability:
        """The capability that asks for directions about the same things."""
        return Capability(self.value[:3] + "-a")

    @property
    def about_map(self) -> bool:
        """Whether its reference frame is the map instead of a camera."""
        return self.value.startswith("SC4")


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


# --------------------------------------------------------------------------- trajectories


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels; ``x2`` and ``y2`` are exclusive."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def width(self) -> float:
        """Pixels across."""
        return self.x2 - self.x1

    @property
    def height(self) -> float:
        """Pixels from top to bottom."""
        return self.y2 - self.y1

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height

    def overlap(self, other: Box) -> float:
        """The share of this box that the other one covers, 0 to 1."""
        across = min(self.x2, other.x2) - max(self.x1, other.x1)
        down = min(self.y2, other.y2) - max(self.y1, other.y1)
        if across <= 0 or down <= 0:
            return 0.0
        return across * down / (self.width * self.height)


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A pinhole camera: image size, focal lengths and principal point in pixels."""

    width: int
    height: int
    fx: float | None = None
    fy: float | None = None
    cx: float | None = None
    cy: float | None = None
    pitch_deg: float | None = None
    height_m: float | None = None

    @property
    def focal(self) -> float:
        """The focal length in pixels; the longer image side where it is not known."""
        return self.fy or self.fx or float(max(self.width, self.height))


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What was executed after a state, in the mover's own frame at that state."""

    name: str
    move_m: Vector = (0.0, 0.0, 0.0)
    """Metres forward, right and up."""
    turn_deg: float = 0.0
    """Degrees clockwise seen from above."""

    @property
    def length_m(self) -> float:
        """How far it moves."""
        return math.hypot(*self.move_m)

    @property
    def translates(self) -> bool:
        """Whether it moves at all."""
        return self.length_m > _NOTHING

    @property
    def turns(self) -> bool:
        """Whether it changes the heading."""
        return abs(self.turn_deg) > _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One moment of a trajectory: what was seen, and what was done next."""

    index: int
    frame: Path
    action: Action | None = None
    succeeded: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """Where the camera is and where it looks."""

    position: Vector
    yaw_deg: float
    pitch_deg: float = 0.0
    roll_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedObject:
    """An object followed through the frames; boxes and confidences by frame index."""

    id: str
    label: str
    boxes: Mapping[int, Box]
    confidences: Mapping[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueObject:
    """Where an object really is: centre and full extent of its box in the world, metres."""

    id: str
    label: str
    center: Vector
    extent: Vector
    rest: tuple[tuple[int, int], ...]
    """Stretches of states, ends included, in which it did not move."""
    visible: Mapping[int, float]
    """Frame index to the share of its projected height that is seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Ground truth of a trajectory; read by the ``truth`` agent and by filters only."""

    poses: tuple[Pose, ...]
    objects: Mapping[str, TrueObject]


@dataclass(frozen=True, kw_only=True)
class Trajectory:
    """A recorded run of a robot, with whatever is known about it."""

    id: str
    source: Path
    scenario: str
    step_length_m: float
    vertical: bool
    distance_metric: Metric
    camera: Camera
    mover: str
    states: tuple[State, ...]
    objects: tuple[TrackedObject, ...]
    truth: Truth | None
    rotation_deg: float | None = None
    warnings: tuple[str, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, TrackedObject]:
        """The tracked objects by their ids."""
        return {thing.id: thing for thing in self.objects}

    def turns_between(self, first: int, last: int) -> bool:
        """Whether the heading may have changed between two states.

        An action that is not known counts as a turn, and so does a known pose that drifted: the
        safe side for reference frames.
        """
        poses = self.truth.poses if self.truth is not None else ()
        if poses and poses[first].yaw_deg != poses[last].yaw_deg:
            return True
        actions = [state.action for state in self.states[first:last]]
        return any(action is None or action.turns for action in actions)


# ------------------------------------------------------------------- cases and questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement to be confirmed or denied; exactly one field is set."""

    planar: str | None = None
    at_least: int | None = None
    exactly: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a question means. Equal queries are one question.

    Attributes:
        trajectory: id of the trajectory.
        capability: decides the kind of answer and the template.
        a: the state or object from which, or the one object that is asked about.
        b: the state or object to which.
        reference: state whose camera heading is the reference frame; None for the map.
        evidence: the frames shown, in order.
        claim: what is to be confirmed; None for an open question.
        wording: 0, or 1 for the same question in other words.
    """

    trajectory: str
    capability: Capability
    a: Subject
    b: Subject | None = None
    reference: int | None = None
    evidence: tuple[int, ...] = ()
    claim: Claim | None = None
    wording: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A fact of a case that is measured, not asked: a tracked height in pixels."""

    frame: int
    object: str
    size_px: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One instance of a metamorphic relation: the follow-ups asked and the law that binds them."""

    id: str
    trajectory: str
    capability: Capability
    relation: str
    law: str
    semantics: Semantics
    subjects: tuple[Subject, ...]
    queries: tuple[Query, ...]
    object: str | None = None
    objects: tuple[str, str] | None = None
    givens: tuple[Given, ...] = ()
    tolerance: Mapping[str, float] = field(default_factory=dict)
    tolerance_parts: Mapping[str, float] = field(default_factory=dict)
    """What the tolerance for depths is made up of, for derivations."""
    distance_metric: Metric = "spatial"
    exact: bool = False

    @property
    def address(self) -> str:
        """The case among all cases of a run: ``trajectory::capability::relation::id``."""
        return f"{self.trajectory}::{self.capability}::{self.relation}::{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFormat:
    """The closed set of answers that a question allows."""

    kind: Literal["direction", "steps", "metres", "yes-no"]
    planar: Mapping[str, str] = field(default_factory=dict)
    """Allowed word to canonical label, ``none`` included."""
    vertical: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    """Words of the objects asked about, which an answer may repeat."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A query as an agent sees it: text, pictures in order, and the answers allowed.

    ``query`` and ``trajectory`` are for agents that compute; a model sees ``text`` and
    ``images`` only, and neither tells the executed actions.
    """

    query: Query
    trajectory: Trajectory
    text: str
    images: tuple[Path, ...]
    format: AnswerFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one query: the raw text, or why there is none."""

    raw: str | None
    error: str | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A readable answer; the fields that belong to its question are set."""

    planar: str | None = None
    vertical: str | None = None
    steps: int | None = None
    metres: float | None = None
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer that is not one of the allowed values, with the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Missing:
    """No answer at all, with the reason: an API failure, a missing recording."""

    reason: str


Reading = Union[Value, Unreadable, Missing]
"""What became of one answer."""


# ---------------------------------------------------------------------- verdicts, scores


class Outcome(str, Enum):
    """What the oracle says of a case; the score formula is in ``Score``."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    INVALID = "invalid"
    ERROR = "error"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A node of a derivation: a goal, why it holds, and what that rests on."""

    goal: str
    because: str
    source: str
    children: tuple[Step, ...] = ()
    observation: int | None = None
    """For a leaf, the index of the answer among the observations of the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """Why a verdict is what it is: one sentence and a tree that ends in answers."""

    summary: str
    root: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was asked in one sentence, its pictures and the raw answer, as people see them."""

    question: str
    images: tuple[str, ...]
    raw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The oracle's decision on one case."""

    case: Case
    outcome: Outcome
    reason: str = ""
    derivation: Derivation | None = None
    evidence: tuple[Evidence, ...] = ()
    """In the order of the case's queries; filled for what is shown to a person."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a case, small enough to ride on a test report."""

    address: str
    capability: str
    relation: str
    outcome: str
    summary: str
    text: str

    def as_json(self) -> dict[str, str]:
        """Return it JSON-simple."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Counts of outcomes and what follows from them (RELATIONS, "Verdicts and scores")."""

    name: str
    title: str
    semantics: Semantics
    satisfied: int = 0
    violated: int = 0
    inconclusive: int = 0
    invalid: int = 0
    error: int = 0

    @property
    def cases(self) -> int:
        """All cases, whatever became of them."""
        return self.satisfied + self.violated + self.inconclusive + self.invalid + self.error

    @property
    def decided_share(self) -> float | None:
        """(satisfied + violated) / all; None without cases."""
        return (self.satisfied + self.violated) / self.cases if self.cases else None

    @property
    def value(self) -> float | None:
        """The SC score, or None where nothing can be said.

        Under ``sound``: 1 - (violated + invalid) / (satisfied + violated + invalid).
        Under ``paper``: 1 - violated / all, equation 9 of the paper.
        """
        if self.satisfied + self.violated == 0:
            return None
        if self.semantics == "paper":
            return 1 - self.violated / self.cases
        return self.satisfied / (self.satisfied + self.violated + self.invalid)

    @property
    def readable(self) -> float | None:
        """The score of the readable answers alone."""
        decided = self.satisfied + self.violated
        return self.satisfied / decided if decided else None

    @property
    def half_decided(self) -> bool:
        """Whether at least half of the cases were decided."""
        share = self.decided_share
        return share is not None and share >= _HALF


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """One gate, decided once: exit status, banner and table all read this object."""

    name: str
    value: float | None
    threshold: float
    passed: bool
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that decides which cases there are and how they are judged."""

    capabilities: frozenset[str] = frozenset()
    """Codes to keep; empty keeps all."""
    relations: frozenset[str] = frozenset()
    semantics: Semantics = "sound"
    epsilon: float = 0.1
    delta: float = 0.05
    confidence: float = 0.6
    sample: float = 1.0
    seed: int = 0
    engine: Literal["auto", "pyswip", "swipl", "wasm"] = "auto"


@dataclass(frozen=True, kw_only=True)
class Run:
    """Everything that a report needs to know about one run."""

    agent: str
    settings: Settings
    trajectories: tuple[str, ...]
    scores: tuple[Score, ...]
    by_relation: tuple[Score, ...]
    total: float | None
    gates: tuple[GateResult, ...]
    verdicts: tuple[Verdict, ...]
    drops: Mapping[str, int]
    questions: int
    references: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    """Scores of reference agents on the same cases, by agent and capability."""
