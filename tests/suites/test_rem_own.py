"""The benchmark's own walks: read as they lie there, and asked as they ask."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pytest_metaspace.oracle
import pytest_metaspace.session
from pytest_metaspace import cli
from pytest_metaspace.suites import rem
from pytest_metaspace.suites.rem._own_walk import kind_of
from pytest_metaspace.suites.rem._seen import Move
from tests.suites import rem_own
from tests.suites.rem_own import COMPARED, NUMBERS, ORDERS, SIDES, loaded, posed, straight

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ("pytester",)
#  Imported before an inner run in this process: what that imports first is dropped after it.
_IMPORTED = (cli, pytest_metaspace.oracle, pytest_metaspace.session)
OURS = ("-p", "metaspace", "-p", "no:asyncio")
TASKS = ["REM-count", "REM-compare-in", "REM-compare-out", "REM-left-right", "REM-order"]


# ------------------------------------------------------------------------------ a whole run


def test_a_walk_of_ours_in_their_form_is_run_from_its_folder(pytester: pytest.Pytester) -> None:
    rem_own.write(pytester.path / "trajectories" / "0001-run", rem_own.of_ours())
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=truth", "trajectories", "-v", "--metaspace-report=json"
    )
    assert found.ret == 0
    told = json.loads((pytester.path / "metaspace-report.json").read_text())
    assert {one["outcome"] for one in told["cases"]} == {"satisfied"}
    found.stdout.fnmatch_lines(["REM-ACC *1.000*", *(f"  {one} *1.000*" for one in sorted(TASKS))])
    relations = {one["address"].split("::")[2] for one in told["cases"]}
    assert {one for one in relations if one.startswith("REM")} == {
        f"REM-{one}"
        for one in ("ACC", *rem.REM.relations)
        if one not in ("ADDED", "SHIFTED", "CLOSED")
    }
    found.stdout.fnmatch_lines(
        [
            "*x REM-ADDED: its pictures cannot be rendered anew",
            "*x REM-left-right: in no relation: more than one object has this name",
        ]
    )


@pytest.mark.parametrize(
    "named", ["0001-run", "0001-run/images", "0001-run/images/annotations.csv"]
)
def test_a_run_may_be_named_alone(pytester: pytest.Pytester, named: str) -> None:
    for number in (1, 2):
        rem_own.write(pytester.path / f"000{number}-run", straight())
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=truth", named, "--collect-only", "-q"
    )
    found.stdout.fnmatch_lines(["0001-run/images/annotations.csv::REM-count::REM-ACC::*"])
    found.stdout.no_fnmatch_line("*0002-run*")


def test_a_damaged_walk_is_told_and_others_go_on(pytester: pytest.Pytester) -> None:
    for number in (1, 2):
        main = rem_own.write(pytester.path / f"t/000{number}-run", straight())
    next(main.parent.glob("image_0001*")).unlink()
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=truth", "t", "--continue-on-collection-errors"
    )
    found.stdout.fnmatch_lines(
        ["*0002-run/images/annotations.csv:3: field image_filename: there is no file 'image_0001*"]
    )
    assert found.parseoutcomes()["errors"] == 1
    assert found.parseoutcomes()["passed"] > 10


# ------------------------------------------------------------------------- what is asked


def test_their_questions_are_asked_in_our_words_with_their_answers(tmp_path: Path) -> None:
    found = loaded(tmp_path, straight())
    assert list(found.items) == TASKS[:2] + TASKS[3:]
    counts = posed(found.items["REM-count"])
    red = "How many different red cones can be seen in all? Count each of them once, no matter "
    assert counts[red + "how many images show it."] == 1
    order = found.items["REM-order"]
    asked = (
        "Is the blue sphere seen for the first time before the green cuboid, after it, or at the "
        "same time, in one and the same image?"
    )
    assert posed(order)[asked] == "before"
    first = next(iter(order.posings.values()))
    assert first.context == (
        "Nothing moves in this scene except the camera. Image 1. Then: move forward 1 m. Image 2. "
        "Then: move forward 1 m. Image 3."
    )
    assert [one.name for one in first.images] == [
        "image_0000_init.png",
        "image_0001_move_forward_1m.png",
        "image_0002_move_forward_1m.png",
    ]


def test_every_question_of_theirs_is_asked_once_or_said_to_be_left_out(tmp_path: Path) -> None:
    scene = rem_own.by_chance(4, frames=9)
    found = loaded(tmp_path, scene)
    for name, task in zip(rem_own.questions(scene), TASKS):
        rows = rem_own.questions(scene)[name]
        first = dict(reversed(rows))
        item = found.items[task]
        left = sum(n for why, n in item.dropped.items() if why.startswith("left out"))
        assert len(posed(item)) + left == len(rows), task
        assert sorted(map(str, posed(item).values())) == sorted(first.values())


def test_the_side_of_a_turn_is_told_from_the_name(tmp_path: Path) -> None:
    scene = straight()
    scene.moves = ["rotate_left_15", "rotate_right_15"]
    scene.camera = [(-5.0, 0.0)] * 3
    found = loaded(tmp_path, scene)
    context = next(iter(found.items["REM-count"].posings.values())).context
    assert "Image 1. Then: turn left 15 degrees. Image 2. Then: turn right 15 degrees." in context


def test_moves_come_from_their_file_where_names_lack_them(tmp_path: Path) -> None:
    scene = straight()
    scene.moves = ["rotate_left_15", "move_forward_1m"]
    scene.camera = [(-5.0, 0.0), (-5.0, 0.0), (-4.034, 0.259)]
    main = rem_own.write(tmp_path / "run", scene)
    text = main.read_text()
    for move in scene.moves:
        picture = next(main.parent.glob(f"*{move}*"))
        picture.rename(picture.with_name(picture.name.replace(f"_{move}", "")))
        text = text.replace(f"_{move}", "")
    main.write_text(text)
    assert [one.action.name for one in rem.load(main).states[:-1] if one.action] == [
        "turn_left",
        "move_forward",
    ]
    (tmp_path / "run" / "trajectory_moves.txt").write_text("straight 1\nturn left 30 degrees\n")
    with pytest.raises(Exception, match=r"csv:3: field image_filename: does not say what was done"):
        rem.load(main)


def test_frames_stand_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    head, *rest = main.read_text().splitlines()
    main.write_text("\n".join([head, *reversed(rest)]) + "\n")
    names = [one.frame.name for one in rem.load(main).states]
    assert names == sorted(names)
    assert rem.load(main).truth is not None


@pytest.mark.parametrize(
    ("text", "answer", "asked"),
    [
        ("How many  RED objects are there", "1", "asked for red objects"),
        ("How many cones did we see?", "1", "asked for cones"),
        ("how many green cuboids?", "2", "asked for green cuboids"),
        ("How many purple cones are there?", "0", "asked for purple cones"),
    ],
)
def test_numbers_are_read(tmp_path: Path, text: str, answer: str, asked: str) -> None:
    item = loaded(tmp_path, straight(), {NUMBERS: [(text, answer)]}).items["REM-count"]
    assert item.posings[asked].answer == int(answer)


@pytest.mark.parametrize(
    ("file", "text", "answer", "asked"),
    [
        (COMPARED, "Are there more cones or green objects?", "green objects", None),
        (SIDES, "Is the red cone to the right of the blue sphere?", "no", None),
        (ORDERS, "Did we see the red cone before, after, or same time as the blue sphere?",
         "same time", None),
        (ORDERS, "Did we see the green cuboid before, after or at the same time as the red cone?",
         "after", None),
    ],
)  # fmt: skip
def test_pairs_are_read(tmp_path: Path, file: str, text: str, answer: str, asked: None) -> None:
    del asked
    found = loaded(tmp_path, straight(), {file: [(text, answer)]})
    (item,) = found.items.values()
    (posing,) = (one for one in item.posings.values() if one.written)
    assert posing.answer == answer
    assert posing.text != text
    assert not any("asked as it is" in str(one) for one in found.defects)


def test_words_that_are_not_known_are_asked_as_they_are(tmp_path: Path) -> None:
    rows = {
        NUMBERS: [("How many shiny things are there?", "3"), ("How many cones are there?", "1")],
        COMPARED: [("Is there more of this or of that?", "this")],
        SIDES: [("Does the cone stand left?", "Yes")],
        ORDERS: [("Was the cone there before the ball?", "At the same time.")],
    }
    found = loaded(tmp_path, straight(), rows)
    asked = {task: posed(item) for task, item in found.items.items()}
    assert asked["REM-count"]["How many shiny things are there?"] == 3
    assert asked["REM-left-right"] == {"Does the cone stand left?": "yes"}
    assert asked["REM-order"] == {"Was the cone there before the ball?": "same time"}
    assert "REM-compare-in" not in asked
    told = [str(one) for one in found.defects]
    assert len([one for one in told if "asked as it is, in no relation" in one]) == 3
    assert any(f"{COMPARED}:2: field question: is 'Is there more" in one for one in told)
    assert found.items["REM-count"].dropped == {"in no relation: its words are not known": 1}


@pytest.mark.parametrize(
    ("file", "task", "rows"),
    [
        (NUMBERS, "REM-count",
         [("How many red cones stood there?", "1"), ("how many  red cones stood there", "3")]),
        (SIDES, "REM-left-right", [("Does it stand left?", "yes"), ("Does it stand left?", "no")]),
    ],
)  # fmt: skip
def test_words_that_are_not_known_are_asked_once(
    tmp_path: Path, file: str, task: str, rows: list[tuple[str, str]]
) -> None:
    found = loaded(tmp_path, straight(), {file: rows})
    assert list(posed(found.items[task])) == [rows[0][0]]
    assert found.items[task].dropped == {
        "in no relation: its words are not known": 1,
        "left out: asked before": 1,
    }
    again = f"{file}:3: field question: asks again what is asked before: {rows[1][0].split()[0]!r}"
    assert len([one for one in map(str, found.defects) if again[:-1] in one]) == 1


def test_turns_on_the_spot_and_single_frames_are_tasks_of_their_own(tmp_path: Path) -> None:
    turn = rem_own.by_chance(3, kind="rotation")
    frame = rem_own.by_chance(3, kind="frame")
    numbers = {NUMBERS: rem_own.questions(turn)[NUMBERS]}
    one = rem.load(rem_own.write(tmp_path / "a" / "0001-run", turn, numbers))
    two = rem.load(
        rem_own.write(
            tmp_path / "b" / "0001-run", frame, {NUMBERS: rem_own.questions(frame)[NUMBERS]}
        )
    )
    assert (one.id, list(one.items)) == ("rem-turn-0001-run", ["REM-full-rotation"])
    assert (two.id, list(two.items)) == ("rem-frame-0001-run", ["REM-single-frame"])
    assert {tie.relation for tie in one.items["REM-full-rotation"].ties} >= {
        "REM-SHIFTED",
        "REM-CLOSED",
    }
    assert one.defects == two.defects == ()


@pytest.mark.parametrize(
    ("turns", "kind"),
    [
        ([], "frame"),
        ([15.0] * 23, "rotation"),
        ([-15.0] * 24, "rotation"),
        ([15.0] * 22, "walk"),
        ([15.0] * 22 + [-15.0], "walk"),
        ([15.0] * 26 + [-15.0], "walk"),
        ([15.0] * 23 + [0.0], "walk"),
    ],
)
def test_a_whole_turn_is_told_from_a_walk(turns: list[float], kind: str) -> None:
    assert kind_of([Move("one", forward_m=0.0 if by else 1.0, turn_deg=by) for by in turns]) == kind


def test_slices_say_how_much_is_seen(tmp_path: Path) -> None:
    found = loaded(tmp_path, straight())
    told = {"frames": "3", "objects seen": "4-7"}
    assert all(item.slices == told for item in found.items.values())


def test_slices_say_what_a_question_is_about(tmp_path: Path) -> None:
    rows = {
        NUMBERS: [("How many cuboids are there?", "2"), ("How many tall ones are there?", "2")],
        COMPARED: [("Are there more cuboids or cones?", "cuboids")],
        SIDES: [
            ("Is the red cone to the left of the blue sphere?", "yes"),
            ("Is the red cone to the left of the green cuboid?", "yes"),  # there are two
        ],
        ORDERS: [("Did we see the red cone before, after, or same time as the blue sphere?",
                  "same time")],
    }  # fmt: skip
    found = loaded(tmp_path, straight(), rows)
    assert [
        dict(one.slices)
        for item in found.items.values()
        for one in item.posings.values()
        if one.written
    ] == [{"most in one frame": "2"}, {}, {"difference": "1"}, {"common frames": "2"}, {}, {}]


def test_of_what_cannot_be_read_no_slice_is_told(tmp_path: Path) -> None:
    scene = straight()
    scene.frames[0] = [("red_cone_0", 500.0)]
    found = loaded(tmp_path, scene, {NUMBERS: [("How many cuboids are there?", "2")]})
    assert [one.slices for one in found.items["REM-count"].posings.values()] == [{}]
