"""Items in files: written, read again, asked and judged; what is wrong is named."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_metaspace.domain import Capability, Item, Posing, Tie
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.writing import write_items, write_questions
from pytest_metaspace.trajectories import _item_reading
from pytest_metaspace.trajectories._altered import Altered, shown
from pytest_metaspace.trajectories.items import ITEMS, MAIN_FILE

if TYPE_CHECKING:
    from pathlib import Path

ALL_TIES = (
    ties.mapped("REM-MIRROR", "cones", "cones mirrored"),
    ties.mapped("REM-ORDER", "first", "second", {"before": "after", "after": "before"}),
    ties.different("REM-APART", "first", "second"),
    ties.implied(
        "REM-SIGN",
        [
            ([("more", "cones", "boxes"), ("first", "before")], ("second", "after")),
            ([("equal", "cones", "boxes")], ("second", "before")),
        ],
    ),
    ties.equal_sums("REM-SUM", ["cones"], ["boxes", "cones mirrored"]),
    ties.at_most("REM-PART", ["boxes"], ["cones"]),
    ties.inverse("REM-BACK", {"first": "before", "second": "after"}),
)


def sample(folder: Path, tied: tuple[Tie, ...] = ALL_TIES) -> Item:
    Image.new("RGB", (8, 6), (200, 10, 10)).save(folder / "a.png")
    Image.new("RGB", (8, 6), (10, 10, 200)).save(folder / "b.png")
    pictures = [folder / "a.png", folder / "b.png"]
    number = Posing(
        text="How many cones do you see?",
        options=(),
        images=tuple(pictures),
        answer=3,
        form="count",
        context="Image 1. Then: 1 m forward. Image 2.",
        written=True,
        slices={"difference": "2"},
    )
    mirrored = shown([(one, "mirrored") for one in pictures], folder)
    word = Posing(
        text="First?",
        options=("before", "after"),
        images=(pictures[1],),
        answer="before",
        form="word",
    )
    return Item(
        task=Capability.of_suite("REM", "count"),
        posings={
            "cones": number,
            "cones mirrored": replace(number, images=mirrored, written=False, slices={}),
            "boxes": replace(number, text="How many boxes?", answer=0, slices={"frames": "1"}),
            "first": word,
            "second": replace(word, text="Second?", answer=None),
        },
        ties=tied,
        unposed={"REM-ADDED": "no place for another object"},
        slices={"frames": "2"},
        twin="pair-1",
        probe=True,
    )


def _fields(posing: Posing) -> dict[str, Any]:
    return {one.name: getattr(posing, one.name) for one in fields(posing)}


def plain(item: Item) -> dict[str, Any]:
    """Return an item without its pictures, and what these are."""
    return {
        "item": [
            item.task,
            item.ties,
            dict(item.unposed),
            dict(item.slices),
            item.twin,
            item.probe,
        ],
        "posings": {
            name: {key: value for key, value in _fields(one).items() if key != "images"}
            for name, one in item.posings.items()
        },
        "pictures": {
            name: one.images.parts if isinstance(one.images, Altered) else tuple(one.images)
            for name, one in item.posings.items()
        },
    }


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    made = sample(tmp_path)
    path = write_items(tmp_path, [("one", made), ("two", made)])
    assert ITEMS.matches(path)
    assert ITEMS.episodes is not None
    assert list(ITEMS.episodes(path)) == ["one", "two"]
    found = ITEMS.load(path / "two")
    assert found.only_items
    assert [state.frame.name for state in found.states] == ["a.png", "b.png"]
    assert plain(found.items["REM-count"]) == plain(made)


def test_questions_about_a_walk_are_read_by_task(tmp_path: Path) -> None:
    made = sample(tmp_path)
    found = _item_reading.questions(write_questions(tmp_path, [made]))
    assert {task: plain(item) for task, item in found.items()} == {"REM-count": plain(made)}


WRONG = [
    ("posings.first.slices", {"far": 5}, "field 0.posings.first.slices.far: Input should be a val"),
    ("posings.first.slices", ["far"], "field 0.posings.first.slices: Input should be an object"),
    ("task", "SC1-a", "is 'SC1-a', expected one of a suite"),
    ("task", 5, "field 0.task: Input should be a valid string, found 5"),
    ("posings.first.written", "yes", "field 0.posings.first.written: Input should be a valid bool"),
    ("posings.first.text", "a" * 2001, "field 0.posings.first.text: String should have at most"),
    ("posings.first", 5, "field 0.posings.first: Input should be an object, found 5"),
    ("posings.cones.answer", "three", "is 'three', expected a number"),
    ("posings.cones.answer", -1, "posings.cones.answer"),
    ("posings.cones.options", ["a", "b"], "a number has none"),
    ("posings.cones.images", ["../a.png"], "leaves the folder"),
    ("posings.cones.images", ["c.png"], "there is no file"),
    (
        "posings.cones.images",
        [{"of": "a.png", "change": "burnt"}],
        "images.0.change: Input should be 'mirrored', 'turned', 'halved', 'padded' or 'recomp",
    ),
    ("posings.cones.images", [5], "cones.images.0: Input should be a path, or an object with one"),
    ("posings.first.answer", 1.5, "field 0.posings.first.answer: Input should be a valid int"),
    ("posings.first.answer", "never", "is 'never', no option"),
    ("posings.first.options", ["before", "Before"], "two are equal"),
    ("posings.first.options", ["before"], "are fewer than two"),
    ("posings.second.like", "third", "there is no 'third' before it"),
    ("posings.first.colour", "red", "posings.first.colour"),
    ("ties.0.posings", ["cones", "cones"], "one occurs twice"),
    ("ties.0.posings", ["cones", "third"], "there is no 'third'"),
    ("ties.0.law", "WHY", "ties.0.law"),
    ("ties.1.givens.0.option", 5, "field 0.ties.1.givens.0.option: Input should be a valid str"),
    ("ties.1.givens.0.becomes", 5, "field 0.ties.1.givens.0.becomes: Input should be a valid"),
    ("ties.3.givens.0.first", "third", "names a question that is not in posings"),
    ("ties.0", {"relation": "REM-SUM", "law": "SUM", "posings": ["cones", "boxes"]}, None),
]


@pytest.mark.parametrize(("field", "value", "told"), WRONG)
def test_what_cannot_be_is_refused_with_its_field(
    tmp_path: Path, field: str, value: Any, told: str | None
) -> None:
    path = write_items(tmp_path, [("one", sample(tmp_path))])
    (content,) = json.loads(path.read_text())
    *above, last = [int(part) if part.isdigit() else part for part in field.split(".")]
    place = content
    for part in above:
        place = place[part]
    place[last] = value
    path.write_text(json.dumps([content]))
    if told is None:
        assert ITEMS.load(path / "one").items
        return
    with pytest.raises(TrajectoryError) as caught:
        ITEMS.load(path / "one")
    assert str(caught.value).startswith(str(tmp_path / MAIN_FILE))
    assert told in str(caught.value)
    assert not re.search(r"constrained|\w+File\b|format\.md", str(caught.value))


def test_one_case_is_not_tied_twice(tmp_path: Path) -> None:
    path = write_items(tmp_path, [("one", sample(tmp_path, ALL_TIES[:1] * 2))])
    with pytest.raises(TrajectoryError, match="has these posings already"):
        ITEMS.load(path / "one")
