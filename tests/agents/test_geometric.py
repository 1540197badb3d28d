"""The ``geometric`` agent: right about made-up geometry, blind to what it must not see."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from pytest_metaspace.agents import _features, geometric
from pytest_metaspace.agents._ground import Eye
from pytest_metaspace.agents._odometry import Motion, Odometer, motion
from pytest_metaspace.agents._perceiving import DECLINED, PerceivingAgent, opened
from pytest_metaspace.agents._placing import spot
from pytest_metaspace.agents._sizes import Usual, usual
from pytest_metaspace.agents.truth import TruthAgent
from pytest_metaspace.domain import (
    Box,
    Camera,
    Capability,
    Query,
    Settings,
    State,
    TrackedObject,
    Trajectory,
    Value,
)
from pytest_metaspace.errors import AgentError, UsageProblem
from pytest_metaspace.mrs import BUILT_IN, Grounds
from pytest_metaspace.questions import distinct, question
from pytest_metaspace.trajectories import load_native

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.agents._ground import Floats

cv2 = pytest.importorskip("cv2")

SHIPPED = Path(__file__).parents[2] / "fixtures" / "household" / "kitchen-03" / "trajectory.json"
CAMERA = Camera(
    width=640, height=480, fx=420.0, fy=420.0, cx=320.0, cy=240.0, pitch_deg=-20.0, height_m=1.2
)
EYE = Eye(fx=420.0, fy=420.0, cx=320.0, cy=240.0, pitch_deg=-20.0, height_m=1.2)
EARLY = 8  # frames; the first turn lies among them
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


@pytest.mark.parametrize("missing", ["pitch_deg", "height_m"])
def test_a_camera_of_unknown_pose_has_no_eye(missing: str) -> None:
    assert Eye.of(dataclasses.replace(CAMERA, **{missing: None})) is None  # type: ignore[arg-type]
    assert Eye.of(CAMERA) == EYE


# ------------------------------------------------------------------------------- odometry


def _seen(moved: Motion, *, floor: int, above: int, from_m: float = 0.2) -> tuple[Floats, Floats]:
    """Return exact pixels, before and after a motion, of points on the floor and above it."""
    rng = np.random.default_rng(7)
    ahead, aside = rng.uniform(1.6, 6, 4000), rng.uniform(-0.8, 0.8, 4000)
    places = ahead * (1 + 1j * aside)
    ups = np.where(np.arange(4000) % 2, rng.uniform(from_m, 2.2, 4000), 0.0) - EYE.height_m
    after = (places - moved.shift) / moved.turn
    a = np.stack(EYE.pixel(places.real, places.imag, ups), axis=-1)
    b = np.stack(EYE.pixel(after.real, after.imag, ups), axis=-1)
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
    a, b = (state.frame for state in _shipped().states[:2])
    eye = Eye.of(_shipped().camera)
    assert eye is not None
    one, other = Odometer(eye), Odometer(eye)
    forth, back = one.between(a, b), other.between(b, a)
    assert forth is not None
    assert other.between(a, b) == forth
    assert back == forth.back


# -------------------------------------------------------------------------------- placing


def _box(eye: Eye, *, ahead: float, aside: float, low: float, size: Usual) -> Box:
    """Return the box of a cuboid that faces the camera; ``low`` is where it starts."""
    corners = [
        eye.pixel(ahead + i * size.depth / 2, aside + j * size.width / 2, up - eye.height_m)
        for i in (-1, 1)
        for j in (-1, 1)
        for up in (low, low + size.height)
    ]
    columns, rows = zip(*corners)
    return Box(min(columns), min(rows), max(columns), max(rows))


CHEST = Usual(height=0.8, width=1.0, depth=0.5, stands=True)
TALL = Usual(height=1.8, width=0.8, depth=0.4, stands=True)
JUG = Usual(height=0.3, width=0.2, depth=0.2, stands=False)


@pytest.mark.parametrize("size", [CHEST, TALL], ids=["under the eye", "over the eye"])
def test_what_stands_on_the_floor_is_placed_and_measured(size: Usual) -> None:
    box = _box(LEVEL, ahead=3.5, aside=0.6, low=0.0, size=size)
    guessed = size._replace(height=size.height * 1.3)  # what is usual is not what is seen
    found = spot(LEVEL, box, guessed, CAMERA)
    assert found is not None
    assert found.place == pytest.approx(3.5 + 0.6j, abs=0.08)
    assert found.height == pytest.approx(size.height, abs=0.02)
    assert found.up == pytest.approx(size.height / 2, abs=0.01)


@pytest.mark.parametrize("low", [0.7, 1.0, 1.6])
def test_what_stands_elsewhere_is_placed_by_its_usual_height(low: float) -> None:
    box = _box(LEVEL, ahead=2.5, aside=-0.4, low=low, size=JUG)
    found = spot(LEVEL, box, JUG, CAMERA)
    assert found is not None
    assert found.place == pytest.approx(2.5 - 0.4j, abs=0.05)
    assert found.up == pytest.approx(low + 0.15, abs=0.05)
    assert found.height == JUG.height


def test_a_thing_smaller_than_usual_is_not_put_under_the_floor() -> None:
    box = _box(LEVEL, ahead=2.5, aside=0.0, low=0.0, size=JUG)
    found = spot(LEVEL, box, JUG._replace(height=0.6), CAMERA)
    assert found is not None
    assert found.place.real == pytest.approx(2.5, abs=0.05)


def test_a_hidden_foot_is_noticed() -> None:
    whole = _box(LEVEL, ahead=3.0, aside=0.0, low=0.0, size=TALL)
    hidden = dataclasses.replace(whole, y2=whole.y1 + 0.5 * whole.height)
    found = spot(LEVEL, hidden, TALL, CAMERA)
    assert found is not None
    assert found.height == TALL.height  # not the 3 m of a foot far behind


def test_a_box_cut_below_tells_nothing() -> None:
    box = _box(LEVEL, ahead=3.0, aside=0.0, low=0.0, size=CHEST)
    assert spot(LEVEL, dataclasses.replace(box, y2=480.0), CHEST, CAMERA) is None


def test_a_tall_thing_cut_above_still_stands_on_the_floor() -> None:
    box = _box(LEVEL, ahead=3.0, aside=0.0, low=0.0, size=TALL)
    found = spot(LEVEL, dataclasses.replace(box, y1=0.0), TALL, CAMERA)
    assert found is not None
    assert found.place.real == pytest.approx(3.0, abs=0.05)


def test_the_longest_known_ending_of_a_label_decides() -> None:
    assert usual("red Office Chair") == usual("office chair") != usual("chair")
    assert usual("kitchen_chair") == usual("chair")
    assert usual("antimacassar") is None


# -------------------------------------------------------------------- the agent, made up


class _Told(Odometer):
    """An odometer that is told the motions between frames, by their names."""

    def __init__(self, motions: Mapping[tuple[int, int], Motion]) -> None:
        super().__init__(EYE)
        self._told = motions

    def between(self, a: Path, b: Path) -> Motion | None:
        first, last = int(a.stem), int(b.stem)
        if first > last:
            backward = self.between(b, a)
            return backward and backward.back
        return self._told.get((first, last))


def _made(frames: int = 4, *objects: TrackedObject, **more: Any) -> Trajectory:
    plain: dict[str, Any] = {
        "id": "made",
        "source": Path("/nowhere/trajectory.json"),
        "scenario": "household",
        "step_length_m": 0.5,
        "vertical": False,
        "distance_metric": "planar",
        "camera": CAMERA,
        "mover": "agent",
        "states": tuple(State(index=i, frame=Path(f"{i}.png")) for i in range(frames)),
        "objects": objects,
        "truth": None,
    }
    return Trajectory(**(plain | more))


def _agent(motions: Mapping[tuple[int, int], Motion]) -> geometric.GeometricAgent:
    agent = geometric.GeometricAgent()
    agent._odometers[EYE] = _Told(motions)
    return agent


def _query(code: str, a: int | str, b: int | str | None, *evidence: int, **more: Any) -> Query:
    return Query(
        trajectory="made", capability=Capability(code), a=a, b=b, evidence=evidence, **more
    )


STEP, QUARTER = Motion(0.5 + 0j), Motion(0j, 1j)


def test_movement_is_told_in_the_heading_of_the_anchor() -> None:
    agent, run = _agent({(0, 1): QUARTER, (1, 2): STEP, (2, 3): STEP}), _made()
    there = _query("SC1-a", 1, 3, 0, 1, 2, 3, reference=0)
    assert agent.perceive(there, run) == Value(planar="right")
    back = _query("SC1-a", 3, 1, 0, 1, 2, 3, reference=0)
    assert agent.perceive(back, run) == Value(planar="left")
    assert agent.perceive(_query("SC1-a", 0, 1, 0, 1, reference=0), run) == Value(planar="none")
    far = _query("SC1-b", 1, 3, 0, 1, 2, 3, reference=0)
    assert agent.perceive(far, run) == Value(steps=2)


def test_a_frame_is_reached_over_another_one() -> None:
    agent = _agent({(0, 1): STEP, (0, 2): Motion(1.5 + 0j), (1, 3): STEP})
    over = _query("SC1-b", 0, 3, 0, 1, 2, 3, reference=0)
    assert agent.perceive(over, _made()) == Value(steps=2)


def test_an_unreached_frame_is_declined() -> None:
    agent = _agent({(0, 1): STEP})
    assert agent.perceive(_query("SC1-a", 0, 2, 0, 1, 2, reference=0), _made()) is None


def test_who_moves_must_be_the_camera() -> None:
    agent, query = _agent({(0, 1): STEP}), _query("SC1-b", 0, 1, 0, 1, reference=0)
    assert agent.perceive(query, _made(mover="gripper")) is None
    assert agent.perceive(query, _made()) == Value(steps=1)


def test_a_flying_camera_is_declined() -> None:
    agent, query = _agent({(0, 1): STEP}), _query("SC1-b", 0, 1, 0, 1, reference=0)
    assert agent.perceive(query, _made(vertical=True)) is None


def _thing(name: str, ahead: float, aside: float, *frames: int) -> TrackedObject:
    size = usual(name)
    assert size is not None
    box = _box(EYE, ahead=ahead, aside=aside, low=0.0, size=size)
    return TrackedObject(
        id=name,
        label=name,
        boxes=dict.fromkeys(frames, box),
        confidences=dict.fromkeys(frames, 1.0),
    )


def test_objects_are_told_from_the_camera_that_sees_them() -> None:
    run = _made(1, _thing("chair", 2.5, -0.5, 0), _thing("stool", 4.0, 1.0, 0))
    aside = _query("SC2-a", "chair", "stool", 0, reference=0)
    assert geometric.GeometricAgent().perceive(aside, run) == Value(planar="front-right")
    far = _query("SC2-b", "stool", "chair", 0, reference=0)
    assert geometric.GeometricAgent().perceive(far, run) == Value(steps=4)


def test_depth_is_measured_along_the_optical_axis() -> None:
    run = _made(1, _thing("chair", 2.5, -0.5, 0))
    found = geometric.GeometricAgent().perceive(_query("SC3-b", "chair", None, 0, reference=0), run)
    down = math.radians(20)
    assert found is not None
    true = 2.5 * math.cos(down) + (1.2 - 0.45) * math.sin(down)
    assert found.metres == pytest.approx(true, abs=0.05)


def test_the_map_joins_what_different_frames_show() -> None:
    run = _made(2, _thing("chair", 3.0, 0.0, 0), _thing("stool", 3.0, 0.0, 1))
    where = _query("SC4-a", "chair", "stool", 0, 1)
    moved = Motion(3 + 0j, 1j)  # the second frame looks east from where the chair stands
    assert _agent({(0, 1): moved}).perceive(where, run) == Value(planar="east")
    assert _agent({}).perceive(where, run) is None


def test_a_thing_of_unknown_size_is_declined() -> None:
    chair = dataclasses.replace(_thing("chair", 2.5, 0.0, 0), label="antimacassar")
    query = _query("SC3-a", "chair", None, 0, reference=0)
    assert geometric.GeometricAgent().perceive(query, _made(1, chair)) is None


# --------------------------------------------------------------------- the agent, on files


@cache
def _shipped() -> Trajectory:
    return load_native(SHIPPED)


@cache
def _queries(per_capability: int) -> tuple[Query, ...]:
    """Return open questions about the first frames of the shipped trajectory, evenly drawn."""
    grounds = Grounds(_shipped(), Settings())
    cases = [
        case
        for relation in BUILT_IN
        for capability in relation.capabilities
        for case in relation.instances(grounds, capability)
    ]
    early = (opened(query) for query in distinct(cases) if max(query.evidence) < EARLY)
    every = list(dict.fromkeys(early))
    drawn: list[Query] = []
    for capability in Capability:
        mine = [query for query in every if query.capability is capability]
        drawn += mine[:: max(1, len(mine) // per_capability)]
    return tuple(drawn)


def _answers(agent: PerceivingAgent, run: Trajectory) -> list[str]:
    return [agent.ask(question(query, run)) for query in _queries(24)]


@cache
def _looked() -> geometric.GeometricAgent:
    """Return one agent for many tests: it looks at each pair of frames once."""
    return geometric.GeometricAgent()


def test_answers_need_neither_truth_nor_actions() -> None:
    seeing = _shipped()
    bare = tuple(dataclasses.replace(s, action=None, succeeded=None) for s in seeing.states)
    blind = dataclasses.replace(seeing, truth=None, states=bare)
    answers = _answers(_looked(), seeing)
    assert sum(answer != DECLINED for answer in answers) > 100
    again = _answers(geometric.GeometricAgent(), blind)
    assert "\n".join(answers).encode() == "\n".join(again).encode()


def test_no_frame_is_opened_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    opened_files: list[Path] = []
    real = _features.features

    def watched(frame: Path) -> _features.Features:
        opened_files.append(frame)
        return real(frame)

    monkeypatch.setattr(_features, "features", watched)
    query = _query("SC1-b", 1, 2, 1, 2, reference=1)
    assert geometric.GeometricAgent().perceive(query, _shipped()) is not None
    assert opened_files == [_shipped().states[1].frame, _shipped().states[2].frame]


@pytest.mark.parametrize(
    ("code", "answered", "right"),
    [("SC1-a", 0.7, 0.9), ("SC1-b", 0.7, 0.75), ("SC2-a", 0.6, 0.5), ("SC2-b", 0.6, 0.5)],
)
def test_it_is_right_most_of_the_time(code: str, answered: float, right: float) -> None:
    run, truth = _shipped(), TruthAgent()
    mine = [query for query in _queries(24) if query.capability.value == code]
    pairs = [(_looked().perceive(query, run), truth.perceive(query, run)) for query in mine]
    told = [(found, true) for found, true in pairs if found is not None]
    assert len(told) / len(pairs) >= answered
    assert sum(found == true for found, true in told) / len(told) >= right


def test_a_quarter_turn_without_overlap_is_declined() -> None:
    run = _shipped()
    turn = next(s.index for s in run.states if s.action is not None and s.action.turns)
    query = _query("SC1-a", turn, turn + 1, turn, turn + 1, reference=turn)
    assert _looked().perceive(query, run) is None


def test_pixels_count_from_the_corner_as_boxes_do(tmp_path: Path) -> None:
    picture = np.full((240, 320), 40, np.uint8)
    picture[90:102, 150:162] = 220  # the box (150, 90, 162, 102)
    Image.fromarray(picture).save(tmp_path / "0.png")
    found = _features.features(tmp_path / "0.png").pixels
    assert np.linalg.norm(found - (156, 96), axis=1).min() < 0.1


def test_blank_pictures_are_declined(tmp_path: Path) -> None:
    for i in range(2):
        Image.new("RGB", (640, 480), (200, 200, 200)).save(tmp_path / f"{i}.png")
    states = tuple(State(index=i, frame=tmp_path / f"{i}.png") for i in range(2))
    asked = question(_query("SC1-a", 0, 1, 0, 1, reference=0), _made(states=states))
    assert geometric.GeometricAgent().ask(asked) == DECLINED


def test_a_file_that_is_no_picture_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "0.png").write_bytes(b"no picture")
    with pytest.raises(AgentError, match=r"0\.png"):
        _features.features(tmp_path / "0.png")


# ------------------------------------------------------------------------------- OpenCV


def test_without_opencv_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(UsageProblem, match=r"pip install pytest-metaspace\[vision\]"):
        geometric.KIND.build("", None)  # type: ignore[arg-type]


def test_stored_answers_belong_to_a_version_of_opencv(monkeypatch: pytest.MonkeyPatch) -> None:
    assert geometric.GeometricAgent().identity == f"geometric-1+cv2-{cv2.__version__}"
    monkeypatch.setattr(cv2, "__version__", "4.99")
    assert geometric.GeometricAgent().identity == "geometric-1+cv2-4.99"


def test_listing_the_agents_does_not_load_opencv() -> None:
    code = "import sys, pytest_metaspace.agents; sys.exit('cv2' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
