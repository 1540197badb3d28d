"""Where a walk of the benchmark led, and how far apart its things are seen.

The camera's place stands in each annotation, and it looks along +x at first; those of the things
stand in ``scene_config.json``. Both are held against what the annotations say besides, and used
only where nothing contradicts them.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites.rem._scene import FOCAL_PX, SIDE_M, WIDTH, Pose
from pytest_metaspace.trajectories._damaged import lost
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_text import json_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.suites.rem._own_walk import OwnWalk, Told
    from pytest_metaspace.suites.rem._seen import Walk
    from pytest_metaspace.trajectories._moments import Findings

    Places = Mapping[str, tuple[float, float]]

SCENE: Final = "scene_config.json"
_POSITION: Final = re.compile(
    r"\(\s*(-?\d{1,6}(?:\.\d{1,9})?)\s*,\s*(-?\d{1,6}(?:\.\d{1,9})?)\s*\)\s*\.?\s*$"
)
_AGAIN: Final = "Copy the file again."
_KINDS: Final = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    type(None): "missing or null",
}
_OFF_M: Final = 0.02
"""Places are told in three decimals; one farther off than so much was not reached by that move."""
_NEAREST_M: Final = 0.1
_OFF_PX: Final = 0.5
_EDGE: Final = math.atan2(WIDTH / 2, FOCAL_PX)
"""So far from where the camera looks are the borders of the picture, in radians."""
_REACH_M: Final = SIDE_M * math.sqrt(0.5)
"""A thing, seen from above, is within a circle of this radius."""


def poses_of(told: OwnWalk, findings: Findings) -> tuple[Pose, ...] | None:
    """Return the camera's pose at each frame; None where it is not told or moves contradict it."""
    found: list[Pose] = []
    yaw = 0.0
    for number, (sentence, line) in enumerate(zip(told.annotations, told.lines)):
        match = _POSITION.search(sentence)
        if match is None:
            return None
        x, y = float(match[1]), float(match[2])
        if found:
            ahead = found[-1].after(told.walk.moves[number - 1])
            yaw = ahead.yaw_deg
            if math.hypot(ahead.x - x, ahead.y - y) > _OFF_M:
                findings.add(
                    "annotation",
                    f"says that the camera is at ({x:g}, {y:g}), and the moves lead to "
                    f"({ahead.x:g}, {ahead.y:g}). Nothing is asked that rests on places.",
                    "Look at the names of the pictures, and at what wrote the file.",
                    line=line,
                )
                return None
        found.append(Pose(x=x, y=y, yaw_deg=yaw))
    return tuple(found)


def placed(told: OwnWalk, poses: Sequence[Pose] | None, run: Path, findings: Findings) -> Walk:
    """Return the walk with sights that say where things are seen, as far as that is known.

    Args:
        told: the walk.
        poses: of the camera; None where they are not known.
        run: the folder in which ``scene_config.json`` may lie.
        findings: takes what is wrong.
    """
    places = None if poses is None or not told.walk.things else _places(run / SCENE, findings)
    if poses is None or places is None:
        return told.walk
    frames = []
    for number, (pose, order) in enumerate(zip(poses, told.orders)):
        seen = told.walk.frames[number]
        frame = {name: _seen_at(pose, places.get(name), seen[name]) for name in order}  # type: ignore[arg-type] # all are as the annotation tells
        wrong = _unseen(pose, places, order) or _turned_round(order, frame)
        if wrong is not None:
            findings.add(
                "visible_objects",
                f"has {wrong}. Questions about sides carry no relations.",
                "Look at what wrote the two files.",
                line=told.lines[number],
            )
            return told.walk
        frames.append(dict(sorted(frame.items())))
    return replace(told.walk, frames=tuple(frames))


def _places(path: Path, findings: Findings) -> Places | None:
    """Return where things stand, by id; None where no file says it."""
    if not path.is_file():
        return None
    try:
        content = json_of(path)
    except TrajectoryError as problem:
        gone = lost(path)  # which says what to do
        what = str(problem).removeprefix(f"{path}: ")
        _unplaced(findings, path, "", what, "" if gone else _AGAIN)
        return None
    things = content.get("objects") if isinstance(content, dict) else None
    if not isinstance(content, dict):
        _unplaced(findings, path, "", f"is {_kind(content)}, expected an object.")
    elif not isinstance(things, list):
        _unplaced(findings, path, "objects", f"is {_kind(things)}, expected a list.")
    else:
        return _listed(things, path, findings)
    return None


def _listed(things: Sequence[Any], path: Path, findings: Findings) -> Places | None:
    found: dict[str, tuple[float, float]] = {}
    for number, one in enumerate(things):
        try:
            name, x, y = str(one["name"]), float(one["position"][0]), float(one["position"][1])
        except (LookupError, TypeError, ValueError, OverflowError):
            name, x, y = "", math.nan, math.nan
        if not (math.isfinite(x) and math.isfinite(y)):
            what = f"is {brief(one)}, expected a name, and a position of two numbers."
            _unplaced(findings, path, f"objects.{number}", what)
            return None
        found[name] = x, y
    return found


def _unplaced(
    findings: Findings, path: Path, field: str, what: str, next_step: str = _AGAIN
) -> None:
    without = "Questions about sides carry no relations."
    findings.add(field, f"{what} {without}", next_step, file=path)


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")


def _seen_at(pose: Pose, place: tuple[float, float] | None, sight: Told) -> Told:
    """Return a sight with where its thing's centre is, and between what its pixels are."""
    if place is None:
        return sight
    ahead, right = _offset(pose, place)
    distance = math.hypot(ahead, right)
    if ahead < _NEAREST_M or distance <= _REACH_M:
        return sight
    bearing, half = math.atan2(right, ahead), math.asin(_REACH_M / distance)
    left, end = _across(bearing - half), _across(bearing + half)
    return replace(
        sight,
        centre_x=WIDTH / 2 + FOCAL_PX * right / ahead,
        pixels_x=(left + end) / 2,
        spread_px=(end - left) / 2,
    )


def _offset(pose: Pose, place: tuple[float, float]) -> tuple[float, float]:
    """Return how many metres ahead and to the right of a camera a place is."""
    yaw = math.radians(pose.yaw_deg)
    east, north = place[0] - pose.x, place[1] - pose.y
    return (
        east * math.cos(yaw) + north * math.sin(yaw),
        east * math.sin(yaw) - north * math.cos(yaw),
    )


def _across(bearing: float) -> float:
    """Return at which pixel a direction is seen, at the border where it is outside."""
    if abs(bearing) >= math.pi / 2:
        return 0.0 if bearing < 0 else float(WIDTH)
    return min(max(0.0, WIDTH / 2 + FOCAL_PX * math.tan(bearing)), float(WIDTH))


def _unseen(pose: Pose, places: Places, order: Iterable[str]) -> str | None:
    """Return what is wrong with what is seen: a thing that is out of the picture by its place."""
    for name in order:
        if name in places:
            ahead, right = _offset(pose, places[name])
            share = (_REACH_M + _OFF_M) / max(math.hypot(ahead, right), _REACH_M)
            if abs(math.atan2(right, ahead)) - math.asin(min(1.0, share)) > _EDGE:
                return f"{brief(name)}, and by {SCENE} it is not in the picture"
    return None


def _turned_round(order: Iterable[str], frame: Mapping[str, Told]) -> str | None:
    """Return what is wrong with an order: two neighbours whose centres lie the other way round."""
    known = [one for one in order if math.isfinite(frame[one].spread_px)]
    for one, other in pairwise(known):
        if frame[one].centre_x > frame[other].centre_x + _OFF_PX:
            return (
                f"{brief(one)} left of {brief(other)}, and by {SCENE} they lie the other way round"
            )
    return None
