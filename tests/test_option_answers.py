"""Options in words and whole numbers are read strictly: one allowed value, or the reason why not."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_metaspace.agents._perceiving import phrase
from pytest_metaspace.answer_words import bare, plain
from pytest_metaspace.answers import read
from pytest_metaspace.domain import (
    AnswerFormat,
    Capability,
    Item,
    Posing,
    Query,
    Unreadable,
    Value,
)
from pytest_metaspace.questions import question
from tests.answer_forms import AS_WORDS, COUNT, LETTERS, OPTIONS, STEPS, item, scene

ORDER = item("Did we see the cone before, after or at the same time as the box?", "word",
             "before", "after", "same time")  # fmt: skip
NESTED = item("Which is nearest, the red cone or a cone?", "word", "cone", "red cone", "red cones")
SIGNED = item("Which way?", "word", "A+B", "A-B", "a b")


@pytest.mark.parametrize(
    ("raw", "form", "option"),
    [
        ("Before", ORDER, "before"),
        ("At the same time.", ORDER, "same time"),
        ("same-time", ORDER, "same time"),
        ("We saw the cone after the box", ORDER, None),
        ("the cone before the box", ORDER, "before"),
        ("The cone", NESTED, "cone"),
        ("The red cone", NESTED, "red cone"),
        ("RED  CONES", NESTED, "red cones"),
        ("cones", NESTED, None),
        ("cone, red", NESTED, None),
        ("cone and red cone", NESTED, None),
        ("before or after", ORDER, None),
        ("before/after", ORDER, None),
        ("not before", ORDER, None),
        ("before or", ORDER, None),
        ("around the same time", ORDER, None),
        ("time", ORDER, None),
        ("beforehand", ORDER, None),
        ("left and right", ORDER, None),
        ("a+b", SIGNED, "A+B"),
        (" A-B. ", SIGNED, "A-B"),
        ("a b", SIGNED, "a b"),
        ("so a b", SIGNED, None),
        ("red cones, cones", OPTIONS, None),
        ("equal", OPTIONS, "equal"),
        ("they are equal", OPTIONS, None),
        ("unequal", OPTIONS, None),
        ("Yes, it is", AS_WORDS, "yes"),
        ("It is not", AS_WORDS, None),
        ("No.", AS_WORDS, "no"),
        ("No, yes", AS_WORDS, None),
        ("A or B", LETTERS, None),
        ("AB", LETTERS, None),
    ],
)
def test_one_option_is_named_or_none_is_read(
    raw: str, form: AnswerFormat, option: str | None
) -> None:
    found = read(raw, form)
    if option is None:
        assert isinstance(found, Unreadable), found
    else:
        assert found == Value(choice=option)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("between 3 and 5", "several numbers: 3, 5"),
        ("not 3", "more than a number: the word 'not'"),
        ("about 3", "more than a number: the word 'about'"),
        ("~3", "more than a plain number"),
        ("\u22483", "more than a plain number"),
        ("-3", "not a whole number from 0 on: -3"),
        ("3.5", "not a whole number from 0 on: 3.5"),
        ("3 steps", "more than a number: the word 'steps'"),
        ("I cannot count them", "the agent declined to answer"),
        ("", "the answer is empty"),
    ],
)
def test_what_is_no_count_is_told(raw: str, reason: str) -> None:
    assert read(raw, COUNT) == Unreadable(reason)


def test_words_that_range_are_never_idle_even_in_the_question() -> None:
    ranging = item("How many are there, 3 or more, less than 9, or between both?", "count")
    for raw in ("3 or more", "less than 9", "more than 3", "both 3", "or 3"):
        assert isinstance(read(raw, ranging), Unreadable), raw
    assert read("There are 3.", ranging) == Value(choice=3)


def test_a_distance_may_still_be_told_roughly() -> None:
    assert read("About 3 steps", STEPS) == Value(steps=3)


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=9
)


def closed(options: list[str]) -> bool:
    """Whether no two options look the same where blanks, case and marks around do not count."""
    known = [bare(plain(one)) for one in options]
    return all(known) and len(set(known)) == len(known)


@settings(max_examples=60)
@given(st.lists(WORDS, min_size=2, max_size=5).filter(closed), st.integers(0, 10**9), st.data())
@example(["cone", "red cone"], 3, None)
@example(["3", "-3"], 0, None)
def test_what_is_written_is_read_back(
    options: list[str], number: int, data: st.DataObject | None
) -> None:
    place = 0 if data is None else data.draw(st.integers(0, len(options) - 1))
    task = Capability.of_suite("TST", "task")
    said: dict[str, str | int] = {"letter": options[place], "word": options[place], "count": number}
    posings = {
        form: Posing(
            text="Which?",
            options=() if form == "count" else tuple(options),
            images=(),
            answer=None,
            form=form,
        )
        for form in ("letter", "word", "count")
    }
    made = scene(vertical=False)
    object.__setattr__(made, "items", {task: Item(task=task, posings=posings)})
    for form, value in said.items():
        query = Query(trajectory="made-up", capability=task, a=form)
        for prompting in ("direct", "cot"):
            asked = question(query, made, prompting)
            written = phrase(Value(choice=value), asked)
            assert read(written, asked.format) == Value(choice=value)


NOISY = """
before after same time yes no not or and cone red cones equal 3 5 three 3.5 -3 about A B C lamp
, . - / ~ the is it maybe ANSWER: {} between more than none
"""
NOISE = st.lists(st.sampled_from([*NOISY.split(), "\u2011", "\ud800"]), max_size=7).map(" ".join)


@settings(max_examples=250)
@given(
    st.one_of(NOISE, st.text(max_size=60)),
    st.sampled_from([ORDER, NESTED, SIGNED, OPTIONS, AS_WORDS, LETTERS, COUNT]),
)
def test_noise_never_yields_a_value_that_is_not_in_the_text(raw: str, form: AnswerFormat) -> None:
    found = read(raw, form)
    if isinstance(found, Unreadable):
        assert "\n" not in found.reason
        return
    told = " ".join(re.findall(r"[^\W_]+", raw.lower()))
    if form is COUNT:
        assert str(found.choice) in told.replace("three", "3")
        assert not {"not", "or", "between", "about", "than"} & set(told.split())
        return
    named = {letter.lower() for letter, one in form.options.items() if one == found.choice}
    named |= {" ".join(re.findall(r"[^\W_]+", str(found.choice).lower()))}
    assert any(one in told for one in named)
    assert not {"not", "or", "about"} & set(told.split())


BY_LETTER = item("Which part?", "letter", "d", "c", "B.", "option a", "A. cup")


@pytest.mark.parametrize(
    ("raw", "option"),
    [
        ("A", "d"), ("a", "d"), ("d", "option a"), ("(d)", "option a"), ("**D**", "option a"),
        ("B", "c"), ("b.", "c"), ("C", "B."), ("D) option a", "option a"), ("C. B.", "B."),
        ("option a", "option a"), ("The option is A", "d"), ("Option A", None), ("A. cup", "A. cup"),
        ("A. d", "d"), ("A. c", None), ("E", "A. cup"), ("A or B", None), ("F", None),
    ],
)  # fmt: skip
def test_a_lone_letter_is_the_one_that_was_asked_for(raw: str, option: str | None) -> None:
    found = read(raw, BY_LETTER)
    if option is None:
        assert isinstance(found, Unreadable), found
    else:
        assert found == Value(choice=option)


def test_words_that_are_no_letter_of_an_option_are_words() -> None:
    digits = item("How many?", "letter", "2", "1", "c", "(d)")
    for raw, option in (("1", "1"), ("(2)", "2"), ("A", "2"), ("c", "c"), ("d", "(d)")):
        assert read(raw, digits) == Value(choice=option)
    two = item("Which?", "letter", "c", "d")
    assert read("C", two) == Value(choice="c")


LETTERED = st.one_of(
    WORDS,
    st.sampled_from([*"abcdeABCDE", *"01234"]),
    st.builds(
        str.format, st.sampled_from(["{}.", "({})", "option {}", "Option {}", "{}) cup", "{}: {}"]),
        st.sampled_from("abcdeABCDE"), st.sampled_from("abcdeABCDE"),
    ),
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(LETTERED, min_size=2, max_size=6, unique=True))
@example(["b", "a", "d", "c"])
@example(["(b)", "A.", "option b"])
def test_the_letter_of_each_option_is_read_as_that_option(options: list[str]) -> None:
    form = item("Which?", "letter", *options)
    for letter, option in form.options.items():
        for raw in (letter, letter.lower(), f"({letter})", f"{letter}.", f"**{letter}**"):
            assert read(raw, form) == Value(choice=option), raw
