"""A video and a CSV or JSON of actions: what is read of them, and what is wrong with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.domain import Action, Camera, Pose
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, video
from pytest_metaspace.trajectories._action_words import Lengths, spoken
from tests.trajectories.writers.videos import HEIGHT, WIDTH, greys, number_of, write_video

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

FIVE = """time,action,succeeded
0,forward 0.5 m,true
1,turn right 90,true
2,forward 0.5 m,false
3,stop,
"""
POSED = """time,action,x,y,yaw_deg
0,forward 0.5 m,0,0,0
1,turn left 90 deg,0.5,0,0
2,forward 0.5 m,0.5,0,90
3,,0.5,0.5,90
"""


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_video(tmp_path_factory.mktemp("film") / "a.mp4", greys(40)).read_bytes()


@pytest.fixture
def run(film: bytes, tmp_path: Path) -> Any:
    """Write a video with its actions and return what is read of them."""

    def load(text: str, name: str = "run.actions.csv", **reading: Any) -> Trajectory:
        (tmp_path / "run.mp4").write_bytes(film)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return video.load(tmp_path / name, Reading(frames=tmp_path / "frames", **reading))

    return load


def defects(found: Trajectory) -> list[str]:
    return [str(one).replace(f"{found.source.parent}/", "") for one in found.defects]


def test_rows_are_states_with_what_the_video_shows_then(run: Any, tmp_path: Path) -> None:
    found = run(FIVE)
    assert (found.id, found.source) == ("run", tmp_path / "run.actions.csv")
    assert (found.scenario, found.mover, found.vertical) == ("household", "agent", False)
    assert found.camera == Camera(width=WIDTH, height=HEIGHT)
    assert (found.step_length_m, found.rotation_deg) == (0.5, 90.0)
    assert [number_of(state.frame) for state in found.states] == [0, 10, 20, 30]
    assert [state.action for state in found.states] == [
        Action(name="forward 0.5 m", move_m=(0.5, 0, 0)),
        Action(name="turn right 90", turn_deg=90),
        Action(name="forward 0.5 m", move_m=(0.5, 0, 0)),
        None,
    ]
    assert [state.succeeded for state in found.states] == [True, True, False, None]
    assert (found.truth, found.defects) == (None, ())


def test_poses_say_what_succeeded(run: Any) -> None:
    found = run(POSED)
    assert [state.succeeded for state in found.states] == [True, True, True, None]
    assert found.truth is not None
    assert found.truth.poses[2] == Pose(position=(0.5, 0.0, 0.0), yaw_deg=90.0)
    assert (found.defects, found.warnings) == ((), ())


def test_a_json_says_the_same_and_more(run: Any, film: bytes, tmp_path: Path) -> None:
    (tmp_path / "films").mkdir()
    (tmp_path / "films" / "b.mp4").write_bytes(film)
    content = {
        "video": "b.mp4", "id": "flight", "scenario": "drone", "step_length_m": 2, "fx": 400,
        "actions": [
            {"time": 0, "action": "up", "succeeded": True},
            {"time": 1.5, "action": "slide", "right_m": 4, "turn_deg": 0},
            {"time": 3},
        ],
    }  # fmt: skip
    found = run(json.dumps(content), "run.actions.json", images=tmp_path / "films")
    assert (found.id, found.scenario, found.vertical) == ("flight", "drone", True)
    assert (found.step_length_m, found.camera.fx) == (2, 400)
    assert [state.action for state in found.states] == [
        Action(name="up", move_m=(0, 0, 2)),
        Action(name="slide", move_m=(0, 4, 0)),
        None,
    ]


def test_an_end_that_is_said_needs_no_note(run: Any) -> None:
    assert run(FIVE).warnings == ()
    (note,) = run(FIVE.replace("stop", "forward 1 m")).warnings
    assert "the action of its last row is left out" in note


def test_numbers_need_no_words(run: Any) -> None:
    found = run("time,forward_m,turn_deg\n0,0.5,\n1,,90\n2,,\n")
    assert [one.action for one in found.states] == [
        Action(name="move", move_m=(0.5, 0.0, 0.0)),
        Action(name="move", turn_deg=90.0),
        None,
    ]


def test_a_csv_says_things_of_all_rows_above_its_columns(run: Any) -> None:
    found = run(f"# scenario: arm\n# step_length_m: 0.05\n{FIVE}")
    assert (found.scenario, found.mover, found.step_length_m) == ("arm", "gripper", 0.05)


def test_which_files_are_main_files(run: Any, tmp_path: Path) -> None:
    run(FIVE)
    assert video.matches(tmp_path / "run.actions.csv")
    for name, content in (("lone.actions.csv", FIVE), ("run.csv", FIVE), (".actions.csv", FIVE)):
        (tmp_path / name).write_text(content)
        assert not video.matches(tmp_path / name), name
    assert not video.matches(tmp_path / "gone.actions.csv")
    (tmp_path / "named.actions.csv").write_text("# video: run.mp4\n" + FIVE)
    assert video.matches(tmp_path / "named.actions.csv")


@pytest.mark.parametrize(
    ("words", "move", "turn"),
    [
        ("forward 0.25 m", (0.25, 0, 0), 0),
        ("Move_Ahead", (0.5, 0, 0), 0),
        ("move backward by 30 cm", (-0.3, 0, 0), 0),
        ("left 2", (0, -2, 0), 0),
        ("turn left", (0, 0, 0), -15),
        ("rotate right by 45 degrees", (0, 0, 0), 45),
        ("right 90°", (0, 0, 0), 90),
        ("fly down 3 metres", (0, 0, -3), 0),
        ("STOP", (0, 0, 0), 0),
    ],
)
def test_words_of_motion(words: str, move: tuple[float, ...], turn: float) -> None:
    found = spoken(words, Lengths(0.5, 15))
    assert found.name == words
    assert found.move_m == pytest.approx(move)
    assert found.turn_deg == turn


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("pick up the mug", "no motion that is known"),
        ("forward -1", "no motion|no number"),
        ("turn ahead 3", "neither left nor right"),
        ("turn left 3 m", "by metres"),
        ("turn left", "rotation_deg"),
        ("forward", "step_length_m"),
    ],
)
def test_words_that_are_no_motion(words: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        spoken(words, Lengths(None, None))


# ---------------------------------------------------------------------------------- defects


def test_a_word_that_is_no_motion_is_named_and_counts_as_unknown(run: Any) -> None:
    found = run(FIVE.replace("turn right 90", "open the drawer"))
    assert found.states[1].action is None
    assert defects(found)[0].startswith(
        "run.actions.csv:3: field action: 'open the drawer' is no motion that is known; expected"
    )


def test_times_that_go_back_end_the_run(run: Any) -> None:
    found = run(FIVE.replace("2,forward", "0.5,forward"))
    assert len(found.states) == 2
    assert defects(found) == [
        (
            "run.actions.csv:4: field time: is '0.5', not after 1; this row and what follows are left "
            "out. Order the rows by time, and split runs."
        )
    ]


def test_a_video_shorter_than_its_rows_is_named(run: Any) -> None:
    found = run(FIVE.replace("3,stop", "7,stop"))
    assert len(found.states) == 3
    assert defects(found) == [
        (
            "run.actions.csv:5: field time: is 7, but the video run.mp4 ends after 4 s; this row and "
            "what follows are left out. Fetch the whole video."
        )
    ]


def test_the_end_of_the_video_shows_its_last_picture(run: Any) -> None:
    found = run(FIVE.replace("3,stop", "4.0,stop"))
    assert number_of(found.states[3].frame) == 39


def test_a_gap_in_time_makes_the_action_unknown(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_metaspace.trajectories._filmed._LONGEST_S", 0.0)
    monkeypatch.setattr("pytest_metaspace.trajectories._filmed._LONGER", 1.9)
    found = run(FIVE.replace("1,turn", "0.1,turn").replace("2,forward", "1,forward"))
    assert [state.action is None for state in found.states] == [False, False, True, True]
    assert "run.actions.csv:4: field time: is followed by a gap of 2 s" in defects(found)[0]


def test_a_picture_that_stays_after_a_move_is_named(film: bytes, tmp_path: Path) -> None:
    write_video(tmp_path / "run.mp4", [*greys(20), *[greys(11)[10]] * 20])
    (tmp_path / "run.actions.csv").write_text(FIVE.replace("false", "true").replace("2,", "2.5,"))
    found = video.load(tmp_path / "run.actions.csv", Reading(frames=tmp_path))
    assert [state.succeeded for state in found.states] == [True, None, None, None]
    assert ["same picture" in str(one) for one in found.defects] == [True, True]


def test_poses_that_contradict_an_action_are_named(run: Any) -> None:
    found = run(POSED.replace("0.5,0.5,90", "0.5,2.5,90"))
    assert found.states[2].action is None
    assert defects(found) == [
        (
            "run.actions.csv:4: field action: 'forward 0.5 m' does not fit the poses, which go 2.5 m "
            "forward, 0 m right and 0 m up, and turn 0 degrees clockwise; it counts as unknown. "
            "Correct the action, or the units and axes of the poses."
        )
    ]


def test_headings_that_grow_the_wrong_way_are_named(run: Any) -> None:
    found = run(POSED.replace("turn left", "turn right"))
    assert found.truth is None
    assert defects(found) == [
        (
            "run.actions.csv:3: field yaw_deg: grows where the actions turn right; poses are not "
            "used, and which actions succeeded counts as unknown. Count yaw_deg counter-clockwise "
            "from +x, seen from above."
        )
    ]


def test_of_headings_that_contradict_the_turns_neither_is_held_against_an_agent(run: Any) -> None:
    first, *rows = POSED.replace("turn left", "turn right").splitlines()
    table = "\n".join([f"{first},succeeded", *(f"{row},1" for row in rows)])
    found = run(table)
    assert found.truth is None
    assert any(state.action for state in found.states)
    assert not any(state.succeeded for state in found.states)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0.5,0,90", "0.5,,90", ":4: field x, y, yaw_deg: are missing though other rows have"),
        ("0.5,0,90", "0.5,nan,90", ":4: field x, y, z, yaw_deg: are "),
        ("0,forward", "now,forward", ":2: field time: is 'now', no time in seconds"),
    ],
)
def test_fields_that_cannot_be_read_are_named(old: str, new: str, expected: str, run: Any) -> None:
    text = POSED.replace(old, new)
    if "now" in new:
        with pytest.raises(TrajectoryError, match=expected):
            run(text)
        return
    found = run(text)
    assert found.truth is None
    assert expected in defects(found)[0]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("", "run.actions.csv", "run.actions.csv: is empty"),
        ("when\n1\n", "run.actions.csv", ":1: field time: is missing among the columns"),
        (FIVE.replace(",", ";"), "run.actions.csv", "one column, .*Write commas"),
        ("time,when\n1,2\n", "run.actions.csv", ":1: field action: is missing"),
        ("# scenario: boat\n" + FIVE, "run.actions.csv", "field scenario: .*'household'"),
        ("# step_length_m: 2\n" + FIVE, "run.actions.csv", "longer than the shortest executed"),
        ("# video: ../x.mp4\n" + FIVE, "run.actions.csv", "field video: .*leaves the folder"),
        ("# video: /etc/x.mp4\n" + FIVE, "run.actions.csv", "field video: .*leaves the folder"),
        ("# video: no.mp4\n" + FIVE, "run.actions.csv", "field video: there is no file 'no.mp4'"),
        ("time,action\n0,stop\n", "run.actions.csv", "has 1 usable rows; a trajectory needs two"),
        ("time,action\n" + "0,stop\n" * 301, "run.actions.csv", "more than 300 rows"),
        ("{", "run.actions.json", "is not JSON"),
        ('{"actions": 3}', "run.actions.json", "field actions: is 3; expected a list"),
        ('[{"time": 0}, 7]', "run.actions.json", "field actions: is .*expected a list of objects"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_at_all_is_refused(
    text: str, name: str, expected: str, run: Any
) -> None:
    with pytest.raises(TrajectoryError, match=expected):
        run(text, name)


def test_a_video_that_is_missing_says_where_it_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "a.actions.csv").write_text(FIVE)
    with pytest.raises(TrajectoryError, match=r"there is no a\.mp4 .*--metaspace-images=FOLDER"):
        video.load(tmp_path / "a.actions.csv")
