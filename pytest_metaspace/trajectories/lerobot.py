"""LeRobot data sets, v2.0, v2.1 and v3.0: ``meta/info.json`` is the main file.

A log of thirty pictures a second becomes at most twenty states an episode, with the moves between
them taken from named poses (docs/logs-lerobot.md says by which rules). Only the rows and pictures
of the episode that is asked for are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, TrajectoryFormat

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.trajectories._lerobot_meta import Episode, Info

_HEAD = 65_536
_VERSION = re.compile(rb'"codebase_version"\s*:\s*"v\d')
_EPISODE = re.compile(r"episode-(0|[1-9]\d{0,8})")
_CAMERA = re.compile(r"(?P<name>.*?)(?:@(?P<yaw>-?\d{1,3}(?:\.\d+)?))?")


def matches(path: Path) -> bool:
    """Whether a file is the ``meta/info.json`` of a LeRobot data set."""
    if path.name != "info.json" or path.parent.name != "meta":
        return False
    try:
        with path.open("rb") as file:
            return _VERSION.search(file.read(_HEAD)) is not None
    except OSError:
        return False


class Episodes(Sequence[str]):
    """The names of so many episodes, each made when it is looked at."""

    def __init__(self, count: int) -> None:
        self._numbers = range(count)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [f"episode-{number}" for number in self._numbers[index]]
        return f"episode-{self._numbers[index]}"


class Looking(NamedTuple):
    """Through which camera an episode is looked at.

    Attributes:
        camera: its name; None where there is one only.
        yaw_deg: where it looks, counter-clockwise from the robot's x axis; None where that is not
            known.
    """

    camera: str | None
    yaw_deg: float | None

    @classmethod
    def of(cls, reading: Reading) -> Looking:
        """Return what ``--metaspace-camera=NAME@DEGREES`` says."""
        given = _CAMERA.fullmatch(reading.camera or "")
        if given is None:
            return cls(reading.camera, None)
        return cls(given["name"] or None, None if given["yaw"] is None else float(given["yaw"]))


def episodes(path: Path, reading: Reading | None = None) -> Sequence[str]:
    """Return the names of the episodes, by reading ``meta/info.json`` alone.

    Raises:
        TrajectoryError: it is not as it should be, or has several cameras and none was chosen.
    """
    from pytest_metaspace.trajectories._lerobot_meta import camera_of, info_of

    info = info_of(path)
    camera_of(path, info, Looking.of(reading or Reading()).camera)
    return Episodes(info.total_episodes)


def load(path: Path, reading: Reading | None = None) -> Trajectory:
    """Load one episode.

    Args:
        path: ``meta/info.json`` with the name of the episode behind it.
        reading: what a run says about it.

    Raises:
        TrajectoryError: nothing of it can be used; the text names the file and the field.
    """
    from pytest_metaspace.trajectories import _lerobot_meta as meta

    asked = reading or Reading()
    main = path.parent
    number = _EPISODE.fullmatch(path.name)
    if number is None:
        raise TrajectoryError(
            f"{main}: has no episode {path.name!a}; they are called episode-0 on."
        )
    info = meta.info_of(main)
    look = Looking.of(asked)
    camera = meta.camera_of(main, info, look.camera)
    found = meta.episode_of(main, info, int(number[1]), camera)
    return _Loader(path, info, found, camera, look, asked.frames).trajectory()


class _Loader:
    """Makes a trajectory of one episode, and collects what is wrong with it."""

    def __init__(
        self,
        path: Path,
        info: Info,
        episode: Episode,
        camera: str,
        look: Looking,
        frames: Path | None,
    ) -> None:
        from pytest_metaspace.trajectories._lerobot_rows import Rows

        self._path, self._info, self._episode = path, info, episode
        self._camera, self._look, self._frames = camera, look, frames
        self._rows = Rows(path.parent, info, episode)
        self._notes: list[str] = []

    def trajectory(self) -> Trajectory:
        """Return it."""
        from pytest_metaspace.domain import Camera, State, Truth
        from pytest_metaspace.trajectories import _moves
        from pytest_metaspace.trajectories._defects import without_stale_frames

        rows = self._rows
        rows.read()
        scenario = self._scenario()
        poses = self._turned(rows.poses, scenario)
        kept = (
            _moves.evenly(len(rows.times))
            if poses is None
            else _moves.thinned(poses, _moves.STRIDES[scenario])
        )
        shown = self._pictures(kept)
        kept = kept[: len(shown)]
        self._tell(len(kept))
        steady = None if poses is None else _moves.steadied([poses[index] for index in kept])
        moves = self._actions(kept, steady, scenario)
        states = tuple(
            State(
                index=index,
                frame=frame,
                action=moves[index],
                succeeded=None if moves[index] is None else True,
            )
            for index, frame in enumerate(shown)
        )
        width, height = rows.size
        made = self._made(
            scenario=scenario,
            step_length_m=_moves.step_length(moves, _moves.STRIDES[scenario].move_m),
            rotation_deg=_moves.turn_angle(moves),
            camera=Camera(width=width, height=height),
            states=states,
            truth=None if steady is None or scenario == "arm" else Truth(poses=steady, objects={}),
        )
        return without_stale_frames(made, within=0.5, field="picture of state {}")

    def _made(self, *, scenario: str, **fields: Any) -> Trajectory:
        from pytest_metaspace.domain import Trajectory
        from pytest_metaspace.trajectories import _hub

        root = self._path.parent.parent.parent
        return Trajectory(
            id=f"{_hub.name_of(root)}-{self._path.name}",
            source=self._path,
            scenario=scenario,
            vertical=scenario != "household",
            distance_metric="planar" if scenario == "household" else "spatial",
            mover="gripper" if scenario == "arm" and not self._at_the_hand else "agent",
            objects=(),
            warnings=tuple(self._notes),
            defects=tuple(self._rows.defects),
            **fields,
        )

    # ------------------------------------------------------------------------ what it is

    @property
    def _at_the_hand(self) -> bool:
        words = set(re.findall(r"[a-z]+", self._camera.lower()))
        return bool(words & {"wrist", "hand", "gripper", "eye"})

    def _scenario(self) -> str:
        from pytest_metaspace.trajectories._named_pose import guessed

        if self._rows.source is not None:
            return self._rows.source.scenario
        return guessed(self._info.robot_type or "", self._info.vectors)

    def _turned(self, poses: Any, scenario: str) -> Any:
        """Turn poses of the robot into those of its camera, where it is known how that looks."""
        yaw = self._look.yaw_deg
        if poses is None:
            self._notes.append(
                self._note(
                    f"has no pose: {self._rows.no_pose}; {scenario} is a guess from the names."
                )
            )
            return None
        if scenario == "arm":
            if self._at_the_hand:
                self._notes.append(
                    self._note(
                        f"camera {self._camera!a} moves with the hand, and how it is mounted is "
                        "not known: its moves are not."
                    )
                )
            elif yaw is None:
                self._notes.append(
                    self._note(
                        "where the camera looks is not known, so that moves of the gripper have no "
                        "direction in its pictures. Say it in degrees counter-clockwise from the x "
                        "axis of the robot's base: --metaspace-camera="
                        f"{self._camera.rsplit('.', 1)[-1]}@90"
                    )
                )
            return [replace(pose, yaw_deg=yaw or 0.0) for pose in poses]
        return poses if not yaw else [replace(one, yaw_deg=one.yaw_deg + yaw) for one in poses]

    def _note(self, text: str) -> str:
        return f"{self._path}: {text}"

    def _tell(self, kept: int) -> None:
        total = len(self._rows.times)
        if kept < total:
            self._notes.append(
                self._note(f"{kept} of its {total} pictures are its states (docs/logs-lerobot.md).")
            )
        if self._rows.source is not None and self._rows.poses is not None:
            self._notes.append(self._note(f"poses are read from {self._rows.source.told}."))

    # -------------------------------------------------------------------------- contents

    def _pictures(self, kept: Sequence[int]) -> list[Path]:
        found = self._rows.pictures(self._camera, kept, self._frames)
        shown = [path for path in found if path is not None]
        if len(shown) < 2:  # noqa: PLR2004 - as many states as a trajectory needs
            told = "\n".join(map(str, self._rows.defects))
            raise TrajectoryError(
                f"{self._path}: has {len(shown)} usable states; a trajectory needs two.\n{told}"
            )
        return shown

    def _actions(self, kept: Sequence[int], poses: Any, scenario: str) -> list[Any]:
        from pytest_metaspace.trajectories import _moves

        watched = scenario == "arm"
        unknown = poses is None or (watched and (self._look.yaw_deg is None or self._at_the_hand))
        found: list[Any] = [None] * len(kept)
        for index, (first, last) in enumerate(pairwise(kept)):
            if not unknown and not self._rows.broken(first, last):
                start, end = poses[index], poses[index + 1]
                found[index] = _moves.action(start, end, watched=watched)
        return found


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return replace(
        LEROBOT,
        load=lambda path: load(path, reading),
        episodes=lambda path: episodes(path, reading),
    )


LEROBOT = TrajectoryFormat(
    name="lerobot",
    matches=matches,
    load=load,
    episodes=episodes,
    configured=configured,
    summary="LeRobot data sets, v2.0 to v3.0 (meta/info.json)",
)
