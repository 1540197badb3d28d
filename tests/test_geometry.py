"""Labels and whole numbers are exact, on edges and halves too."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Pose
from pytest_metaspace.geometry import (
    depth_m,
    elevation_deg,
    in_frame,
    opposite,
    planar_label,
    sector,
    squared_length,
    vertical_label,
    whole_steps,
)

ORIGIN = (0.0, 0.0, 0.0)
COORDINATES = st.floats(-50, 50, allow_subnormal=False)
STEPS = st.sampled_from([0.05, 0.1, 0.25, 0.3, 0.5, 1.0])


def turned(degrees: float, length: float = 10.0) -> tuple[float, float]:
    """A place so many degrees clockwise of straight ahead, as (forward, right)."""
    return length * math.cos(math.radians(degrees)), length * math.sin(math.radians(degrees))


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("off", [-22.4, -10, 0, 10, 22.4])
def test_a_sector_reaches_22_and_a_half_degrees_to_both_sides_of_its_name(
    number: int, off: float
) -> None:
    assert sector((0, 0), turned(45 * number + off)) == number


@pytest.mark.parametrize(
    ("end", "name"),
    [
        ((1, 0), "front"),
        ((1, 1), "front-right"),
        ((0, 1), "right"),
        ((-1, 1), "back-right"),
        ((-1, 0), "back"),
        ((-1, -1), "back-left"),
        ((0, -1), "left"),
        ((1, -1), "front-left"),
    ],
)
def test_sectors_are_numbered_clockwise_from_ahead(end: tuple[float, float], name: str) -> None:
    assert EGOCENTRIC[sector((0.0, 0.0), end)] == name
    assert EGOCENTRIC.index(name) == sector((5.0, 7.0), (5.0 + end[0], 7.0 + end[1]))


def pell(count: int) -> list[tuple[int, int]]:
    """Fractions p/q that close in on tan 22.5° from both sides: p² + 2pq - q² is 1 or -1."""
    pairs = [(0, 1), (1, 2)]
    while len(pairs) < count:
        (a, b), (c, d) = pairs[-2:]
        pairs.append((a + 2 * c, b + 2 * d))
    return pairs


@pytest.mark.parametrize("number", range(8))
def test_a_hair_beside_an_edge_falls_on_the_right_side_of_it(number: int) -> None:
    """The edge between sectors 0 and 1 is right = forward · t, where t² + 2t - 1 = 0."""
    for p, q in pell(40)[2:]:
        hair_beside_an_edge(p, q, number, scale=1.0)
        hair_beside_an_edge(p, q, number, scale=2.0**-60)


def hair_beside_an_edge(p: int, q: int, number: int, *, scale: float) -> None:
    beyond = p * p + 2 * p * q - q * q > 0
    assert abs(p * p + 2 * p * q - q * q) == 1
    ahead, right = q * scale, p * scale
    axes = [(ahead, right), (right, ahead), (-right, ahead), (-ahead, right)]
    axes += [(-ahead, -right), (-right, -ahead), (right, -ahead), (ahead, -right)]
    clockwise = beyond == (number % 2 == 0)
    assert sector((0.0, 0.0), axes[number]) == (number + clockwise) % 8


def test_only_float_noise_decides_nothing() -> None:
    """Moving both ends along does not move a vector from one sector to the next."""
    p, q = pell(12)[-1]
    for shift in (0.0, 1.0, 4096.0):
        start, end = (shift, -2 * shift, 3.0), (shift + q, p - 2 * shift, 7.0)
        assert sector(start, end) == sector((0.0, 0.0), (q, p))


@given(COORDINATES, COORDINATES, COORDINATES, COORDINATES)
def test_reversal_is_four_sectors_on(a: float, b: float, c: float, d: float) -> None:
    assume((a, b) != (c, d))
    assert sector((c, d), (a, b)) == (sector((a, b), (c, d)) + 4) % 8


@given(st.integers(-60, 60), st.integers(-60, 60), st.integers(0, 7))
def test_turning_by_45_degrees_shifts_the_sector_by_one(x: int, y: int, times: int) -> None:
    """(x, y) turned by 45° and stretched by sqrt 2 is (x - y, x + y): whole numbers stay whole."""
    assume((x, y) != (0, 0))
    ahead, right = x, y
    for _ in range(times):
        ahead, right = ahead - right, ahead + right
    assert sector((0.0, 0.0), (ahead, right)) == (sector((0.0, 0.0), (x, y)) + times) % 8


@given(st.integers(-500, 500), st.integers(-500, 500))
def test_sectors_agree_with_whole_numbers(x: int, y: int) -> None:
    """An edge by whole numbers: |right| < forward · t means (|y| + x)² < 2x² for x > 0."""
    assume((x, y) != (0, 0))
    wide = max(abs(x), abs(y))
    thin = min(abs(x), abs(y))
    straight = (thin + wide) ** 2 < 2 * wide**2
    found = sector((0.0, 0.0), (float(x), float(y)))
    assert (found % 2 == 0) == straight
    if straight:
        assert found == ((0 if x > 0 else 4) if abs(x) > abs(y) else (2 if y > 0 else 6))
    else:
        assert (
            found
            == {(1, 1): 1, (-1, 1): 3, (-1, -1): 5, (1, -1): 7}[
                (1 if x > 0 else -1, 1 if y > 0 else -1)
            ]
        )


@pytest.mark.parametrize(
    ("length", "step", "steps"),
    [
        (0.0, 0.1, 0),
        (0.049, 0.1, 0),
        (0.05, 0.1, 1),
        (0.15, 0.1, 2),
        (0.25, 0.1, 3),
        (0.35, 0.1, 4),
        (1.45, 0.1, 15),
        (0.125, 0.25, 1),
        (0.375, 0.25, 2),
        (0.15, 0.3, 1),
        (0.45, 0.3, 2),
        (0.4499999, 0.3, 1),
        (0.024999, 0.05, 0),
        (0.025, 0.05, 1),
    ],
)
def test_halves_of_decimal_lengths_round_up(length: float, step: float, steps: int) -> None:
    for start, end in ((ORIGIN, (length, 0.0, 0.0)), ((0.0, length, 0.0), ORIGIN)):
        assert whole_steps(start, end, step, "planar") == steps


@given(st.integers(0, 200), st.integers(1, 40), st.integers(-400, 400), st.integers(-400, 400))
def test_whole_steps_agree_with_whole_numbers(x: int, step: int, y: int, z: int) -> None:
    """In centimetres: m steps when (2m - 1)·step <= 2·length < (2m + 1)·step."""
    end = (x / 100, y / 100, z / 100)
    for metric, squared in (("planar", x * x + y * y), ("spatial", x * x + y * y + z * z)):
        steps = whole_steps(ORIGIN, end, step / 100, metric)  # type: ignore[arg-type]
        assert steps == 0 or ((2 * steps - 1) * step) ** 2 <= 4 * squared
        assert 4 * squared < ((2 * steps + 1) * step) ** 2


@given(st.tuples(*[COORDINATES] * 3), st.tuples(*[COORDINATES] * 3), STEPS)
def test_distances_are_the_same_there_and_back(
    a: tuple[float, float, float], b: tuple[float, float, float], step: float
) -> None:
    for metric in ("planar", "spatial"):
        there = whole_steps(a, b, step, metric)
        assert there == whole_steps(b, a, step, metric)


def test_height_counts_in_space_only() -> None:
    assert whole_steps(ORIGIN, (3.0, 4.0, 12.0), 1.0, "planar") == 5
    assert whole_steps(ORIGIN, (3.0, 4.0, 12.0), 1.0, "spatial") == 13
    assert squared_length(ORIGIN, (0.1, 0.2, 0.3), "spatial") == Fraction(14, 100)
    assert squared_length(ORIGIN, (0.1, 0.2, 0.3), "planar") == Fraction(5, 100)
    assert squared_length((0.1, -0.2, 0.3), (0.4, 0.2, 0.3), "spatial") == Fraction(25, 100)


@pytest.mark.parametrize(
    ("rise", "label"),
    [
        (0.05, "above"),
        (0.0499, "level"),
        (0.0, "level"),
        (-0.0499, "level"),
        (-0.05, "below"),
        (3.0, "above"),
    ],
)
def test_half_a_step_of_rise_is_above_and_half_a_step_of_fall_below(
    rise: float, label: str
) -> None:
    assert vertical_label(ORIGIN, (0.0, 0.0, rise), step_m=0.1) == label


def test_a_rise_is_a_difference_of_decimals() -> None:
    assert 0.35 - 0.3 < 0.05 - 1e-18
    assert vertical_label((0.0, 0.0, 0.3), (0.0, 0.0, 0.35), step_m=0.1) == "above"
    assert vertical_label((0.0, 0.0, 0.35), (0.0, 0.0, 0.3), step_m=0.1) == "below"


@given(COORDINATES, COORDINATES, STEPS)
def test_vertical_labels_are_opposite_there_and_back(low: float, high: float, step: float) -> None:
    swapped = {"above": "below", "below": "above", "level": "level"}
    there = vertical_label((0, 0, low), (0, 0, high), step_m=step)
    assert vertical_label((0, 0, high), (0, 0, low), step_m=step) == swapped[there]


def test_less_than_half_a_step_on_the_ground_is_none() -> None:
    def label(end: tuple[float, float, float]) -> str:
        return planar_label(ORIGIN, end, yaw_deg=0.0, step_m=0.1, labels=EGOCENTRIC)

    assert label((0.0499, 0.0, 9.0)) == "none"
    assert label((0.05, 0.0, 9.0)) == "front"
    assert label((0.03, 0.04, 0.0)) == "front-left"


@pytest.mark.parametrize("eighths", range(-9, 10))
def test_labels_turn_with_the_heading(eighths: int) -> None:
    """A yaw of 0 looks along +x and grows counter-clockwise."""
    label = planar_label(
        ORIGIN, (2.0, 0.0, 0.0), yaw_deg=45.0 * eighths, step_m=0.5, labels=ALLOCENTRIC
    )
    assert label == ALLOCENTRIC[eighths % 8]


def test_a_heading_names_forward_right_and_up() -> None:
    assert in_frame((1.0, 2.0, 3.0), 0.0) == pytest.approx((1.0, -2.0, 3.0))
    assert in_frame((1.0, 2.0, 3.0), 90.0) == pytest.approx((2.0, 1.0, 3.0))
    assert in_frame((1.0, 0.0, 0.0), -30.0)[1] < 0


@pytest.mark.parametrize("labels", [EGOCENTRIC, ALLOCENTRIC])
def test_the_opposite_of_the_opposite_is_the_label(labels: tuple[str, ...]) -> None:
    for number, label in enumerate(labels):
        assert opposite(label, labels) == labels[number - 4]
        assert opposite(opposite(label, labels), labels) == label
    assert opposite("none", labels) == "none"


@given(st.floats(-170, 170), st.floats(-80, 80), st.floats(0.1, 20))
def test_depth_is_the_length_along_the_axis_whatever_is_beside_it(
    yaw: float, pitch: float, far: float
) -> None:
    pose = Pose(position=(1.0, -2.0, 1.5), yaw_deg=yaw, pitch_deg=pitch)
    ahead, up = math.radians(yaw), math.radians(pitch)
    axis = (
        math.cos(ahead) * math.cos(up),
        math.sin(ahead) * math.cos(up),
        math.sin(up),
    )
    aside = (-math.sin(ahead), math.cos(ahead), 0.0)
    point = tuple(o + far * a + 3 * s for o, a, s in zip(pose.position, axis, aside))
    assert depth_m(pose, (point[0], point[1], point[2])) == pytest.approx(far, abs=1e-9)


def test_elevation_is_the_angle_above_the_horizon() -> None:
    pose = Pose(position=(0.0, 0.0, 1.0), yaw_deg=77.0, pitch_deg=-10.0)
    assert elevation_deg(pose, (1.0, 0.0, 2.0)) == pytest.approx(45)
    assert elevation_deg(pose, (3.0, 4.0, 1.0)) == pytest.approx(0)
    assert elevation_deg(pose, (0.0, 2.0, -1.0)) == pytest.approx(-45)
