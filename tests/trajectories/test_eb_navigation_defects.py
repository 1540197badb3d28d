"""What is wrong in an EB-Navigation log is named with file, line and field, and not used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.trajectories.eb_navigation import EB_NAVIGATION as FORMAT
from tests.trajectories.log_support import actions, refused, wrong
from tests.trajectories.writers import eb_navigation as writer
from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from pathlib import Path


from tests.trajectories.eb_navigation_support import SAMPLE, with_tasks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "gpt-4o_test" / "base"


@pytest.fixture
def log(folder: Path) -> Path:
    return writer.write_current(folder, writer.sample())


def test_reruns_in_one_file_are_told_apart_and_the_last_complete_one_counts(
    tmp_path: Path,
) -> None:
    complete, cut = writer.sample(), writer.Run().act(writer.TURN_LEFT).act(writer.FORWARD)
    folder = tmp_path / "runs" / "base"
    path = writer.write_older(folder, [complete, complete, cut], as_list=False)
    found = FORMAT.load(path)
    assert actions(found) == SAMPLE
    assert found.states[0].frame.name == f"step_0_{writer.stamp(1, 0)}_front.png"
    assert wrong(found, folder) == [
        (
            "HERE/episode_1.json:11: field env_step: starts again 2 times: runs were appended to one "
            "another. The last complete one counts, run 2 of 3 (lines 11 to 18). Give each run a folder "
            "of its own."
        ),
        (
            "HERE/episode_1.json: pictures of 3 runs of episode 1 lie together; those from "
            f"{writer.stamp(1, 0)} on are used. Give each run a folder of its own."
        ),
    ]


def test_a_rerun_of_today_leaves_its_pictures_beside_those_of_the_first(folder: Path) -> None:
    short = writer.Run().act(writer.TURN_LEFT).act(writer.FORWARD).arrive()
    first = writer.write_current(folder, writer.sample(), number=0)
    second = writer.write_current(folder, short, number=1)
    for path, number in ((first, 0), (second, 1)):
        found = FORMAT.load(path)
        assert found.states[0].frame.name.endswith(f"{writer.stamp(number, 0)}_front.png")
        assert "pictures of 2 runs" in wrong(found, folder)[0]


def test_a_last_line_that_was_cut_off_is_left_out_and_named(log: Path, folder: Path) -> None:
    whole = log.read_text(encoding="utf-8")
    log.write_text(whole[:-40], encoding="utf-8")
    found = FORMAT.load(log)
    assert actions(found) == SAMPLE[:-1]
    assert wrong(found, folder) == [
        "HERE/episode_1_step_8.json:8: is cut off; that step is left out. Copy the whole file."
    ]


def test_missing_lines_leave_what_was_done_unknown(folder: Path) -> None:
    run = writer.sample()
    del run.rows[2:4]
    path = writer.write_current(folder, writer.sample())
    path.write_text(writer.lines(run.rows), encoding="utf-8")
    found = FORMAT.load(path)
    assert actions(found) == [*SAMPLE[:2], None, None, *SAMPLE[4:]]
    assert "steps 3 to 4 are missing" in wrong(found, folder)[0]


@pytest.mark.parametrize(
    ("fields", "read", "text"),
    [
        (
            {"action_id": "0"},
            ("move_forward", None),
            "field action_id: is text, '0'; 0 is read.",
        ),
        (
            {"action_id": 4},
            None,
            (
                "field action_id: is 4, turn_right, but its description says 'Move forward by 0.25'; "
                "what was done counts as unknown."
            ),
        ),
        (
            {"action_id": 9, "action_description": "Crouch"},
            None,
            (
                "field action_id: is 9 ('Crouch'), which is no action that is known; what was done "
                "counts as unknown."
            ),
        ),
        (
            {"last_action_success": "True"},
            ("move_forward", None),
            "field last_action_success: is text, 'True'; True is read.",
        ),
        (
            {"last_action_success": [1]},
            ("move_forward", None),
            (
                "field last_action_success: is [1], expected true or false; whether the action "
                "succeeded counts as unknown."
            ),
        ),
        (
            {"env_step": "2"},
            ("move_forward", None),
            "field env_step: is '2', which is no whole number; 2 is read.",
        ),
    ],
)
def test_wrong_types_are_named_with_their_line(
    folder: Path, fields: dict[str, Any], read: Any, text: str
) -> None:
    run = writer.sample()
    run.rows[1] |= fields
    found = FORMAT.load(writer.write_current(folder, run))
    assert actions(found)[1] == read
    (only,) = wrong(found, folder)
    assert only.startswith(f"HERE/episode_1_step_8.json:2: {text}")


def test_a_missing_picture_takes_its_moment_along(log: Path, folder: Path) -> None:
    next(folder.glob("episode_1_step_3_*")).unlink()
    found = FORMAT.load(log)
    assert [one.index for one in found.states] == list(range(8))
    assert actions(found) == [*SAMPLE[:2], None, *SAMPLE[4:]]
    assert wrong(found, folder) == [
        (
            "HERE/episode_1_step_8.json:3: field episode_1_step_3_*_front.png: step 3 has no picture; "
            "that moment is left out. Copy all pictures of the run."
        )
    ]


def test_poses_keep_to_their_states_when_a_moment_is_left_out(
    log: Path, folder: Path, tmp_path: Path
) -> None:
    next(folder.glob("episode_1_step_3_*")).unlink()
    found = with_tasks(tmp_path)(log)
    places = [place for step, place in enumerate(writer.sample().places) if step != 3]
    assert found.truth is not None
    assert [pose.position[:2] for pose in found.truth.poses] == [(z, -x) for x, z in places]


def test_a_picture_that_does_not_decode_takes_its_moment_along(log: Path, folder: Path) -> None:
    picture = next(folder.glob("episode_1_step_3_*"))
    picture.write_bytes(picture.read_bytes()[:-30])
    found = FORMAT.load(log)
    assert len(found.states) == 8
    (text,) = wrong(found, folder)
    assert text.startswith(f"HERE/{picture.name}: field episode_1_step_3_*_front.png: the picture")
    assert "cannot be read as a picture" in text


def test_a_picture_of_another_size_takes_its_moment_along(log: Path, folder: Path) -> None:
    paint(next(folder.glob("episode_1_step_3_*")), 3, (50, 40))
    (text,) = wrong(FORMAT.load(log), folder)
    assert "has 50 x 40 pixels, and those before it 40 x 40" in text


def test_a_picture_that_did_not_change_though_the_camera_moved_is_no_picture_of_its_moment(
    log: Path, folder: Path, tmp_path: Path
) -> None:
    for step in (2, 7):
        before = next(folder.glob(f"episode_1_step_{step - 1}_*"))
        next(folder.glob(f"episode_1_step_{step}_*")).write_bytes(before.read_bytes())
    found = with_tasks(tmp_path)(log)
    assert actions(found) == [
        ("move_forward", True), None, ("move_forward", True), ("move_left", False),
        ("move_right", True), None,
    ]  # fmt: skip
    assert len(wrong(found, folder)) == 2
    assert "the picture of step 2 is the same as that of step 1" in wrong(found, folder)[0]


def test_a_failed_action_may_leave_the_picture_as_it_was(log: Path, folder: Path) -> None:
    before = next(folder.glob("episode_1_step_4_*"))
    next(folder.glob("episode_1_step_5_*")).write_bytes(before.read_bytes())
    assert FORMAT.load(log).defects == ()


def test_pictures_that_never_change_are_refused(log: Path, folder: Path) -> None:
    first = next(folder.glob("episode_1_step_0_*")).read_bytes()
    for step in range(1, 9):
        next(folder.glob(f"episode_1_step_{step}_*")).write_bytes(first)
    text = refused(FORMAT, log, folder)
    assert text.startswith("HERE/episode_1_step_8.json: only 1 of its 9 moments can be shown")
    assert "is the same as that of step 0" in text


def test_a_link_out_of_the_folder_is_no_picture(log: Path, folder: Path, tmp_path: Path) -> None:
    secret = paint(tmp_path / "secret.png", 9)
    picture = next(folder.glob("episode_1_step_3_*"))
    picture.unlink()
    picture.symlink_to(secret)
    found = FORMAT.load(log)
    assert "step 3 has no picture" in wrong(found, folder)[0]
