"""A walk among a few boxes, seen by a pinhole, as files: small, upright or flat, and all true."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Action
from tests.unit_support import BACK, FORWARD, HEIGHT, RIGHT, WIDTH, walked, written

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Pose, Vector

FOCAL = 400.0
_UP = Action(name="move_up", move_m=(0.0, 0.0, 0.5))
_LEFT = Action(name="turn_left", turn_deg=-15.0)
_RIGHT = Action(name="turn_right", turn_deg=30.0)
WALK = [_LEFT, FORWARD, RIGHT, _UP, FORWARD, _RIGHT, BACK, BACK]
FLAT_WALK = [_LEFT, FORWARD, RIGHT, RIGHT, FORWARD, _RIGHT, BACK]
CHAIR, LAMP, SHELF = (0.5, 0.5, 0.9), (0.3, 0.3, 0.5), (0.3, 0.9, 1.6)
THINGS: dict[str, tuple[str, Vector, Vector]] = {
    "chair-1": ("chair", (3.5, 1.2, 0.9), CHAIR),
    "chair-2": ("chair", (6.5, -1.0, 0.5), CHAIR),
    "lamp-1": ("lamp", (5.0, 0.1, 2.2), LAMP),
    "shelf-1": ("shelf", (8.0, 2.0, 0.8), SHELF),
}


def box_of(pose: Pose, center: Vector, extent: Vector) -> list[float] | None:
    """Return the box of a thing that stands along the axes, or None where it is not whole."""
    yaw = math.radians(pose.yaw_deg)
    seen = []
    for corner in range(8):
        x, y, z = (
            c + e * (0.5 if corner >> axis & 1 else -0.5) - o
            for axis, (c, e, o) in enumerate(zip(center, extent, pose.position))
        )
        ahead, aside = x * math.cos(yaw) + y * math.sin(yaw), x * math.sin(yaw) - y * math.cos(yaw)
        if ahead < 0.1:
            return None
        seen.append((WIDTH / 2 + FOCAL * aside / ahead, HEIGHT / 2 - FOCAL * z / ahead))
    across, down = zip(*seen)
    box = [min(across), min(down), max(across), max(down)]
    whole = box[0] >= 1 and box[1] >= 1 and box[2] <= WIDTH - 1 and box[3] <= HEIGHT - 1
    return box if whole else None


def tiny_world(folder: Path, *, flat: bool = False) -> Path:
    """Write a walk with its boxes and its truth; return the folder.

    Args:
        folder: its name is that of the trajectory.
        flat: whether height counts for nothing, in labels and in distances.
    """
    actions = FLAT_WALK if flat else WALK
    poses = walked(actions)
    shown = {
        name: {i: box for i, pose in enumerate(poses) if (box := box_of(pose, center, extent))}
        for name, (_, center, extent) in THINGS.items()
    }
    states: list[dict[str, Any]] = [{"frame": f"frames/{i:03d}.png"} for i in range(len(poses))]
    for state, action in zip(states, actions):
        told = {"name": action.name, "move_m": list(action.move_m), "turn_deg": action.turn_deg}
        state |= {"action": told, "succeeded": True}
    written(
        folder,
        pictures=len(poses),
        trajectory={
            "format": "metaspace-trajectory",
            "version": 1,
            "id": folder.name,
            "scenario": "household" if flat else "drone",
            "step_length_m": 0.5,
            "vertical": not flat,
            "distance_metric": "planar" if flat else "spatial",
            "camera": {"width": WIDTH, "height": HEIGHT, "fx": FOCAL, "fy": FOCAL},
            "states": states,
        },
        objects={
            "format": "metaspace-objects",
            "version": 1,
            "objects": [
                {
                    "id": name,
                    "label": THINGS[name][0],
                    "boxes": [
                        {"frame": frame, "xyxy": box, "confidence": 0.9}
                        for frame, box in boxes.items()
                    ],
                }
                for name, boxes in shown.items()
            ],
        },
        truth={
            "format": "metaspace-truth",
            "version": 1,
            "poses": [{"position": list(p.position), "yaw_deg": p.yaw_deg} for p in poses],
            "objects": [
                {
                    "id": name,
                    "label": label,
                    "center": list(center),
                    "extent": list(extent),
                    "visibility": [
                        {"frame": frame, "height_fraction": 1.0} for frame in shown[name]
                    ],
                }
                for name, (label, center, extent) in THINGS.items()
            ],
        },
    )
    return folder
