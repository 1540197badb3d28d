"""A trajectory out of a video and the rows of its actions."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from pytest_metaspace.domain import Action, Camera, Defect, State, Trajectory, Truth
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _acted, _moves, _stills
from pytest_metaspace.trajectories._defects import (
    Unusable,
    brief,
    file_in,
    without_stale_frames,
)
from pytest_metaspace.trajectories._schema import step_too_long
from pytest_metaspace.trajectories.video import VIDEOS, stem_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._acted import Head, Row

_LONGEST_S, _LONGER = 60.0, 10.0
_NEAR_M, _NEAR_DEG, _NEAR_SHARE = 0.05, 5.0, 0.2
_FEWEST = 2


def load(path: Path, reading: Reading) -> Trajectory:
    """Load one video with its actions; as ``video.load``."""
    head, rows, defects = _acted.read(path)
    video = _video(path, head, reading)
    film = _stills.film(video)
    half = 0.5 / film.rate if film.rate else 0.0
    last = film.length_s - half if film.length_s else math.inf
    times = [min(row.time, last) if row.time <= last + 2 * half else row.time for row in rows]
    shown = _stills.stills(video, times, reading.frames)
    found = list(defects)
    end = next((place for place, still in enumerate(shown) if still is None), len(shown))
    if end < len(rows):
        found.append(
            Defect(
                path,
                "time",
                rows[end].line,
                f"is {rows[end].time:g}, but the video {video.name} ends "
                f"after {film.length_s:g} s; this row and what follows are left out.",
                "Fetch the whole video.",
            )
        )
    rows = rows[:end]
    if len(rows) < _FEWEST:
        told = "\n".join(map(str, found))
        raise TrajectoryError(
            f"{path}: has {len(rows)} usable rows; a trajectory needs two.\n{told}"
        )
    notes = tuple(_notes(path, head, rows))
    if head.scenario == "arm":
        rows = tuple(row._replace(pose=None) for row in rows)
    rows = _checked(path, rows, found)
    states = tuple(
        State(index=index, frame=frame, action=row.action, succeeded=row.succeeded)
        for index, (row, frame) in enumerate(zip(rows, shown))
        if frame is not None
    )
    poses = [row.pose for row in rows if row.pose is not None]
    made = Trajectory(
        id=head.id or stem_of(path) or path.name,
        source=path,
        scenario=head.scenario,
        step_length_m=_step(path, head, states),
        rotation_deg=head.rotation_deg or _moves.turn_angle([state.action for state in states]),
        vertical=head.scenario != "household",
        distance_metric="planar" if head.scenario == "household" else "spatial",
        camera=Camera(
            width=film.width, height=film.height, fx=head.fx, fy=head.fy, cx=head.cx, cy=head.cy
        ),
        mover="gripper" if head.scenario == "arm" else "agent",
        states=states,
        objects=(),
        truth=None
        if len(poses) < len(states) or head.scenario == "arm"
        else Truth(poses=_moves.steadied(poses), objects={}),
        warnings=notes,
        defects=tuple(found),
    )
    return without_stale_frames(made, within=0.5, field="time of row {}")


def _video(path: Path, head: Head, reading: Reading) -> Path:
    """Return the video: the one that is named, or that of the same name."""
    folders = [path.parent, *(() if reading.images is None else (reading.images,))]
    stem = stem_of(path) or ""
    names = [head.video] if head.video is not None else [stem + ending for ending in VIDEOS]
    problem = Unusable("there is no video.")
    for folder in folders:
        for name in names:
            try:
                return file_in(folder, name)
            except Unusable as found:
                problem = found
    if head.video is None:
        problem = Unusable(f"there is no {stem}.mp4 (or {', '.join(VIDEOS[1:])}) beside it.")
    raise TrajectoryError(
        f"{path}: field video: {problem} Put it there, name it in the field video, or say in which "
        "folder videos are: --metaspace-images=FOLDER."
    )


def _step(path: Path, head: Head, states: tuple[State, ...]) -> float:
    moves = [state.action for state in states if state.succeeded is not False]
    found = _moves.step_length(moves, _moves.STRIDES[head.scenario].move_m)
    if head.step_length_m is None:
        return found
    if any(one is not None and one.translates for one in moves) and step_too_long(
        head.step_length_m, found
    ):
        raise TrajectoryError(
            f"{path}: field step_length_m: is {head.step_length_m:g}, longer than the shortest "
            f"executed move. Set it to {found:g} or less."
        )
    return head.step_length_m


def _notes(path: Path, head: Head, rows: tuple[Row, ...]) -> list[str]:
    notes = []
    posed = head.scenario != "arm" and rows[0].pose is not None
    if not posed and all(row.succeeded is None for row in rows[:-1]):
        notes.append(
            f"{path}: does not say which actions succeeded (column succeeded), nor where the "
            "camera was (x, y, yaw_deg); what counts on exact moves is not asked."
        )
    if head.scenario == "arm" and rows[0].pose is not None:
        notes.append(
            f"{path}: poses are left out: of an arm they would be the camera's, which stays."
        )
    last = rows[-1].action
    if last is not None and (last.translates or last.turns):
        notes.append(
            f"{path}: the action of its last row is left out: nobody saw where it led. Add a row "
            "for its end."
        )
    return notes


# --------------------------------------------------------------------- what does not fit


def _checked(path: Path, rows: tuple[Row, ...], defects: list[Defect]) -> tuple[Row, ...]:
    """Return rows without actions that gaps or poses contradict; the last has none."""
    lengths = [after.time - row.time for row, after in pairwise(rows)]
    longest = max(_LONGEST_S, _LONGER * median(lengths))
    made = []
    for row, length in zip(rows, lengths):
        if length > longest:
            defects.append(
                Defect(
                    path,
                    "time",
                    row.line,
                    f"is followed by a gap of {length:g} s; what was done in it counts as unknown.",
                    "Split the run there, or add rows.",
                )
            )
            row = row._replace(action=None, succeeded=None)  # noqa: PLW2901 - the same row
        made.append(row)
    made.append(rows[-1]._replace(action=None, succeeded=None))
    return _Odometry(path, tuple(made), defects).checked()


class _Step(NamedTuple):
    """An action, and what the poses say that it did."""

    place: int
    told: Action
    done: Action


class _Odometry:
    """Holds the actions of rows against their poses, and tells where they contradict."""

    def __init__(self, path: Path, rows: tuple[Row, ...], defects: list[Defect]) -> None:
        self._path, self._rows, self._defects = path, rows, defects

    def checked(self) -> tuple[Row, ...]:
        """Return the rows; what fits its poses succeeded, unless it is said not to have."""
        steps = list(self._steps())
        turned = [one for one in steps if one.told.turns and one.done.turns]
        mirrored = [one for one in turned if _near(one.told, _mirrored(one.done))]
        if (
            mirrored
            and len(mirrored) == len(turned)
            and not any(_near(one.told, one.done) for one in turned)
        ):
            self._tell(
                mirrored[0].place,
                "yaw_deg",
                "grows where the actions turn right; poses are not used, and which actions "
                "succeeded counts as unknown.",
                "Count yaw_deg counter-clockwise from +x, seen from above.",
            )
            return tuple(row._replace(pose=None, succeeded=None) for row in self._rows)
        made = list(self._rows)
        for one in steps:
            row = made[one.place]
            if _near(one.told, one.done):
                made[one.place] = row._replace(succeeded=row.succeeded is not False)
            elif row.succeeded is not False:
                self._tell(
                    one.place,
                    "action",
                    f"{brief(one.told.name)} does not fit the poses, "
                    f"which {_words(one.done)}; it counts as unknown.",
                    "Correct the action, or the units and axes of the poses.",
                )
                made[one.place] = row._replace(action=None, succeeded=None)
        return tuple(made)

    def _steps(self) -> list[_Step]:
        found = []
        for place, (row, after) in enumerate(pairwise(self._rows)):
            if row.action is not None and row.pose is not None and after.pose is not None:
                found.append(_Step(place, row.action, _moves.action(row.pose, after.pose)))
        return found

    def _tell(self, place: int, field: str, what: str, cure: str) -> None:
        line = self._rows[place].line
        name = field if line is not None else f"actions.{place}.{field}"
        self._defects.append(Defect(self._path, name, line, what, cure))


def _mirrored(action: Action) -> Action:
    return replace(action, turn_deg=-action.turn_deg)


def _near(told: Action, done: Action) -> bool:
    """Whether an action did about what it says."""
    far = math.dist(told.move_m, done.move_m)
    off = abs(_moves.between(told.turn_deg, done.turn_deg))
    return far <= max(_NEAR_M, _NEAR_SHARE * told.length_m) and off <= max(
        _NEAR_DEG, _NEAR_SHARE * abs(told.turn_deg)
    )


def _words(done: Action) -> str:
    forward, right, up = done.move_m
    return (
        f"go {forward:g} m forward, {right:g} m right and {up:g} m up, and turn {done.turn_deg:g} "
        "degrees clockwise"
    )
