"""What a robot's loop hands over is what loads, and a folder is never half a trajectory."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import pytest_metaspace
from pytest_metaspace import Action, Pose
from pytest_metaspace.domain import Box, Camera
from pytest_metaspace.errors import TrajectoryError, UsageProblem
from pytest_metaspace.trajectories import recorder as recorder_module
from tests.trajectories.recorder_support import (
    AHEAD,
    HEIGHT,
    WIDTH,
    chair,
    image,
    loaded,
    recorder,
)

if TYPE_CHECKING:
    from pathlib import Path


FINAL = {"frames", "trajectory.json"}


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


# ------------------------------------------------------------------------------ what loads


def test_a_loop_is_recorded_field_by_field(tmp_path: Path) -> None:
    turn = {"name": "turn_right", "turn_deg": 45}
    with recorder(tmp_path / "run", camera={"fx": 20.0}, rotation_deg=45) as rec:
        assert rec.step(image(0), AHEAD, succeeded=True) == 0
        assert rec.step(image(1), turn, succeeded=False) == 1
        assert rec.step(image(2)) == 2
    made = loaded(tmp_path / "run")
    assert (made.id, made.scenario, made.step_length_m) == ("run", "household", 0.25)
    assert (made.rotation_deg, made.vertical, made.mover) == (45, False, "agent")
    assert made.camera == Camera(width=WIDTH, height=HEIGHT, fx=20.0)
    assert [state.action for state in made.states] == [
        AHEAD,
        Action(name="turn_right", turn_deg=45),
        None,
    ]
    assert [state.succeeded for state in made.states] == [True, False, None]
    assert (made.objects, made.truth, made.warnings) == ((), None, ())
    assert names(tmp_path / "run") == FINAL


def test_poses_and_boxes_are_recorded_where_they_are_given(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0), AHEAD, pose=Pose(position=(0, 0, 1), yaw_deg=5), objects=[chair()])
        rec.step(image(1), pose={"position": (1, 0, 1), "yaw_deg": 6, "roll_deg": 2})
    made = loaded(tmp_path)
    (tracked,) = made.objects
    assert (tracked.id, tracked.label) == ("c1", "chair")
    assert (tracked.boxes, tracked.confidences) == ({0: Box(1, 2, 9, 10)}, {0: 0.75})
    assert made.truth is not None
    assert made.truth.poses == (
        Pose(position=(0, 0, 1), yaw_deg=5),
        Pose(position=(1, 0, 1), yaw_deg=6, roll_deg=2),
    )
    assert names(tmp_path) == {*FINAL, "objects.json", "truth.json"}


def test_numbers_may_be_those_of_numpy(tmp_path: Path) -> None:
    with recorder(tmp_path, step_length_m=np.float32(0.25)) as rec:
        move = {"name": "go", "move_m": np.array([0.5, 0, 0]), "turn_deg": np.int64(0)}
        box = chair(xyxy=np.array([1, 2, 9, 10], dtype=np.float32), confidence=np.float32(0.5))
        went: Any = np.True_
        rec.step(image(0), move, succeeded=went, objects=[box])
        rec.step(image(1))
    made = loaded(tmp_path)
    assert made.states[0].action == Action(name="go", move_m=(0.5, 0, 0))
    assert made.objects[0].boxes == {0: Box(1, 2, 9, 10)}


def test_a_label_is_the_one_that_was_given_most_often(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        for number, label in enumerate(("sofa", "chair", "chair")):
            rec.step(image(number), objects=[chair(label=label)])
    assert loaded(tmp_path).objects[0].label == "chair"


def test_an_action_after_the_last_picture_is_left_out(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0), AHEAD, succeeded=True)
        rec.step(image(1), AHEAD, succeeded=True)
    assert [state.action for state in loaded(tmp_path).states] == [AHEAD, None]


# ------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"action": "forward"}, "action is 'forward'; expected its fields"),
        ({"action": Action}, "action is <class"),
        (
            {"action": {"name": "go", "turn": 3}},
            "action has no field 'turn'; expected name, move_m",
        ),
        ({"action": {"move_m": (1, 0, 0)}}, "action.name: Field required"),
        ({"action": {"name": "go", "move_m": (1, 0)}}, "action.move_m.2: Field required"),
        ({"action": {"name": "go", "turn_deg": float("nan")}}, "action.turn_deg: .*finite"),
        (
            {"action": {"name": "go", "move_m": (0.1, 0, 0)}, "succeeded": True},
            "action.move_m is 0.1 m long, shorter than step_length_m=0.25",
        ),
        ({"succeeded": "yes"}, "succeeded is 'yes'; expected a bool or None"),
        ({"pose": (1, 2, 3)}, r"pose is \(1, 2, 3\); expected its fields"),
        ({"pose": {"position": (1, 2, 3), "yaw": 3}}, "pose has no field 'yaw'"),
        ({"pose": {"position": (1, 2, 3)}}, "pose.yaw_deg: Field required"),
        ({"objects": [chair(xyxy=(1, 2, 30, 4))]}, r"objects\[0\].xyxy: .*16 x 12 pixels"),
        ({"objects": [chair(xyxy=(9, 2, 1, 4))]}, r"objects\[0\].xyxy: .*x1 < x2"),
        ({"objects": [chair(), chair()]}, r"objects\[1\].id: 'c1' occurs twice"),
        ({"objects": [chair(confidence=75)]}, r"objects\[0\].confidence: .*less than or equal"),
        ({"objects": [chair(label="")]}, r"objects\[0\].label: "),
        ({"objects": [chair(box=1)]}, r"objects\[0\] has no field 'box'"),
    ],
)
def test_an_argument_that_does_not_fit_is_named_and_nothing_is_written(
    tmp_path: Path, given: dict[str, Any], told: str
) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0), AHEAD, succeeded=True)
        before = (tmp_path / "steps.jsonl").read_bytes()
        with pytest.raises(UsageProblem, match=rf"^metaspace: {told}"):
            rec.step(image(1), **given)
        assert (tmp_path / "steps.jsonl").read_bytes() == before
        rec.step(image(2))
    first, last = loaded(tmp_path).states
    assert first.action is None, "where it led to was not seen"
    assert last.frame.name == "000001.webp"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"scenario": "moon"}, "scenario: Input should be 'household', 'arm' or 'drone'"),
        ({"step_length_m": 0}, "step_length_m: Input should be greater than 0, found 0"),
        ({"step_length_m": float("inf")}, "step_length_m: .*finite"),
        ({"id": ""}, "id: String should have at least 1"),
        ({"camera": {"fx": -1}}, "camera.fx: Input should be greater than 0"),
        ({"camera": {"focal": 1}}, "camera has no field 'focal'; expected width, height, fx"),
        ({"camera": 3}, "camera is 3; expected its fields"),
        ({"distance_metric": "taxi"}, "distance_metric: "),
        ({"images": "jpeg"}, "images is 'jpeg'; expected 'webp' or 'png'"),
    ],
)
def test_a_recorder_that_cannot_record_is_refused_before_the_first_step(
    tmp_path: Path, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(UsageProblem, match=rf"^metaspace: {told}"):
        recorder(tmp_path / "run", **given)
    assert not (tmp_path / "run").exists()


# -------------------------------------------------------- what contradicts itself, or lacks


def test_a_picture_that_did_not_change_makes_its_action_unknown(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0), AHEAD, succeeded=True)
        with pytest.warns(UserWarning, match="^metaspace: step 1: image is the same picture"):
            rec.step(image(0), AHEAD, succeeded=False)
        rec.step(image(0), AHEAD, succeeded=True)
        rec.step(image(1))
    made = loaded(tmp_path)
    assert [state.action for state in made.states] == [None, AHEAD, AHEAD, None]
    assert [state.succeeded for state in made.states] == [None, False, True, None]


def test_an_unchanged_picture_after_a_refused_step_is_no_contradiction(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0), AHEAD, succeeded=True)
        with pytest.raises(UsageProblem):
            rec.step(None, AHEAD, succeeded=True)  # type: ignore[arg-type]  # the refused step
        rec.step(image(0))
    assert [state.action for state in loaded(tmp_path).states] == [None, None]


def test_poses_that_some_steps_lack_are_kept_in_the_journal(tmp_path: Path) -> None:
    rec = recorder(tmp_path)
    rec.step(image(0), pose=Pose(position=(0, 0, 1), yaw_deg=0))
    rec.step(image(1))
    with pytest.warns(UserWarning, match="no pose|is kept") as told, rec:
        pass
    texts = [str(warning.message) for warning in told]
    assert "step 1 has no pose though others have" in texts[0]
    assert texts[1].endswith("steps.jsonl is kept: it has all that was given.")
    assert {warning.filename for warning in told} == {__file__}
    assert loaded(tmp_path).truth is None
    assert '"pose":{"position":[0.0,0.0,1.0]' in (tmp_path / "steps.jsonl").read_text()


@pytest.mark.parametrize(("steps", "told"), [(0, "no step was"), (1, "only one step was")])
def test_less_than_a_trajectory_is_told(tmp_path: Path, steps: int, told: str) -> None:
    rec = recorder(tmp_path)
    for number in range(steps):
        rec.step(image(number))
    with pytest.warns(UserWarning, match=f"{told} recorded; a trajectory needs two"):
        rec.close()
    assert names(tmp_path) == ({*FINAL, "steps.jsonl"} if steps else set())


# ------------------------------------------------------------------------ folders and ends


def test_a_recording_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        for number in range(3):
            rec.step(image(number), objects=[chair()], pose=Pose(position=(0, 0, 1), yaw_deg=0))
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageProblem, match=r"a recording is in .* already.*overwrite=True"):
        recorder(tmp_path)
    assert len(loaded(tmp_path).states) == 3
    with recorder(tmp_path, overwrite=True) as rec:
        rec.step(image(7))
        rec.step(image(8))
    made = loaded(tmp_path)
    assert (len(made.states), made.objects, made.truth) == (2, (), None)
    assert len(list((tmp_path / "frames").iterdir())) == 2
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, *, overwrite: bool) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "dear.png").write_bytes(b"dear")
    with pytest.raises(UsageProblem, match="is not empty, and what is in it is no recording"):
        recorder(tmp_path, overwrite=overwrite)
    assert (tmp_path / "frames" / "dear.png").read_bytes() == b"dear"
    assert names(tmp_path) == {"frames"}


def test_one_recorder_at_a_time_writes_into_a_folder(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0))
        with pytest.raises(UsageProblem, match="another recorder is writing into"):
            recorder(tmp_path, overwrite=True)
        rec.step(image(1))
    assert len(loaded(tmp_path).states) == 2


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TrajectoryError, match=r"cannot be recorded into .Not a directory"):
        recorder(tmp_path / "file" / "run")


def test_an_error_in_the_loop_closes_the_recording_and_goes_on(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), recorder(tmp_path) as rec:  # noqa: PT012
        rec.step(image(0), AHEAD)
        rec.step(image(1), AHEAD)
        _ = 1 / 0
    assert names(tmp_path) == FINAL
    assert len(loaded(tmp_path).states) == 2


def test_a_closed_recorder_is_closed(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0))
        rec.step(image(1))
    rec.close()
    with pytest.raises(UsageProblem, match=r"is closed\. Make a TrajectoryRecorder for each run"):
        rec.step(image(2))
    with pytest.raises(UsageProblem, match="is closed"):
        rec.__enter__()
    assert len(loaded(tmp_path).states) == 2


def test_the_recorder_costs_nothing_until_it_is_used() -> None:
    heavy = "{'pytest', 'numpy', 'PIL', 'pydantic'}"
    script = (
        f"import sys, pytest_metaspace; a = {heavy} & set(sys.modules)\n"
        f"from pytest_metaspace import TrajectoryRecorder; b = {heavy} & set(sys.modules)\n"
        "print(sorted(a), sorted(b))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] ['pydantic']\n"


def test_a_name_that_the_package_lacks_is_an_attribute_error() -> None:
    assert pytest_metaspace.TrajectoryRecorder is recorder_module.TrajectoryRecorder
    with pytest.raises(AttributeError, match="has no attribute 'Recorder'"):
        pytest_metaspace.Recorder  # type: ignore[attr-defined]  # noqa: B018 - looked up on purpose
