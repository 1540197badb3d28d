"""``metaspace check`` says what is wrong, what can be asked, and why the rest cannot."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_metaspace import Pose, cli
from pytest_metaspace.checking import Check
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.trajectories import TrajectoryFormat, native
from tests.trajectories.aerial_support import NAME, OTHER, episode, split, views
from tests.trajectories.recorder_support import AHEAD, HEIGHT, WIDTH, chair, image, recorder
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory


def run(folder: Path, steps: int = 3, **more: Any) -> Path:
    """Record a run that is as it should be."""
    with recorder(folder) as rec:
        for number in range(steps):
            rec.step(image(number), AHEAD, succeeded=True, **more)
    return folder


def edit(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Return a function that runs the command in an empty folder: status, and what it prints."""
    monkeypatch.chdir(tmp_path)

    def checked(*paths: str) -> tuple[int, str]:
        status = cli.main(["check", *paths])
        return status, capsys.readouterr().out

    return checked


# ------------------------------------------------------------------------------ what is right


def test_a_bare_run_feeds_movement_and_says_why_not_the_rest(tmp_path: Path, check: Any) -> None:
    run(tmp_path / "runs" / "one")
    status, out = check("runs")
    assert status == 0
    assert out == (
        "one: runs/one/trajectory.json\n"
        "  household, 3 states, steps of 0.25 m, 16 x 12 pixels, focal length unknown\n"
        "  actions: 2 of 2 known, 2 succeeded; poses: no; tracked objects: 0; true places: none\n"
        "  SC1-a movement direction    MR1 1  MR2 2  MR3 6\n"
        "  SC1-b movement distance     MR2 2  MR3 6  MR4 1\n"
        "  SC2-a object direction      no MR1, MR2, MR3 (no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some)\n"
        "  SC2-b object distance       no MR2, MR3, MR4 (no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some)\n"
        "  SC3-a size                  no MR6 (no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some)\n"
        "  SC3-b depth                 no MR5 (no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some)\n"
        "  SC4-a allocentric direction no MR1, MR2, MR3 (no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some)\n"
        "  SC4-b allocentric distance  no MR2, MR3, MR4 (no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some)\n"
        "  18 cases, 22 distinct questions\n"
        "  answers held against the world (--metaspace-anchors): no A1 (no tracked objects; "
        "--metaspace-tracker=yolo:FILE.pt finds some)  A2 14"
        "  no A3 (11 x A3: the true answer is not known)\n"
        "  frames and moves: not compared (no step can be measured)\n"
        "\n"
        "1 trajectory loaded; 0 problems\n"
    )


def test_poses_and_boxes_are_counted_and_each_lack_has_its_reason(
    tmp_path: Path, check: Any
) -> None:
    pose = Pose(position=(0, 0, 1), yaw_deg=0)
    run(tmp_path / "one", steps=2, objects=[chair(), chair(id="c2")], pose=pose)
    status, out = check("one")
    assert status == 0
    assert "poses: yes; tracked objects: 2, in 4 boxes; true places: none" in out
    assert "SC1-a movement direction    MR2 1  MR3 3  no MR1 (needs more states in a row)" in out
    assert "no MR1, MR2, MR3 (needs pictures that show several objects whole" in out
    assert "no MR6 (2 x MR6: an object is not whole in both frames)" in out or "no MR6 (1 x" in out
    assert "no MR5 (2 x MR5: the object is not whole in both frames)" in out
    assert "SC4-a allocentric direction MR2 1  MR3 3  no MR1 (needs several objects" in out


def test_every_shipped_trajectory_is_fine() -> None:
    made = Check([HOUSEHOLD / "study-01"], Registries.built_in())
    lines = list(made.lines())
    assert made.wrong == 0
    assert "  SC2-a object direction      MR1 480  MR2 130  MR3 390" in lines
    assert "  3634 cases, 1987 distinct questions" in lines
    held = "  answers held against the world (--metaspace-anchors): A1 159  A2 82  A3 1987"
    assert held in lines


def test_what_a_camera_watches_is_named(tmp_path: Path, check: Any) -> None:
    still: dict[str, Any] = {"pose": Pose(position=(0, 0, 1), yaw_deg=0), "place": (1, 0, 1)}
    with recorder(tmp_path / "one", scenario="arm", mover="left\nhand") as rec:
        rec.step(image(0), AHEAD, succeeded=True, **still)
        rec.step(image(1), holds="c1", **still)
    status, out = check("one")
    assert status == 0
    assert (
        "\n  what moves: the left hand, seen by a camera that stays; its places: yes; holding "
        "something in 1 state\n"
    ) in out
    with recorder(tmp_path / "two", scenario="arm", mover="gripper") as rec:
        rec.step(image(0))
        rec.step(image(1))
    assert "its places: no; holding something in 0 states\n" in check("two")[1]


def test_many_trajectories_are_checked_once_each(tmp_path: Path, check: Any) -> None:
    for number in range(12):
        run(tmp_path / "runs" / f"r{number}", steps=2)
    status, out = check("runs", "runs/r3", "runs/r3/trajectory.json")
    assert (status, out.count("household, 2 states")) == (0, 12)
    assert out.endswith("12 trajectories loaded; 0 problems\n")


def test_a_recording_that_was_not_closed_is_fine_with_a_note(tmp_path: Path, check: Any) -> None:
    with recorder(tmp_path / "one") as rec:
        for number in range(3):
            rec.step(image(number))
        with (tmp_path / "one" / "steps.jsonl").open("ab") as journal:
            journal.write(b'{"frame": "frames/00')
        status, out = check("one")
        (tmp_path / "one" / "steps.jsonl").write_bytes(
            (tmp_path / "one" / "steps.jsonl").read_bytes().rpartition(b"\n")[0] + b"\n"
        )
    assert status == 0
    assert "  note: one/steps.jsonl: line 4 is not a complete step with its picture" in out


def test_other_formats_are_checked_too(tmp_path: Path) -> None:
    def load(path: Path) -> Trajectory:
        if not path.stat().st_size:
            raise TrajectoryError(f"{path}: is an empty bag.")
        return native.load(tmp_path / "one" / "trajectory.json")

    run(tmp_path / "one")
    (tmp_path / "bags").mkdir()
    (tmp_path / "bags" / "full.json").write_text("bag")
    (tmp_path / "bags" / "empty.json").write_text("")
    registries = Registries.built_in()
    bag = TrajectoryFormat(name="bag", matches=lambda p: p.parent.name == "bags", load=load)
    registries.formats.add("bag", bag, "a test")
    made = Check([tmp_path / "bags"], registries)
    lines = list(made.lines())
    assert made.wrong == 1
    assert any(line.endswith("empty.json: is an empty bag.") for line in lines)
    assert any(line.startswith("one: ") for line in lines)


# ------------------------------------------------------------------------------ what is wrong


def no_frame(folder: Path) -> None:
    (folder / "frames" / "000001.webp").unlink()


def torn_json(folder: Path) -> None:
    path = folder / "trajectory.json"
    path.write_text(path.read_text()[:-40])


def torn_objects(folder: Path) -> None:
    (folder / "objects.json").write_text('{"format": "metaspace-objects", ')


def absurd_box(folder: Path) -> None:
    thing = {"id": "a", "label": "a", "boxes": [{"frame": 0, "xyxy": [0, 0, 1e9, 4]}]}
    content = {"format": "metaspace-objects", "version": 1, "objects": [thing]}
    (folder / "objects.json").write_text(json.dumps(content))


def same_picture(folder: Path) -> None:
    frames = folder / "frames"
    (frames / "000001.webp").write_bytes((frames / "000000.webp").read_bytes())


def long_step(folder: Path) -> None:
    edit(folder / "trajectory.json", step_length_m=3)


def torn_picture(folder: Path) -> None:
    frame = folder / "frames" / "000001.webp"
    Image.effect_noise((WIDTH, HEIGHT), 90).save(frame, format="PNG")
    frame.write_bytes(frame.read_bytes()[:100])


def no_picture(folder: Path) -> None:
    (folder / "frames" / "000001.webp").write_text("<html>404</html>")


def bomb(folder: Path) -> None:
    Image.new("1", (20_000, 20_000)).save(folder / "frames" / "000001.webp", format="PNG")


def other_size(folder: Path) -> None:
    Image.new("RGB", (5, 4)).save(folder / "frames" / "000001.webp")


def other_format(folder: Path) -> None:
    edit(folder / "trajectory.json", format="rosbag")


def no_states(folder: Path) -> None:
    edit(folder / "trajectory.json", states=[])


def leaves(folder: Path) -> None:
    states = json.loads((folder / "trajectory.json").read_text())["states"]
    states[0]["frame"] = "../../etc/passwd"
    edit(folder / "trajectory.json", states=states)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (no_frame, "bad/trajectory.json: field states.1.frame: there is no file"),
        (torn_json, "bad/trajectory.json: is not JSON in UTF-8"),
        (torn_objects, "bad/objects.json: is not JSON in UTF-8"),
        (absurd_box, "bad/objects.json: field objects.0.boxes.0.xyxy: [0.0, 0.0, 1000000000.0, 4"),
        (same_picture, "bad/trajectory.json: field states.1.frame: is the same picture"),
        (long_step, "bad/trajectory.json: field step_length_m: is 3, longer than the shortest"),
        (torn_picture, "bad/frames/000001.webp: cannot be read as a picture"),
        (no_picture, "bad/frames/000001.webp: cannot be read as a picture (cannot identify"),
        (bomb, "bad/frames/000001.webp: has more than the 64000000 pixels that are decoded"),
        (
            other_size,
            "bad/trajectory.json: field camera: says 16 x 12, but 000001.webp has 5",
        ),
        (other_format, "bad/trajectory.json: is cut off or belongs to no known format"),
        (no_states, "bad/trajectory.json: field states: Tuple should have at least 2"),
        (leaves, "bad/trajectory.json: field states.0.frame: '../../etc/passwd' leaves"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_field_and_the_rest_is_checked(
    tmp_path: Path, check: Any, damage: Callable[[Path], None], told: str
) -> None:
    run(tmp_path / "runs" / "good")
    damage(run(tmp_path / "runs" / "bad"))
    status, out = check("runs")
    assert status == 1
    assert f"PROBLEM runs/{told}" in out
    assert "good: runs/good/trajectory.json" in out
    assert out.endswith(" loaded; 1 problem\n")
    status, out = check("runs/bad")
    assert (status, out.count("PROBLEM")) == (1, 1)


def test_a_hundred_bad_pictures_take_a_few_lines(tmp_path: Path, check: Any) -> None:
    folder = run(tmp_path / "one", steps=100)
    edit(folder / "trajectory.json", camera={"width": WIDTH + 1, "height": HEIGHT})
    status, out = check("one")
    assert (status, out.count("PROBLEM")) == (1, 5)
    assert "... and 95 problems more of this trajectory" in out
    assert out.endswith("1 trajectory loaded; 100 problems\n")


def test_two_trajectories_of_one_id_are_a_problem(tmp_path: Path, check: Any) -> None:
    run(tmp_path / "a")
    edit(run(tmp_path / "b") / "trajectory.json", id="a")
    status, out = check(".")
    assert status == 1
    assert "PROBLEM b/trajectory.json: field id: 'a' is also the id of a/trajectory.json." in out


def test_a_folder_without_a_trajectory_is_a_problem(tmp_path: Path, check: Any) -> None:
    (tmp_path / "empty").mkdir()
    assert check("empty") == (
        1,
        (
            "PROBLEM metaspace: 'empty' holds no trajectory; expected a trajectory.json with "
            '"format": "metaspace-trajectory" (docs/format.md), or another known format: '
            f"{', '.join(Registries.built_in().formats.names)}.\n"
            "0 trajectories loaded; 1 problem\n"
        ),
    )


def test_a_path_that_is_not_there_is_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(tmp_path / "one")
    assert cli.main(["check", "one", "nowhere"]) == 4
    captured = capsys.readouterr()
    assert captured.err == "metaspace: there is no file or folder 'nowhere'.\n"
    assert captured.out == ""


def test_names_in_files_do_not_move_the_cursor(tmp_path: Path, check: Any) -> None:
    edit(run(tmp_path / "one") / "trajectory.json", id="\x1b[2J\u202eevil\n")
    _, out = check("one")
    assert out.startswith("\\x1b[2J\\u202eevil\\n: one/trajectory.json\n")
    assert not {"\x1b", "\u202e"} & set(out)


def test_every_defect_of_a_log_is_printed(tmp_path: Path, check: Any) -> None:
    split(tmp_path / "data", episode(actions=[9, 8, 1, 9, 8, 9, 1, 1, 0]), episode(OTHER))
    status, out = check("data")
    assert status == 1
    assert out.count("  defect: data/val_seen.json: field episodes.0.actions.") == 5
    assert f"val_seen-{OTHER}: data/val_seen.json::{OTHER}" in out
    assert "2 trajectories loaded; 5 defects, 0 problems" in out


def test_episodes_are_chosen_as_in_a_run(tmp_path: Path, check: Any) -> None:
    split(tmp_path / "data")
    _, out = check("data", "--episodes", OTHER)
    assert "1 trajectory loaded; 0 problems" in out
    assert "1 of 2 episodes of data/val_seen.json, chosen by name (--metaspace-episodes)" in out
    for typed in (f"data/val_seen.json::{NAME}", f"data/val_seen.json/{NAME}"):
        _, out = check(typed)
        assert f"val_seen-{NAME}: data/val_seen.json::{NAME}" in out
        assert "1 trajectory loaded; 0 problems" in out


def test_what_is_wrong_with_a_file_is_told_once_and_the_rest_is_counted(
    tmp_path: Path, check: Any
) -> None:
    odd = [episode("ä b", number) for number in range(13)]
    split(tmp_path / "data", *odd, episode(), episode(OTHER), pictures=False)
    for name in (NAME, OTHER):
        views(tmp_path / "data" / "val_seen_rgb" / name)
    status, out = check("data")
    assert status == 1
    assert out.count("trajectory_id: is ") == 4
    assert "is '\\xe4 b', expected ASCII letters, digits" in out
    assert out.count("field episodes: have 9 more defects like these") == 1
    assert "2 trajectories loaded; 5 defects, 0 problems" in out


def test_a_log_whose_pictures_are_mirrored_is_a_problem(tmp_path: Path, check: Any) -> None:
    source = HOUSEHOLD.parent / "drone" / "avenue-01"
    content = json.loads((source / "trajectory.json").read_text())
    for state in content["states"]:
        action = state["action"]
        if action is not None:
            action["turn_deg"] *= -1
            action["move_m"][1] *= -1
    shutil.copytree(source / "frames", tmp_path / "one" / "frames")
    (tmp_path / "one" / "trajectory.json").write_text(json.dumps(content))
    status, out = check("one")
    assert status == 1
    assert (
        "PROBLEM one/trajectory.json: the frames show the opposite of what the log tells in" in out
    )
