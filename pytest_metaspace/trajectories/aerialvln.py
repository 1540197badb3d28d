"""AerialVLN: flights of a drone through cities, told as episodes of one JSON file for each split.

Read from the authors' code (AirVLN/AirVLN): where a step leads is computed as
``utils/env_utils.py`` does, and pictures are named as ``src/vlnce_src/env.py`` names them. Its
world is that of AirSim: x north, y east, **z down**, metres; a yaw turns clockwise. Ours has z up
and turns counter-clockwise, so y, z and the yaw change their signs.
"""

from __future__ import annotations

import json
import math
from functools import partial
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Action, Camera, Defect, Pose, State, Trajectory, Truth
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, TrajectoryFormat
from pytest_metaspace.trajectories import _aerial_index as indices
from pytest_metaspace.trajectories import _aerial_pictures as pictures
from pytest_metaspace.trajectories._defects import (
    Unusable,
    brief,
    decoded_size,
    size_of,
    without_stale_frames,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Vector

STEP_M = 1.0
"""Both moves, of 5 m and of 2 m, are whole numbers of it."""
TURN_DEG = 15.0
ACTIONS = {
    1: Action(name="move_forward", move_m=(5.0, 0.0, 0.0)),
    2: Action(name="turn_left", turn_deg=-TURN_DEG),
    3: Action(name="turn_right", turn_deg=TURN_DEG),
    4: Action(name="go_up", move_m=(0.0, 0.0, 2.0)),
    5: Action(name="go_down", move_m=(0.0, 0.0, -2.0)),
    6: Action(name="move_left", move_m=(0.0, -5.0, 0.0)),
    7: Action(name="move_right", move_m=(0.0, 5.0, 0.0)),
}
STOP = 0
_NEAR_M = 0.25
_HEAD = 1 << 16
_VOCABULARY = 1 << 21
_FIELDS = (b'"episodes"', b'"trajectory_id"', b'"start_rotation"', b'"start_position"')
_FEWEST = 2
_TRIPLE = 3


def matches(path: Path) -> bool:
    """Whether a file is a split of AerialVLN, by its name and its first bytes.

    One that is empty, or a pointer of Git LFS, counts by its name alone.
    """
    if path.suffix != ".json":
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            if b'"instruction_vocab"' in head and b'"episodes"' not in head:
                head += file.read(_VOCABULARY)
    except OSError:
        return False
    return all(field in head for field in _FIELDS) or indices.is_lost(path)


def episodes(path: Path) -> Sequence[str]:
    """Return the paths that are flown in a split: three instructions share one.

    Raises:
        TrajectoryError: the file is no split.
    """
    return indices.index(path).names


def load(path: Path, reading: Reading | None = None) -> Trajectory:
    """Load one flight.

    Args:
        path: the file of the split, with a ``trajectory_id`` behind it.
        reading: where pictures are, and where those out of an LMDB are kept.

    Raises:
        TrajectoryError: it is not as it should be, or has no pictures.
    """
    reading = reading or Reading()
    main, name = path.parent, path.name
    flight = _Flight(main, name)
    frames = _frames(flight, reading)
    flight.check_reference(len(frames))
    truth = flight.truth(len(frames))
    trajectory = Trajectory(
        id=f"{main.stem}-{name}",
        source=path,
        scenario="drone",
        step_length_m=STEP_M,
        rotation_deg=TURN_DEG,
        vertical=True,
        distance_metric="spatial",
        camera=_camera(frames[0]),
        mover="agent",
        states=flight.states(frames),
        objects=(),
        truth=truth,
        defects=(*indices.index(main).defects, *flight.defects),
    )
    return without_stale_frames(trajectory, field=f"{flight.field}.actions ({{}})")


class _Flight:
    """What the log says of one flight, checked field by field."""

    def __init__(self, main: Path, name: str) -> None:
        self.main, self.name = main, name
        self.defects: list[Defect] = []
        self._actions_told = True
        self._poses_told = True
        told = indices.episodes(main, name)
        number, self._episode = told[0]
        self.field = f"episodes.{number}"
        self.actions = self._actions(self._episode.get("actions"))
        for other, episode in told[1:]:
            if episode.get("actions") != self._episode.get("actions"):
                self._defect(
                    f"episodes.{other}.actions",
                    f"differ from those of {self.field}, though both fly {brief(name)}; which of "
                    "them the pictures show is not known, so no pose and no action is taken.",
                    "Give each path a trajectory_id of its own.",
                )
                self._poses_told = self._actions_told = False
        self.poses = self._reckoned()

    def _defect(self, field: str, what: str, next_step: str) -> None:
        self.defects.append(Defect(self.main, field, None, what, next_step))

    def _wrong(self, field: str, what: str) -> TrajectoryError:
        return TrajectoryError(f"{self.main}: field {self.field}.{field}: {what}")

    def _actions(self, given: object) -> list[int | None]:
        """Return the actions up to the stop; None for one that is not known."""
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except (ValueError, RecursionError):
                given = None
            self._defect(f"{self.field}.actions", "is a text, not a list.", "Write a list.")
        if not isinstance(given, list) or not given:
            raise self._wrong("actions", f"is {brief(given)}, expected a list of 0 to 7.")
        made: list[int | None] = []
        for place, action in enumerate(given):
            if type(action) is int and action == STOP:
                if place < len(given) - 1 and any(a != STOP for a in given[place:]):
                    self._defect(
                        f"{self.field}.actions.{place}",
                        f"stops, and {len(given) - place - 1} actions come after it; they are "
                        "left out.",
                        "End the list there.",
                    )
                break
            known = type(action) is int and action in ACTIONS
            if not known:
                self._defect(
                    f"{self.field}.actions.{place}",
                    f"is {brief(action)}, expected 0 to 7; it counts as unknown, and poses from "
                    "there on, too.",
                    "Write the action that was executed.",
                )
                self._poses_told = False
            made.append(action if known else None)
        return made

    def _reckoned(self) -> list[Pose]:
        """Return a pose for each state, by dead reckoning as the simulator reckons."""
        place = _numbers(self._episode.get("start_position"), _TRIPLE)
        turned = _numbers(self._episode.get("start_rotation"), _TRIPLE + 1)
        for field, found in (("start_position", place), ("start_rotation", turned)):
            if found is None:
                given = brief(self._episode.get(field))
                self._defect(
                    f"{self.field}.{field}",
                    f"is {given}, expected finite numbers; there are no poses without it.",
                    "Write [x, y, z], and [w, x, y, z] for the rotation.",
                )
                self._poses_told = False
        if place is None or turned is None:
            return []
        pose = _start(place, turned)
        made = [pose]
        for action in self.actions:
            pose = _after(pose, None if action is None else ACTIONS[action])
            made.append(pose)
        return made

    def check_reference(self, states: int) -> None:
        """Hold ``reference_path`` against where the actions lead."""
        given = self._episode.get("reference_path")
        points = [_numbers(one, _TRIPLE) for one in given] if isinstance(given, list) else []
        field = f"{self.field}.reference_path"
        if not points:
            self._defect(
                field, "is missing; poses follow from the actions alone.", "Fetch the file again."
            )
            return
        if len(points) not in (len(self.actions), len(self.actions) + 1):
            self._defect(
                field,
                f"has {len(points)} places for {len(self.actions)} moves; as many as there are of "
                "both are compared.",
                "Nothing, where the path was resampled.",
            )
        known = self.actions.index(None) + 1 if None in self.actions else states
        for step, (point, pose) in enumerate(zip(points[: min(states, known)], self.poses)):
            off = math.inf if point is None else math.dist(_ours(point), pose.position)
            if off > _NEAR_M:
                self._defect(
                    f"{field}.{step}",
                    f"is {'no place' if point is None else f'{off:.3g} m off'} where the actions "
                    "before it lead; no pose and no action is taken from this flight.",
                    "Compare actions and path: is z down, and is the rotation w, x, y, z?",
                )
                self._poses_told = self._actions_told = False
                return

    def truth(self, states: int) -> Truth | None:
        """Return the poses, where all of them can be told."""
        if not self._poses_told or len(self.poses) < states:
            return None
        return Truth(poses=tuple(self.poses[:states]), objects={})

    def states(self, frames: Sequence[Path]) -> tuple[State, ...]:
        """Return a state for each frame."""
        made = []
        for index, frame in enumerate(frames):
            known = self._actions_told and index < len(frames) - 1
            number = self.actions[index] if known else None
            action = None if number is None else ACTIONS[number]
            succeeded = None if action is None else True
            made.append(State(index=index, frame=frame, action=action, succeeded=succeeded))
        return tuple(made)

    def lost(self, step: int, why: str) -> None:
        """Note that the picture of a step is lost, and with it all that comes after."""
        left = len(self.actions) + 1 - step
        self._defect(
            f"{self.field}.actions.{step}",
            f"has no picture to be seen before it ({why}); it and {left - 1} after it are left "
            "out.",
            "Collect the pictures again.",
        )


def _frames(flight: _Flight, reading: Reading) -> list[Path]:
    """Return the pictures of the first states, as far as there is one for each."""
    found: list[Path] = []
    size: tuple[int, int] | None = None
    with pictures.opened(flight.main, reading.images, reading.frames) as picture:
        for step in range(len(flight.actions) + 1):
            try:
                path = picture(flight.name, step)
                why = "there is none" if path is None else ""
                if path is not None:
                    seen = size_of(path) if found else decoded_size(path)
                    size = size or seen
                    why = "" if seen == size else f"its size is {seen[0]} x {seen[1]} pixels"
            except Unusable as problem:
                path, why = None, str(problem).rstrip(".")
            if path is None or why:
                # The step after the last action is seen only where the flight went on.
                if not found or step < len(flight.actions):
                    flight.lost(step, why)
                break
            found.append(path)
    if len(found) < _FEWEST:
        raise TrajectoryError(
            f"{flight.main}: field {flight.field}: {brief(flight.name)} has {len(found)} pictures; "
            f"a trajectory needs two. {flight.defects[-1] if flight.defects else ''}".rstrip()
        )
    return found


def _numbers(given: object, count: int) -> tuple[float, ...] | None:
    """Return the first numbers of a list, or None where they are none."""
    if not isinstance(given, list) or len(given) < count:
        return None
    some = given[:count]
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in some):
        return None
    try:
        made = tuple(float(one) for one in some)
    except OverflowError:
        return None
    return made if all(map(math.isfinite, made)) else None


def _ours(place: Sequence[float]) -> Vector:
    """Turn a place from north-east-down into ours: x north, y west, z up."""
    return place[0], -place[1], -place[2]


def _start(place: Sequence[float], turned: Sequence[float]) -> Pose:
    """Return the first pose; a rotation turns the drone's axes into the world's."""
    length = math.hypot(*turned) or 1.0
    w, x, y, z = (part / length for part in turned)
    roll = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x))))
    yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return Pose(
        position=_ours(place),
        yaw_deg=_round(-math.degrees(yaw)),
        pitch_deg=_round(math.degrees(pitch)),
        roll_deg=_round(math.degrees(roll)),
    )


def _round(degrees: float) -> float:
    """Round off what single precision adds, so that equal headings are equal."""
    return round(degrees, 3) + 0.0


def _after(pose: Pose, action: Action | None) -> Pose:
    if action is None:
        return pose
    if action.turns:
        yaw = _round((pose.yaw_deg - action.turn_deg + 180) % 360 - 180)
        return Pose(position=pose.position, yaw_deg=yaw)  # a turn levels the drone
    forward, right, up = action.move_m
    yaw = math.radians(pose.yaw_deg)
    x, y, z = pose.position
    return Pose(
        position=(
            x + forward * math.cos(yaw) + right * math.sin(yaw),
            y + forward * math.sin(yaw) - right * math.cos(yaw),
            z + up,
        ),
        yaw_deg=pose.yaw_deg,
        pitch_deg=pose.pitch_deg,
        roll_deg=pose.roll_deg,
    )


def _camera(frame: Path) -> Camera:
    """Return the camera of the authors' settings: 90 degrees across, level, in the middle."""
    width, height = size_of(frame)
    return Camera(
        width=width, height=height, fx=width / 2, fy=width / 2, cx=width / 2, cy=height / 2
    )


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return TrajectoryFormat(
        name="aerialvln",
        matches=matches,
        load=partial(load, reading=reading),
        episodes=episodes,
        configured=configured,
        summary="AerialVLN: flights through cities (JSON), with pictures in a folder or an LMDB",
    )


AERIALVLN = configured(Reading())
