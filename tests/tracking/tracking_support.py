"""A made-up world: things, a camera that walks among them, and what a detector would see."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Action, Camera, Pose, State, Trajectory, TrueObject, Truth
from pytest_metaspace.tracking import Detection
from pytest_metaspace.tracking.matching import projection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import TrackedObject

CAMERA = Camera(width=640, height=480, fx=400.0, fy=400.0, pitch_deg=0.0, height_m=1.3)


def thing(
    name: str, x: float, y: float, *, z: float = 0.5, size: tuple[float, float, float] = (0.5,) * 3
) -> TrueObject:
    """Return a thing whose label is its name without the number."""
    label = name.rsplit("-", 1)[0]
    return TrueObject(
        id=name, label=label, center=(x, y, z), extent=size, rest=((0, 0),), visible={}
    )


@dataclass
class World:
    """Things, and a camera at (0, 0, 1.3) that looks along +x and then acts."""

    things: Sequence[TrueObject]
    actions: Sequence[Action]
    mover: str = "agent"
    camera: Camera = CAMERA
    poses: list[Pose] = field(default_factory=list)

    def __post_init__(self) -> None:
        x, y, z, yaw = 0.0, 0.0, 1.3, 0.0
        self.poses = [Pose(position=(x, y, z), yaw_deg=yaw)]
        for action in self.actions:
            if self.mover == "agent":
                ahead, aside, up = action.move_m
                cos, sin = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
                x, y, z = x + ahead * cos + aside * sin, y + ahead * sin - aside * cos, z + up
                yaw -= action.turn_deg
            self.poses.append(Pose(position=(x, y, z), yaw_deg=yaw))

    @property
    def trajectory(self) -> Trajectory:
        """What a robot would have logged."""
        done = [*self.actions, None]
        return Trajectory(
            id="made-up",
            source=Path("made-up/trajectory.json"),
            scenario="household",
            step_length_m=0.5,
            vertical=False,
            distance_metric="planar",
            camera=self.camera,
            mover=self.mover,
            states=tuple(
                State(index=i, frame=Path(f"{i}.png"), action=action, succeeded=action is not None)
                for i, action in enumerate(done)
            ),
            objects=(),
            truth=Truth(poses=tuple(self.poses), objects={one.id: one for one in self.things}),
        )

    def seen(self) -> list[list[Detection]]:
        """Return the projections of all things, as a detector would find them."""
        return [
            [
                Detection(label=one.label, box=box, confidence=0.9)
                for one in self.things
                if (box := projection(one, pose, self.camera)) is not None
            ]
            for pose in self.poses
        ]

    def names(self) -> list[list[str]]:
        """Return which things those are."""
        return [
            [one.id for one in self.things if projection(one, pose, self.camera) is not None]
            for pose in self.poses
        ]


def forward(metres: float = 0.5) -> Action:
    return Action(name="move_forward", move_m=(metres, 0.0, 0.0))


def right(metres: float = 0.5) -> Action:
    return Action(name="move_right", move_m=(0.0, metres, 0.0))


def turn(degrees: float) -> Action:
    return Action(name="turn_right", turn_deg=degrees)


def ids(found: Sequence[Sequence[Detection]], objects: Sequence[TrackedObject]) -> list[list[str]]:
    """Return the id of each detection; each has exactly one."""
    told = []
    for frame, some in enumerate(found):
        row = []
        for one in some:
            (own,) = (
                thing.id
                for thing in objects
                if thing.label == one.label and thing.boxes.get(frame) == one.box
            )
            row.append(own)
        told.append(row)
    return told


def counted(names: Sequence[Sequence[str]], told: Sequence[Sequence[str]]) -> Counter[str]:
    """Count how often a thing's id was kept, changed, or taken over by another thing."""
    counts: Counter[str] = Counter()
    owner: dict[str, str] = {}
    last: dict[str, str] = {}
    for some, own in zip(names, told):
        for name, found in zip(some, own):
            if owner.get(found, name) != name:
                counts["taken over"] += 1
            elif name in last:
                counts["kept" if last[name] == found else "changed"] += 1
            owner[found], last[name] = name, found
    return counts
