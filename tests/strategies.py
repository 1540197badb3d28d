"""Hypothesis strategies for the laws: places, steps, and walks of exact legs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from pytest_metaspace.domain import Metric, Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """Points, and how labels and distances between them are told."""

    points: tuple[Vector, ...]
    step_m: float
    yaw_deg: float
    metric: Metric
    vertical: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Two exact legs: whole steps along multiples of 45 degrees, or none."""

    points: tuple[Vector, Vector, Vector]
    step_m: float
    yaw_deg: float


STEPS_M = st.sampled_from([0.05, 0.1, 0.25, 0.3, 0.5, 1.0])
YAWS = st.one_of(
    st.just(0.0),
    st.sampled_from([-135.0, -90.0, -30.0, 22.5, 45.0, 60.0, 90.0, 180.0]),
    st.floats(-180, 180, allow_subnormal=False),
)


@st.composite
def lattice_points(draw: st.DrawFn, step_m: float) -> tuple[Vector, ...]:
    """Points on quarters of a step: halves and multiples of 45 degrees abound, and so do twins."""
    quarter = st.integers(-8, 8)
    height = st.one_of(st.just(0), quarter)
    return tuple(
        (draw(quarter) * step_m / 4, draw(quarter) * step_m / 4, draw(height) * step_m / 4)
        for _ in range(5)
    )


@st.composite
def generic_points(draw: st.DrawFn, step_m: float) -> tuple[Vector, ...]:
    """Points anywhere, from within one step to many steps apart."""
    reach = draw(st.sampled_from([0.6, 2.0, 5.0, 40.0])) * step_m
    place = st.floats(-reach, reach, allow_subnormal=False)
    return tuple((draw(place), draw(place), draw(place)) for _ in range(5))


@st.composite
def collinear_points(draw: st.DrawFn, step_m: float) -> tuple[Vector, ...]:
    """Points on one line through the origin, some of them in one place."""
    turn = math.radians(draw(st.sampled_from([0, 22.5, 45, 67.5, 90, 10, 157.5])))
    rise = draw(st.sampled_from([0.0, 0.0, 1.0, -0.3]))
    lengths = [draw(st.integers(-12, 12)) * step_m / 2 for _ in range(5)]
    return tuple((n * math.cos(turn), n * math.sin(turn), n * rise) for n in lengths)


@st.composite
def edge_points(draw: st.DrawFn, step_m: float) -> tuple[Vector, ...]:
    """Points whose bearings from the first are a hair off the edges between sectors."""
    points = [(0.0, 0.0, 0.0)]
    for _ in range(4):
        turn = math.radians(22.5 + 45 * draw(st.integers(0, 7)) + draw(st.sampled_from(_HAIRS)))
        far = draw(st.integers(1, 8)) * step_m / 2 * (1 + draw(st.sampled_from(_HAIRS)))
        points.append((far * math.cos(turn), far * math.sin(turn), 0.0))
    return tuple(points)


_HAIRS = [0.0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-9, -1e-9]


@st.composite
def clouds(draw: st.DrawFn) -> Cloud:
    """Five points of any kind with a way of telling labels and distances."""
    step_m = draw(STEPS_M)
    kinds = [lattice_points, generic_points, collinear_points, edge_points]
    points = draw(st.one_of(*(kind(step_m) for kind in kinds)))
    return Cloud(
        points=points,
        step_m=step_m,
        yaw_deg=draw(YAWS),
        metric=draw(st.sampled_from(["planar", "spatial"])),
        vertical=draw(st.booleans()),
    )


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    """Exact legs from anywhere, told in any heading; positions to the micrometre, as on disk."""
    step_m, yaw = draw(STEPS_M), draw(st.sampled_from([0.0, 30.0, 45.0, 90.0, -60.0, 17.0]))
    x, y = draw(st.integers(-50, 50)) / 10, draw(st.integers(-50, 50)) / 10
    points: list[Vector] = [(x, y, 1.3)]
    for _ in range(2):
        steps, eighth = draw(st.integers(0, 12)), draw(st.integers(0, 7))
        turn = math.radians(yaw - 45 * eighth)
        x += steps * step_m * math.cos(turn)
        y += steps * step_m * math.sin(turn)
        points.append((round(x, 6), round(y, 6), 1.3))
    return Walk(points=(points[0], points[1], points[2]), step_m=step_m, yaw_deg=yaw)
