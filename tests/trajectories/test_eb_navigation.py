"""EB-Navigation logs are read field by field."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import testing
from pytest_metaspace.domain import Action, Camera
from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories.eb_navigation import EB_NAVIGATION as FORMAT
from pytest_metaspace.trajectories.eb_navigation import configured
from tests.trajectories.eb_navigation_support import SAMPLE, with_tasks
from tests.trajectories.log_support import actions, refused
from tests.trajectories.writers import eb_navigation as writer
from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "gpt-4o_test" / "base"


@pytest.fixture
def log(folder: Path) -> Path:
    return writer.write_current(folder, writer.sample())


# ---------------------------------------------------------------------------- what is right


def test_a_log_is_read_field_by_field(log: Path, folder: Path) -> None:
    found = FORMAT.load(log)
    assert FORMAT.matches(log)
    assert (found.id, found.source) == ("gpt-4o_test-base-episode_1_step_8", log)
    assert (found.scenario, found.mover, found.vertical) == ("household", "agent", False)
    assert (found.step_length_m, found.rotation_deg) == (0.25, 90)
    assert found.distance_metric == "planar"
    focal = round(20 / math.tan(math.radians(50)), 6)
    assert found.camera == Camera(width=40, height=40, fx=focal, fy=focal, cx=20, cy=20)
    names = [f"episode_1_step_{step}_{writer.stamp(0, step)}_front.png" for step in range(9)]
    assert [state.frame for state in found.states] == [(folder / name).resolve() for name in names]
    assert actions(found) == SAMPLE
    assert found.states[0].action == Action(name="move_forward", move_m=(0.25, 0, 0))
    assert found.states[2].action == Action(name="turn_right", turn_deg=90)
    assert (found.objects, found.truth, found.defects) == ((), None, ())


def test_how_far_it_went_is_not_known_from_the_log_alone_and_that_is_said(log: Path) -> None:
    (note,) = FORMAT.load(log).warnings
    assert "0.2 or 0.3 m" in note
    assert "--metaspace-tasks" in note


def test_with_its_task_poses_and_moves_are_those_of_the_simulators_grid(
    log: Path, tmp_path: Path
) -> None:
    found = with_tasks(tmp_path)(log)
    run = writer.sample()
    assert found.truth is not None
    where = [pose.position for pose in found.truth.poses]
    assert where == [pytest.approx((z, -x, 0.9009992 + 0.675), abs=1e-4) for x, z in run.places]
    assert [pose.yaw_deg for pose in found.truth.poses] == [180] * 3 + [90] * 6
    assert [pose.pitch_deg for pose in found.truth.poses] == [0] * 7 + [-30] * 2
    moved = [state.action.move_m for state in found.states[:-1] if state.action]
    assert [round(math.hypot(*move), 6) for move in moved] == [0.3, 0.2, 0, 0.3, 0.25, 0.3, 0, 0.2]
    assert [one.succeeded for one in found.states[:-1]] == [True] * 4 + [False] + [True] * 3
    assert (found.step_length_m, found.warnings, found.defects) == (0.2, (), ())


def test_a_simulator_without_a_grid_moves_by_whole_steps(folder: Path, tmp_path: Path) -> None:
    run = writer.Run(grid=None)
    run.act(writer.FORWARD).act(writer.TURN_LEFT).act(writer.LEFT).arrive()
    found = with_tasks(tmp_path)(writer.write_current(folder, run))
    assert found.step_length_m == 0.25
    assert found.truth is not None
    assert [one.position[:2] for one in found.truth.poses] == [
        (2.9, -0.6), (2.65, -0.6), (2.65, -0.6), (2.9, -0.6),
    ]  # fmt: skip
    assert (found.camera.pitch_deg, found.camera.height_m) == (0.0, 1.576)


@pytest.mark.parametrize("as_list", [True, False])
@pytest.mark.parametrize("apart", [True, False])
def test_older_layouts_tell_the_same(
    folder: Path, log: Path, tmp_path: Path, as_list: bool, apart: bool
) -> None:
    older = tmp_path / "older" / "base"
    path = writer.write_older(older, [writer.sample()], as_list=as_list, apart=apart)
    assert FORMAT.matches(path)
    found = FORMAT.load(path)
    assert found.defects == ()
    assert actions(found) == SAMPLE
    assert found.id == "older-base-episode_1"


def test_pictures_without_boxes_go_before_those_with(log: Path, folder: Path) -> None:
    for step in range(9):
        paint(folder / f"episode_1_step_{step}_{writer.stamp(0, step)}_front_bb.png", 77)
        paint(folder / f"episode_1_step_{step}_{writer.stamp(0, step)}_top.png", 78)
    paint(folder / f"episode_1_step_9_{writer.stamp(0, 8)}_front_bb.png", 79)
    for step in range(1, 9):  # taken a second earlier
        paint(folder / f"episode_1_step_{step}_{writer.stamp(0, step - 1)}_front_bb.png", 80)
    found = FORMAT.load(log)
    assert all(one.frame.name.endswith("_front.png") for one in found.states)
    assert found.defects == ()


def test_where_only_pictures_with_boxes_are_there_they_are_used_and_it_is_said(
    folder: Path,
) -> None:
    found = FORMAT.load(writer.write_current(folder, writer.sample(), view="front_bb"))
    assert "boxes and names are drawn" in found.warnings[0]


def test_answers_that_led_to_nothing_are_no_steps(folder: Path) -> None:
    run = writer.sample()
    nothing = {"last_action_success": 0.0, "action_description": "", "reasoning": "{}"}
    run.rows.insert(0, {**nothing, "action_id": -1})
    run.rows.insert(4, {**nothing, "action_id": -1})
    run.rows.append({**nothing, "action_id": -2})
    path = writer.write_current(folder, writer.sample())
    path.write_text(writer.lines(run.rows), encoding="utf-8")
    assert FORMAT.matches(path)
    assert actions(FORMAT.load(path)) == SAMPLE


@pytest.mark.parametrize(
    ("named", "action"),
    [
        ("MoveAhead_25", Action(name="move_forward", move_m=(0.25, 0, 0))),
        ("Rotate to the left by 90 degrees", Action(name="turn_left", turn_deg=-90)),
        ("LookUp_15", Action(name="look_up")),
    ],
)
def test_an_action_may_be_named(folder: Path, named: str, action: Action) -> None:
    run = writer.sample()
    run.rows[0] |= {"action_id": -3, "action_description": named}
    assert FORMAT.load(writer.write_current(folder, run)).states[0].action == action


def test_an_action_that_does_not_exist_and_failed_did_nothing(folder: Path) -> None:
    run = writer.sample()
    run.rows[0] |= {"action_id": 12, "action_description": "12", "last_action_success": False}
    found = FORMAT.load(writer.write_current(folder, run))
    assert (found.states[0].action, found.states[0].succeeded) == (Action(name="invalid"), False)
    assert found.defects == ()


def test_it_keeps_what_we_demand_of_formats(log: Path) -> None:
    testing.check_trajectory_format(FORMAT, log)


@pytest.mark.parametrize("name", ["episode_1.json", "episode_1_step_3.json"])
def test_logs_of_other_environments_are_not_ours(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    row = {"task_progress": 0.5, "distance": 1.0, "action_id": 3, "env_step": 1}
    path.write_text(json.dumps(row), encoding="utf-8")
    assert not FORMAT.matches(path)


# ---------------------------------------------------------------------------- the task


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda run: run.rows[1].update(distance=9.0), "no path from the start of the task fits"),
        (lambda run: run.rows[1].pop("distance"), "do not tell which way it went"),
        (lambda run: run.rows[1].update(action_id=9, action_description=""), "is not known"),
        (
            lambda run: [row.update(instruction="go to the moon") for row in run.rows],
            "none of the 1 tasks in",
        ),
    ],
)
def test_poses_that_cannot_be_told_are_left_out_with_the_reason(
    folder: Path, tmp_path: Path, change: Callable[[writer.Run], Any], why: str
) -> None:
    run = writer.sample()
    change(run)
    found = with_tasks(tmp_path)(writer.write_current(folder, run))
    assert found.truth is None
    assert found.step_length_m == 0.25
    assert why in found.warnings[-1]


def test_a_selection_of_tasks_is_found_by_its_instruction(log: Path, tmp_path: Path) -> None:
    others = [writer.task(instruction=f"navigate to lamp {i}", rotation=0.0) for i in range(3)]
    found = with_tasks(tmp_path, *others, writer.task())(log)
    assert found.truth is not None


def test_tasks_may_be_one_file_also_of_the_mirror_in_lines(log: Path, tmp_path: Path) -> None:
    given = writer.task()
    given["agent_pose"] = given.pop("agentPose")
    path = tmp_path / "base.jsonl"
    path.write_text(json.dumps(given) + "\n", encoding="utf-8")
    assert configured(Reading(tasks=path)).load(log).truth is not None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "is not JSON"),
        ('{"tasks": {}}', "field tasks: expected a list"),
        ('{"tasks": [{}]}', "field tasks.0.agent_pose.position.x: expected a number."),
    ],
)
def test_what_is_no_file_of_tasks_is_refused(
    folder: Path, tmp_path: Path, content: str, text: str
) -> None:
    run = writer.sample()
    for row in run.rows:
        del row["instruction"]
    log = writer.write_current(folder, run)
    tasks = tmp_path / "base.json"
    tasks.write_text(content, encoding="utf-8")
    assert text in refused(configured(Reading(tasks=tasks)), log, folder)


def test_a_folder_without_the_set_is_refused(log: Path, folder: Path, tmp_path: Path) -> None:
    text = refused(configured(Reading(tasks=tmp_path)), log, tmp_path)
    assert text.startswith("HERE/base.json: cannot be read")


def test_what_a_run_says_leaves_the_format_itself_alone(log: Path, tmp_path: Path) -> None:
    with_tasks(tmp_path)
    assert FORMAT.load(log) == replace(FORMAT.load(log), truth=None)
