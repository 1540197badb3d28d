"""A household trajectory of ours, as EB-Navigation would have logged it.

EB-Navigation goes by 0.25 m and 90 degrees. A stretch of a shipped trajectory does so by 0.5 m:
at half the size the same pictures show a world in which that is 0.25 m.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from PIL import Image

from tests.trajectories.writers import eb_navigation
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from pathlib import Path

STRETCH = range(4, 13)
NAME = "half-base-episode_1_step_8"
_SOURCE = HOUSEHOLD / "bathroom-02"
_EYES_M = 0.675
_IDS = {
    "move_forward": eb_navigation.FORWARD,
    "move_backward": eb_navigation.BACKWARD,
    "move_right": eb_navigation.RIGHT,
    "move_left": eb_navigation.LEFT,
    "turn_right": eb_navigation.TURN_RIGHT,
    "turn_left": eb_navigation.TURN_LEFT,
}


def _content(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((_SOURCE / name).read_text(encoding="utf-8"))
    return content


def native(folder: Path) -> Path:
    """Write the stretch in the native format, at half its size; return its main file."""
    folder.mkdir(parents=True)
    told = _content("trajectory.json")
    states = told["states"][STRETCH.start : STRETCH.stop]
    for number, state in enumerate(states):
        with Image.open(_SOURCE / state["frame"]) as picture:
            picture.save(folder / f"{number}.png", compress_level=1)
        state["frame"] = f"{number}.png"
        if state.get("action"):
            state["action"]["move_m"] = [
                math.copysign(0.25, one) if one else 0.0 for one in state["action"]["move_m"]
            ]
    states[-1] |= {"action": None, "succeeded": None}
    camera = told["camera"] | {"height_m": told["camera"]["height_m"] / 2}
    told |= {"id": NAME, "step_length_m": 0.25, "camera": camera, "states": states}
    _dump(folder / "trajectory.json", told)
    _dump(folder / "objects.json", _objects())
    _dump(folder / "truth.json", _truth())
    return folder / "trajectory.json"


def _objects() -> dict[str, Any]:
    told = _content("objects.json")
    for thing in told["objects"]:
        thing["boxes"] = [
            {**box, "frame": box["frame"] - STRETCH.start}
            for box in thing["boxes"]
            if box["frame"] in STRETCH
        ]
    return told


def _truth() -> dict[str, Any]:
    told = _content("truth.json")
    told["poses"] = told["poses"][STRETCH.start : STRETCH.stop]
    for pose in told["poses"]:
        pose["position"] = _half(pose["position"])
    for thing in told["objects"]:
        thing |= {"center": _half(thing["center"]), "extent": _half(thing["extent"])}
        thing["rest"] = [[0, len(STRETCH) - 1]]
        thing["visibility"] = [
            {**seen, "frame": seen["frame"] - STRETCH.start}
            for seen in thing["visibility"]
            if seen["frame"] in STRETCH
        ]
    return told


def _half(point: list[float]) -> list[float]:
    return [round(one / 2, 6) for one in point]


def logged(main: Path, folder: Path) -> Path:
    """Write a native trajectory as EB-Navigation logs one, with its task; return the log.

    Args:
        main: its ``trajectory.json``.
        folder: where to; tasks go to ``datasets`` in it.
    """
    told = json.loads(main.read_text(encoding="utf-8"))
    truth = json.loads(main.with_name("truth.json").read_text(encoding="utf-8"))
    first = truth["poses"][0]
    x, y, z = first["position"]
    given = eb_navigation.task(
        start=(-y, round(z - _EYES_M, 6), x),
        rotation=-first["yaw_deg"] % 360,
        horizon=-first["pitch_deg"],
        target=(-y + 1.73, x - 0.91),
    )
    eb_navigation.write_tasks(folder / "datasets", [given])
    run = eb_navigation.Run(given, grid=None)
    for state in told["states"][:-1]:
        run.act(_IDS[state["action"]["name"]], succeeded=state["succeeded"])
    where = folder / "half" / "base"
    where.mkdir(parents=True)
    for step in range(len(told["states"])):
        name = f"episode_1_step_{step}_{eb_navigation.stamp(0, step)}_front.png"
        (where / name).write_bytes(main.with_name(f"{step}.png").read_bytes())
    log = where / f"episode_1_step_{len(run.rows)}.json"
    log.write_text(eb_navigation.lines(run.arrive().rows), encoding="utf-8")
    return log


def add_companions(main: Path, log: Path) -> None:
    """Write what the log cannot hold beside it."""
    beside = log.with_name(f"{log.stem}.metaspace")
    beside.mkdir()
    _dump(beside / "camera.json", json.loads(main.read_text(encoding="utf-8"))["camera"])
    for name in ("objects.json", "truth.json"):
        (beside / name).write_bytes(main.with_name(name).read_bytes())


def _dump(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")
