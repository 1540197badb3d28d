"""A split of AerialVLN in its exact shape: two flights, one of them told by three instructions."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from pathlib import Path

NAME = "3OVR4I9USPJPUV5U1MZKFXGLQSR4Q6"
OTHER = "A1B2C3"
FLIGHT = [1, 3, 1, 4, 7, 2, 6, 5, 0]
START, YAW = (10.0, -20.0, -30.0), math.radians(30)
SIZE = (40, 30)


def rotation(yaw: float) -> list[float]:
    """Return a turn about the axis that points down, as ``[w, x, y, z]``."""
    return [math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)]


def flown(actions: list[int]) -> list[list[float]]:
    """Return where a flight leads, north-east-down: as the authors' simulator reckons."""
    (x, y, z), yaw = START, YAW
    path = [[x, y, z, 0.0, 0.0, yaw]]
    for action in actions:
        if action in (2, 3):
            yaw += math.radians(15 if action == 3 else -15)
        elif action in (4, 5):
            z += -2 if action == 4 else 2
        elif action:
            way = yaw + (0 if action == 1 else math.pi / 2)
            length = -5 if action == 6 else 5
            x, y = x + length * math.cos(way), y + length * math.sin(way)
        if action:
            path.append([x, y, z, 0.0, 0.0, yaw])
    return path


def episode(name: str = NAME, number: int = 0, **fields: Any) -> dict[str, Any]:
    """Return one episode of a split."""
    path = flown(FLIGHT)
    return {
        "episode_id": f"{name}-{number}",
        "trajectory_id": name,
        "scene_id": 7,
        "instruction": {
            "instruction_text": f"fly över the bridge, {number}",
            "instruction_tokens": [],
        },
        "start_position": list(START),
        "start_rotation": rotation(YAW),
        "goals": [{"position": path[-1][:3], "radius": 20.0}],
        "reference_path": path,
        "actions": list(FLIGHT),
        "info": {"geodesic_distance": 30.0},
        **fields,
    }


def split(folder: Path, *episodes: dict[str, Any], pictures: bool = True) -> Path:
    """Write a split with pictures beside it; return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    main = folder / "val_seen.json"
    told = list(episodes) or [
        episode(number=0), episode(OTHER), episode(number=1), episode(number=2)
    ]  # fmt: skip
    content = {"episodes": told, "instruction_vocab": {"word_list": ["fly"], "num_vocab": 1}}
    main.write_text(json.dumps(content), encoding="utf-8")
    if pictures:
        for name in {str(one.get("trajectory_id")) for one in told}:
            views(folder / "val_seen_rgb" / name)
    return main


def views(folder: Path, count: int = len(FLIGHT)) -> None:
    """Write pictures that all differ."""
    folder.mkdir(parents=True, exist_ok=True)
    for step in range(count):
        Image.new("RGB", SIZE, (20 * step, 200 - 9 * step, 77)).save(folder / f"{step:04d}.png")
