"""The native format: a folder with ``trajectory.json`` and, beside it, what else is known.

``objects.json`` (tracked boxes) and ``truth.json`` (poses, places, extents) are optional; what
a trajectory lacks, the relations that need it skip with a reason.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_metaspace.domain import (
    Action,
    Box,
    Camera,
    State,
    TrackedObject,
    Trajectory,
)
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _schema as schema
from pytest_metaspace.trajectories import _truth as _truths
from pytest_metaspace.trajectories._journal import ABSENT, STEPS_FILE, Files, recorded

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Truth

_File = TypeVar("_File", bound=BaseModel)


def load(path: Path) -> Trajectory:
    """Load and check one trajectory.

    Args:
        path: its ``trajectory.json``.

    Raises:
        TrajectoryError: a file is missing or says something impossible; the text names the
            file, the field and what was expected.
    """
    files = _files(path)
    raw = _checked(path, files.trajectory, schema.TrajectoryFile)
    states = tuple(_state(path, index, state) for index, state in enumerate(raw.states))
    trajectory = Trajectory(
        id=raw.id,
        source=path,
        scenario=raw.scenario,
        step_length_m=raw.step_length_m,
        rotation_deg=raw.rotation_deg,
        vertical=raw.vertical,
        distance_metric=raw.distance_metric,
        camera=Camera(**raw.camera.model_dump()),
        mover=raw.mover,
        states=states,
        objects=_objects(path.with_name("objects.json"), files.objects, raw),
        truth=_truth(path.with_name("truth.json"), files.truth, raw),
        warnings=files.warnings,
    )
    _check_step(trajectory)
    _check_holds(trajectory)
    notes = _check_frames(trajectory)
    return replace(trajectory, warnings=(*trajectory.warnings, *notes)) if notes else trajectory


def _files(path: Path) -> Files:
    """Read what lies on disk; a recording that was never closed lies in its journal."""
    content = _json(path)
    if isinstance(content, dict) and "states" not in content:
        steps = path.with_name(STEPS_FILE)
        if steps.is_file():
            return recorded(path, content)
    return Files(
        content,
        _companion(path.with_name("objects.json")),
        _companion(path.with_name("truth.json")),
    )


def _companion(path: Path) -> object:
    return _json(path) if path.exists() else ABSENT


def _json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from problem
    except (ValueError, RecursionError) as problem:
        raise TrajectoryError(f"{path}: is not JSON in UTF-8 ({problem}).") from problem


def _checked(path: Path, content: object, model: type[_File]) -> _File:
    try:
        return model.model_validate(content)
    except ValidationError as problem:
        lines = [
            f"{path}: field {where or '(the whole file)'}: {what}"
            for where, what in schema.complaints(problem)
        ]
        raise TrajectoryError("\n".join(lines) + "\nSee docs/format.md.") from problem


def _state(path: Path, index: int, raw: schema.StateFile) -> State:
    where = f"{path}: field states.{index}"
    if raw.index is not None and raw.index != index:
        raise TrajectoryError(
            f"{where}.index: is {raw.index}, expected {index}; a counter that restarts or skips "
            "means that two runs were written into one file. Split them."
        )
    try:
        frame = (path.parent / raw.frame).resolve()
        inside, there = frame.is_relative_to(path.parent.resolve()), frame.is_file()
    except (OSError, ValueError, RuntimeError):  # too long, with a NUL, a loop of links
        inside, there = True, False
    if not inside:
        raise TrajectoryError(
            f"{where}.frame: {schema.brief(raw.frame)} leaves the folder of the trajectory."
        )
    if not there:
        raise TrajectoryError(
            f"{where}.frame: there is no file {schema.brief(raw.frame)} in {path.parent}."
        )
    action = None if raw.action is None else Action(**raw.action.model_dump())
    return State(index=index, frame=frame, action=action, succeeded=raw.succeeded, holds=raw.holds)


def _objects(
    path: Path, content: object, trajectory: schema.TrajectoryFile
) -> tuple[TrackedObject, ...]:
    if content is ABSENT:
        return ()
    raw = _checked(path, content, schema.ObjectsFile)
    seen: set[str] = set()
    for i, thing in enumerate(raw.objects):
        if thing.id in seen:
            raise TrajectoryError(
                f"{path}: field objects.{i}.id: {schema.brief(thing.id)} occurs twice."
            )
        seen.add(thing.id)
        for j, box in enumerate(thing.boxes):
            _check_box(f"{path}: field objects.{i}.boxes.{j}", box, trajectory)
        frames = [box.frame for box in thing.boxes]
        if len(set(frames)) != len(frames):
            raise TrajectoryError(f"{path}: field objects.{i}.boxes: two boxes in one frame.")
    return tuple(
        TrackedObject(
            id=thing.id,
            label=thing.label,
            boxes={box.frame: Box(*box.xyxy) for box in thing.boxes},
            confidences={box.frame: box.confidence for box in thing.boxes},
        )
        for thing in raw.objects
    )


def _check_box(where: str, box: schema.BoxFile, trajectory: schema.TrajectoryFile) -> None:
    if box.frame >= len(trajectory.states):
        raise TrajectoryError(
            f"{where}.frame: is {box.frame}, but there are {len(trajectory.states)} states."
        )
    problem = schema.box_problem(box.xyxy, trajectory.camera.width, trajectory.camera.height)
    if problem is not None:
        raise TrajectoryError(f"{where}.xyxy: {problem}")


def _truth(path: Path, content: object, trajectory: schema.TrajectoryFile) -> Truth | None:
    if content is ABSENT:
        return None
    raw = _checked(path, content, schema.TruthFile)
    return _truths.made(path, raw, states=len(trajectory.states), mover=trajectory.mover)


def _check_holds(trajectory: Trajectory) -> None:
    """What is held is an object, where objects are told."""
    for state in trajectory.states:
        if state.holds is not None and trajectory.objects and state.holds not in trajectory.by_id:
            raise TrajectoryError(
                f"{trajectory.source}: field states.{state.index}.holds: objects.json knows no "
                f"{schema.brief(state.holds)}. Write the id of an object there, or null."
            )


def _check_step(trajectory: Trajectory) -> None:
    """A step must not exceed the shortest executed translation (RELATIONS, "Distances")."""
    lengths = [
        state.action.length_m
        for state in trajectory.states
        if state.action is not None and state.action.translates and state.succeeded
    ]
    if lengths and schema.step_too_long(trajectory.step_length_m, min(lengths)):
        raise TrajectoryError(
            f"{trajectory.source}: field step_length_m: is {trajectory.step_length_m:g}, longer "
            f"than the shortest executed move. Set it to {min(lengths):g} or less."
        )


def _check_frames(trajectory: Trajectory) -> tuple[str, ...]:
    """Return what to say of moves that left the picture as it was.

    A camera that moved sees something else, so equal pictures mean a broken recording. A mover
    that is watched may have been out of sight.

    Raises:
        TrajectoryError: the camera itself is said to have moved.
    """
    notes = []
    states = trajectory.states
    for state, after in pairwise(states):
        moved = state.action is not None and (state.action.translates or state.action.turns)
        if moved and state.succeeded and _digest(state.frame) == _digest(after.frame):
            assert state.action is not None
            text = (
                f"{trajectory.source}: field states.{after.index}.frame: is the same picture as "
                f"that of state {state.index}, though the action {state.action.name!r} between "
                "them is said to have succeeded. "
            )
            cure = (
                "Record the frame after the action, or set "
                f"states.{state.index}.succeeded to false."
            )
            if not trajectory.watched:
                raise TrajectoryError(text + cure)
            notes.append(f"{text}If the {trajectory.mover} was not out of sight both times: {cure}")
    return tuple(notes)


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
