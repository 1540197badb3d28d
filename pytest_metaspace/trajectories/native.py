"""The native format: a folder with ``trajectory.json`` and, beside it, what else is known.

``objects.json`` (tracked boxes) and ``truth.json`` (poses, places, extents) are optional; what
a trajectory lacks, the relations that need it skip with a reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Action, Camera, State, Trajectory
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _companions
from pytest_metaspace.trajectories import _schema as schema
from pytest_metaspace.trajectories._companions import checked
from pytest_metaspace.trajectories._defects import Unusable, brief, file_in, stale_frames
from pytest_metaspace.trajectories._journal import ABSENT, STEPS_FILE, Files, recorded
from pytest_metaspace.trajectories._json_text import json_of
from pytest_metaspace.trajectories.items import QUESTIONS

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import TrackedObject, Truth


def load(path: Path) -> Trajectory:
    """Load and check one trajectory.

    Args:
        path: its ``trajectory.json``.

    Raises:
        TrajectoryError: a file is missing or says something impossible; the text names the
            file, the field and what was expected.
    """
    files = _files(path)
    raw = checked(path, files.trajectory, schema.TrajectoryFile)
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
        objects=_objects(path.with_name(_companions.OBJECTS), files.objects, raw),
        truth=_truth(path.with_name(_companions.TRUTH), files.truth, raw),
        warnings=files.warnings,
    )
    asked = path.with_name(QUESTIONS)
    if asked.is_file():
        from pytest_metaspace.trajectories import _item_reading

        trajectory = replace(trajectory, items=_item_reading.questions(asked))
    _check_step(trajectory)
    _check_holds(trajectory)
    notes = _check_frames(trajectory)
    return replace(trajectory, warnings=(*trajectory.warnings, *notes)) if notes else trajectory


def _files(path: Path) -> Files:
    """Read what lies on disk; a recording that was never closed lies in its journal."""
    content = json_of(path)
    if isinstance(content, dict) and "states" not in content:
        steps = path.with_name(STEPS_FILE)
        if steps.is_file():
            return recorded(path, content)
    return Files(
        content,
        _companion(path.with_name(_companions.OBJECTS)),
        _companion(path.with_name(_companions.TRUTH)),
    )


def _companion(path: Path) -> object:
    return json_of(path) if path.exists() or path.is_symlink() else ABSENT


def _state(path: Path, index: int, raw: schema.StateFile) -> State:
    where = f"{path}: field states.{index}"
    if raw.index is not None and raw.index != index:
        raise TrajectoryError(
            f"{where}.index: is {raw.index}, expected {index}; a counter that restarts or skips "
            "means that two runs were written into one file. Split them."
        )
    try:
        frame = file_in(path.parent, raw.frame)
    except Unusable as problem:
        raise TrajectoryError(f"{where}.frame: {problem}") from None
    action = None if raw.action is None else Action(**raw.action.model_dump())
    return State(index=index, frame=frame, action=action, succeeded=raw.succeeded, holds=raw.holds)


def _objects(path: Path, content: object, raw: schema.TrajectoryFile) -> tuple[TrackedObject, ...]:
    if content is ABSENT:
        return ()
    size = raw.camera.width, raw.camera.height
    return _companions.objects(path, content, states=len(raw.states), size=size)


def _truth(path: Path, content: object, raw: schema.TrajectoryFile) -> Truth | None:
    if content is ABSENT:
        return None
    return _companions.truth(path, content, states=len(raw.states), mover=raw.mover)


def _check_holds(trajectory: Trajectory) -> None:
    """What is held is an object, where objects are told."""
    for state in trajectory.states:
        if state.holds is not None and trajectory.objects and state.holds not in trajectory.by_id:
            raise TrajectoryError(
                f"{trajectory.source}: field states.{state.index}.holds: objects.json knows no "
                f"{brief(state.holds)}. Write the id of an object there, or null."
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
    for state, after in stale_frames(trajectory.states):
        assert state.action is not None
        text = (
            f"{trajectory.source}: field states.{after.index}.frame: is the same picture as that "
            f"of state {state.index}, though the action {state.action.name!r} between them is said "
            "to have succeeded. "
        )
        cure = f"Record the frame after the action, or set states.{state.index}.succeeded to false."
        if not trajectory.watched:
            raise TrajectoryError(text + cure)
        notes.append(f"{text}If the {trajectory.mover} was not out of sight both times: {cure}")
    return tuple(notes)
