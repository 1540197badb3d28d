"""Made-up trajectories of any number of cases, and an agent that is wrong about half of them.

A walk has five states and up to six objects, all of them seen whole in every frame, and no ground
truth: the agent answers from the text of a question alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from pathlib import Path

WIDTH, HEIGHT = 640, 480
STATES = 5
OBJECTS = 6

# Everything stands in one row, one step apart: an answer is right by the numbers in the labels.
# WRONG_PERCENT of the questions are answered wrongly, drawn by their text, so that about half of
# the cases, each of which rests on two to six answers, are violated.
BRAIN = '''"""An agent in a row of things: right by their numbers, and now and then wrong."""

import hashlib
import re

THINGS = re.compile(r"is the thing (\\d+)")
CLAIM = re.compile(r"at least (\\d+)")
BOX = re.compile(r"\\(\\d+, (\\d+), \\d+, (\\d+)\\)")
STATES = re.compile(r"place where frame (\\d+) was taken.*?the place of frame (\\d+)")


def answer(prompt, images):
    draw = int(hashlib.sha256(prompt.encode()).hexdigest()[:8], 16)
    return told(prompt, wrong=draw % 100 < WRONG_PERCENT)


def told(prompt, wrong):
    if "in metres?" in prompt:
        if "How tall" in prompt:
            return "3.7" if wrong else "1"
        top, bottom = map(int, BOX.search(prompt).groups())
        return str((9000 if wrong else 1000) / (bottom - top))
    if "yes or no" in prompt:
        return "no" if wrong else "yes"
    found = THINGS.findall(prompt) or STATES.search(prompt).groups()
    a, b = (int(text) for text in found[:2])
    if "whole number" in prompt:
        return str(abs(b - a) + (7 if wrong else 0))
    ways = WAYS[next(word for word in WAYS if word in prompt)]
    return ways[(b > a) != wrong]


WAYS = {
    "forward": ("backward", "forward"),
    "north": ("south", "north"),
    "farther": ("nearer", "farther"),
}
WRONG_PERCENT = 22
'''


def project(folder: Path, walks: int) -> None:
    """Write a user's project: trajectories in ``runs/`` and an agent, ``python:brain:answer``."""
    for number in range(walks):
        write(folder / "runs" / f"walk-{number:04d}", number)
    (folder / "brain.py").write_text(BRAIN, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")


def write(folder: Path, number: int) -> None:
    """Write one walk."""
    frames = folder / "frames"
    frames.mkdir(parents=True)
    for index in range(STATES):
        colour = (40 * index, number % 256, number // 256)
        Image.new("RGB", (64, 48), colour).save(frames / f"{index}.png")
    _dump(folder / "trajectory.json", _trajectory(f"walk-{number:04d}"))
    _dump(folder / "objects.json", _objects())


def _dump(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def _trajectory(name: str) -> dict[str, Any]:
    states: list[dict[str, Any]] = [{"frame": f"frames/{index}.png"} for index in range(STATES)]
    for state in states[:-1]:
        state["action"] = {"name": "move_forward", "move_m": [0.5, 0.0, 0.0]}
        state["succeeded"] = True
    return {
        "format": "metaspace-trajectory",
        "version": 1,
        "id": name,
        "scenario": "household",
        "step_length_m": 0.5,
        "distance_metric": "planar",
        "camera": {"width": WIDTH, "height": HEIGHT, "fx": 400.0, "fy": 400.0},
        "states": states,
    }


def _objects() -> dict[str, Any]:
    return {
        "format": "metaspace-objects",
        "version": 1,
        "objects": [
            {
                "id": f"thing-{index}",
                "label": f"thing {index}",
                "boxes": [
                    {"frame": frame, "xyxy": _box(index, frame), "confidence": 0.9}
                    for frame in range(STATES)
                ],
            }
            for index in range(OBJECTS)
        ],
    }


def _box(index: int, frame: int) -> list[float]:
    """Return a box that grows with the frames, clear of its neighbours."""
    size = 40.0 + 8 * frame
    left = 10.0 + 100 * index
    return [left, 100.0, left + size, 100.0 + 2 * size]
