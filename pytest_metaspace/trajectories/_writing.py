"""A trajectory of any format as a folder of the native one (docs/format.md)."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import FRAMES, MAIN_FILE
from pytest_metaspace.trajectories._companions import OBJECTS, TRUTH
from pytest_metaspace.trajectories._folder import put

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_metaspace.domain import State, TrackedObject, Trajectory, TrueObject, Truth

IMPORTED = "imported_from"
"""The field of ``trajectory.json`` that says what it was made of; no reader of ours needs it."""


def write(trajectory: Trajectory, folder: Path, origin: Mapping[str, Any]) -> Path:
    """Write a trajectory into a folder, and read it back to see that it is the same.

    Args:
        trajectory: as it was loaded; its pictures are copied byte by byte.
        folder: made; must be empty or missing.
        origin: what is kept of where it came from.

    Returns:
        Its ``trajectory.json``.

    Raises:
        TrajectoryError: the native format cannot hold it, or the folder cannot be written.
    """
    try:
        frames = _pictures(trajectory, folder)
        if trajectory.objects:
            put(folder / OBJECTS, _objects(trajectory))
        if trajectory.truth is not None:
            put(folder / TRUTH, _truth(trajectory.truth))
        put(folder / MAIN_FILE, {**_main(trajectory, frames), IMPORTED: dict(origin)})
    except OSError as problem:
        raise TrajectoryError(
            f"{folder}: cannot be written ({problem.strerror or problem})."
        ) from problem
    _read_back(folder / MAIN_FILE, trajectory)
    return folder / MAIN_FILE


def _read_back(path: Path, trajectory: Trajectory) -> None:
    from pytest_metaspace.trajectories import native

    found = native.load(path)
    for field in (
        "id", "scenario", "step_length_m", "rotation_deg", "vertical", "distance_metric", "camera",
        "mover", "objects", "truth",
    ):  # fmt: skip
        if getattr(found, field) != getattr(trajectory, field):
            raise TrajectoryError(f"{path}: field {field}: the native format cannot hold it.")
    told = [(s.action, s.succeeded, s.holds) for s in found.states]
    if told != [(s.action, s.succeeded, s.holds) for s in trajectory.states]:
        raise TrajectoryError(f"{path}: field states: the native format cannot hold them.")


def _pictures(trajectory: Trajectory, folder: Path) -> list[str]:
    """Copy the pictures; one that is shown twice lies there once. Return their names."""
    (folder / FRAMES).mkdir(parents=True, exist_ok=True)
    names: dict[Path, str] = {}
    for state in trajectory.states:
        if state.frame not in names:
            name = f"{FRAMES}/{state.index:06d}{state.frame.suffix.lower()}"
            shutil.copyfile(state.frame, folder / name)
            names[state.frame] = name
    return [names[state.frame] for state in trajectory.states]


def _main(trajectory: Trajectory, frames: list[str]) -> dict[str, Any]:
    camera = {key: value for key, value in asdict(trajectory.camera).items() if value is not None}
    return {
        "format": "metaspace-trajectory",
        "version": 1,
        "id": trajectory.id,
        "scenario": trajectory.scenario,
        "step_length_m": trajectory.step_length_m,
        "rotation_deg": trajectory.rotation_deg,
        "vertical": trajectory.vertical,
        "distance_metric": trajectory.distance_metric,
        "camera": camera,
        "mover": trajectory.mover,
        "states": [_state(*both) for both in zip(trajectory.states, frames)],
    }


def _state(state: State, frame: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "frame": frame,
        "action": None if state.action is None else asdict(state.action),
        "succeeded": state.succeeded,
    }
    return told if state.holds is None else {**told, "holds": state.holds}


def _objects(trajectory: Trajectory) -> dict[str, Any]:
    things = [_object(thing) for thing in trajectory.objects]
    return {"format": "metaspace-objects", "version": 1, "objects": things}


def _object(thing: TrackedObject) -> dict[str, Any]:
    boxes = [
        {
            "frame": frame,
            "xyxy": [box.x1, box.y1, box.x2, box.y2],
            "confidence": thing.confidences[frame],
        }
        for frame, box in thing.boxes.items()
    ]
    return {"id": thing.id, "label": thing.label, "boxes": boxes}


def _truth(truth: Truth) -> dict[str, Any]:
    told: dict[str, Any] = {
        "format": "metaspace-truth",
        "version": 1,
        "poses": [asdict(pose) for pose in truth.poses],
        "objects": [_true_object(thing) for thing in truth.objects.values()],
    }
    return (
        told if truth.mover is None else {**told, "mover": [list(place) for place in truth.mover]}
    )


def _true_object(thing: TrueObject) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": thing.id,
        "label": thing.label,
        "center": list(thing.center),
        "extent": list(thing.extent),
        "rest": [list(stretch) for stretch in thing.rest],
        "visibility": [
            {"frame": frame, "height_fraction": share} for frame, share in thing.visible.items()
        ],
    }
    if thing.centers is None:
        return told
    return {**told, "centers": [list(place) for place in thing.centers]}
