"""A mover that a camera watches: where it was, what it held, where things went; read and recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.trajectories import native
from tests.trajectories.native_support import lamp, refused, true_lamp
from tests.trajectories.recorder_support import AHEAD, chair, image, loaded, recorder
from tests.unit_support import objects_file, picture, trajectory_file, truth_file, written

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace import TrajectoryRecorder
    from pytest_metaspace.domain import Trajectory

PLACES = [[0.0, 0.0, 1.0], [0.5, 0.0, 1.0], [1.0, 0.0, 1.2]]
CENTERS = [[1, 2, 0.5], [1, 2, 0.5], [1.5, 2, 0.5]]


def watched(**fields: Any) -> dict[str, Any]:
    return trajectory_file(scenario="arm", mover="gripper", **fields)


def holding(*held: str | None) -> dict[str, Any]:
    made = watched()
    for state, name in zip(made["states"], held):
        state["holds"] = name
    return made


def moved(**fields: Any) -> dict[str, Any]:
    return true_lamp(centers=CENTERS, **fields)


# ------------------------------------------------------------------------------- what loads


def test_a_mover_its_grasps_and_what_it_carried_are_loaded(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        trajectory=holding(None, "lamp", "lamp"),
        objects=objects_file(lamp()),
        truth={**truth_file(3, moved(rest=[[0, 1]])), "mover": PLACES},
    )
    made = native.load(path)
    assert made.watched
    assert [state.holds for state in made.states] == [None, "lamp", "lamp"]
    assert made.truth is not None
    assert list(made.truth.mover or ()) == [(0, 0, 1), (0.5, 0, 1), (1, 0, 1.2)]
    thing = made.truth.objects["lamp"]
    assert [thing.center_at(state) for state in range(3)] == [tuple(place) for place in CENTERS]
    assert thing.center == (1.0, 2.0, 0.5)
    assert (thing.rested(0, 1), thing.rested(1, 2)) == (True, False)


def test_without_motion_nothing_is_said_of_it(tmp_path: Path) -> None:
    made = native.load(written(tmp_path, truth=truth_file(3, true_lamp())))
    assert not made.watched
    assert made.truth is not None
    assert made.truth.mover is None
    assert made.truth.objects["lamp"].centers is None
    assert made.truth.objects["lamp"].center_at(2) == (1, 2, 0.5)
    assert {state.holds for state in made.states} == {None}


@pytest.mark.parametrize(
    ("xs", "rest"),
    [
        ((1, 1, 1), ((0, 2),)),
        ((1, 1, 2), ((0, 1), (2, 2))),
        ((1, 2, 2), ((0, 0), (1, 2))),
        ((1, 2, 1), ((0, 0), (1, 1), (2, 2))),
        ((1, 1 + 1e-7, 1), ((0, 2),)),
    ],
)
def test_where_a_thing_rested_follows_from_where_it_was(
    tmp_path: Path, xs: tuple[float, ...], rest: tuple[tuple[int, int], ...]
) -> None:
    thing = true_lamp(centers=[[x, 2, 0.5] for x in xs])
    made = native.load(written(tmp_path, truth=truth_file(3, thing)))
    assert made.truth is not None
    assert made.truth.objects["lamp"].rest == rest


def test_what_is_held_need_not_be_known_where_no_objects_are(tmp_path: Path) -> None:
    made = native.load(written(tmp_path, trajectory=holding("cube")))
    assert made.states[0].holds == "cube"


# ----------------------------------------------------------------------------- what does not


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        ({"mover": PLACES[:2]}, "field mover: has 2 entries, expected one for each of the 3 states."),
        ({"mover": [[0, 0]] * 3}, "field mover.0.2: Field required"),
        ({"mover": [[0, 0, float("nan")]] * 3}, "field mover.0.2: Input should be a finite number"),
        (
            {"objects": [true_lamp(centers=CENTERS[:1])]},
            "field objects.0.centers: has 1 entries, expected one for each of the 3 states.",
        ),
        (
            {"objects": [true_lamp(centers=[[9, 9, 9], *CENTERS[1:]])]},
            ("field objects.0.centers.0: is [9.0, 9.0, 9.0], but center is [1.0, 2.0, 0.5]; both "
            "are its place at state 0."),
        ),
        (
            {"objects": [true_lamp(id="a"), moved(rest=[[0, 0], [1, 2]])]},
            ("field objects.1.rest.1: says that it stays from state 1 to 2, but centers has it "
            "elsewhere at state 2. Leave rest out: it follows from centers."),
        ),
        (
            {"objects": [moved(rest=[[0, 99]])]},
            "field objects.0.rest.0: says that it stays from state 0 to 99, but centers has it",
        ),
    ],
    ids=range(7),
)  # fmt: skip
def test_truth_that_does_not_fit_is_named_by_its_place(
    tmp_path: Path, truth: dict[str, Any], told: str
) -> None:
    path = written(tmp_path, trajectory=watched(), truth={**truth_file(3), **truth})
    assert refused(path).startswith(f"HERE/truth.json: {told}")


def test_a_camera_that_moves_itself_has_no_other_mover(tmp_path: Path) -> None:
    text = refused(written(tmp_path, truth={**truth_file(3), "mover": PLACES}))
    assert text == (
        "HERE/truth.json: field mover: tells where something other than the camera was, but "
        "trajectory.json says that the camera itself moves. Name what moves there (`mover`), or "
        "leave it out here."
    )


def test_what_is_held_must_be_an_object(tmp_path: Path) -> None:
    content = holding(None, "cub\x1be")
    text = refused(written(tmp_path, trajectory=content, objects=objects_file(lamp())))
    assert text == (
        "HERE/trajectory.json: field states.1.holds: objects.json knows no 'cub\\x1be'. Write the "
        "id of an object there, or null."
    )


def test_equal_pictures_are_told_of_a_mover_that_may_be_out_of_sight(tmp_path: Path) -> None:
    path = written(tmp_path, trajectory=watched())
    picture(tmp_path / "frames" / "001.png", 0)
    (note,) = native.load(path).warnings
    assert note.replace(str(tmp_path), "HERE") == (
        "HERE/trajectory.json: field states.1.frame: is the same picture as that of state 0, "
        "though the action 'move_forward' between them is said to have succeeded. If the gripper "
        "was not out of sight both times: Record the frame after the action, or set "
        "states.0.succeeded to false."
    )
    path.write_text(json.dumps(trajectory_file()), encoding="utf-8")
    assert "is the same picture as that of state 0" in refused(path)


# ---------------------------------------------------------------------------------- recorded


def arm(folder: Path) -> TrajectoryRecorder:
    return recorder(folder, scenario="arm", mover="gripper", vertical=True)


def pose(x: float = 0.0) -> dict[str, Any]:
    return {"position": (x, 0, 1), "yaw_deg": 90}


def test_places_and_grasps_are_recorded(tmp_path: Path) -> None:
    with arm(tmp_path) as rec:
        rec.step(image(0), AHEAD, succeeded=True, pose=pose(), place=(0, 0, 1), objects=[chair()])
        rec.step(image(1), AHEAD, pose=pose(), place=np.array([0, 0.25, 1]), holds="c1")
        rec.step(image(2), pose=pose(), place=[0, 0.5, 1.0])
    made = loaded(tmp_path)
    assert made.truth is not None
    assert list(made.truth.mover or ()) == [(0, 0, 1), (0, 0.25, 1), (0, 0.5, 1)]
    assert [state.holds for state in made.states] == [None, "c1", None]


def test_a_recording_that_was_not_closed_has_places_and_grasps_too(tmp_path: Path) -> None:
    rec = arm(tmp_path)
    for number in range(2):
        rec.step(image(number), pose=pose(), place=(0, number, 1), holds="cube")
    made = loaded(tmp_path)
    assert made.truth is not None
    assert list(made.truth.mover or ()) == [(0, 0, 1), (0, 1, 1)]
    assert [state.holds for state in made.states] == ["cube", "cube"]
    rec.close()


def said_of(folder: Path, *steps: dict[str, Any]) -> tuple[Trajectory, str]:
    rec = arm(folder)
    for number, step in enumerate(steps):
        rec.step(image(number), **step)
    with pytest.warns(UserWarning) as told:  # noqa: PT030 - the text is compared whole
        rec.close()
    return loaded(folder), str(told[0].message).replace(str(folder), "HERE")


def test_places_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    place = {"place": (0, 0, 1)}
    made, told = said_of(tmp_path / "some", {"pose": pose(), **place}, {"pose": pose()})
    assert made.truth is not None
    assert made.truth.mover is None
    assert told == (
        "HERE: step 1 has no place though others have; places of the mover are used only where "
        "every step has one, so none is."
    )
    made, told = said_of(tmp_path / "poses", place, place)
    assert made.truth is None
    assert told == (
        "HERE: every step has a place, but not every step a pose; places of the mover are told "
        "in the world of the camera's poses, so none is used."
    )


def test_a_grasp_of_what_was_never_seen_is_left_out(tmp_path: Path) -> None:
    made, told = said_of(tmp_path, {"objects": [chair()], "holds": "c1"}, {"holds": "c2"})
    assert [state.holds for state in made.states] == ["c1", None]
    assert told == (
        "HERE: step 1 holds 'c2', which is among the objects of no step; that it was held is left "
        "out."
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"place": (1, 2)}, "place.2: Field required"),
        ({"place": (1, 2, float("inf"))}, "place.2: Input should be a finite number"),
        ({"holds": 7}, "holds: Input should be a valid string"),
        ({"holds": ""}, "holds: String should have at least 1 character"),
    ],
)
def test_an_argument_about_the_mover_that_does_not_fit_is_named(
    tmp_path: Path, given: dict[str, Any], told: str
) -> None:
    with arm(tmp_path) as rec:
        rec.step(image(0))
        with pytest.raises(UsageProblem, match=rf"^metaspace: {told}"):
            rec.step(image(1), **given)
        rec.step(image(1))


def test_a_camera_that_moves_itself_has_a_pose_and_no_place(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0))
        with pytest.raises(UsageProblem, match="Make it with mover='gripper', or give the cam"):
            rec.step(image(1), place=(0, 0, 1))
        rec.step(image(1))


def test_a_gripper_out_of_sight_may_move_and_change_no_picture(tmp_path: Path) -> None:
    with arm(tmp_path) as rec:
        rec.step(image(0), AHEAD, succeeded=True)
        rec.step(image(0))
    made = loaded(tmp_path)
    assert made.states[0].action == AHEAD
    assert len(made.warnings) == 1
