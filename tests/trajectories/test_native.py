"""The loader says file, field and what was expected; a wrong trajectory is never half loaded."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.domain import Action, Box, Camera, Pose
from pytest_metaspace.trajectories import native
from tests.trajectories.native_support import lamp, refused, true_lamp
from tests.unit_support import (
    HOUSEHOLD,
    objects_file,
    picture,
    trajectory_file,
    truth_file,
    written,
)

if TYPE_CHECKING:
    from pathlib import Path


# ---------------------------------------------------------------------------- what is right


def test_a_right_trajectory_is_loaded_field_by_field(tmp_path: Path) -> None:
    seen = [{"frame": 0, "height_fraction": 0.5}]
    path = written(
        tmp_path,
        trajectory=trajectory_file(rotation_deg=30, vertical=True, mover="gripper"),
        objects=objects_file(lamp()),
        truth=truth_file(3, true_lamp(rest=[[0, 1]], visibility=seen)),
    )
    made = native.load(path)
    assert (made.id, made.source, made.scenario) == ("written", path, "household")
    assert (made.step_length_m, made.rotation_deg, made.vertical) == (0.5, 30, True)
    assert (made.distance_metric, made.mover) == ("planar", "gripper")
    assert made.camera == Camera(width=640, height=480, fx=400.0, fy=400.0)
    first, _, last = made.states
    assert first.frame == tmp_path / "frames" / "000.png"
    assert first.action == Action(name="move_forward", move_m=(0.5, 0.0, 0.0))
    assert (first.succeeded, last.action, last.succeeded, last.index) == (True, None, None, 2)
    (tracked,) = made.objects
    assert (tracked.id, tracked.label) == ("lamp", "floor lamp")
    assert tracked.boxes == {0: Box(10, 20, 30, 60)}
    assert tracked.confidences == {0: 0.8}
    assert made.truth is not None
    assert made.truth.poses[2] == Pose(position=(1.0, 0.0, 1.0), yaw_deg=0.0)
    place = made.truth.objects["lamp"]
    assert (place.center, place.extent) == ((1, 2, 0.5), (0.3, 0.3, 1.0))
    assert (place.rest, place.visible) == (((0, 1),), {0: 0.5})


def test_objects_and_truth_may_be_missing(tmp_path: Path) -> None:
    made = native.load(written(tmp_path))
    assert made.objects == ()
    assert made.truth is None


def test_what_is_not_said_to_have_moved_rests(tmp_path: Path) -> None:
    made = native.load(written(tmp_path, truth=truth_file(3, true_lamp())))
    assert made.truth is not None
    assert made.truth.objects["lamp"].rest == ((0, 2),)


def test_unknown_fields_are_left_alone(tmp_path: Path) -> None:
    assert native.load(written(tmp_path, trajectory=trajectory_file(note="hello"))).id == "written"


def test_every_shipped_trajectory_loads() -> None:
    paths = sorted(HOUSEHOLD.glob("*/trajectory.json"))
    assert paths
    for path in paths:
        made = native.load(path)
        assert made.truth is not None
        assert made.objects
        assert {thing.id for thing in made.objects} <= set(made.truth.objects)


# -------------------------------------------------------------------------- files as a whole


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "trajectory.json") == (
        "HERE/trajectory.json: cannot be read (No such file or directory)."
    )


@pytest.mark.parametrize("name", ["trajectory", "objects", "truth"])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"{", "is not JSON in UTF-8"),
        (b"\xff\xfe{}", "is not JSON in UTF-8"),
        (b'{"id": "\xe9"}', "is not JSON in UTF-8"),
        (b"[" * 100_000, "is not JSON in UTF-8"),
        (b'{"a":' * 100_000, "is not JSON in UTF-8"),
        (b"1" * 10_000, "is not JSON in UTF-8"),
        (b"[]", "field (the whole file): Input should be a valid dictionary"),
        (b"null", "field (the whole file)"),
        (b"{}", "field format: Field required"),
    ],
    ids=range(10),
)
def test_a_file_that_is_no_json_object_is_refused(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    path = written(tmp_path)
    (tmp_path / f"{name}.json").write_bytes(content)
    text = refused(path)
    assert text.startswith(f"HERE/{name}.json: {reason}")
    assert len(text) < 1000


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "objects.json").mkdir()
    assert refused(path) == "HERE/objects.json: cannot be read (Is a directory)."


# ------------------------------------------------------------------------ trajectory.json


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"format": "other"}, "field format: Input should be 'metaspace-trajectory', found 'other'"),
        ({"version": 2}, "field version: Input should be 1, found 2"),
        ({"id": ""}, "field id: String should have at least 1 character, found ''"),
        ({"id": "x" * 201}, "field id: String should have at most 200 characters"),
        ({"id": "\ud800"}, "field id: "),
        ({"scenario": "kitchen"}, "field scenario: Input should be 'household', 'arm' or 'drone'"),
        ({"step_length_m": "half"}, "field step_length_m: Input should be a valid number"),
        ({"step_length_m": 0}, "field step_length_m: Input should be greater than 0, found 0"),
        ({"step_length_m": -0.5}, "field step_length_m: Input should be greater than 0"),
        ({"step_length_m": float("nan")}, "field step_length_m: Input should be "),
        ({"step_length_m": float("inf")}, "field step_length_m: Input should be a finite number"),
        ({"step_length_m": None}, "field step_length_m: Input should be a valid number, found None"),
        ({"vertical": "perhaps"}, "field vertical: Input should be a valid boolean"),
        ({"distance_metric": "taxi"}, "field distance_metric: Input should be 'spatial' or 'planar'"),
        ({"camera": {"width": 0, "height": 480}}, "field camera.width: Input should be greater than 0"),
        ({"camera": {"width": 640}}, "field camera.height: Field required"),
        ({"camera": {"width": 640, "height": 480, "fx": float("nan")}}, "field camera.fx: "),
        ({"camera": None}, "field camera: Input should be a valid dictionary"),
        ({"states": []}, "field states: Tuple should have at least 2 items"),
        ({"states": [{"frame": "frames/000.png"}]}, "field states: Tuple should have at least 2 items"),
        ({"states": [{}, {}]}, "field states.0.frame: Field required"),
        ({"states": "many"}, "field states: Input should be a valid tuple"),
    ],
    ids=range(22),
)  # fmt: skip
def test_a_wrong_field_is_named_with_what_was_expected(
    tmp_path: Path, fields: dict[str, Any], expected: str
) -> None:
    text = refused(written(tmp_path, trajectory=trajectory_file(**fields)))
    assert text.startswith(f"HERE/trajectory.json: {expected}")
    assert text.endswith("\nSee docs/format.md.")
    assert text.isascii()
    assert len(text) < 2000


@pytest.mark.parametrize(
    "field", ["id", "scenario", "step_length_m", "camera", "states", "version"]
)
def test_a_field_that_is_missing_is_named(tmp_path: Path, field: str) -> None:
    content = trajectory_file()
    del content[field]
    assert f"field {field}: Field required\n" in refused(written(tmp_path, trajectory=content))


def test_at_most_five_problems_are_told(tmp_path: Path) -> None:
    content = trajectory_file(states=[{}] * 50)
    assert refused(written(tmp_path, trajectory=content)).count("Field required") == 5


def with_state(number: int, **fields: Any) -> dict[str, Any]:
    content = trajectory_file()
    content["states"][number] = {**content["states"][number], **fields}
    return content


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"name": "go", "move_m": [float("nan"), 0, 0]}, "field states.0.action.move_m.0: "),
        ({"name": "go", "move_m": [1, 2]}, "field states.0.action.move_m"),
        ({"name": "go", "turn_deg": float("inf")}, "field states.0.action.turn_deg: "),
        ({"move_m": [0.5, 0, 0]}, "field states.0.action.name: Field required"),
        ("go", "field states.0.action: "),
    ],
)
def test_a_wrong_action_is_named_with_its_state(
    tmp_path: Path, action: object, expected: str
) -> None:
    text = refused(written(tmp_path, trajectory=with_state(0, action=action)))
    assert expected in text


@pytest.mark.parametrize(
    "frame",
    ["../outside.png", "/etc/hostname", "frames/../../outside.png", "frames/link.png", "~/x.png"],
)
def test_a_frame_outside_the_folder_is_refused(tmp_path: Path, frame: str) -> None:
    folder = tmp_path / "run"
    path = written(folder, trajectory=with_state(1, frame=frame))
    picture(tmp_path / "outside.png", 9)
    (folder / "frames" / "link.png").symlink_to(tmp_path / "outside.png")
    text = refused(path)
    if frame.startswith("~"):
        assert "there is no file" in text
    else:
        assert text == (
            f"HERE/trajectory.json: field states.1.frame: {frame!r} leaves the folder HERE."
        )


@pytest.mark.parametrize(
    "frame",
    [
        "frames/404.png",
        "frames",
        "frames/000.png/x",
        "frames/\x00.png",
        "\u00e9" * 200,
        "x" * 200,
        "frames/loop.png",
        "frames/000.png\nsecond line",
    ],
    ids=range(8),
)
def test_a_frame_that_is_no_file_is_named(tmp_path: Path, frame: str) -> None:
    path = written(tmp_path, trajectory=with_state(1, frame=frame))
    (tmp_path / "frames" / "loop.png").symlink_to(tmp_path / "frames" / "loop.png")
    text = refused(path)
    assert text.startswith("HERE/trajectory.json: field states.1.frame: there is no file '")
    assert text.isascii()
    assert "\n" not in text


def test_the_folder_of_a_trajectory_may_be_a_link(tmp_path: Path) -> None:
    written(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert native.load(tmp_path / "link" / "trajectory.json").id == "written"


def test_a_counter_that_restarts_means_two_runs_in_one_file(tmp_path: Path) -> None:
    content = trajectory_file()
    for state, index in zip(content["states"], (0, 1, 0)):
        state["index"] = index
    text = refused(written(tmp_path, trajectory=content))
    assert text == (
        "HERE/trajectory.json: field states.2.index: is 0, expected 2; a counter that restarts "
        "or skips means that two runs were written into one file. Split them."
    )


def test_a_step_longer_than_the_shortest_move_says_which_one_to_set(tmp_path: Path) -> None:
    text = refused(written(tmp_path, trajectory=trajectory_file(step_length_m=0.51)))
    assert text == (
        "HERE/trajectory.json: field step_length_m: is 0.51, longer than the shortest executed "
        "move. Set it to 0.5 or less."
    )


@pytest.mark.parametrize("succeeded", [False, None])
def test_a_move_that_did_not_happen_sets_no_step(tmp_path: Path, succeeded: bool | None) -> None:
    content = with_state(0, action={"name": "go", "move_m": [0.1, 0, 0]}, succeeded=succeeded)
    assert native.load(written(tmp_path, trajectory=content)).step_length_m == 0.5


def test_equal_pictures_after_a_successful_move_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    shutil.copy(tmp_path / "frames" / "000.png", tmp_path / "frames" / "001.png")
    assert refused(path) == (
        "HERE/trajectory.json: field states.1.frame: is the same picture as that of state 0, "
        "though the action 'move_forward' between them is said to have succeeded. Record the "
        "frame after the action, or set states.0.succeeded to false."
    )


@pytest.mark.parametrize(
    "fields",
    [{"succeeded": False}, {"succeeded": None}, {"action": None}, {"action": {"name": "wait"}}],
)
def test_equal_pictures_are_fine_where_nothing_moved(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    path = written(tmp_path, trajectory=with_state(0, **fields))
    shutil.copy(tmp_path / "frames" / "000.png", tmp_path / "frames" / "001.png")
    assert len(native.load(path).states) == 3


def test_equal_pictures_after_a_turn_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, trajectory=with_state(0, action={"name": "turn", "turn_deg": 30}))
    shutil.copy(tmp_path / "frames" / "000.png", tmp_path / "frames" / "001.png")
    assert "the action 'turn'" in refused(path)
