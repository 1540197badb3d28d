"""What a level eye sees, found a second time: a ray through the middle of each pixel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pytest_metaspace.suites.rem._scene import EYE_M, FOCAL_PX, HEIGHT, SIDE_M, WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_metaspace.suites.rem._scene import Place, Pose

    Floats = NDArray[np.float64]

HALF = SIDE_M / 2


def owners(places: Sequence[Place], pose: Pose) -> NDArray[np.int16]:
    """Return for each pixel which thing its ray meets first; -1 for none."""
    rays = _rays(pose)
    nearest = np.full(rays.shape[:2], np.inf)
    found = np.full(rays.shape[:2], -1, dtype=np.int16)
    for number, place in enumerate(places):
        eye = np.array([pose.x - place.x, pose.y - place.y, EYE_M - HALF])
        with np.errstate(divide="ignore", invalid="ignore"):
            met = _MET[place.thing.shape](eye, rays)
        nearer = met < nearest
        nearest[nearer] = met[nearer]
        found[nearer] = number
    return found


def _rays(pose: Pose) -> Floats:
    yaw = math.radians(pose.yaw_deg)
    forward = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    across = (np.arange(WIDTH) + 0.5 - WIDTH / 2) / FOCAL_PX
    down = (np.arange(HEIGHT) + 0.5 - HEIGHT / 2) / FOCAL_PX
    up = np.array([0.0, 0.0, 1.0])
    rays: Floats = forward + across[None, :, None] * right - down[:, None, None] * up
    return rays


def _box(eye: Floats, rays: Floats) -> Floats:
    one, two = (-HALF - eye) / rays, (HALF - eye) / rays
    enters = np.nanmax(np.minimum(one, two), axis=2)
    leaves = np.nanmin(np.maximum(one, two), axis=2)
    return _first((enters <= leaves) & (enters > 0), enters)


def _sphere(eye: Floats, rays: Floats) -> Floats:
    a, b = (rays**2).sum(axis=2), rays @ eye
    left = b**2 - a * (eye @ eye - HALF**2)
    return _first(left >= 0, (-b - np.sqrt(np.maximum(left, 0))) / a)


def _cone(eye: Floats, rays: Floats) -> Floats:
    """Meet x² + y² = ((half - z) / 2)² below the tip; an eye above sees no foot from below."""
    tip = HALF - eye[2]
    dx, dy, dz = (rays[..., axis] for axis in range(3))
    a = dx**2 + dy**2 - dz**2 / 4
    b = eye[0] * dx + eye[1] * dy + tip * dz / 4
    left = b**2 - a * (eye[0] ** 2 + eye[1] ** 2 - tip**2 / 4)
    root = np.sqrt(np.maximum(left, 0))
    best = np.full(a.shape, np.inf)
    for far in ((-b - root) / a, (-b + root) / a):
        z = eye[2] + far * dz
        inside = (left >= 0) & (far > 0) & (z >= -HALF) & (z <= HALF)
        best = np.minimum(best, _first(inside, far))
    return best


def _first(met: NDArray[np.bool_], far: Floats) -> Floats:
    return np.where(met & (far > 0), far, np.inf)


_MET: dict[str, Any] = {"box": _box, "sphere": _sphere, "cone": _cone}
