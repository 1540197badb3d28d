"""Small made-up trajectories for the tests of the core: in memory, and as files of pictures."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from pytest_metaspace.domain import (
    Action,
    Box,
    Camera,
    Case,
    Pose,
    Settings,
    State,
    TrackedObject,
    Trajectory,
    TrueObject,
    Truth,
)
from pytest_metaspace.pipeline import Registries, plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.domain import Capability, Metric, Vector

ROOT = Path(__file__).resolve().parent.parent
HOUSEHOLD = ROOT / "fixtures" / "household"
WIDTH, HEIGHT = 640, 480

FORWARD = Action(name="move_forward", move_m=(0.5, 0.0, 0.0))
BACK = Action(name="move_backward", move_m=(-0.5, 0.0, 0.0))
RIGHT = Action(name="move_right", move_m=(0.0, 0.5, 0.0))
TURN = Action(name="turn_right", turn_deg=45.0)
ODD_TURN = Action(name="turn_left", turn_deg=-30.0)


# ------------------------------------------------------------------------------- in memory


def thing(
    name: str,
    boxes: Mapping[int, tuple[float, float, float, float]],
    *,
    label: str | None = None,
    confidence: float | Mapping[int, float] = 0.9,
) -> TrackedObject:
    """Return a tracked object."""
    sure = confidence if not isinstance(confidence, float) else dict.fromkeys(boxes, confidence)
    return TrackedObject(
        id=name,
        label=name if label is None else label,
        boxes={frame: Box(*box) for frame, box in boxes.items()},
        confidences=dict(sure),
    )


def walked(actions: Sequence[Action | None], *, yaw_deg: float = 0.0) -> tuple[Pose, ...]:
    """Return the poses of a walk from the origin, a camera one metre above the floor."""
    x, y, z, yaw = 0.0, 0.0, 1.0, yaw_deg
    poses = [Pose(position=(x, y, z), yaw_deg=yaw)]
    for action in actions:
        if action is not None:
            ahead, aside, up = action.move_m
            turned = math.radians(yaw)
            x += ahead * math.cos(turned) + aside * math.sin(turned)
            y += ahead * math.sin(turned) - aside * math.cos(turned)
            z += up
            yaw -= action.turn_deg
        poses.append(Pose(position=(x, y, z), yaw_deg=yaw))
    return tuple(poses)


def placed(
    name: str,
    center: Vector,
    *,
    extent: Vector = (0.4, 0.4, 0.8),
    rest: tuple[tuple[int, int], ...] = ((0, 999),),
    visible: Mapping[int, float] | None = None,
) -> TrueObject:
    """Return where an object really is."""
    return TrueObject(
        id=name,
        label=name,
        center=center,
        extent=extent,
        rest=rest,
        visible=dict.fromkeys(range(1000), 1.0) if visible is None else visible,
    )


def trajectory(
    actions: Sequence[Action | None] = (FORWARD, TURN, FORWARD),
    objects: Sequence[TrackedObject] = (),
    *,
    places: Sequence[TrueObject] | None = None,
    poses: tuple[Pose, ...] | None = None,
    succeeded: Sequence[bool | None] | None = None,
    name: str = "made-up",
    scenario: str = "household",
    step_length_m: float = 0.5,
    vertical: bool = False,
    distance_metric: Metric = "planar",
    mover: str = "agent",
    focal: float | None = 400.0,
    folder: Path = Path("/nowhere"),
) -> Trajectory:
    """Return a trajectory in memory; there is ground truth when ``places`` is given."""
    went = list(succeeded) if succeeded is not None else [True] * len(actions)
    states = [
        State(index=i, frame=folder / f"{i:03d}.png", action=action, succeeded=went[i])
        for i, action in enumerate(actions)
    ]
    states.append(State(index=len(actions), frame=folder / f"{len(actions):03d}.png"))
    truth = None
    if places is not None:
        truth = Truth(
            poses=walked(actions) if poses is None else poses,
            objects={place.id: place for place in places},
        )
    return Trajectory(
        id=name,
        source=folder / "trajectory.json",
        scenario=scenario,
        step_length_m=step_length_m,
        vertical=vertical,
        distance_metric=distance_metric,
        camera=Camera(width=WIDTH, height=HEIGHT, fx=focal, fy=focal, cx=320.0, cy=240.0),
        mover=mover,
        states=tuple(states),
        objects=tuple(objects),
        truth=truth,
    )


def cases_of(
    made: Trajectory, *, only: Capability | None = None, relation: str = "", **settings: Any
) -> list[Case]:
    """Return the cases of a trajectory, of one capability and relation where they are named."""
    if only is not None:
        settings["capabilities"] = frozenset({only.value})
    if relation:
        settings["relations"] = frozenset({relation})
    return plan(made, Registries.built_in(), Settings(**settings)).cases


def drops_of(made: Trajectory, **settings: Any) -> Mapping[str, int]:
    """Return what the filters left out, and why."""
    return plan(made, Registries.built_in(), Settings(**settings)).drops


# -------------------------------------------------------------------------------- as files


def picture(path: Path, number: int) -> Path:
    """Write a picture that no other number gives."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 6), (number % 256, number // 256, 7)).save(path)
    return path


def pictured(made: Trajectory) -> Trajectory:
    """Write the frames of a trajectory that was made with a real folder."""
    for state in made.states:
        picture(state.frame, state.index)
    return made


def trajectory_file(**fields: Any) -> dict[str, Any]:
    """Return the content of a right ``trajectory.json`` of three states, with some fields set."""
    step = {"name": "move_forward", "move_m": [0.5, 0.0, 0.0]}
    states = [
        {"frame": "frames/000.png", "action": step, "succeeded": True},
        {"frame": "frames/001.png", "action": step, "succeeded": True},
        {"frame": "frames/002.png"},
    ]
    return {
        "format": "metaspace-trajectory",
        "version": 1,
        "id": "written",
        "scenario": "household",
        "step_length_m": 0.5,
        "distance_metric": "planar",
        "camera": {"width": WIDTH, "height": HEIGHT, "fx": 400.0, "fy": 400.0},
        "states": states,
        **fields,
    }


def objects_file(*objects: dict[str, Any]) -> dict[str, Any]:
    """Return the content of an ``objects.json``."""
    return {"format": "metaspace-objects", "version": 1, "objects": list(objects)}


def truth_file(poses: int = 3, *objects: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a ``truth.json``."""
    return {
        "format": "metaspace-truth",
        "version": 1,
        "poses": [{"position": [0.5 * i, 0.0, 1.0], "yaw_deg": 0.0} for i in range(poses)],
        "objects": list(objects),
    }


def written(folder: Path, *, pictures: int = 3, **contents: Any) -> Path:
    """Write a trajectory; ``contents`` are files by name without ``.json``, as JSON or as text."""
    for number in range(pictures):
        picture(folder / "frames" / f"{number:03d}.png", number)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {"trajectory": trajectory_file(), **contents}.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder / "trajectory.json"
