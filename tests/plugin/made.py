"""A tiny made-up trajectory on disk: four states, three objects, ground truth, real pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from pathlib import Path

WIDTH, HEIGHT, FOCAL = 640, 480, 400.0
_POSES = ((0.0, 0.0, 1.0), (0.5, 0.0, 1.0), (0.5, -0.5, 1.0), (1.0, -0.5, 1.0))
_MOVES = (("move_forward", [0.5, 0.0, 0.0]), ("move_right", [0.0, 0.5, 0.0]))


@dataclass(frozen=True)
class Thing:
    """A box in the made-up room: where its centre is, and how large it is."""

    id: str
    label: str
    center: tuple[float, float, float]
    extent: tuple[float, float, float] = (0.3, 0.3, 0.8)


THINGS = (
    Thing("chair-1", "chair", (4.0, 1.0, 1.0)),
    Thing("lamp-1", "lamp", (5.0, -1.5, 1.0)),
    Thing("table-1", "table", (6.0, 0.5, 1.0), (0.4, 0.6, 1.0)),
)


@dataclass
class Walk:
    """What is written: everything that a test may want to say otherwise."""

    id: str = "walk"
    things: tuple[Thing, ...] = THINGS
    trajectory: dict[str, Any] = field(default_factory=dict)
    """Fields of ``trajectory.json`` to set."""
    with_objects: bool = True

    def write(self, folder: Path) -> Path:
        """Write the trajectory; return its ``trajectory.json``."""
        frames = folder / "frames"
        frames.mkdir(parents=True)
        for number in range(len(_POSES)):
            Image.new("RGB", (64, 48), (40 * number, 90, 160)).save(frames / f"{number:03d}.png")
        _dump(folder / "trajectory.json", {**_trajectory(self.id), **self.trajectory})
        if self.with_objects:
            _dump(folder / "objects.json", _objects(self.things))
            _dump(folder / "truth.json", _truth(self.things))
        return folder / "trajectory.json"


def _dump(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def _trajectory(name: str) -> dict[str, Any]:
    states: list[dict[str, Any]] = []
    for number in range(len(_POSES)):
        state: dict[str, Any] = {"frame": f"frames/{number:03d}.png"}
        if number < len(_POSES) - 1:
            what, move = _MOVES[number % 2]
            state |= {"action": {"name": what, "move_m": move}, "succeeded": True}
        states.append(state)
    return {
        "format": "metaspace-trajectory",
        "version": 1,
        "id": name,
        "scenario": "household",
        "step_length_m": 0.5,
        "distance_metric": "planar",
        "camera": {"width": WIDTH, "height": HEIGHT, "fx": FOCAL, "fy": FOCAL},
        "states": states,
    }


def _box(thing: Thing, pose: tuple[float, float, float]) -> list[float]:
    """Project a thing for a camera that looks along +x."""
    depth = thing.center[0] - pose[0]
    across = WIDTH / 2 + FOCAL * (pose[1] - thing.center[1]) / depth
    down = HEIGHT / 2 + FOCAL * (pose[2] - thing.center[2]) / depth
    wide = FOCAL * thing.extent[1] / depth / 2
    high = FOCAL * thing.extent[2] / depth / 2
    return [across - wide, down - high, across + wide, down + high]


def _objects(things: tuple[Thing, ...]) -> dict[str, Any]:
    return {
        "format": "metaspace-objects",
        "version": 1,
        "objects": [
            {
                "id": thing.id,
                "label": thing.label,
                "boxes": [
                    {"frame": frame, "xyxy": _box(thing, pose), "confidence": 0.9}
                    for frame, pose in enumerate(_POSES)
                ],
            }
            for thing in things
        ],
    }


def _truth(things: tuple[Thing, ...]) -> dict[str, Any]:
    return {
        "format": "metaspace-truth",
        "version": 1,
        "poses": [{"position": list(pose), "yaw_deg": 0.0} for pose in _POSES],
        "objects": [
            {
                "id": thing.id,
                "label": thing.label,
                "center": list(thing.center),
                "extent": list(thing.extent),
                "visibility": [
                    {"frame": frame, "height_fraction": 1.0} for frame in range(len(_POSES))
                ],
            }
            for thing in things
        ],
    }


# Agents: the body of ``answer(prompt, images)``. Of the way between states 0 and 1 the moody one
# says what cannot be true, of the next nothing readable, of the last what is right.
MOODY = """
import re
first = min(map(int, re.search(r"frame (\\d) was taken to the place of frame (\\d)", prompt).groups()))
if "whole number" in prompt:
    return "1"
back = "frame 1 was taken to the place of frame 0" in prompt
return ("right", "I would rather not say", "none")[first]
"""
BROKEN = "raise RuntimeError('the battery is empty')"
COUNTING = """
import os, pathlib
with open("calls.txt", "a") as file:
    file.write(prompt.replace("\\n", " ") + repr([image.name for image in images]) + "\\n")
"""
EVASIVE = "return 'left' if 'A is the chair' in prompt else 'right'"
"""Says too little for transitivity: legs that go left and right may end anywhere."""
