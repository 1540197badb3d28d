"""The parts of the geometric agent: the ground, odometry, placing."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pytest_metaspace.agents._ground import NOMINAL_M, Eye
from pytest_metaspace.agents._odometry import Motion, Odometer, lifted, motion
from pytest_metaspace.agents._placing import height_over, spot
from pytest_metaspace.agents._sizes import Usual, usual
from pytest_metaspace.trajectories import load_native
from tests.agents.geometric_support import CAMERA, EYE, box_of

if TYPE_CHECKING:
    from pytest_metaspace.agents._ground import Floats

cv2 = pytest.importorskip("cv2")

SHIPPED = Path(__file__).parents[2] / "fixtures" / "household" / "kitchen-03" / "trajectory.json"
LEVEL = dataclasses.replace(EYE, pitch_deg=0.0)

# ----------------------------------------------------------------------------- the ground


def test_the_optical_axis_meets_the_floor_where_trigonometry_says() -> None:
    place = EYE.floor(np.array([[320.0, 240.0]]))[0]
    assert place == pytest.approx(1.2 / math.tan(math.radians(20)))


def test_what_is_right_of_the_axis_lies_to_the_right() -> None:
    assert EYE.floor(np.array([[420.0, 300.0]]))[0].imag > 0.2


def test_floor_and_pixels_are_inverse() -> None:
    places = np.array([1.5 + 0.4j, 3.0 - 1.0j, 6.0 + 2.0j])
    assert EYE.floor(EYE.floor_pixels(places)) == pytest.approx(places)


def test_only_what_is_under_the_horizon_is_floor() -> None:
    horizon = 240 - 420 * math.tan(math.radians(20))
    pixels = np.array([[320.0, horizon - 5], [320.0, horizon + 5], [320.0, horizon + 60]])
    assert EYE.sees_floor(pixels).tolist() == [False, False, True]


def test_a_camera_of_unknown_pitch_has_no_eye_and_one_of_unknown_height_a_nominal_one() -> None:
    assert Eye.of(dataclasses.replace(CAMERA, pitch_deg=None)) is None
    assert Eye.of(CAMERA) == EYE
    nominal = dataclasses.replace(EYE, height_m=NOMINAL_M)
    assert Eye.of(dataclasses.replace(CAMERA, height_m=None)) == nominal


# ------------------------------------------------------------------------------- odometry


def _seen(moved: Motion, *, floor: int, above: int, from_m: float = 0.2) -> tuple[Floats, Floats]:
    """Return exact pixels, before and after a motion, of points on the floor and above it."""
    rng = np.random.default_rng(7)
    ahead, aside = rng.uniform(1.6, 6, 4000), rng.uniform(-0.8, 0.8, 4000)
    places = ahead * (1 + 1j * aside)
    ups = np.where(np.arange(4000) % 2, rng.uniform(from_m, 2.2, 4000), 0.0) - EYE.height_m
    after = (places - moved.shift) / moved.turn
    risen = ups - EYE.height_m * (moved.lift - 1)
    a = np.stack(EYE.pixel(places.real, places.imag, ups), axis=-1)
    b = np.stack(EYE.pixel(after.real, after.imag, risen), axis=-1)
    inside = ((a > 0) & (a < (640, 480)) & (b > 0) & (b < (640, 480))).all(1) & (after.real > 0.5)
    on_floor = ups < 0.1 - EYE.height_m
    rows = [np.flatnonzero(inside & on_floor)[:floor], np.flatnonzero(inside & ~on_floor)[:above]]
    chosen = np.concatenate(rows)
    assert len(chosen) == floor + above
    return a[chosen], b[chosen]


MOVES = {
    "forward": Motion(0.5 + 0j),
    "right": Motion(0.5j),
    "long way back": Motion(-1.0 + 0j),
    "turn right": Motion(0j, complex(np.exp(1j * math.radians(30)))),
    "aside and turn left": Motion(0.3 - 0.4j, complex(np.exp(-1j * math.radians(20)))),
}


@pytest.mark.parametrize("moved", MOVES.values(), ids=MOVES)
def test_a_known_motion_is_recovered(moved: Motion) -> None:
    found = motion(EYE, *_seen(moved, floor=60, above=120))
    assert found is not None
    assert abs(found.shift - moved.shift) < 0.01
    assert abs(found.turn - moved.turn) < 0.002


FLIGHTS = {
    **MOVES,
    "up": Motion(lift=1.3),
    "down and ahead": Motion(0.4 + 0j, lift=0.8),
    "up and turn": Motion(0.2 - 0.1j, complex(np.exp(1j * math.radians(15))), lift=1.15),
}


@pytest.mark.parametrize("moved", FLIGHTS.values(), ids=FLIGHTS)
def test_a_known_flight_is_recovered(moved: Motion) -> None:
    a, b = _seen(moved, floor=60, above=80)
    b[::4] = np.random.default_rng(1).uniform((0, 0), (640, 480), b[::4].shape)
    found = lifted(EYE, a, b)
    assert found is not None
    assert abs(found.shift - moved.shift) < 0.01
    assert abs(found.turn - moved.turn) < 0.003
    assert found.lift == pytest.approx(moved.lift, abs=0.005)


def test_matches_that_agree_on_nothing_are_no_flight_either() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.uniform((0, 0), (640, 480), (2, 150, 2))
    assert lifted(EYE, a, b) is None
    assert lifted(EYE, a[:10], a[:10]) is None


def test_a_third_of_wrong_matches_does_not_matter() -> None:
    moved = MOVES["aside and turn left"]
    a, b = _seen(moved, floor=60, above=120)
    b[::3] = np.random.default_rng(1).uniform((0, 0), (640, 480), b[::3].shape)
    found = motion(EYE, a, b)
    assert found is not None
    assert abs(found.shift - moved.shift) < 0.03


def test_blurred_matches_are_averaged_out() -> None:
    moved = MOVES["aside and turn left"]
    a, b = _seen(moved, floor=60, above=120)
    off = []
    for seed in range(10):
        blur = np.random.default_rng(seed).normal(0, 0.7, b.shape)
        found = motion(EYE, a, b + blur)
        assert found is not None
        off.append(abs(found.turn - moved.turn))
    assert np.mean(off) < 0.0015  # half a pixel


def test_few_points_on_the_floor_tell_the_length_of_a_motion() -> None:
    found = motion(EYE, *_seen(Motion(0.5 + 0j), floor=12, above=300))
    assert found is not None
    assert abs(found.shift - 0.5) < 0.01


def test_what_lies_over_the_horizon_tells_no_length() -> None:
    assert motion(EYE, *_seen(Motion(0.5 + 0j), floor=0, above=200, from_m=1.25)) is None


def test_matches_that_agree_on_nothing_are_no_motion() -> None:
    a, b = np.random.default_rng(3).uniform((0, 0), (640, 480), (2, 200, 2))
    assert motion(EYE, a, b) is None


def test_a_motion_that_few_matches_agree_on_is_not_believed() -> None:
    a, b = _seen(Motion(0.5 + 0j), floor=40, above=80)
    c, d = np.random.default_rng(3).uniform((0, 0), (640, 480), (2, 600, 2))
    assert motion(EYE, np.concatenate([a, c]), np.concatenate([b, d])) is None


def test_a_handful_of_matches_is_no_motion() -> None:
    a, b = _seen(Motion(0.5 + 0j), floor=10, above=5)
    assert motion(EYE, a, b) is None


def test_motions_compose_and_undo() -> None:
    turned = Motion(1 + 0j, 1j)  # a step, then a quarter turn to the right
    assert turned.then(Motion(1 + 0j)).shift == 1 + 1j
    undone = turned.then(turned.back)
    assert abs(undone.shift) < 1e-12
    assert abs(undone.turn - 1) < 1e-12


def test_whichever_frame_is_asked_first_the_motion_is_the_same() -> None:
    a, b = (state.frame for state in load_native(SHIPPED).states[:2])
    eye = Eye.of(load_native(SHIPPED).camera)
    assert eye is not None
    one, other = Odometer(eye), Odometer(eye)
    forth, back = one.between(a, b), other.between(b, a)
    assert forth is not None
    assert other.between(a, b) == forth
    assert back == forth.back


# -------------------------------------------------------------------------------- placing


CHEST = Usual(height=0.8, width=1.0, depth=0.5, stands=True)
TALL = Usual(height=1.8, width=0.8, depth=0.4, stands=True)
JUG = Usual(height=0.3, width=0.2, depth=0.2, stands=False)


@pytest.mark.parametrize("size", [CHEST, TALL], ids=["under the eye", "over the eye"])
def test_what_stands_on_the_floor_is_placed_and_measured(size: Usual) -> None:
    box = box_of(LEVEL, ahead=3.5, aside=0.6, low=0.0, size=size)
    guessed = size._replace(height=size.height * 1.3)  # what is usual is not what is seen
    found = spot(LEVEL, box, guessed, CAMERA)
    assert found is not None
    assert found.place == pytest.approx(3.5 + 0.6j, abs=0.08)
    assert found.height == pytest.approx(size.height, abs=0.02)
    assert found.up == pytest.approx(size.height / 2, abs=0.01)


@pytest.mark.parametrize("low", [0.7, 1.0, 1.6])
def test_what_stands_elsewhere_is_placed_by_its_usual_height(low: float) -> None:
    box = box_of(LEVEL, ahead=2.5, aside=-0.4, low=low, size=JUG)
    found = spot(LEVEL, box, JUG, CAMERA)
    assert found is not None
    assert found.place == pytest.approx(2.5 - 0.4j, abs=0.05)
    assert found.up == pytest.approx(low + 0.15, abs=0.05)
    assert found.height == JUG.height


def test_a_thing_smaller_than_usual_is_not_put_under_the_floor() -> None:
    box = box_of(LEVEL, ahead=2.5, aside=0.0, low=0.0, size=JUG)
    found = spot(LEVEL, box, JUG._replace(height=0.6), CAMERA)
    assert found is not None
    assert found.place.real == pytest.approx(2.5, abs=0.05)


def test_a_hidden_foot_is_noticed() -> None:
    whole = box_of(LEVEL, ahead=3.0, aside=0.0, low=0.0, size=TALL)
    hidden = dataclasses.replace(whole, y2=whole.y1 + 0.5 * whole.height)
    found = spot(LEVEL, hidden, TALL, CAMERA)
    assert found is not None
    assert found.height == TALL.height  # not the 3 m of a foot far behind


def test_a_box_cut_below_tells_nothing() -> None:
    box = box_of(LEVEL, ahead=3.0, aside=0.0, low=0.0, size=CHEST)
    assert spot(LEVEL, dataclasses.replace(box, y2=480.0), CHEST, CAMERA) is None


def test_a_tall_thing_cut_above_still_stands_on_the_floor() -> None:
    box = box_of(LEVEL, ahead=3.0, aside=0.0, low=0.0, size=TALL)
    found = spot(LEVEL, dataclasses.replace(box, y1=0.0), TALL, CAMERA)
    assert found is not None
    assert found.place.real == pytest.approx(3.0, abs=0.05)


@pytest.mark.parametrize("size", [CHEST, TALL], ids=["under the eye", "over the eye"])
@pytest.mark.parametrize("high", [1.2, 3.0])
def test_what_stands_on_the_ground_tells_how_high_the_camera_is(size: Usual, high: float) -> None:
    eye = dataclasses.replace(EYE, height_m=high)
    box = box_of(eye, ahead=3.5 * high, aside=0.4, low=0.0, size=size)
    found = height_over(dataclasses.replace(EYE, height_m=99.0), box, size, CAMERA)
    assert found is not None
    assert found == pytest.approx(high, rel=0.12)


def test_what_is_cut_or_stands_elsewhere_does_not_tell_it() -> None:
    box = box_of(EYE, ahead=3.5, aside=0.4, low=0.0, size=CHEST)
    assert height_over(EYE, box, CHEST._replace(stands=False), CAMERA) is None
    assert height_over(EYE, dataclasses.replace(box, x1=0.0), CHEST, CAMERA) is None
    assert height_over(EYE, dataclasses.replace(box, y2=480.0), CHEST, CAMERA) is None


def test_the_longest_known_ending_of_a_label_decides() -> None:
    assert usual("red Office Chair") == usual("office chair") != usual("chair")
    assert usual("kitchen_chair") == usual("chair")
    assert usual("antimacassar") is None
