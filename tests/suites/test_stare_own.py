"""The benchmark's own records: read as they are, with what is wrong in them named."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from pytest_metaspace import pipeline
from pytest_metaspace.domain import AS_WRITTEN, Outcome, Settings
from pytest_metaspace.errors import MetaspaceError, TrajectoryError
from pytest_metaspace.registries import Registries
from pytest_metaspace.suites import stare
from pytest_metaspace.trajectories._episodes import Choice

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Item, Trajectory

FOLDED = {
    "qid": "folding_nets_vsim_001",
    "question": "Look at a net:\n<image> Step 1: fold face 5.\n<image>\n"
    "Can it be a cube, yes or no?\n\nA. no\nB. yes",
    "images": ["images/a.png", "images/b.png"],
    "answer": "B",
    "category": "folding_nets_VSim",
    "other_info": "424_q+steps+all_intermediate_vis",
}
DRAWN = {
    "pid": "2d_va_001",
    "question": "<image> <image>",
    "images": ["images/a.png", "images/b.png"],
    "answer": "c",
    "category": "2D_va",
    "other_info": "1steps_easy_no_81",
}


def write(folder: Path, *records: Any) -> Path:
    if not (folder / "images").exists():
        (folder / "images").mkdir()
        for name in ("a", "b"):
            Image.new("RGB", (8, 6)).save(folder / "images" / f"{name}.png")
    path = folder / "stare.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in records) + "\n")
    return path


def only(path: Path) -> Trajectory:
    return stare.FORMAT.load(path / stare.FORMAT.episodes(path)[0])


def item_of(found: Trajectory) -> Item:
    (item,) = found.items.values()
    return item


def test_options_in_the_text_are_options(tmp_path: Path) -> None:
    path = write(tmp_path, FOLDED)
    assert stare.matches(path)
    item = item_of(only(path))
    written, turned = item.posings[AS_WRITTEN], item.posings["reordered"]
    assert item.task == "STARE-folding"
    assert item.slices == {"simulation": "with"}
    assert written.context == "Look at a net: [image 1] Step 1: fold face 5. [image 2]"
    assert written.text == "Can it be a cube, yes or no?"
    assert (written.options, written.answer) == (("no", "yes"), "yes")
    assert (turned.options, turned.answer) == (("yes", "no"), "yes")


def test_options_that_are_drawn_keep_their_letters(tmp_path: Path) -> None:
    item = item_of(only(write(tmp_path, DRAWN)))
    written = item.posings[AS_WRITTEN]
    assert item.task == "STARE-analogy-2d"
    assert item.slices == {"simulation": "without", "steps": "1", "difficulty": "easy"}
    assert (written.options, written.answer) == (("A", "B", "C", "D"), "C")
    assert (written.context, written.text) == ("[image 1] [image 2]", "Which option is right?")
    assert item.unposed == {"STARE-ORDER": "the letters of its options are drawn"}


def test_truth_is_right_about_them(tmp_path: Path) -> None:
    registries = Registries.built_in()
    registries.choice = Choice(["all"])
    path = write(tmp_path, FOLDED, DRAWN)
    found = pipeline.run([path], "truth", Settings(), registries=registries)
    assert [one.outcome for one in found.verdicts] == [Outcome.SATISFIED] * 3


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"category": "2D_vb"}, "field category: is '2D_vb', expected one of 2d_va"),
        ({"images": []}, "field images: is []"),
        ({"images": ["../a.png"]}, "field images.0: '../a.png' leaves the folder"),
        ({"images": ["images/c.png"]}, "field images.0: there is no file"),
        ({"images": [5]}, "field images.0: is 5"),
        ({"answer": "C"}, "field answer: is 'C', expected a letter, A to B."),
        ({"answer": None}, "field answer: is None"),
        ({"question": "Yes?\nA. yes"}, "field question: has the options A."),
        ({"question": "Yes?\nA. yes\nB. Yes"}, "field question: has two equal options."),
        ({"question": "a" * 20_001}, "field question: has more than 20000 characters."),
        ({"question": f"Yes?\nA. no\nB. {'a' * 601}"}, "question: has an option of more than 600"),
        ({"question": 3}, "field question: is 3, expected a text."),
    ],
)
def test_what_cannot_be_asked_names_line_and_field(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    path = write(tmp_path, DRAWN, {**FOLDED, **changed})
    assert stare.FORMAT.load(path / "2d_va_001").items
    with pytest.raises(TrajectoryError) as caught:
        stare.FORMAT.load(path / "folding_nets_vsim_001")
    assert str(caught.value).startswith(f"{path}:2: ")
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", '{"qid": "one"}', "1"])
def test_a_file_that_has_its_name_is_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "stare.jsonl").write_text(text)
    assert stare.matches(tmp_path / "stare.jsonl")
    (tmp_path / "other.jsonl").write_text(text)
    assert not stare.matches(tmp_path / "other.jsonl")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(FOLDED)), VALUES)
def test_any_record_is_read_or_refused(tmp_path: Path, field: str, value: Any) -> None:
    path = write(tmp_path, {**FOLDED, field: value})
    with suppress(MetaspaceError):  # anything else is a defect of ours
        assert only(path).items


def test_any_qid_leaves_each_record_an_item_of_its_own(tmp_path: Path) -> None:
    told = ["a-3", "a", "a", "two words", "\u00e4", '"b,[c]"', "", "..", None, 7, "a-3"]
    path = write(tmp_path, *({**FOLDED, "qid": one} for one in told))
    names = list(stare.FORMAT.episodes(path))
    assert len(set(names)) == len(names) == len(told)
    assert names[:4] == ["a-3", "a", "a-3-3", "two_words"]
    assert all(stare.FORMAT.load(path / name).items for name in names)
