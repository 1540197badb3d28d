"""A recorded run: frames, states, actions, tracked objects, and the truth where it is known.

Or an item of a suite: one question, and the ways in which it is put.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.domain._cases import Query
    from pytest_metaspace.domain._facts import Fact
    from pytest_metaspace.domain._labels import Boxes, Capability, Form, Metric, SuiteLaw, Vector

_NOTHING = 1e-9
AS_WRITTEN: Final = "unchanged"
"""The name of the question of an item that has one, as its authors put it."""


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
    """What was executed after a state.

    It is told as the mover stood then; of a mover that a camera watches, as that camera stands:
    forward is away from it, level.
    """

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
    holds: str | None = None
    """Id of the object that the mover held, as far as the log says."""


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
    centers: tuple[Vector, ...] | None = None
    """Its centre at each state, where it moved; ``center`` is the first."""

    def center_at(self, state: int) -> Vector:
        """Where its centre was at a state."""
        return self.center if self.centers is None else self.centers[state]

    def rested(self, first: int, last: int) -> bool:
        """Whether it stayed where it was between two states."""
        return any(a <= first and last <= b for a, b in self.rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Ground truth of a trajectory; read by the ``truth`` agent and by filters only."""

    poses: tuple[Pose, ...]
    objects: Mapping[str, TrueObject]
    mover: tuple[Vector, ...] | None = None
    """Where the mover was at each state, where that is not the camera."""


@dataclass(frozen=True, slots=True)
class Showing:
    """How the objects of questions are shown to agents.

    Attributes:
        boxes: in words, drawn, both or not at all.
        folder: where drawn pictures are kept; None for a folder of the process.
    """

    boxes: Boxes = "text"
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Defect:
    """What is wrong in a log that can be used all the same, without what rests on it.

    Attributes:
        file: which file.
        field: where in it, dotted from 0 as in ``states.3.frame``; empty for all of it.
        line: its line, from 1, where the file has lines.
        what: what is wrong, and what is done without it; a sentence.
        next_step: what to do about it; a sentence.
    """

    file: Path
    field: str
    line: int | None
    what: str
    next_step: str

    def __str__(self) -> str:
        """The text that people see: file, line, field, what is wrong, what to do."""
        line = "" if self.line is None else f"{self.line}:"
        field = f" field {self.field}:" if self.field else ""
        return f"{self.file}:{line}{field} {self.what} {self.next_step}".rstrip()


@dataclass(frozen=True, kw_only=True)
class Posing:
    """One question of an item: as its authors put it, or changed.

    Attributes:
        text: the question, without its options.
        options: what may be chosen, in the order shown; each stands for itself, no two are equal.
            None for a question that is answered with a number.
        images: the pictures, in the order shown.
        answer: the true option or number; None where nobody knows it.
        form: how it is answered: with the letter of an option, its words, or a whole number.
        context: what is told before the question, as in "Image 1. Then: 1 m forward. Image 2.".
        written: whether it is held against what is true, for accuracy.
        slices: what tells it from other questions of its item, as in ``{"common frames": "1"}``;
            accuracy is also told by these, as by those of the item.
    """

    text: str
    options: tuple[str, ...]
    images: Sequence[Path]
    answer: str | int | None
    form: Form = "letter"
    context: str = ""
    written: bool = False
    slices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """What the answers to some questions of an item owe each other: one case of a relation.

    Attributes:
        relation: its name, as in ``REM-SUM``.
        law: what judges it.
        posings: names of the questions, in the order in which the law takes them.
        givens: what holds by construction, as the law has it.
    """

    relation: str
    law: SuiteLaw
    posings: tuple[str, ...]
    givens: tuple[Fact, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Item:
    """The questions of a task of a suite about one trajectory or picture.

    Attributes:
        task: which score they belong to, as ``Capability.of_suite`` makes it.
        posings: the questions by name; a name tells what was done, to follow "when".
        ties: the cases of relations on them.
        unposed: by relation, why it has no case here.
        dropped: by reason, how many questions are not asked, or are in no relation.
        slices: what tells it from other items, as in ``{"frames": "8"}``; scores are also told
            by these.
        twin: what it shares with the item that differs from it in one slice alone, and with no
            other one, as an item with and without intermediate pictures; empty for none.
        probe: whether it tells what an answer rests on, beside the benchmark's own tasks and in no
            mean over them.
    """

    task: Capability
    posings: Mapping[str, Posing]
    ties: tuple[Tie, ...] = ()
    unposed: Mapping[str, str] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    slices: Mapping[str, str] = field(default_factory=dict)
    twin: str = ""
    probe: bool = False


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
    defects: tuple[Defect, ...] = ()
    """What is wrong in its log; no relation rests on it."""
    showing: Showing = Showing()
    """How a run shows its objects to agents; no loader sets it."""
    items: Mapping[str, Item] = field(default_factory=dict)
    """The questions of suites about it, by task."""
    only_items: bool = False
    """Whether it is no run of a robot, but pictures that items show."""

    def posing(self, query: Query) -> Posing | None:
        """Return the question of a suite that a query means; None for any other query."""
        if query.capability.suite is None:
            return None
        return self.items[query.capability].posings[str(query.a)]

    @cached_property
    def by_id(self) -> Mapping[str, TrackedObject]:
        """The tracked objects by their ids."""
        return {thing.id: thing for thing in self.objects}

    @property
    def watched(self) -> bool:
        """Whether what moves is seen by a camera that stays, and is not that camera."""
        return self.mover != "agent"

    def turns_between(self, first: int, last: int) -> bool:
        """Whether the heading of the camera may have changed between two states.

        An action of the camera that is not known counts as a turn, and so does a known pose that
        drifted: the safe side for reference frames.
        """
        poses = self.truth.poses if self.truth is not None else ()
        if poses and poses[first].yaw_deg != poses[last].yaw_deg:
            return True
        if self.watched:
            return False
        actions = [state.action for state in self.states[first:last]]
        return any(action is None or action.turns for action in actions)
