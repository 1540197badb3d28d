"""EB-Manipulation logs: actions come back out of the planner's text; what is wrong is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.domain import Action, Camera, Capability, Settings
from pytest_metaspace.pipeline import Registries, plan
from pytest_metaspace.trajectories import Reading, _plans
from pytest_metaspace.trajectories._gripper import place_of
from pytest_metaspace.trajectories.eb_manipulation import EB_MANIPULATION as FORMAT
from pytest_metaspace.trajectories.eb_manipulation import configured
from tests.trajectories.log_support import actions, edit, refused, wrong
from tests.trajectories.writers import eb_manipulation as writer
from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from pathlib import Path

cell = writer.cell
SAMPLE = [None, ("move", True), ("close_gripper", True), ("refused", False), ("move", True)]
DOWN = Action(name="move", move_m=(0.0, 0.0, -0.2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "gpt-4o" / "first" / "base"


@pytest.fixture
def log(folder: Path) -> Path:
    return writer.write(folder, writer.sample())


# ---------------------------------------------------------------------------- what is right


def test_a_log_is_read_field_by_field(log: Path, folder: Path) -> None:
    found = FORMAT.load(log)
    assert FORMAT.matches(log)
    assert (found.id, found.source) == ("gpt-4o-first-base-episode_1", log)
    assert (found.scenario, found.mover, found.vertical) == ("arm", "gripper", True)
    assert (found.step_length_m, found.rotation_deg) == (0.05, None)
    assert found.distance_metric == "spatial"
    assert found.camera == Camera(width=40, height=40)
    pictures = folder / "images" / "episode_1"
    assert [state.frame for state in found.states] == [
        (pictures / f"episode_1_step_{step}_front_rgb.png").resolve() for step in range(6)
    ]
    assert actions(found) == SAMPLE
    assert found.states[1].action == DOWN
    assert (found.objects, found.truth, found.defects) == ((), None, ())
    (note,) = found.warnings
    assert "where the front camera stands" in note


def test_a_move_is_told_as_the_front_camera_stands(folder: Path) -> None:
    """It looks along -x: a larger x is nearer, a larger y further right, a larger z higher."""
    episode = writer.Episode([[cell(50, 50, 50), cell(60, 70, 80)]], [1.0, 1.0])
    found = FORMAT.load(writer.write(folder, episode))
    assert found.states[1].action == Action(name="move", move_m=(-0.1, 0.2, 0.3))


def test_a_cell_is_where_the_simulator_puts_it() -> None:
    assert place_of(tuple(cell(0, 0, 0))) == (-0.295, -0.495, 0.605)
    assert place_of(tuple(cell(100, 100, 100))) == (0.705, 0.505, 1.605)


def test_where_the_gripper_starts_is_not_logged_so_its_first_move_is_unknown(log: Path) -> None:
    assert FORMAT.load(log).states[0].action is None


def test_a_refused_action_leaves_the_gripper_where_it_was(log: Path) -> None:
    fifth = FORMAT.load(log).states[4].action
    assert fifth == Action(name="move", move_m=(0.1, 0.07, 0.14))


def test_steps_are_five_centimetres_or_the_shortest_move(folder: Path) -> None:
    episode = writer.Episode([[cell(50, 50, 50), cell(50, 53, 50), cell(50, 63, 50)]], [1.0] * 3)
    assert FORMAT.load(writer.write(folder, episode)).step_length_m == 0.03


def test_plans_are_read_as_the_runner_reads_them(folder: Path) -> None:
    moves = [cell(50, 50, 50), cell(50, 60, 50), cell(50, 70, 50), cell(50, 80, 50)]
    plans = [
        json.dumps({"executable_plan": str([moves[0]])}),
        json.dumps({"properties": {"executable_plan": [{"action": str(moves[1])}]}}),
        json.dumps({"executable_plan": [moves[2], [{"action": moves[3]}]]}, indent=4),
    ]
    found = FORMAT.load(writer.write(folder, writer.Episode(list(plans), [1.0] * 4)))
    assert actions(found) == [None, *[("move", True)] * 3]
    assert found.defects == ()


def test_an_empty_plan_ends_an_episode(folder: Path) -> None:
    episode = writer.Episode([[cell(50, 50, 50), cell(50, 60, 50)], []], [1.0, 1.0, 0.0])
    path = writer.write(folder, episode)
    edit(path, lambda result: result.update(num_steps=2))
    found = FORMAT.load(path)
    assert actions(found) == [None, ("move", True)]
    assert found.defects == ()


def test_a_long_experiment_name_becomes_short(tmp_path: Path) -> None:
    folder = tmp_path / "gpt-4o" / "n_shot=10_resolution=500_detection_box=1" / "spatial"
    found = FORMAT.load(writer.write(folder, writer.sample()))
    assert found.id == "gpt-4o-8903ee-spatial-episode_1"


def test_it_feeds_movement_held_against_what_was_executed(log: Path) -> None:
    found = FORMAT.load(log)
    cases = plan(found, Registries.built_in(), Settings()).cases
    kinds = {(case.capability, case.relation) for case in cases}
    assert {(Capability.MOVEMENT_DIRECTION, name) for name in ("MR1", "MR2", "MR3")} <= kinds
    assert (Capability.MOVEMENT_DISTANCE, "MR4") in kinds


def test_a_log_without_planner_text_of_other_environments_is_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "episode_1_res.json"
    path.write_text('{"reward": [1.0], "num_steps": 1}', encoding="utf-8")
    assert not FORMAT.matches(path)
    assert not FORMAT.matches(tmp_path / "episode_2_res.json")


# ------------------------------------------------------------------------------- defects


def test_an_answer_that_is_no_json_made_the_runner_act_at_random(folder: Path) -> None:
    good = [cell(50, 50, 50), cell(50, 60, 50)]
    plans: list[str | list[list[int]]] = [good, "Sorry, I cannot.\nReally.", good]
    found = FORMAT.load(writer.write(folder, writer.Episode(plans, [1.0] * 5)))
    assert actions(found) == [None, ("move", True), None, None, ("move", True)]
    assert wrong(found, folder) == [
        (
            "HERE/results/planner_output_episode_1.txt:2: field executable_plan: is an answer that is "
            "no plan in JSON; the runner executed an action at random then, which is unknown. Nothing "
            "brings it back."
        )
    ]


def test_where_counts_do_not_add_up_nothing_is_known_from_the_first_such_answer_on(
    folder: Path,
) -> None:
    good = [cell(50, 50, 50), cell(50, 60, 50)]
    plans: list[str | list[list[int]]] = [good, "Sorry, I cannot.", good]
    found = FORMAT.load(writer.write(folder, writer.Episode(plans, [1.0] * 7)))
    assert actions(found) == [None, ("move", True), *[None] * 5]


def test_a_plan_within_a_block_of_code_was_not_executed(folder: Path) -> None:
    """The runner could not read it, either, and did something at random."""
    fenced = f"```json\n{writer.answer([cell(1, 2, 3)])}\n```"
    episode = writer.Episode([fenced, [cell(50, 50, 50), cell(50, 60, 50)]], [1.0] * 3)
    assert actions(FORMAT.load(writer.write(folder, episode))) == [None, None, ("move", True)]


def test_where_answers_cannot_be_told_apart_what_follows_is_unknown(folder: Path) -> None:
    good = [cell(50, 50, 50), cell(50, 60, 50)]
    episode = writer.Episode([good, "Here it is:\n" + writer.answer(good)], [1.0] * 3)
    found = FORMAT.load(writer.write(folder, episode))
    assert actions(found) == [None, ("move", True), None]
    assert "what was executed from then on is unknown" in wrong(found, folder)[0]


def test_a_planner_text_that_was_cut_off_tells_what_it_has(log: Path, folder: Path) -> None:
    output = folder / "results" / "planner_output_episode_1.txt"
    first = output.read_text(encoding="utf-8").split("\n", 1)[0]
    output.write_text(first + "\n", encoding="utf-8")
    found = FORMAT.load(log)
    assert actions(found) == [
        None,
        ("move", True),
        ("close_gripper", True),
        ("refused", False),
        None,
    ]
    assert "holds 1 answers of the 2" in wrong(found, folder)[0]


def test_without_the_planner_text_no_action_is_known(log: Path, folder: Path) -> None:
    (folder / "results" / "planner_output_episode_1.txt").unlink()
    found = FORMAT.load(log)
    assert actions(found) == [None, None, None, ("refused", False), None]
    assert "there is no file 'planner_output_episode_1.txt'" in wrong(found, folder)[0]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (
            {"action_success": "1.0"},
            "field action_success: is '1.0', expected a list; whether actions succeeded is unknown.",
        ),
        ({"action_success": [1.0, "yes", 1.0, 0.0, 1.0]}, "field action_success.1: is 'yes'"),
        ({"action_success": [1.0, 1.0, 1.0, 0.0]}, "field action_success.4: is None"),
        ({"num_steps": "5"}, "field num_steps: is '5', expected a whole number; 5 is read"),
    ],
)
def test_wrong_types_are_named(log: Path, folder: Path, fields: dict[str, Any], text: str) -> None:
    found = FORMAT.load(edit(log, lambda result: result.update(fields)))
    assert wrong(found, folder)[0].startswith(f"HERE/results/episode_1_res.json: {text}")


def test_an_action_that_is_not_seven_numbers_is_unknown(folder: Path) -> None:
    plans: list[Any] = [[cell(50, 50, 50), cell(50, 60, 50)[:5], cell(50, 70, 50)]]
    found = FORMAT.load(writer.write(folder, writer.Episode(plans, [1.0] * 3)))
    assert actions(found) == [None, None, None]
    assert "is [50, 60, 50, 0, 60], expected seven numbers" in wrong(found, folder)[0]


def test_where_things_are_stacked_a_gripper_that_let_go_may_be_higher(folder: Path) -> None:
    grasp = [cell(50, 50, 50), cell(50, 50, 20, 0), cell(50, 60, 40, 0)]
    let_go = [cell(50, 60, 30), cell(50, 60, 50)]
    again = [cell(50, 90, 30, 0), cell(50, 70, 30, 0)]
    episode = writer.Episode([[*grasp, *let_go, *again]], [1.0] * 7, instruction="Stack the cubes.")
    found = FORMAT.load(writer.write(folder, episode))
    lifted = [None, None, None]
    moved = ("move", True)
    assert actions(found) == [None, ("close_gripper", True), moved, *lifted, moved]
    episode.instruction = "Pick up the cube."
    found = FORMAT.load(writer.write(folder, episode))
    opened = [("open_gripper", True), moved, ("close_gripper", True)]
    assert actions(found) == [None, ("close_gripper", True), moved, *opened, moved]


def test_a_missing_picture_takes_its_moment_along(log: Path, folder: Path) -> None:
    (folder / "images" / "episode_1" / "episode_1_step_2_front_rgb.png").unlink()
    found = FORMAT.load(log)
    assert actions(found) == [None, None, ("refused", False), ("move", True)]
    assert "step 2 has no picture" in wrong(found, folder)[0]


def test_a_picture_with_boxes_stands_in_where_the_plain_one_is_missing(
    log: Path, folder: Path
) -> None:
    (folder / "images" / "episode_1" / "episode_1_step_3_front_rgb.png").unlink()
    found = FORMAT.load(log)
    assert actions(found) == SAMPLE
    assert wrong(found, folder)[0].startswith(
        "HERE/results/episode_1_res.json: field images/episode_1: has only the picture with boxes "
        "drawn in (_annotated) for 1 steps, the first of them step 3"
    )


def test_a_picture_that_does_not_show_a_move_is_no_picture_of_its_moment(
    log: Path, folder: Path
) -> None:
    pictures = folder / "images" / "episode_1"
    paint(pictures / "episode_1_step_2_front_rgb.png", 1)
    found = FORMAT.load(log)
    assert "the picture of step 2 is the same as that of step 1" in wrong(found, folder)[0]
    assert len(found.states) == 5


def test_a_picture_that_does_not_decode_takes_its_moment_along(log: Path, folder: Path) -> None:
    (folder / "images" / "episode_1" / "episode_1_step_5_front_rgb.png").write_bytes(b"\x89PNG")
    found = FORMAT.load(log)
    assert len(found.states) == 5
    assert "cannot be read as a picture" in wrong(found, folder)[0]


@pytest.mark.parametrize(
    ("content", "text"),
    [("[1]", "holds no JSON object"), ('{"a', "is not JSON"), ("{}", "only 1 of its 1 moments")],
)
def test_what_tells_nothing_is_refused(log: Path, folder: Path, content: str, text: str) -> None:
    log.write_text(content, encoding="utf-8")
    assert text in refused(FORMAT, log, folder)


def test_the_camera_of_the_wrist_is_refused_with_the_reason(log: Path, folder: Path) -> None:
    text = refused(configured(Reading(camera="wrist_rgb")), log, folder)
    assert "move with the gripper" in text
    assert "--metaspace-camera" in text


@pytest.mark.parametrize("line", ["[", '{"a": [', "[[[[["])
def test_a_planner_that_babbles_brackets_is_not_read_for_minutes(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def counted(text: str, start: int) -> None:
        del text
        tried.append(start)

    monkeypatch.setattr(_plans, "decoded", counted)
    assert [plan.actions for plan in _plans.plans(f"{line}\n" * 5000)] == [None]
    assert len(tried) <= 200
