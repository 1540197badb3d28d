"""``camera.json``, ``objects.json``, ``truth.json``: what can be added to a log of any format.

They lie beside a log's main file or, where that holds several episodes or is not alone in its
folder, in ``STEM.metaspace/`` beside it: ``runs/info.json`` has ``runs/info.metaspace/``, and its
episode *k3* ``runs/info.metaspace/k3/``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from pytest_metaspace.domain import Box, Camera, TrackedObject
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_text import json_of

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import BaseModel

    from pytest_metaspace.domain import Trajectory, Truth
    from pytest_metaspace.trajectories import _schema

    _File = TypeVar("_File", bound=BaseModel)

CAMERA = "camera.json"
OBJECTS = "objects.json"
TRUTH = "truth.json"
SUFFIX = ".metaspace"


def folders_of(source: Path) -> tuple[Path, ...]:
    """Return where companions of a log may lie, those of its own first.

    Args:
        source: its main file, with the name of the episode behind it where it holds several.
    """
    main = source.parent
    if main.is_file():
        return (main.with_name(f"{main.stem}{SUFFIX}") / source.name,)
    return (source.with_name(f"{source.stem}{SUFFIX}"), source.parent)


def completed(trajectory: Trajectory) -> Trajectory:
    """Return a trajectory with camera, objects and truth that lie beside its log, if any do.

    Raises:
        TrajectoryError: a file there is not as it should be.
    """
    states = len(trajectory.states)
    size = trajectory.camera.width, trajectory.camera.height
    for name in (CAMERA, OBJECTS, TRUTH):
        places = (place / name for place in folders_of(trajectory.source))
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            continue
        content = json_of(path)
        if name == CAMERA:
            trajectory = replace(trajectory, camera=camera(path, content, size=size))
        elif name == OBJECTS:
            found = objects(path, content, states=states, size=size)
            trajectory = replace(trajectory, objects=found)
        else:
            made = truth(path, content, states=states, mover=trajectory.mover)
            trajectory = replace(trajectory, truth=made)
    return trajectory


def camera(path: Path, content: object, *, size: tuple[int, int]) -> Camera:
    """Return the camera that a ``camera.json`` tells of: the field ``camera`` of the native format.

    Args:
        path: the file, for messages.
        content: what it says.
        size: of the pictures, width and height.

    Raises:
        TrajectoryError: it says something impossible.
    """
    from pytest_metaspace.trajectories import _schema as schema

    raw = checked(path, content, schema.CameraFile)
    if (raw.width, raw.height) != size:
        raise TrajectoryError(
            f"{path}: field width: says {raw.width} x {raw.height} pixels, but the pictures have "
            f"{size[0]} x {size[1]}. Boxes are told in the camera's pixels."
        )
    return Camera(**raw.model_dump())


def checked(path: Path, content: object, model: type[_File]) -> _File:
    """Check what a file says against a model of the native format.

    Raises:
        TrajectoryError: it does not fit; the text names each field.
    """
    from pydantic import ValidationError

    from pytest_metaspace.trajectories._schema import complaints

    try:
        return model.model_validate(content)
    except ValidationError as problem:
        lines = [
            f"{path}: field {where or '(the whole file)'}: {what}"
            for where, what in complaints(problem)
        ]
        raise TrajectoryError("\n".join(lines) + "\nSee docs/format.md.") from problem


def objects(
    path: Path, content: object, *, states: int, size: tuple[int, int]
) -> tuple[TrackedObject, ...]:
    """Return the objects that an ``objects.json`` tells of.

    Args:
        path: the file, for messages.
        content: what it says.
        states: of the trajectory.
        size: of its camera's pictures, width and height.

    Raises:
        TrajectoryError: it says something impossible.
    """
    from pytest_metaspace.trajectories import _schema as schema

    raw = checked(path, content, schema.ObjectsFile)
    seen: set[str] = set()
    for i, thing in enumerate(raw.objects):
        if thing.id in seen:
            raise TrajectoryError(f"{path}: field objects.{i}.id: {brief(thing.id)} occurs twice.")
        seen.add(thing.id)
        for j, box in enumerate(thing.boxes):
            _check_box(f"{path}: field objects.{i}.boxes.{j}", box, states, size)
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


def _check_box(where: str, box: _schema.BoxFile, states: int, size: tuple[int, int]) -> None:
    from pytest_metaspace.trajectories._schema import box_problem

    if box.frame >= states:
        raise TrajectoryError(f"{where}.frame: is {box.frame}, but there are {states} states.")
    problem = box_problem(box.xyxy, *size)
    if problem is not None:
        raise TrajectoryError(f"{where}.xyxy: {problem}")


def truth(path: Path, content: object, *, states: int, mover: str) -> Truth:
    """Return what a ``truth.json`` tells; as ``objects``."""
    from pytest_metaspace.trajectories import _schema as schema
    from pytest_metaspace.trajectories import _truth as truths

    return truths.made(path, checked(path, content, schema.TruthFile), states=states, mover=mover)
