"""Damaged and hostile folders of REM: each fault is told with its file, row and field."""

from __future__ import annotations

import csv
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_metaspace.errors import MetaspaceError, TrajectoryError
from pytest_metaspace.suites import rem
from pytest_metaspace.testing import check_trajectory_format
from tests.suites import rem_own
from tests.suites.rem_own import COMPARED, HEAD, NUMBERS, ORDERS, SIDES, loaded, posed, straight

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def edited(main: Path, row: int, column: int, cell: str) -> None:
    """Put something into a cell of an ``annotations.csv``; the row after the head is 0."""
    with main.open(newline="", encoding="utf-8") as file:
        _, *rows = list(csv.reader(file))
    rows[row][column] = cell
    rem_own.table(main, HEAD, rows)


def test_the_format_keeps_what_formats_promise(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "0001-run", straight())
    form = rem.REM.formats[0]
    check_trajectory_format(form, main, folder=tmp_path)


@pytest.mark.parametrize(
    ("column", "cell", "told"),
    [
        (0, "", "is '', expected a name as image_0001_rotate_left_15.png."),
        (0, "0001.png", "is '0001.png', expected a name"),
        (0, "/etc/image_0001.png", "is '/etc/image_0001.png', expected a name"),
        (0, "../image_0001.png", "is '../image_0001.png', expected a name"),
        (0, "image_0009_move_forward_1m.png", "there is no file 'image_0009_move_forward_1m.png'"),
        (0, "image_0001_jump_5.png", "is 'image_0001_jump_5.png', expected a name"),
        (0, "image_\u0661.png", "is 'image_\\u0661.png', expected a name"),
        (0, "image_0000_init.png", "has the number of line 2 again."),
    ],
)
def test_a_picture_that_is_not_there_is_an_error_with_its_row(
    tmp_path: Path, column: int, cell: str, told: str
) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    edited(main, 1, column, cell)
    with pytest.raises(TrajectoryError) as caught:
        rem.load(main)
    assert str(caught.value).startswith(f"{main}:3: field image_filename: ")
    assert told in str(caught.value)


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    picture = main.with_name("image_0001_move_forward_1m.png")
    picture.rename(tmp_path / "elsewhere.png")
    picture.symlink_to(tmp_path / "elsewhere.png")
    with pytest.raises(TrajectoryError, match=r"csv:3: field image_filename: .* leaves the folder"):
        rem.load(main)


def test_a_number_that_is_missing_is_an_error(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    main.write_text(
        "\n".join(one for one in main.read_text().splitlines() if "image_0001" not in one)
    )
    with pytest.raises(
        TrajectoryError, match="csv:3: field image_filename: has the number 2, and the one before"
    ):
        rem.load(main)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "csv: is empty."),
        ("image_filename,visible_objects\n", "csv:1: field annotation: the first line names no"),
        ("a,b\n1,2\n", "csv:1: field image_filename: the first line names no such column"),
        (",".join(HEAD) + "\n", "csv: holds no frame."),
        ('"' + ",".join(HEAD), "csv:1: field image_filename: the first line names no"),
        (",".join(HEAD) + '\n"image_0000_init.png', "csv: holds no frame."),
    ],
)
def test_a_file_of_something_else_is_an_error(tmp_path: Path, text: str, told: str) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    main.write_text(text)
    assert rem.matches(main)
    with pytest.raises(TrajectoryError) as caught:
        rem.load(main)
    assert told in str(caught.value)


def test_more_frames_than_a_question_can_show_are_an_error(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    row = main.read_text().splitlines()[1]
    rows = [row.replace("image_0000", f"image_{number:04d}") for number in range(257)]
    main.write_text("\n".join([",".join(HEAD), *rows]))
    with pytest.raises(TrajectoryError, match="has more than 256 frames"):
        rem.load(main)


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("red_cone_0 (101%)", "has 'red_cone_0 (101%)', expected a name and a percentage"),
        ("red_cone_0 (-1.00%)", "has 'red_cone_0 (-1.00%)', expected"),
        ("red_cone_0 (nan%)", "has 'red_cone_0 (nan%)', expected"),
        ("red_cone_0 (1e999%)", "has 'red_cone_0 (1e999%)', expected"),
        ("red_cone_0", "has 'red_cone_0', expected"),
        ("red_cone_0 (60%), blue_cone_1 (60%)", "shares out 120.00 % of the picture."),
        ("red_cone_0 (1%), red_cone_0 (1%)", "names 'red_cone_0' twice."),
        ("red_object_0 (1%)", "names 'red_object_0', no colour_shape_number."),  # as all red ones
        ("tree (1%)", "names 'tree', no colour_shape_number."),
        ("red_metal_old_cone_0 (1%)", "names 'red_metal_old_cone_0', no colour_shape_number."),
    ],
)
def test_what_cannot_be_seen_so_is_a_defect_and_leaves_no_relation(
    tmp_path: Path, cell: str, told: str
) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    edited(main, 1, 2, cell)
    found = rem.load(main)
    assert any(f"{main}:3: field visible_objects: {told}" in str(one) for one in found.defects)
    assert all(item.ties == () for item in found.items.values())
    assert all(posed(item) for item in found.items.values())
    assert not any("annotations.csv says" in str(one) for one in found.defects)


def test_more_things_than_a_scene_has_leave_no_relation(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    edited(main, 1, 2, ", ".join(f"red_cone_{number} (0.01%)" for number in range(300)))
    found = rem.load(main)
    assert any(
        "field visible_objects: makes them 303 things; at most" in str(one) for one in found.defects
    )
    assert all(item.ties == () for item in found.items.values())


def test_one_fault_of_a_row_is_told(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    edited(main, 1, 2, "what, ever, this, is")
    assert len([one for one in rem.load(main).defects if one.field == "visible_objects"]) == 1


def test_a_ground_is_no_object_and_sizes_are_passed_over(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    edited(main, 0, 2, "GroundPlane (44.59%), small_red_cone_0 (5.00%)")
    found = rem.load(main)
    assert not any("visible_objects" in str(one) for one in found.defects)


def lacking(main: Path) -> None:
    main.with_name(SIDES).unlink()


def headless(main: Path) -> None:
    main.with_name(SIDES).write_text("Is it so?,yes\n")


def emptied(main: Path) -> None:
    main.with_name(SIDES).write_text("")


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lacking, f"annotations.csv: {SIDES} is missing beside it; such questions are not asked."),
        (headless, f"{SIDES}:1: field question: the first line names no such column; it is"),
        (emptied, f"{SIDES}: is empty."),
    ],
)
def test_a_file_of_questions_that_is_lost_leaves_the_others(
    tmp_path: Path, damage: Callable[[Path], None], told: str
) -> None:
    scene = rem_own.of_ours()
    main = rem_own.write(tmp_path / "run", scene)
    damage(main)
    found = rem.load(main)
    assert "REM-left-right" not in found.items
    assert len(found.items) == 4
    assert len([one for one in found.defects if told in str(one)]) == 1


def test_without_questions_there_is_nothing_to_ask(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight(), {})
    with pytest.raises(TrajectoryError, match="no file of questions lies beside it; expected num"):
        rem.load(main)
    (main.with_name(NUMBERS)).write_text("question,answer\n")
    with pytest.raises(TrajectoryError, match="none of its questions can be asked"):
        rem.load(main)


ROWS = [("How many cones are there?", "1"), ("How many spheres are there?", "1")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("question,answer\nHow many cones are there?\n", ":2: field answer: is missing, as the row"),
        ("question,answer\nHow many cones are there?,one\n", ":2: field answer: is 'one', no answer"),
        ("question,answer\nHow many cones are there?,\n", ":2: field answer: is '', no answer"),
        ("question,answer\nHow many cones are there?,-1\n", ":2: field answer: is '-1', no answer"),
        (f"question,answer\n{'a' * 20_001},1\n", ":2: field question: has 20,001 characters, more"),
        (f"question,answer\n{'a' * 2_001},1\n", ":2: field question: has 2,001 characters, exp"),
        (f"question,answer\n{'a' * 140_000},1\n", ":2: is no CSV from here on (field larger than"),
        ("question,answer\n,1\n", ":2: field question: has 0 characters"),
        ("question,answer\nHow many spheres are there?,1\nHow many spheres are there?,2\n",
         ":3: field question: asks again what is asked before: 'How many spheres"),
        ('question,answer\n\n"How many\ncones",1\nHow many spheres are there?,x\n',
         ":5: field answer: is 'x', no answer"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_asked_is_a_defect_with_its_line(
    tmp_path: Path, text: str, told: str
) -> None:
    main = rem_own.write(
        tmp_path / "run", straight(), {ORDERS: rem_own.questions(straight())[ORDERS]}
    )
    main.with_name(NUMBERS).write_text(text)
    found = rem.load(main)
    assert f"{main.with_name(NUMBERS)}{told}" in "\n".join(map(str, found.defects))
    assert "REM-order" in found.items


def test_columns_of_models_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight(), {NUMBERS: ROWS})
    plain = rem.load(main).items["REM-count"]
    text = "\ufeffgpt-4o, Question ,gemini,answer\n" + "".join(
        f'7,{asked},"many, many",{answer},more\n' for asked, answer in ROWS
    )
    main.with_name(NUMBERS).write_text(text, encoding="utf-8")
    main.write_bytes(b"\xef\xbb\xbf" + main.read_bytes())
    found = rem.load(main)
    assert found.items["REM-count"] == plain
    assert not any(
        "number_questions" in str(one) for one in found.defects if "missing" not in str(one)
    )


def test_pictures_may_have_any_size(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    from PIL import Image

    Image.new("RGB", (96, 64)).save(main.with_name("image_0000_init.png"))
    found = rem.load(main)
    assert (found.camera.width, found.camera.height, found.camera.fx) == (96, 64, None)
    main.with_name("image_0000_init.png").write_bytes(b"no picture")
    with pytest.raises(TrajectoryError, match=r"image_0000_init.png: cannot be read as a picture"):
        rem.load(main)


def test_only_the_first_picture_is_opened(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    for picture in sorted(main.parent.glob("*.png"))[1:]:
        picture.write_bytes(b"no picture")
    assert len(rem.load(main).states) == 3


def test_nothing_is_written_beside_the_pictures(tmp_path: Path) -> None:
    found = loaded(tmp_path, straight())
    before = sorted(found.source.parent.iterdir())
    for item in found.items.values():
        for posing in item.posings.values():
            assert all(path.is_file() for path in posing.images)
    assert sorted(found.source.parent.iterdir()) == before
    assert list((tmp_path / "kept").iterdir())


@pytest.mark.parametrize("column", ["file", "image_filename"])
@pytest.mark.parametrize("name", ["annotations.csv", "other.csv"])
def test_a_table_of_somebody_else_is_left_alone(tmp_path: Path, name: str, column: str) -> None:
    (tmp_path / name).write_text(f"{column},label\nimage.png,dog\n")
    assert not rem.matches(tmp_path / name)
    assert not rem.matches(tmp_path / "is-not-there" / name)


@pytest.mark.parametrize("asked", [NUMBERS, SIDES])
def test_a_damaged_table_is_known_by_the_questions_beside(tmp_path: Path, asked: str) -> None:
    main = rem_own.write(tmp_path / "run", straight(), {asked: []})
    main.write_bytes(b"\0" * 50)
    assert rem.matches(main)
    main.with_name(asked).unlink()
    assert not rem.matches(main)


CELLS = st.text(max_size=40) | st.sampled_from(
    ["image_0001.png", "red_cone_0 (5.00%)", "(1.0, 2.0)", "=1+1", "\0", '"', "a" * 30_000]
)


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.integers(0, 2), st.integers(0, 2), CELLS)
def test_any_cell_is_read_or_refused(tmp_path: Path, row: int, column: int, cell: str) -> None:
    folder = tmp_path / "run"
    main = folder / "images" / "annotations.csv"
    if not main.exists():
        rem_own.write(folder, straight())
        (tmp_path / "whole.csv").write_bytes(main.read_bytes())
    main.write_bytes((tmp_path / "whole.csv").read_bytes())
    with suppress(csv.Error, UnicodeEncodeError):
        edited(main, row, column, cell)
    with suppress(MetaspaceError):  # anything else is a defect of ours
        assert rem.load(main).items


@settings(
    max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    st.sampled_from([NUMBERS, COMPARED, SIDES, ORDERS]),
    st.sampled_from([
        "How many {}?", "Are there more {} or {}?", "Is the {} to the left of the {}?",
        "Did we see the {} before, after, or same time as the {}?", "{}",
    ]),
    CELLS, CELLS,
)  # fmt: skip
def test_any_question_is_read_or_refused(
    tmp_path: Path, file: str, text: str, cell: str, answer: str
) -> None:
    main = tmp_path / "run" / "images" / "annotations.csv"
    if not main.exists():
        rem_own.write(tmp_path / "run", straight(), {})
    for name in (NUMBERS, COMPARED, SIDES, ORDERS):
        main.with_name(name).unlink(missing_ok=True)
    with suppress(csv.Error, UnicodeEncodeError):
        rem_own.table(
            main.with_name(file), ("question", "answer"), [(text.format(cell, cell), answer)]
        )
    with suppress(MetaspaceError):
        assert rem.load(main).items
