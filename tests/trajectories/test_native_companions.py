"""``objects.json`` and ``truth.json`` are checked as strictly, and foreign files are left alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.domain import Box
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import is_native, load_native, native
from tests.trajectories.native_support import lamp, refused, true_lamp
from tests.unit_support import (
    objects_file,
    trajectory_file,
    truth_file,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# ---------------------------------------------------------------------------- objects.json


def boxed(*xyxy: float, **fields: Any) -> dict[str, Any]:
    return lamp(boxes=[{"frame": 0, "xyxy": list(xyxy), **fields}])


@pytest.mark.parametrize(
    "xyxy",
    [(30, 20, 10, 60), (10, 60, 30, 20), (10, 20, 10, 60), (-2, 0, 9, 9), (0, -2, 9, 9),
     (0, 0, 642, 9), (0, 0, 9, 482)],
)  # fmt: skip
def test_a_box_that_cannot_be_is_shown_with_the_image_size(
    tmp_path: Path, xyxy: tuple[float, ...]
) -> None:
    text = refused(written(tmp_path, objects=objects_file(lamp(id="a"), boxed(*xyxy))))
    assert text == (
        f"HERE/objects.json: field objects.1.boxes.0.xyxy: {[float(x) for x in xyxy]} is no box "
        "in an image of 640 x 480 pixels; expected x1 < x2 and y1 < y2, inside."
    )


def test_a_box_may_reach_one_pixel_out(tmp_path: Path) -> None:
    made = native.load(written(tmp_path, objects=objects_file(boxed(-1, -1, 641, 481))))
    assert made.objects[0].boxes[0] == Box(-1, -1, 641, 481)


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (boxed(float("nan"), 0, 9, 9), "field objects.0.boxes.0.xyxy.0: Input should be a finite"),
        (boxed(1, 2, 3), "field objects.0.boxes.0.xyxy"),
        (boxed(1, 2, 3, 4, confidence=1.5), "field objects.0.boxes.0.confidence: Input should be less"),
        (boxed(1, 2, 3, 4, confidence=float("nan")), "field objects.0.boxes.0.confidence: "),
        (boxed(1, 2, 3, 4, frame=-1), "field objects.0.boxes.0.frame: Input should be greater"),
        (boxed(1, 2, 3, 4, frame=3), "field objects.0.boxes.0.frame: is 3, but there are 3 states."),
        (lamp(id=""), "field objects.0.id: "),
        (lamp(id=7), "field objects.0.id: Input should be a valid string, found 7"),
        (lamp(label="x" * 201), "field objects.0.label: "),
        (lamp(boxes=[boxed(1, 2, 3, 4)["boxes"][0]] * 2), "field objects.0.boxes: two boxes in one frame."),
    ],
    ids=range(10),
)  # fmt: skip
def test_a_wrong_object_is_named_by_its_place(
    tmp_path: Path, thing: dict[str, Any], expected: str
) -> None:
    text = refused(written(tmp_path, objects=objects_file(thing)))
    assert text.startswith(f"HERE/objects.json: {expected}")


def test_an_object_id_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    text = refused(written(tmp_path, objects=objects_file(lamp(), lamp(label="other"))))
    assert text == "HERE/objects.json: field objects.1.id: 'lamp' occurs twice."


# ------------------------------------------------------------------------------ truth.json


@pytest.mark.parametrize("poses", [0, 2, 4])
def test_there_must_be_one_pose_a_state(tmp_path: Path, poses: int) -> None:
    text = refused(written(tmp_path, truth=truth_file(poses)))
    assert text == (
        f"HERE/truth.json: field poses: has {poses} entries, expected one for each of the 3 states."
    )


def test_a_true_object_id_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    text = refused(written(tmp_path, truth=truth_file(3, true_lamp(), true_lamp())))
    assert text == "HERE/truth.json: field objects.1.id: 'lamp' occurs twice."


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (true_lamp(extent=[0.3, 0, 1]), "field objects.0.extent.1: Input should be greater than 0"),
        (true_lamp(center=[0, 0, float("inf")]), "field objects.0.center.2: "),
        (true_lamp(rest=[[0]]), "field objects.0.rest.0"),
        (true_lamp(rest=[[-1, 2]]), "field objects.0.rest.0.0: "),
        (true_lamp(visibility=[{"frame": 0, "height_fraction": 1.1}]), "field objects.0.visibility.0"),
        (true_lamp(visibility=[{"frame": 0, "height_fraction": float("nan")}]), "field objects.0.vis"),
    ],
    ids=range(6),
)  # fmt: skip
def test_wrong_truth_is_named_by_its_place(
    tmp_path: Path, thing: dict[str, Any], expected: str
) -> None:
    text = refused(written(tmp_path, truth=truth_file(3, thing)))
    assert text.startswith(f"HERE/truth.json: {expected}")


def test_a_pose_that_is_no_number_is_refused(tmp_path: Path) -> None:
    content = truth_file(3)
    content["poses"][1]["yaw_deg"] = float("nan")
    text = refused(written(tmp_path, truth=content))
    assert text.startswith("HERE/truth.json: field poses.1.yaw_deg: Input should be a finite")


# ------------------------------------------------------------------------------ what is ours


def late_format() -> str:
    return json.dumps({"note": "x" * 5000, **trajectory_file()})


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (lambda: json.dumps(trajectory_file()), True),
        (late_format, True),
        (lambda: '{"format" :\n"metaspace-trajectory", broken', True),
        (lambda: json.dumps(trajectory_file(format="other")), False),
        (lambda: "{}", False),
        (lambda: "[]", False),
        (lambda: "", False),
        (lambda: "[" * 100_000, False),
        (lambda: "1" * 10_000, False),
        (lambda: "x" * 100, False),
    ],
    ids=range(10),
)
def test_a_file_is_ours_when_it_names_our_format(
    tmp_path: Path, content: Callable[[], str], ours: bool
) -> None:
    path = tmp_path / "trajectory.json"
    path.write_text(content(), encoding="utf-8")
    assert is_native(path) is ours


def test_what_cannot_be_read_is_not_ours(tmp_path: Path) -> None:
    assert not is_native(tmp_path / "trajectory.json")
    (tmp_path / "trajectory.json").mkdir()
    assert not is_native(tmp_path / "trajectory.json")
    other = tmp_path / "other.json"
    other.write_text(json.dumps(trajectory_file()), encoding="utf-8")
    assert not is_native(other)
    binary = tmp_path / "x" / "trajectory.json"
    binary.parent.mkdir()
    binary.write_bytes(b"\xff\xfe\x00")
    assert not is_native(binary)


@pytest.mark.parametrize("content", ["", "[[", "{}", '{"format": "metaspace_trajectory"}'])
@pytest.mark.parametrize("company", ["frames", "objects.json"])
def test_a_damaged_file_among_ours_is_not_passed_over(
    tmp_path: Path, content: str, company: str
) -> None:
    path = tmp_path / "trajectory.json"
    path.write_text(content)
    assert not is_native(path)
    if company == "frames":
        (tmp_path / company).mkdir()
    else:
        (tmp_path / company).write_text("{}")
    assert is_native(path)
    with pytest.raises(TrajectoryError):
        load_native(path)


def test_another_tools_file_beside_frames_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "trajectory.json").write_text('{"format": "another tool"}')
    assert not is_native(tmp_path / "trajectory.json")
