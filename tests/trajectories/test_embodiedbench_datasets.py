"""Trajectory datasets of EmbodiedBench: many episodes a file, each read alone."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import testing
from pytest_metaspace.domain import Action
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, _json_index
from pytest_metaspace.trajectories.embodiedbench_datasets import EMBODIEDBENCH_DATASETS as FORMAT
from pytest_metaspace.trajectories.embodiedbench_datasets import FORMAT as FILES
from tests.trajectories.log_support import actions, edit, wrong
from tests.trajectories.writers import eb_navigation
from tests.trajectories.writers import embodiedbench_datasets as writer
from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

MODEL = "gpt-4o-2024-08-06"
WENT = [
    ("move_forward", None),
    ("move_forward", None),
    ("turn_right", True),
    ("move_left", None),
    ("move_backward", None),
]
GRASPED = [None, ("move", True), ("close_gripper", True), ("move", True)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return writer.write(tmp_path, [writer.navigation(), writer.manipulation()])


def first(path: Path) -> Trajectory:
    return FORMAT.load(path / FILES.episodes(path)[0])


def no_load(path: Path) -> str:
    with pytest.raises(TrajectoryError) as caught:
        first(path)
    return str(caught.value).replace(str(path.parent), "HERE")


# ---------------------------------------------------------------------------- what is right


def test_episodes_are_named_after_model_set_and_number(data: Path) -> None:
    assert FORMAT.matches(data)
    assert list(FILES.episodes(data)) == [f"{MODEL}-base-1", f"{MODEL}-base-2"]


def test_an_episode_of_navigation_is_read_field_by_field(data: Path, tmp_path: Path) -> None:
    found = first(data)
    assert (found.id, found.source) == (
        f"eb-nav_dataset_multi_step-{MODEL}-base-1",
        data / f"{MODEL}-base-1",
    )
    assert (found.scenario, found.mover, found.step_length_m) == ("household", "agent", 0.25)
    folder = tmp_path / "images" / MODEL / "base" / "episode_1"
    assert [state.frame for state in found.states] == [
        (folder / f"episode_1_step_{step}_front.png").resolve() for step in range(6)
    ]
    assert actions(found) == WENT
    assert found.states[3].action == Action(name="move_left", move_m=(0, -0.25, 0))
    assert found.defects == ()


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("single", [True, False])
def test_an_episode_of_manipulation_tells_the_same_in_each_shape(
    tmp_path: Path, text: bool, single: bool
) -> None:
    path = writer.write(tmp_path, [writer.manipulation(text=text, single=single)], "eb-man_x")
    found = first(path)
    assert (found.scenario, found.mover, found.step_length_m) == ("arm", "gripper", 0.05)
    assert actions(found) == GRASPED
    assert found.states[1].action == Action(name="move", move_m=(0, 0, -0.2))
    assert found.defects == ()


@pytest.mark.parametrize("prefix", ["", "images/"])
def test_pictures_are_found_with_and_without_the_name_of_the_archive(
    tmp_path: Path, prefix: str
) -> None:
    path = writer.write(tmp_path / "data", [writer.navigation(prefix=prefix)])
    assert len(first(path).states) == 6
    away = tmp_path / "away"
    (tmp_path / "data" / "images").rename(away)
    for images in (away, tmp_path):
        found = FILES.configured(Reading(images=images)).load(path / FILES.episodes(path)[0])
        assert len(found.states) == 6
        if away.is_dir():
            away.rename(tmp_path / "images")


def test_a_link_to_the_unpacked_archive_is_followed(tmp_path: Path) -> None:
    path = writer.write(tmp_path / "data", [writer.navigation()])
    away = (tmp_path / "data" / "images").rename(tmp_path / "away")
    (tmp_path / "data" / "images").symlink_to(away)
    assert len(first(path).states) == 6


def test_the_plain_picture_goes_before_the_one_with_boxes(tmp_path: Path) -> None:
    path = writer.write(tmp_path, [writer.manipulation()])
    found = first(path)
    assert found.states[0].frame.name.endswith("step_0_front_rgb_annotated.png")
    assert "boxes are drawn into some of its pictures" in found.warnings[0]
    paint(found.states[0].frame.with_name("episode_2_step_0_front_rgb.png"), 9)
    again = first(path)
    assert again.states[0].frame.name == "episode_2_step_0_front_rgb.png"
    assert len(again.warnings) == 1


def test_poses_are_known_where_the_episode_tells_distances(tmp_path: Path) -> None:
    run = eb_navigation.Run()
    for action in (0, 0, 4, 3, 1):
        run.act(action)
    episode = writer.navigation()
    steps = [step for entry in episode["trajectory"] for step in entry["executable_plan"]]
    for step, row in zip(steps, run.rows):
        step["distance"] = row["distance"]
    path = writer.write(tmp_path, [episode])
    tasks = eb_navigation.write_tasks(tmp_path / "datasets", [eb_navigation.task()])
    edit(path, lambda found: found[0].update(instruction=eb_navigation.INSTRUCTION))
    found = FILES.configured(Reading(tasks=tasks)).load(path / FILES.episodes(path)[0])
    assert found.truth is not None
    assert [one.position[:2] for one in found.truth.poses] == [(z, -x) for x, z in run.places]


def test_it_keeps_what_we_demand_of_formats(data: Path) -> None:
    testing.check_trajectory_format(FORMAT, data)


def test_equal_names_are_told_apart_and_odd_ones_made_harmless(tmp_path: Path) -> None:
    odd = writer.navigation() | {"model_name": "../org/model name\n"}
    nameless: dict[str, Any] = {"trajectory": []}
    path = writer.write(tmp_path, [writer.navigation(), writer.navigation(), odd, nameless])
    assert list(FILES.episodes(path)) == [
        f"{MODEL}-base-1",
        f"{MODEL}-base-1-2",
        "_org_model_name_-base-1",
        "episode-3",
    ]


@pytest.mark.parametrize(
    ("name", "content", "ours"),
    [
        (
            "eb-alfred_dataset_single_step.json",
            '[{"model_name": 1, "eval_set": 1, "episode_id"',
            False,
        ),
        ("eb-nav_x.json", '[{"model_name": 1, "eval_set": 1, "episode_id": 1}]', True),
        (
            "renamed.json",
            '[{"model_name": 1, "eval_set": 1, "episode_id": 1, "input": "Franka Panda"',
            True,
        ),
        ("eb-nav_x.json", '{"model_name": 1, "eval_set": 1, "episode_id": 1}', False),
        ("eb-nav_x.jsonl", '[{"model_name": 1, "eval_set": 1, "episode_id": 1}]', False),
    ],
)
def test_files_are_known_by_what_stands_in_them(
    tmp_path: Path, name: str, content: str, ours: bool
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert FORMAT.matches(path) == ours


# ------------------------------------------------------------------------ large, and broken


def test_a_file_is_walked_over_once_and_each_episode_is_read_alone(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = FILES.episodes(data)

    def never(*_: Any) -> Any:
        raise AssertionError("walked over again")

    monkeypatch.setattr(_json_index.Walk, "over", never)
    assert [len(FORMAT.load(data / name).states) for name in names] == [6, 5]


@pytest.mark.parametrize("piece", [1, 7, 64, 1000])
def test_objects_are_found_however_the_file_falls_into_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(_json_index, "_PIECE", piece)
    content = [{"id": i, "text": 'äöü]},{\\"' * i, "list": [[], {}]} for i in range(9)]
    path = tmp_path / "list.json"
    path.write_text(" \n" + json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")
    index = _json_index.indexed(path, lambda place, found: f"{place}-{found['id']}")
    assert index.names == tuple(f"{i}-{i}" for i in range(9))
    assert [index.read(i) for i in range(9)] == content
    assert index.problem == ""


def test_a_file_that_is_cut_off_keeps_the_episodes_before(tmp_path: Path) -> None:
    path = writer.write(tmp_path, [writer.navigation(), writer.manipulation()])
    path.write_bytes(path.read_bytes()[:-400])
    assert list(FILES.episodes(path)) == [f"{MODEL}-base-1"]
    assert "episodes from number 2 on are left out" in wrong(first(path), tmp_path)[0]


@pytest.mark.parametrize("content", ["", "{}", "[", "[]", "[1, 2", "x", '["a"'])
def test_what_is_no_list_of_episodes_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "eb-nav_dataset.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TrajectoryError, match=r"eb-nav_dataset\.json"):
        first(path)


def test_an_episode_that_is_not_there_is_refused(data: Path) -> None:
    with pytest.raises(TrajectoryError, match="has no episode 'other'"):
        FORMAT.load(data / "other")


# ------------------------------------------------------------------------------- defects


def changed(tmp_path: Path, change: Callable[[dict[str, Any]], Any], *, arm: bool = False) -> Path:
    """Write one episode, with its pictures, and change what the file says of it."""
    path = writer.write(tmp_path, [writer.manipulation() if arm else writer.navigation()])
    edit(path, lambda content: change(content[0]))
    return path


def plan(episode: dict[str, Any], entry: int = 0) -> Any:
    return episode["trajectory"][entry]["executable_plan"]


def test_a_counter_that_restarts_is_a_gap(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda one: plan(one, 1)[0].update(step_id=1))
    found = first(path)
    assert "restarts with step 1 after step 3" in wrong(found, tmp_path)[0]


def test_a_counter_that_jumps_within_a_plan_leaves_that_action_unknown(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda one: plan(one)[1].update(step_id=7))
    found = first(path)
    assert actions(found) == [WENT[0], None, None, *WENT[3:]]
    assert "executable_plan.1: goes on with step 7 after step 1" in wrong(found, tmp_path)[0]


def test_steps_that_are_missing_are_a_gap_that_starts_at_the_picture_of_the_plan(
    tmp_path: Path,
) -> None:
    def change(one: dict[str, Any]) -> None:
        del plan(one)[1:]

    found = first(changed(tmp_path, change))
    assert actions(found) == [WENT[0], None, *WENT[3:]]
    assert wrong(found, tmp_path) == [
        (
            "HERE/eb-nav_dataset_multi_step.json: field 0.trajectory.1.executable_plan: goes on with "
            "step 4 after step 1; what was done between them is unknown. Look at what wrote it."
        )
    ]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            lambda one: plan(one)[0].update(action=[99, "Fly"]),
            "field 0.trajectory.0.executable_plan.0.action: is 99 ('Fly'), which is no action",
        ),
        (
            lambda one: plan(one)[0].update(action=["0", "Move forward by 0.25"]),
            "field 0.trajectory.0.executable_plan.0.action: is text, '0'; 0 is read.",
        ),
        (
            lambda one: plan(one)[0].update(action_success="maybe"),
            "field 0.trajectory.0.executable_plan.0.action_success: is 'maybe'",
        ),
        (
            lambda one: one["trajectory"][0].update(executable_plan=str(plan(one))),
            "field 0.trajectory.0.executable_plan: is text; what it writes down is read.",
        ),
        (
            lambda one: plan(one).insert(0, 7),
            "field 0.trajectory.0.executable_plan.0: is 7, expected an object; it is left out.",
        ),
        (
            lambda one: one["trajectory"].insert(0, None),
            "field 0.trajectory.0: is None; it is left out.",
        ),
        (
            lambda one: plan(one)[0].update(img_path="not/there.png"),
            "field 0.trajectory.0.executable_plan.0.img_path: moment 1 has no picture",
        ),
        (
            lambda one: plan(one)[0].update(img_path=["a.png"]),
            "field 0.trajectory.0.executable_plan.0.img_path: moment 1 has no picture",
        ),
        (
            lambda one: plan(one)[0].update(img_path=one["trajectory"][0]["input_image_path"]),
            "field 0.trajectory.0.executable_plan.0.img_path: the picture of moment 1 is the same",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_field(
    tmp_path: Path, change: Callable[[dict[str, Any]], Any], text: str
) -> None:
    found = first(changed(tmp_path, change))
    assert any(text in one for one in wrong(found, tmp_path)), wrong(found, tmp_path)


def test_an_arms_action_that_is_not_seven_numbers_is_unknown(tmp_path: Path) -> None:
    found = first(changed(tmp_path, lambda one: plan(one, 1).update(action="[1, 2"), arm=True))
    assert actions(found) == [None, None, None, ("move", True)]
    assert (
        "field 0.trajectory.1.executable_plan.action: is '[1, 2', expected seven numbers"
        in wrong(found, tmp_path)[0]
    )


@pytest.mark.parametrize("name", ["/etc/passwd", "../up.png", "images/../../up.png", "C:\\x.png"])
def test_a_path_that_is_absolute_or_leaves_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    text = no_load(changed(tmp_path, lambda one: plan(one)[0].update(img_path=name)))
    assert "field 0.trajectory.0.executable_plan.0.img_path" in text
    assert "is absolute or leaves the folder" in text


def test_an_archive_that_is_not_unpacked_is_said(tmp_path: Path) -> None:
    path = writer.write(tmp_path, [writer.navigation()])
    shutil.rmtree(tmp_path / "images")
    (tmp_path / "images.zip").write_bytes(b"PK")
    text = no_load(path)
    assert "HERE/images.zip is not unpacked. Unpack it beside the file (unzip images.zip)" in text
    assert "--metaspace-images" in text
    (tmp_path / "images.zip").unlink()
    assert "only 0 of its 6 moments can be shown" in no_load(path)


def test_a_folder_of_pictures_that_is_not_there_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match=r"--metaspace-images names .*which is no folder"):
        FILES.configured(Reading(images=tmp_path / "no")).load(data / FILES.episodes(data)[0])


def test_an_episode_in_which_nothing_was_done_is_refused(tmp_path: Path) -> None:
    assert "tells of no action" in no_load(changed(tmp_path, lambda one: one.update(trajectory=7)))
