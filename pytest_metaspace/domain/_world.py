"""A recorded run: frames, states, actions, tracked objects, and the truth where it is known.

Or an item of a suite: one question, and the ways in which it is put.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.domain._labels import Boxes, Capability, Metric, Vector

_NOTHING = 1e-9
AS_WRITTEN: Final = "unchanged"
"""The name of the first way in which an item is put."""


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
    """One way to put an item.

    Attributes:
        text: the question, without its options.
        options: what may be chosen, in the order shown; each stands for itself, no two are equal.
        images: the pictures, in the order shown.
        answer: the true option; None where nobody knows it.
        relation: the relation whose case it makes with the first one; empty for the first one.
        law: what judges that case.
        follows: option of the first one to the option here that has to be chosen then; what is
            missing decides nothing.
    """

    text: str
    options: tuple[str, ...]
    images: Sequence[Path]
    answer: str | None
    relation: str = ""
    law: Literal["MAP", "DIFF"] = "MAP"
    follows: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Item:
    """A question of a suite.

    Attributes:
        task: which score it belongs to, as ``Capability.of_suite`` makes it.
        posings: by name, ``AS_WRITTEN`` first; a name tells what was done, to follow "when".
        unposed: by relation, why it has no case on this item.
    """

    task: Capability
    posings: Mapping[str, Posing]
    unposed: Mapping[str, str] = field(default_factory=dict)

    @property
    def written(self) -> Posing:
        """The item as its authors put it."""
        return self.posings[AS_WRITTEN]


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
    item: Item | None = None
    """The question of a suite that it is, instead of a run of a robot; it has one state then."""

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
