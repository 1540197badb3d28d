"""Which true object a tracked one is, for whoever answers from truth; never for tracking.

An agent that answers from ``truth.json`` has to know of which thing it is asked. A tracked
object is the true one whose boxes it shares: those that are recorded in ``objects.json``, or
else the projections of its extent.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Box, Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_metaspace.domain import Camera, Pose, State, TrackedObject, Trajectory, TrueObject

_SHARED: Final = 0.4
"""Intersection over union from which on two boxes may be of one thing."""
_NEAR: Final = 0.05


def retold(trajectory: Trajectory, objects: tuple[TrackedObject, ...]) -> Trajectory:
    """Return a trajectory with other objects, and with truth that speaks of them by their ids.

    A tracked object that is nothing real has no truth, and a true one that nobody found is gone.
    """
    truth = trajectory.truth
    matched: dict[str, str | None] = {}
    if truth is not None:
        boxes = _true_boxes(trajectory, truth)
        matched = {thing.id: match(thing, truth.objects, boxes) for thing in objects}
        known = {
            name: replace(truth.objects[true], id=name)
            for name, true in matched.items()
            if true is not None
        }
        truth = replace(truth, objects=known)
    states = tuple(_holding(state, objects, matched) for state in trajectory.states)
    return replace(trajectory, objects=objects, truth=truth, states=states)


def _holding(
    state: State, objects: Iterable[TrackedObject], matched: Mapping[str, str | None]
) -> State:
    """Let a log of grasps speak of tracked objects: the true one, or the only one of its class."""
    if state.holds is None:
        return state
    true = [thing for thing in objects if matched.get(thing.id) == state.holds]
    stem = state.holds.rsplit("-", 1)[0]
    alike = true or [thing for thing in objects if thing.id.rsplit("-", 1)[0] == stem]
    seen = [thing for thing in alike if state.index in thing.boxes] or alike
    return replace(state, holds=seen[0].id if seen else state.holds)


def match(
    thing: TrackedObject,
    true: Mapping[str, TrueObject],
    boxes: Mapping[str, Mapping[int, Box]],
) -> str | None:
    """Return the id of the true object that shares most of a tracked one's boxes, or None."""
    shared = {name: _shared(thing, boxes.get(name, {})) for name in true}
    alike = {name for name in true if true[name].label == thing.label}
    best = max(sorted(shared), key=lambda name: (shared[name], name in alike), default=None)
    if best is None or shared[best] < _SHARED * len(thing.boxes) / 2:
        return None
    return best


def _shared(thing: TrackedObject, boxes: Mapping[int, Box]) -> float:
    common = (iou(box, boxes[frame]) for frame, box in thing.boxes.items() if frame in boxes)
    return sum(share for share in common if share >= _SHARED)


def iou(one: Box, other: Box) -> float:
    """Return the intersection of two boxes over their union."""
    common = one.overlap(other) * one.width * one.height
    return common / (one.width * one.height + other.width * other.height - common)


def _true_boxes(trajectory: Trajectory, truth: Truth) -> dict[str, Mapping[int, Box]]:
    recorded = {thing.id: thing.boxes for thing in trajectory.objects}
    return {
        name: recorded.get(name) or _projections(thing, truth.poses, trajectory.camera)
        for name, thing in truth.objects.items()
    }


def _projections(thing: TrueObject, poses: Iterable[Pose], camera: Camera) -> dict[int, Box]:
    found = {}
    for frame, pose in enumerate(poses):
        box = projection(replace(thing, center=thing.center_at(frame)), pose, camera)
        if box is not None:
            found[frame] = box
    return found


def projection(thing: TrueObject, pose: Pose, camera: Camera) -> Box | None:
    """Return the box of an object's extent in the image, cut to it; None where it is not seen."""
    halves = [(-size / 2, size / 2) for size in thing.extent]
    corners = [[c + h for c, h in zip(thing.center, half)] for half in product(*halves)]
    seen = [_pixel(corner, pose, camera) for corner in corners]
    pixels = [pixel for pixel in seen if pixel is not None]
    if len(pixels) < len(corners):
        return None
    box = Box(
        max(min(x for x, _ in pixels), 0.0),
        max(min(y for _, y in pixels), 0.0),
        min(max(x for x, _ in pixels), float(camera.width)),
        min(max(y for _, y in pixels), float(camera.height)),
    )
    return box if box.width > 1 and box.height > 1 else None


def _pixel(point: Iterable[float], pose: Pose, camera: Camera) -> tuple[float, float] | None:
    x, y, z = (p - o for p, o in zip(point, pose.position))
    yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
    ahead = x * math.cos(yaw) + y * math.sin(yaw)
    right = x * math.sin(yaw) - y * math.cos(yaw)
    depth = ahead * math.cos(pitch) + z * math.sin(pitch)
    up = z * math.cos(pitch) - ahead * math.sin(pitch)
    if depth < _NEAR:
        return None
    across = camera.width / 2 if camera.cx is None else camera.cx
    down = camera.height / 2 if camera.cy is None else camera.cy
    fx, fy = camera.fx or camera.focal, camera.fy or camera.focal
    return across + fx * right / depth, down - fy * up / depth
