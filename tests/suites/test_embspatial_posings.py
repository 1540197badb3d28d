"""The ways in which an item is put: what becomes of its options, and when it is left alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pytest_metaspace.domain import AS_WRITTEN, Becomes, Box, DrawnPictures, Posing, ThenAnswer
from pytest_metaspace.suites.embspatial._posings import Record, posed
from pytest_metaspace.trajectories._altered import altered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SIDES = (
    "The lamp is left of the sofa.",
    "The lamp is right of the sofa.",
    "The sofa is touching the lamp.",
    "The lamp is above the sofa.",
)
TWO = Record(
    name="two",
    relation="left",
    question="How are the lamp and the sofa placed in relation to each other?",
    options=SIDES,
    answer=SIDES[0],
    things=(("lamp", Box(0, 0, 60, 60)), ("sofa", Box(100, 0, 200, 60))),
    picture=Path("two.png"),
)
FOUR = Record(
    name="four",
    relation="close",
    question="Which object, seen from where you stand, is the nearest?",
    options=("lamp", "sofa", "cup", "door"),
    answer="cup",
    things=tuple((name, Box(0, 0, 50, 50)) for name in ("lamp", "sofa", "cup", "door")),
    picture=Path("four.png"),
    depths=(2.0, 3.0, 1.0, 4.0),
)


def posings(record: Record) -> tuple[Mapping[str, Posing], Mapping[str, str]]:
    item = posed(record)
    return item.posings, item.unposed


def follows(record: Record, name: str) -> dict[str, str]:
    """Return which option follows from which."""
    (tie,) = [one for one in posed(record).ties if one.posings == (AS_WRITTEN, name)]
    assert tie.law == "MAP"
    return {one.option: one.becomes for one in tie.givens if isinstance(one, Becomes)}


def test_options_come_the_other_way_round() -> None:
    made = posings(TWO)[0]["reordered"]
    assert made.options == SIDES[::-1]
    assert made.answer == SIDES[0]
    assert follows(TWO, "reordered") == {one: one for one in SIDES}


def test_wrong_options_are_left_out_and_nothing_follows_from_them() -> None:
    found = posings(FOUR)[0]
    one, two = found["cut by one"], found["cut to two"]
    assert [len(one.options), len(two.options)] == [3, 2]
    assert {"cup"} < set(two.options)
    for name, made in (("cut by one", one), ("cut to two", two)):
        assert made.answer == "cup"
        assert set(follows(FOUR, name)) == set(made.options)
    assert "cut to two" not in posings(TWO)[0]


def test_in_a_mirror_left_is_right_and_above_stays() -> None:
    made = posings(TWO)[0]["mirrored"]
    assert made.options == (SIDES[1], SIDES[0], SIDES[2], SIDES[3])
    assert made.answer == SIDES[1]
    assert follows(TWO, "mirrored")[SIDES[3]] == SIDES[3]
    assert isinstance(made.images, DrawnPictures)


def test_names_that_say_left_are_not_mirrored() -> None:
    _, unmet = posings(replace(TWO, things=(("left shoe", TWO.things[0][1]), TWO.things[1])))
    assert unmet["EMB-MIRROR"] == "the name of an object says left or right"
    assert unmet["EMB-CONVERSE"].startswith("the name of an object says left")


def test_an_answer_without_left_or_right_shows_no_mirror() -> None:
    _, unmet = posings(replace(TWO, answer=SIDES[2]))
    assert unmet["EMB-MIRROR"] == "the answer does not say left or right"


def test_told_conversely_each_sentence_says_the_same_of_the_other_object() -> None:
    made = posings(TWO)[0]["told conversely"]
    assert made.text == "How are the sofa and the lamp placed in relation to each other?"
    assert made.options == (
        "The sofa is right of the lamp.",
        "The sofa is left of the lamp.",
        "The sofa is touching the lamp.",
        "The sofa is under the lamp.",
    )
    assert made.answer == "The sofa is right of the lamp."


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"question": "Where is the lamp?"}, "the question does not name each object once"),
        ({"answer": SIDES[2]}, "the answer cannot be told from the other object"),
        ({"things": TWO.things[:1]}, "the item does not name two different objects"),
        (
            {"options": (SIDES[0], "The lamp is below the sofa.", "The lamp is under the sofa.")},
            "two options would be equal",
        ),
    ],
)
def test_what_cannot_be_told_conversely_says_why(changed: dict[str, Any], why: str) -> None:
    found, unmet = posings(replace(TWO, **changed))
    assert "told conversely" not in found
    assert unmet["EMB-CONVERSE"] == why


def test_one_name_within_another_is_not_taken_for_it() -> None:
    names = ("lamp", "lamp shade")
    things = tuple(zip(names, (box for _, box in TWO.things)))
    options = ("The lamp is above the lamp shade.", "The lamp is under the lamp shade.")
    record = replace(
        TWO,
        relation="above",
        question="How do the lamp and the lamp shade lie?",
        options=options,
        answer=options[0],
        things=things,
    )
    made = posings(record)[0]["told conversely"]
    assert made.options[0] == "The lamp shade is under the lamp."
    assert made.text == "How do the lamp shade and the lamp lie?"


def test_the_other_end_is_asked_for_where_depths_are_known() -> None:
    made = posings(FOUR)[0]["reversed"]
    assert made.text == "Which object, seen from where you stand, is the farthest?"
    assert made.answer == "door"
    assert "DIFF" in [tie.law for tie in posed(FOUR).ties if "reversed" in tie.posings]
    assert posings(replace(FOUR, depths=None))[1]["EMB-ENDS"] == (
        "the depths of its objects are not known"
    )
    assert "once" in posings(replace(FOUR, question="Which is it?"))[1]["EMB-ENDS"]


def test_small_boxes_are_not_made_smaller() -> None:
    assert "halved" in posings(TWO)[0]
    small = (("lamp", Box(0, 0, 47, 60)), TWO.things[1])
    found, unmet = posings(replace(TWO, things=small))
    assert "halved" not in found
    assert unmet["EMB-SMALLER"] == "a box would be smaller than 24 pixels"
    assert posings(replace(TWO, things=()))[1]["EMB-SMALLER"] == "there are no boxes"


BESIDE = replace(
    FOUR,
    things=(
        ("lamp", Box(200, 0, 260, 60)),
        ("sofa", Box(0, 0, 60, 60)),
        ("cup", Box(100, 0, 160, 60)),
        ("door", Box(150, 0, 210, 60)),
    ),
)


def test_three_side_by_side_are_left_of_each_other_in_turn() -> None:
    item = posed(BESIDE)
    (tie,) = [one for one in item.ties if one.relation == "EMB-CHAIN"]
    assert tie.posings == (
        "asked whether the sofa is left of the cup",
        "asked whether the cup is left of the lamp",
        "asked whether the sofa is left of the lamp",
    )
    assert {item.posings[name].answer for name in tie.posings} == {"yes"}
    then = {one.rule: one.answer for one in tie.givens if isinstance(one, ThenAnswer)}
    assert then == {"1": "yes"}  # of what overlaps, neither need be left of the other


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"things": BESIDE.things[:2]}, "there are fewer than three boxes"),
        ({"things": BESIDE.things[:2] + BESIDE.things[3:]}, "no three boxes lie side by side"),
        ({"things": (*BESIDE.things, ("Cup", Box(300, 0, 340, 50)))}, "two objects have one name"),
        (
            {"things": (*BESIDE.things, ("left shoe", Box(300, 0, 340, 50)))},
            "the name of an object says left or right",
        ),
    ],
)
def test_what_is_not_side_by_side_is_not_chained(changed: dict[str, Any], why: str) -> None:
    assert posed(replace(BESIDE, **changed)).unposed["EMB-CHAIN"] == why


def test_small_boxes_are_not_made_coarse() -> None:
    assert "compressed again" in posings(FOUR)[0]
    small = (("lamp", Box(0, 0, 23, 60)), TWO.things[1])
    assert posings(replace(TWO, things=small))[1]["EMB-COARSE"] == (
        "a box is smaller than 24 pixels"
    )


def test_what_was_never_changed_is_what_was_written() -> None:
    written = posings(TWO)[0][AS_WRITTEN]
    assert (written.text, written.options, list(written.images)) == (
        TWO.question,
        SIDES,
        [TWO.picture],
    )


WORDS = st.sampled_from(["left", "right", "above", "under", "below", "touching", "behind"])


@given(st.lists(WORDS, min_size=2, max_size=4, unique=True), st.integers(0, 3))
def test_who_knows_the_truth_never_breaks_a_relation(words: Sequence[str], place: int) -> None:
    options = tuple(f"The lamp is {word} the sofa." for word in words)
    answer = options[place % len(options)]
    relation = words[place % len(words)]
    record = replace(TWO, relation=relation, options=options, answer=answer)
    for name, made in posings(record)[0].items():
        assert made.answer in made.options
        assert len(set(made.options)) == len(made.options)
        if any(tie.posings == (AS_WRITTEN, name) for tie in posed(record).ties):
            assert follows(record, name)[answer] == made.answer


def test_pictures_are_changed_once_and_pixel_by_pixel(tmp_path: Path) -> None:
    picture = Image.new("RGB", (40, 20), (0, 0, 0))
    picture.putpixel((3, 5), (255, 0, 0))
    picture.save(tmp_path / "a.png")
    mirrored, halved, padded, coarse = (
        altered(tmp_path / "a.png", change)
        for change in ("mirrored", "halved", "padded", "recompressed")
    )
    with Image.open(mirrored[0]) as made:
        assert made.getpixel((36, 5)) == (255, 0, 0)
    with Image.open(halved[0]) as made:
        assert made.size == (20, 10)
    with Image.open(padded[0]) as made:
        assert (made.size, made.getpixel((7, 9))) == ((48, 28), (255, 0, 0))
    with Image.open(coarse[0]) as made:
        assert (made.format, made.size) == ("JPEG", (40, 20))
    assert mirrored[0] == altered(tmp_path / "a.png", "mirrored")[0]
    changed = (mirrored, halved, padded, coarse)
    assert len({digest for one in changed for digest in one.digests()}) == len(changed)
    names = sorted(path.name[:6] for path in tmp_path.iterdir())
    assert names == ["a.png", "halved", "mirror", "padded", "recomp"]
