"""Answers are read strictly: an allowed value, or the reason why it is none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_metaspace.agents._perceiving import DECLINED, phrase
from pytest_metaspace.answers import read
from pytest_metaspace.domain import AnswerFormat, Capability, Unreadable, Value
from pytest_metaspace.questions import answer_format, question
from tests.answer_forms import (
    FLIGHT,
    MAP,
    METRES,
    MOVEMENT,
    STEPS,
    TALL_VIEW,
    VIEW,
    YES_NO,
    query,
    scene,
)
from tests.unit_support import pictured, thing, trajectory

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_read_in_one_form_is_read_anew_in_another() -> None:
    #  Made anew: forms are the same to each other by what they hold.
    forms = [replace(form) for form in (VIEW, MOVEMENT, MAP, TALL_VIEW, FLIGHT, YES_NO, STEPS)]
    told = ("left", "farther", "forward", "north", "left, above", "left, up", "yes", "2")
    fitting = {raw: [isinstance(read(raw, form), Value) for form in forms] for raw in told}
    again = {raw: [isinstance(read(raw, replace(form)), Value) for form in forms] for raw in told}
    assert fitting == again
    assert fitting["farther"] == [True, False, False, False, False, False, False]
    assert fitting["left, above"].count(True) == fitting["left, up"].count(True) == 1
    assert read("left", VIEW) is read("left", replace(VIEW))
    assert replace(VIEW, reasoned=True) != VIEW


@pytest.mark.parametrize(
    ("raw", "label"),
    [
        ("left", "left"),
        ("LEFT", "left"),
        ("  Left.\n", "left"),
        ("**left**", "left"),
        ("`left`", "left"),
        ('"left"', "left"),
        ("Answer: left", "left"),
        ("The answer is left.", "left"),
        ("It lies to the left.", "left"),
        ("The book-shelf is to the left of the floor lamp", "left"),
        ("B lies left of A", "left"),
        ("none", "none"),
        ("farther", "front"),
        ("nearer", "back"),
        ("farther-left", "front-left"),
        ("Farther left", "front-left"),
        ("farther_left", "front-left"),
        ("farther\u2011left", "front-left"),
        ("nearer - right", "back-right"),
        ("nearer\nright", "back-right"),
    ],
)
def test_a_direction_may_stand_in_a_plain_sentence(raw: str, label: str) -> None:
    assert read(raw, VIEW) == Value(planar=label)


@pytest.mark.parametrize(
    ("raw", "label"),
    [
        ("northeast", "northeast"),
        ("north-east", "northeast"),
        ("North East", "northeast"),
        ("To the south", "south"),
    ],
)
def test_compass_points_may_be_written_apart(raw: str, label: str) -> None:
    assert read(raw, MAP) == Value(planar=label)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("left and right", "several directions"),
        ("left or right", "several directions"),
        ("left, right", "several directions"),
        ("farther, left", "several directions"),
        ("farther/left", "several directions"),
        ("left. The answer is left.", "several directions"),
        ("not left", "'not'"),
        ("It is not left", "'not'"),
        ("isn't left", "'isn'"),
        ("not-left", "no direction"),
        ("I left the room", "'i'"),
        ("left-handed", "no direction"),
        ("opposite of left", "'opposite'"),
        ("slightly left", "'slightly'"),
        ("forward", "no direction"),
        ("north", "no direction"),
        ("front", "no direction"),
        ("up", "no direction"),
        ("90 degrees", "no direction"),
        ("left 3", "'3'"),
        ("none of these", "none of"),
        ("links", "no direction"),
        ("\u0000", "no direction"),
        ("\ud800", "no direction"),
        ("left \ud800\U0001f600", None),
        ("left" + "\u202e" + "right", "several directions"),
        ("left " * 1000, "characters"),
        ("x" * 1_000_000, "characters"),
    ],
)
def test_whatever_is_more_or_less_than_one_direction_is_refused(
    raw: str, reason: str | None
) -> None:
    found = read(raw, VIEW)
    if reason is None:
        assert found == Value(planar="left")
    else:
        assert isinstance(found, Unreadable)
        assert reason in found.reason


def test_the_names_of_objects_are_read_in_any_language() -> None:
    boxes = {0: (10, 10, 60, 60)}
    made = trajectory(
        objects=[thing("lamp", boxes, label="Stühle_2"), thing("shelf", boxes, label="лампа")]
    )
    allowed = answer_format(query(Capability.OBJECT_DIRECTION), made)
    assert read("Лампа is left of the Stühle", allowed) == Value(planar="left")


def test_a_label_with_a_negation_makes_no_negation_harmless() -> None:
    boxes = {0: (10, 10, 60, 60)}
    made = trajectory(
        objects=[thing("lamp", boxes, label="Not a lamp"), thing("shelf", boxes, label="no entry")]
    )
    strict = answer_format(query(Capability.OBJECT_DIRECTION), made)
    assert read("The entry is left of the lamp", strict) == Value(planar="left")
    for raw in ("not left", "no, left", "The lamp is not left"):
        assert isinstance(read(raw, strict), Unreadable), raw


@pytest.mark.parametrize("raw", ["I'm sorry, I can't help.", "I cannot tell", DECLINED, "As an AI"])
@pytest.mark.parametrize("allowed", [MOVEMENT, FLIGHT, STEPS, METRES, YES_NO])
def test_a_refusal_is_called_one(raw: str, allowed: AnswerFormat) -> None:
    assert read(raw, allowed) == Unreadable("the agent declined to answer")


@pytest.mark.parametrize(
    ("raw", "planar", "vertical"),
    [
        ("forward, up", "front", "above"),
        ("up, forward", "front", "above"),
        ("forward-left down", "front-left", "below"),
        ("forward left, down", "front-left", "below"),
        ("none, level", "none", "level"),
    ],
)
def test_in_the_air_a_direction_has_two_words(raw: str, planar: str, vertical: str) -> None:
    assert read(raw, FLIGHT) == Value(planar=planar, vertical=vertical)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("forward", "no direction out of up, level, down"),
        ("up", "no direction out of forward"),
        ("forward, up, level", "several directions: up, level"),
        ("forward, above", "no direction out of up"),
    ],
)
def test_in_the_air_one_word_is_not_enough(raw: str, reason: str) -> None:
    found = read(raw, FLIGHT)
    assert isinstance(found, Unreadable)
    assert reason in found.reason


def test_none_of_the_above_is_neither_none_nor_above() -> None:
    assert isinstance(read("None of the above", TALL_VIEW), Unreadable)
    assert read("none, above", TALL_VIEW) == Value(planar="none", vertical="above")


@settings(max_examples=300)
@given(
    st.text(st.characters(codec=None), max_size=300),
    st.sampled_from([MOVEMENT, VIEW, MAP, FLIGHT, TALL_VIEW, STEPS, METRES, YES_NO]),
)
@example("\ud800\udfff", STEPS)
@example("\x00" * 50, FLIGHT)
@example("-" * 1999, STEPS)
@example("1" * 1999, METRES)
def test_reading_never_raises(raw: str, allowed: AnswerFormat) -> None:
    found = read(raw, allowed)
    if isinstance(found, Unreadable):
        found.reason.encode()
        assert "\n" not in found.reason
    else:
        assert found.steps is None or found.steps >= 0
        assert found.metres is None or found.metres > 0


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            [
                "left",
                "right",
                "farther",
                "nearer",
                "farther-left",
                "none",
                "not",
                "the",
                "of",
                "answer",
                "is",
                "i",
                "A",
                "B",
                "3",
                "yes",
                "no",
                ",",
                ".",
                "-",
                "\u2011",
                "up",
                "level",
                "above",
            ]
        ),
        max_size=6,
    )
)
def test_what_is_read_was_said(words: list[str]) -> None:
    """A direction is read only where one allowed word, or two that join, stands in the text."""
    found = read(" ".join(words), VIEW)
    if isinstance(found, Value):
        assert found.planar is not None
        parts = found.planar.replace("front", "farther").replace("back", "nearer").split("-")
        assert all(part in " ".join(words) for part in parts)
        assert "not" not in words
        assert "i" not in words


VALUES = {
    "SC1-a": st.builds(Value, planar=st.sampled_from(sorted(MOVEMENT.planar.values()))),
    "SC2-a": st.builds(Value, planar=st.sampled_from(sorted(VIEW.planar.values()))),
    "SC4-a": st.builds(Value, planar=st.sampled_from(sorted(MAP.planar.values()))),
    "SC1-b": st.builds(Value, steps=st.integers(0, 10**9)),
    "SC2-b": st.builds(Value, steps=st.integers(0, 10**9)),
    "SC4-b": st.builds(Value, steps=st.integers(0, 40)),
    "SC3-a": st.builds(Value, metres=st.integers(1, 10**8).map(lambda n: n / 10**6)),
    "SC3-b": st.builds(Value, metres=st.integers(1, 10**8).map(lambda n: n / 10**6)),
}


@pytest.mark.parametrize("code", sorted(VALUES))
@pytest.mark.parametrize("vertical", [False, True])
def test_reading_undoes_phrasing(code: str, vertical: bool, tmp_path: Path) -> None:
    made = pictured(scene(vertical=vertical, folder=tmp_path))
    asked = question(query(Capability(code)), made)

    @settings(max_examples=25)
    @given(VALUES[code], st.sampled_from(["above", "level", "below"]))
    def holds(value: Value, rise: str) -> None:
        if vertical and value.planar is not None:
            value = Value(planar=value.planar, vertical=rise)
        assert read(phrase(value, asked), asked.format) == value

    holds()
