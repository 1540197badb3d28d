"""Reading a file of EmbSpatial-Bench: what is taken, and what is said of what is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.domain import AS_WRITTEN, Box
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites.embspatial import FORMAT, matches
from pytest_metaspace.suites.embspatial._asking import item
from pytest_metaspace.trajectories import Reading

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Item, Posing, Trajectory

LEFT = 4


def write(folder: Path, **changed: Any) -> Path:
    """Write a file of one item, with fields changed or, by None, gone."""
    fields = {**item(1, LEFT), **changed}
    path = folder / "embspatial_bench.json"
    kept = {name: value for name, value in fields.items() if value is not None}
    path.write_text(json.dumps([kept]))
    return path


def first(path: Path) -> Trajectory:
    form = FORMAT.configured(Reading(frames=path.parent / "frames"))
    return form.load(path / FORMAT.episodes(path)[0])


def item_of(path: Path) -> Item:
    (found,) = first(path).items.values()
    return found


def written(item: Item) -> Posing:
    return item.posings[AS_WRITTEN]


def wrong(folder: Path, **changed: Any) -> str:
    with pytest.raises(TrajectoryError) as caught:
        first(write(folder, **changed))
    return str(caught.value).replace(str(folder), "HERE")


def test_a_file_is_known_by_its_fields(tmp_path: Path) -> None:
    assert matches(write(tmp_path))
    (tmp_path / "other.json").write_text('[{"question_id": 1}]')
    assert not matches(tmp_path / "other.json")
    (tmp_path / "other.json").write_text('[{"image": "a.jpg", "question_id": 1}]')
    assert not matches(tmp_path / "other.json")
    (tmp_path / "other.json").write_text('[{"image": "a.jpg", "relation": "left"}]')
    assert matches(tmp_path / "other.json")
    (tmp_path / "object.json").write_text('{"question_id": 1, "relation": "left"}')
    assert not matches(tmp_path / "object.json")


@pytest.mark.parametrize("text", ["[]", "{}", "[1]", '[{"id": 1}]', "", '{"a": [1'])
def test_a_file_that_has_its_name_is_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "embspatial_bench.json").write_text(text)
    assert matches(tmp_path / "embspatial_bench.json")


@pytest.mark.parametrize("field", ["relation", "question", "answer_options", "answer", "image"])
def test_what_the_first_record_lacks_is_an_error_of_that_record(tmp_path: Path, field: str) -> None:
    lacking, whole = item(1, 0), item(1, 1)
    del lacking[field]
    path = tmp_path / "embspatial_bench.json"
    path.write_text(json.dumps([lacking, whole]))
    assert matches(path)
    form = FORMAT.configured(Reading(frames=tmp_path / "frames"))
    names = FORMAT.episodes(path)
    assert form.load(path / names[1]).items
    with pytest.raises(TrajectoryError, match=f"field 0.{field}: is None, expected"):
        form.load(path / names[0])


def test_an_item_is_named_by_its_question_id(tmp_path: Path) -> None:
    assert list(FORMAT.episodes(write(tmp_path, question_id="mp3d_57"))) == ["mp3d_57"]
    assert list(FORMAT.episodes(write(tmp_path, question_id="a/b::c,d"))) == ["a_b_c_d"]
    assert list(FORMAT.episodes(write(tmp_path, question_id=[1]))) == ["item-0"]


def test_boxes_are_x_y_width_and_height(tmp_path: Path) -> None:
    objects = [{"name": "sofa", "bbox": [0, 196, 400, 84]}]
    (thing,) = first(write(tmp_path, objects=objects)).objects
    assert thing.boxes[0] == Box(0, 196, 400, 280)


def test_corners_are_told_as_what_they_are(tmp_path: Path) -> None:
    made = first(write(tmp_path, objects=[{"name": "sofa", "bbox": [300, 200, 390, 250]}]))
    (defect,) = made.defects
    assert "field 0.objects.0.bbox" in str(defect)
    assert "Boxes of corners have to be written as x, y, width, height." in str(defect)
    assert not made.objects


def test_stray_quotes_are_taken_off(tmp_path: Path) -> None:
    options = ['"A is left of B', "A is right of B", "'A is above B'", "A is under B"]
    made = item_of(write(tmp_path, question='Where is A? "', answer_options=options, answer=0))
    assert written(made).text == "Where is A?"
    assert written(made).options[::2] == ("A is left of B", "A is above B")


def test_an_unknown_source_is_said_and_asked_all_the_same(tmp_path: Path) -> None:
    made = first(write(tmp_path, data_source="habitat"))
    assert "field 0.data_source: is 'habitat'" in str(made.defects[0])
    assert made.items


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"answer": 4}, "field 0.answer: is 4, expected the place of an option, 0 to 3."),
        ({"answer": -1}, "field 0.answer: is -1"),
        ({"answer": True}, "field 0.answer: is True"),
        ({"answer": "E"}, "field 0.answer: is 'E'"),
        ({"relation": "behind"}, "field 0.relation: is 'behind', expected one of close, far"),
        ({"image": "not base64!"}, "field 0.image: is no base64"),
        ({"image": "AAAA"}, "field 0.image: is base64 of neither a JPEG nor a PNG."),
        ({"image": "/9j/AAAA"}, "field 0.image: is no picture"),
        ({"image": 7}, "field 0.image: is 7"),
        ({"question": "''"}, "field 0.question"),
        ({"answer_options": ["a"]}, "field 0.answer_options"),
        ({"answer_options": ["a", 5, "b", "c"]}, "field 0.answer_options.1: is 5"),
        ({"answer_options": ["a", "A", "b", "c"]}, "field 0.answer_options: has equal options"),
        ({"depths_m": [1, 2]}, "field 0.depths_m"),
        ({"question": "a" * 2001}, "field 0.question: has 2001 characters, more than 2000."),
        ({"answer_options": ["a" * 601, "b"]}, "field 0.answer_options.0: has 601 characters"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_record_and_field(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    text = wrong(tmp_path, **changed)
    assert text.startswith(f"HERE/embspatial_bench.json: {told}")
    assert text.endswith("Download the file again, or take the record out.")


def test_the_variant_for_fine_tuning_has_lists_and_texts(tmp_path: Path) -> None:
    options = item(1, LEFT)["answer_options"]
    made = item_of(write(tmp_path, question=["Where?", "How?"], answer=options[2]))
    assert (written(made).text, written(made).answer) == ("Where?", options[2])


def test_one_damaged_item_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "embspatial_bench.json"
    path.write_text(json.dumps([item(1, 0), "damage", item(1, 1)]))
    names = FORMAT.episodes(path)
    assert list(names) == ["ours_1_0", "item-1", "ours_1_1"]
    form = FORMAT.configured(Reading(frames=tmp_path / "frames"))
    assert form.load(path / names[2]).items
    with pytest.raises(TrajectoryError, match=r"field 1: is 'damage', expected an object\."):
        form.load(path / names[1])


def test_a_picture_is_written_once_as_it_came(tmp_path: Path) -> None:
    made = first(write(tmp_path))
    (found,) = made.items.values()
    (picture,) = written(found).images
    before = picture.stat().st_mtime_ns
    assert first(write(tmp_path)).states[0].frame == picture
    assert picture.stat().st_mtime_ns == before
