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
from pytest_metaspace.agents._ground import NOMINAL_M
from pytest_metaspace.agents._odometry import Motion, Odometer
from pytest_metaspace.agents._perceiving import DECLINED, PerceivingAgent, opened
from pytest_metaspace.agents._sizes import usual
from pytest_metaspace.agents.truth import TruthAgent
from pytest_metaspace.domain import (
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
from tests.agents.geometric_support import CAMERA, EYE, box_of

if TYPE_CHECKING:
    from collections.abc import Mapping


cv2 = pytest.importorskip("cv2")

SHIPPED = Path(__file__).parents[2] / "fixtures" / "household" / "kitchen-03" / "trajectory.json"
EARLY = 8  # frames; the first turn lies among them

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
    agent._odometers[EYE, False] = agent._odometers[EYE, True] = _Told(motions)
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


def _thing(name: str, ahead: float, aside: float, *frames: int) -> TrackedObject:
    size = usual(name)
    assert size is not None
    box = box_of(EYE, ahead=ahead, aside=aside, low=0.0, size=size)
    return TrackedObject(
        id=name,
        label=name,
        boxes=dict.fromkeys(frames, box),
        confidences=dict.fromkeys(frames, 1.0),
    )


def test_a_camera_that_flies_is_as_high_as_what_stands_in_view_tells() -> None:
    """Neither is the height known nor does it stay; a chair and a stool are as tall as usual."""
    chair, stool = _thing("chair", 2.5, -0.5, 0), _thing("stool", 4.0, 1.0, 0)
    camera = dataclasses.replace(CAMERA, height_m=None)
    flown = {"camera": camera, "vertical": True, "distance_metric": "spatial"}
    run = _made(2, chair, stool, **flown)
    eye = dataclasses.replace(EYE, height_m=NOMINAL_M)
    agent = geometric.GeometricAgent()
    rising = Motion(NOMINAL_M * 0.5 / 1.2 + 0j, lift=2.2 / 1.2)  # half a metre ahead and one up
    agent._odometers[eye, True] = _Told({(0, 1): rising})
    up = _query("SC1-a", 0, 1, 0, 1, reference=0)
    assert agent.perceive(up, run) == Value(planar="front", vertical="above")
    down = dataclasses.replace(up, a=1, b=0)
    assert agent.perceive(down, run) == Value(planar="back", vertical="below")
    assert agent.perceive(_query("SC1-b", 0, 1, 0, 1, reference=0), run) == Value(steps=2)
    aside = _query("SC2-a", "chair", "stool", 0, reference=0)
    assert agent.perceive(aside, run) == Value(planar="front-right", vertical="level")
    tall = agent.perceive(_query("SC3-a", "stool", None, 0, reference=0), run)
    assert tall is not None
    assert tall.metres == pytest.approx(0.6, abs=0.08)


def test_where_nothing_stands_in_view_a_flight_has_no_length() -> None:
    flown: dict[str, Any] = {
        "camera": dataclasses.replace(CAMERA, height_m=None),
        "vertical": True,
    }
    agent = geometric.GeometricAgent()
    eye = dataclasses.replace(EYE, height_m=NOMINAL_M)
    agent._odometers[eye, True] = _Told({(0, 1): STEP})
    assert agent.perceive(_query("SC1-b", 0, 1, 0, 1, reference=0), _made(**flown)) is None


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
    assert geometric.GeometricAgent().identity == f"geometric-2+cv2-{cv2.__version__}"
    monkeypatch.setattr(cv2, "__version__", "4.99")
    assert geometric.GeometricAgent().identity == "geometric-2+cv2-4.99"


def test_listing_the_agents_does_not_load_opencv() -> None:
    code = "import sys, pytest_metaspace.agents; sys.exit('cv2' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
