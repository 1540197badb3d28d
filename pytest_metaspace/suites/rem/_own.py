"""The benchmark's own walks, as the user downloaded or generated them: one folder a walk.

``NNNN-run/images`` holds the pictures, ``annotations.csv`` with what each of them shows, and up to
five files of questions. No picture is opened but the first one, for its size.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Camera, State, Trajectory
from pytest_metaspace.suites.rem import _own_items, _own_places, _own_walk
from pytest_metaspace.suites.rem._own_reading import FILES
from pytest_metaspace.suites.rem._own_tables import PAGE
from pytest_metaspace.trajectories._defects import Unusable, size_of
from pytest_metaspace.trajectories._moments import Findings
from pytest_metaspace.trajectories._stills import default_folder

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites.rem._seen import Kind

_IMAGES: Final = "images"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME: Final = 80
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
    items: dict[str, Item] = {item.task: item for item in _own_items.items(told, path.parent, findings)}
    if not items:
        raise findings.nothing_left(f"none of its questions can be asked. {PAGE}")
    first = told.walk.pictures[0]
    try:
        width, height = size_of(first)
    except Unusable as problem:
        raise Findings(first).nothing_left(str(problem)) from problem
    return Trajectory(
        id=f"{_NAMES[told.walk.kind]}-{name}",
        source=path,
        scenario="single-frame" if told.walk.kind == "frame" else "household",
        step_length_m=1.0,
        vertical=False,
        distance_metric="planar",
        camera=Camera(width=width, height=height),
        mover="agent",
        states=tuple(State(index=at, frame=one) for at, one in enumerate(told.walk.pictures)),
        objects=(),
        truth=None,
        defects=findings.all,
        items=items,
        only_items=True,
    )
