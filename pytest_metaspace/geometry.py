"""Exact geometry: which label and which whole number is true (RELATIONS, "Vectors, labels, units").

Floating point decides what is clearly decided; near an edge between two sectors, or near the
half between two whole steps, rational arithmetic does, so that a tie falls on the side that
RELATIONS names, and falls there in every question that meets it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from pytest_metaspace.domain import NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Metric, Pose, Vector

_NEAR = 1e-6
# Edge k lies 22.5 degrees counter-clockwise of the centre of sector k, as (forward, right)
# with t = tan 22.5° = sqrt(2) - 1; each coordinate is a * 1 + b * t, written (a, b).
_EDGES = (
    ((1, 0), (0, -1)),
    ((1, 0), (0, 1)),
    ((0, 1), (1, 0)),
    ((0, -1), (1, 0)),
    ((-1, 0), (0, 1)),
    ((-1, 0), (0, -1)),
    ((0, -1), (-1, 0)),
    ((0, 1), (-1, 0)),
)


def exact(number: float) -> Fraction:
    """Return the decimal number that was written, as in ``0.05``, not its nearest binary one."""
    return Fraction(repr(float(number)))


def in_frame(point: Vector, yaw_deg: float) -> Vector:
    """Turn a world point (metres) into forward, right and up of a heading at the origin.

    Points are turned, not differences, so that differences of turned points add up exactly.
    """
    yaw = math.radians(yaw_deg)
    cos, sin = math.cos(yaw), math.sin(yaw)
    x, y, z = point
    return (x * cos + y * sin, x * sin - y * cos, z)


def _clockwise_of_edge(edge: int, forward: Fraction, right: Fraction) -> bool:
    """Whether a vector lies on an edge between sectors or clockwise of it; it must lie near it."""
    (fa, fb), (ra, rb) = _EDGES[edge]
    plain = fa * right - ra * forward
    times_t = fb * right - rb * forward
    p, q = plain - times_t, times_t
    #  p + q·sqrt(2) is nearly 0 here, so p and q have different signs, and the larger part wins;
    #  neither is larger only where both are 0: sqrt(2) is not rational.
    return (p > 0) == (p * p > 2 * q * q)


def sector(start: Sequence[float], end: Sequence[float]) -> int:
    """Return the sector (0 to 7, clockwise from forward) of the vector from start to end.

    Args:
        start: forward and right coordinates, metres; further coordinates are not read.
        end: likewise; must differ from ``start``.
    """
    forward, right = end[0] - start[0], end[1] - start[1]
    place = (math.degrees(math.atan2(right, forward)) + 22.5) / 45
    if abs(place - round(place)) > _NEAR:
        return math.floor(place) % 8
    edge = round(place) % 8
    ahead = Fraction(end[0]) - Fraction(start[0])
    aside = Fraction(end[1]) - Fraction(start[1])
    return edge if _clockwise_of_edge(edge, ahead, aside) else (edge - 1) % 8


def squared_length(start: Vector, end: Vector, metric: Metric) -> Fraction:
    """Return the exact squared distance in square metres."""
    axes = 3 if metric == "spatial" else 2
    return sum(
        ((exact(b) - exact(a)) ** 2 for a, b in zip(start[:axes], end[:axes])), start=Fraction(0)
    )


def whole_steps(start: Vector, end: Vector, step_m: float, metric: Metric) -> int:
    """Return the distance in steps, rounded half up.

    Args:
        start: metres.
        end: metres.
        step_m: length of a step in metres, above zero.
        metric: ``spatial`` for the straight line, ``planar`` for its ground-plane part.
    """
    axes = 3 if metric == "spatial" else 2
    steps = math.dist(start[:axes], end[:axes]) / step_m + 0.5
    if abs(steps - round(steps)) > _NEAR:
        return math.floor(steps)
    k = round(steps)  # 1 at least: steps is a half at least
    reached = squared_length(start, end, metric) >= ((k - Fraction(1, 2)) * exact(step_m)) ** 2
    return k if reached else k - 1


def planar_label(
    start: Vector, end: Vector, *, yaw_deg: float, step_m: float, labels: Sequence[str]
) -> str:
    """Return the label of the ground-plane part of a vector, ``none`` under half a step.

    Args:
        start: world position in metres.
        end: world position in metres.
        yaw_deg: heading of the reference frame.
        step_m: length of a step in metres.
        labels: the eight sectors clockwise from ahead.
    """
    if whole_steps(start, end, step_m, "planar") == 0:
        return NONE
    return labels[sector(in_frame(start, yaw_deg), in_frame(end, yaw_deg))]


def vertical_label(start: Vector, end: Vector, *, step_m: float) -> str:
    """Return ``above``, ``level`` or ``below``: where the end lies as seen from the start."""
    rise = exact(end[2]) - exact(start[2])
    half = exact(step_m) / 2
    if rise >= half:
        return "above"
    return "below" if rise <= -half else "level"


def opposite(label: str, labels: Sequence[str]) -> str:
    """Return the label of the reversed vector."""
    return label if label == NONE else labels[(labels.index(label) + 4) % 8]


def depth_m(pose: Pose, point: Vector) -> float:
    """Return the distance of a point along the optical axis of a camera, metres."""
    yaw, pitch = math.radians(pose.yaw_deg), math.radians(pose.pitch_deg)
    axis = (
        math.cos(yaw) * math.cos(pitch),
        math.sin(yaw) * math.cos(pitch),
        math.sin(pitch),
    )
    return sum(a * (p - o) for a, p, o in zip(axis, point, pose.position))


def elevation_deg(pose: Pose, point: Vector) -> float:
    """Return the angle above the horizontal at which a camera sees a point."""
    dx, dy, dz = (p - o for p, o in zip(point, pose.position))
    return math.degrees(math.atan2(dz, math.hypot(dx, dy)))
