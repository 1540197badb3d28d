"""A walk as a native trajectory: ``trajectory.json``, ``objects.json`` and ``truth.json``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import files
from pytest_metaspace.suites.rem._scene import (
    EYE_M,
    FOCAL_PX,
    HEIGHT,
    SIDE_M,
    STEP_M,
    TURN_DEG,
    WIDTH,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.suites.rem._scene import Place, Pose
    from pytest_metaspace.suites.rem._seen import Move, Walk
    from pytest_metaspace.suites.rem._sightings import Boxed

    Seen = Sequence[Mapping[str, Boxed]]


FILES: Final = ("trajectory.json", "objects.json", "truth.json")
"""What is written of a walk, beside its questions."""


def write(
    folder: Path, walk: Walk, poses: Sequence[Pose], places: Sequence[Place], seen: Seen
) -> None:
    """Write the three files of a walk.

    Args:
        folder: in which its pictures lie.
        walk: what is told of it.
        poses: of the camera, one a frame.
        places: of the things.
        seen: their boxes, by frame.

    Raises:
        UsageProblem: they cannot be written.
    """
    shown = sorted({name for frame in seen for name in frame})
    by_id = {place.thing.id: place for place in places}
    things = [by_id[name] for name in shown]
    for name, told in (
        ("truth", {"poses": list(map(_pose, poses)), "objects": _true(things, seen)}),
        ("objects", {"source": "truth", "objects": _tracked(things, seen)}),
        ("trajectory", _trajectory(folder, walk)),
    ):
        head = {"format": f"metaspace-{name}", "version": 1}
        files.put(folder / f"{name}.json", _lines({**head, **told}))


def _trajectory(folder: Path, walk: Walk) -> dict[str, Any]:
    frames = [picture.relative_to(folder).as_posix() for picture in walk.pictures]
    return {
        "id": walk.id,
        "scenario": "household",
        "step_length_m": STEP_M,
        "rotation_deg": TURN_DEG,
        "vertical": False,
        "distance_metric": "planar",
        "camera": {
            "width": WIDTH,
            "height": HEIGHT,
            "fx": FOCAL_PX,
            "fy": FOCAL_PX,
            "cx": WIDTH / 2,
            "cy": HEIGHT / 2,
            "pitch_deg": 0.0,
            "height_m": EYE_M,
        },
        "mover": "agent",
        "states": [
            {"frame": frame, "action": _action(move), "succeeded": True}
            for frame, move in zip(frames, walk.moves)
        ]
        + [{"frame": frames[-1], "action": None, "succeeded": None}],
    }


def _action(move: Move) -> dict[str, Any]:
    return {"name": move.name, "move_m": [move.forward_m, 0.0, 0.0], "turn_deg": move.turn_deg}


def _pose(pose: Pose) -> dict[str, Any]:
    return {"position": [pose.x, pose.y, EYE_M], "yaw_deg": pose.yaw_deg}


def _true(things: Sequence[Place], seen: Seen) -> list[dict[str, Any]]:
    return [
        {
            "id": place.thing.id,
            "label": place.thing.name,
            "center": [place.x, place.y, SIDE_M / 2],
            "extent": [SIDE_M] * 3,
            "rest": [[0, len(seen) - 1]],
            "visibility": [
                {"frame": number, "height_fraction": frame[place.thing.id].height_fraction}
                for number, frame in enumerate(seen)
                if place.thing.id in frame
            ],
        }
        for place in things
    ]


def _tracked(things: Sequence[Place], seen: Seen) -> list[dict[str, Any]]:
    return [
        {
            "id": place.thing.id,
            "label": place.thing.name,
            "boxes": [
                {"frame": number, "xyxy": list(frame[place.thing.id].corners), "confidence": 1.0}
                for number, frame in enumerate(seen)
                if place.thing.id in frame
            ],
        }
        for place in things
    ]


def _lines(told: Mapping[str, Any]) -> str:
    """Return JSON with the entries of lists of things on lines of their own."""
    fields = []
    for key, value in told.items():
        text = json.dumps(value)
        if isinstance(value, list) and value:
            text = "[\n  " + ",\n  ".join(json.dumps(one) for one in value) + "\n ]"
        fields.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n}\n"
