"""The benchmark's own walks, as the user downloaded or generated them: one folder a walk.

``NNNN-run/images`` holds the pictures, ``annotations.csv`` with what each of them shows, and up to
five files of questions. No picture is opened but the first one, for its size.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Action, Camera, State, Trajectory, Truth
from pytest_metaspace.domain import Pose as TruePose
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites.rem import _own_items, _own_places, _own_walk
from pytest_metaspace.suites.rem._own_reading import FILES
from pytest_metaspace.suites.rem._own_tables import PAGE
from pytest_metaspace.suites.rem._scene import EYE_M, HEIGHT, STEP_M, TURN_DEG, WIDTH
from pytest_metaspace.trajectories._defects import Unusable, brief, put_right, size_of
from pytest_metaspace.trajectories._moments import Findings
from pytest_metaspace.trajectories._stills import default_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites.rem._scene import Pose
    from pytest_metaspace.suites.rem._seen import Kind, Move, Walk

_IMAGES: Final = "images"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME: Final = 80
_SAME_ASPECT: Final = 0.01
_NAMES: Final[dict[Kind, str]] = {"walk": "rem", "frame": "rem-frame", "rotation": "rem-turn"}


def load(path: Path, frames: Path | None) -> Trajectory:
    """Load one walk with its questions.

    Args:
        path: its ``annotations.csv``.
        frames: the folder in which changed pictures are kept.

    Raises:
        TrajectoryError: it cannot be asked about; the text names the file, the row and the field.
    """
    findings = Findings(path)
    run = path.parent.parent if path.parent.name == _IMAGES else path.parent
    name = _UNSAFE.sub("_", run.name).strip("._-")[:_LONGEST_NAME] or "run"
    if path.parent.name != _IMAGES and not (run / _own_places.SCENE).is_file():
        findings.add(
            "",
            f"lies in a folder {brief(path.parent.name)}, expected images: what lies beside that "
            "folder of a walk is not known.",
            "Rename it; if a link called images leads here, move it out of what is run.",
        )
    told = _own_walk.read(path, name, frames or default_folder(), findings)
    there = [one for one in FILES if (path.parent / one).is_file()]
    if not there:
        raise findings.nothing_left(
            f"no file of questions lies beside it; expected {', '.join(FILES)}. {PAGE}"
        )
    missing = [one for one in FILES if one not in there]
    if missing and told.walk.kind == "walk":
        findings.add(
            "",
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing beside it; such "
            "questions are not asked.",
            "Copy the whole folder.",
        )
    poses = _own_places.poses_of(told, findings)
    told = replace(told, walk=_own_places.placed(told, poses, run, findings))
    items: dict[str, Item] = {
        item.task: item for item in _own_items.items(told, path.parent, findings)
    }
    if not items:
        raise findings.nothing_left(f"none of its questions can be asked. {PAGE}")
    shown = told.walk
    native = poses is not None and shown.kind != "frame"
    return Trajectory(
        id=f"{_NAMES[shown.kind]}-{name}",
        source=path,
        scenario="single-frame" if shown.kind == "frame" else "household",
        step_length_m=STEP_M,
        rotation_deg=TURN_DEG,
        vertical=False,
        distance_metric="planar",
        camera=_camera(shown.pictures[0]),
        mover="agent",
        states=tuple(_states(shown)),
        objects=(),
        truth=_truth(poses) if poses is not None and native else None,
        defects=findings.all,
        items=items,
        only_items=not native,
    )


def _camera(picture: Path) -> Camera:
    """Return the camera, which sees 90 degrees across.

    Raises:
        TrajectoryError: the picture is none.
    """
    try:
        width, height = size_of(picture)
    except Unusable as problem:
        raise TrajectoryError(put_right(picture, problem)) from problem
    if abs(width / height - WIDTH / HEIGHT) > _SAME_ASPECT:  # squeezed, as for their models
        return Camera(width=width, height=height)
    middle, focal = (width / 2, height / 2), width / 2
    return Camera(width=width, height=height, fx=focal, fy=focal, cx=middle[0], cy=middle[1])


def _states(walk: Walk) -> Iterator[State]:
    for number, picture in enumerate(walk.pictures):
        move = walk.moves[number] if number < len(walk.moves) else None
        yield State(
            index=number,
            frame=picture,
            action=None if move is None else _action(move),
            succeeded=None if move is None else True,
        )


def _action(move: Move) -> Action:
    return Action(name=move.name, move_m=(move.forward_m, 0.0, 0.0), turn_deg=move.turn_deg)


def _truth(poses: Sequence[Pose]) -> Truth:
    """Return where the camera was; where the things are seen is not known."""
    return Truth(
        poses=tuple(TruePose(position=(one.x, one.y, EYE_M), yaw_deg=one.yaw_deg) for one in poses),
        objects={},
    )
