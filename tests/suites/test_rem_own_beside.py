"""What lies beside the questions of REM and cannot be used: scenes, moves, tables, pictures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites import rem
from tests.suites import rem_own
from tests.suites.rem_own import NUMBERS, straight

if TYPE_CHECKING:
    from pathlib import Path


ONE = {"name": "red_cone_0"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", ": is not JSON in UTF-8 ("),
        (f'{{"objects": [1], "{"a" * 80}": ]}}', "char 101)). Questions about sides carry no"),
        ("[1,2]", ": is a list, expected an object. Questions about sides carry no relations."),
        ("{}", ": field objects: is missing or null, expected a list."),
        ('{"objects": [1]}', ": field objects.0: is 1, expected a name, and a position of two"),
        (json.dumps({"objects": [{**ONE, "position": [1e400, 0]}]}), ": field objects.0: is {"),
        (json.dumps({"objects": [{**ONE, "position": [10**400, 0]}]}), ": field objects.0: is {"),
        ("", ": is empty. Fetch or record it again, or delete it. Questions about"),
    ],
)
def test_a_damaged_scene_is_a_defect(tmp_path: Path, content: str, told: str) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    main.parent.with_name("scene_config.json").write_text(content)
    (found,) = (str(one) for one in rem.load(main).defects if "scene_config" in str(one))
    assert told in found
    assert found.endswith(" Copy the file again.") == bool(content)


@pytest.mark.parametrize("name", ["annotations.csv", NUMBERS])
@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_table_in_utf_16_is_said_to_be_one(tmp_path: Path, name: str, coding: str) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    table = main.with_name(name)
    table.write_bytes(table.read_text().encode(coding))
    assert rem.matches(main)
    told = f"{table}: is UTF-16, expected UTF-8. Save it as UTF-8."
    if name == NUMBERS:
        assert f"{told} Its questions are not asked." in map(str, rem.load(main).defects)
        return
    with pytest.raises(TrajectoryError) as caught:
        rem.load(main)
    assert str(caught.value) == told


@pytest.mark.parametrize("name", ["annotations.csv", "image_0000_init.png"])
def test_what_is_empty_and_needed_is_not_to_be_deleted(tmp_path: Path, name: str) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    main.with_name(name).write_bytes(b"")
    with pytest.raises(TrajectoryError) as caught:
        rem.load(main)
    assert str(caught.value) == f"{main.with_name(name)}: is empty. Fetch or record it again."


def test_a_check_says_one_next_step_of_an_empty_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    empty, broken = sorted(main.parent.glob("*.png"))[1:]
    empty.write_bytes(b"")
    broken.write_bytes(b"no picture")
    cli.main(["check", str(tmp_path)])
    told = capsys.readouterr().out.splitlines()
    assert any(one.endswith(f"{empty}: is empty. Fetch or record it again.") for one in told)
    assert any(str(broken) in one and one.endswith("). Put the right file there.") for one in told)


NAMES_HOLD = "The names of the pictures hold. Look at what wrote them and the file."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("turn right 15 degrees\nturn right 15 degrees\nstraight\n",
         ": has turn right 15 degrees as move 1, and the names of the pictures have turn left 15"),
        ("turn left 15 degrees\nstraight\nstraight\n",
         ": has straight as move 2, and the names of the pictures have turn left 15"),
        ("turn left 30 degrees\n", ": has 2 moves, and the names of the pictures have 3."),
        ("\n\nhop\n", ":3: is 'hop', expected straight or turn left 15 degrees."),
    ],
)  # fmt: skip
def test_a_file_of_moves_that_says_otherwise_is_a_defect(
    tmp_path: Path, text: str, told: str
) -> None:
    scene = straight([*rem_own.TWO, rem_own.TWO[-1]])
    scene.moves = ["rotate_left_15", "rotate_left_15", "move_forward_1m"]
    main = rem_own.write(tmp_path / "run", scene)
    before = [one.action for one in rem.load(main).states]
    moves = tmp_path / "run" / "trajectory_moves.txt"
    moves.write_text(text)
    found = rem.load(main)
    (defect,) = (str(one) for one in found.defects if "trajectory_moves" in str(one))
    assert defect.startswith(f"{moves}{told}")
    assert defect.endswith(NAMES_HOLD)
    assert [one.action for one in found.states] == before


@pytest.mark.parametrize("text", ["turn left 30\nSTRAIGHT 1\n", "", None])
def test_a_file_of_moves_that_says_the_same_is_none(tmp_path: Path, text: str | None) -> None:
    scene = straight([*rem_own.TWO, rem_own.TWO[-1]])
    scene.moves = ["rotate_left_15", "rotate_left_15", "move_forward_1m"]
    main = rem_own.write(tmp_path / "run", scene)
    moves = tmp_path / "run" / "trajectory_moves.txt"
    moves.unlink()
    if text is not None:
        moves.write_text(text)
    told = [str(one) for one in rem.load(main).defects if "trajectory_moves" in str(one)]
    assert len(told) == (text == "")
