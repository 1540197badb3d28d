"""Steps, metres, yes and no are read strictly: an allowed value, or the reason why not."""

from __future__ import annotations

import pytest

from pytest_metaspace.answers import read
from pytest_metaspace.domain import Unreadable, Value
from tests.answer_forms import (
    METRES,
    STEPS,
    YES_NO,
)


@pytest.mark.parametrize(
    ("raw", "steps"),
    [
        ("3", 3),
        ("0", 0),
        ("03", 3),
        ("+3", 3),
        ("3.0", 3),
        ("3 steps", 3),
        ("3steps", 3),
        ("three", 3),
        ("Three whole steps.", 3),
        ("About 3 steps apart", 3),
        ("Answer: 3", 3),
        ("<answer>3</answer>", 3),
        ("=> 3", 3),
        ("The distance from A to B is 12 steps.", 12),
        ("The floor lamp is 2 steps from the book-shelf", 2),
        ("1000000000", 10**9),
    ],
)
def test_whole_steps_may_be_digits_or_a_word(raw: str, steps: int) -> None:
    assert read(raw, STEPS) == Value(steps=steps)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "empty"),
        ("steps", "no number"),
        ("3 or 4", "several numbers: 3, 4"),
        ("3-4 steps", "several numbers"),
        ("3, 3", "several numbers"),
        ("3 steps, that is three", "several numbers"),
        ("-3", "negative"),
        ("\u22123", "negative"),
        ("\u20133 steps", "negative"),
        ("minus 3", "'minus'"),
        ("3.5", "not a whole number"),
        ("1e3", "'e3'"),
        ("1,000", "'000'"),
        ("1_000", "'000'"),
        ("3.5.2", "'2'"),
        ("1/2", "several numbers"),
        ("3\u00bd", "'\\xbd'"),
        ("3\u00b2", "'\\xb2'"),
        ("\u0663", "no number"),
        ("\uff13", "no number"),
        ("3 m", "'m'"),
        ("3 metres", "'metres'"),
        ("at least 3", "'least'"),
        ("> 3", "plain number"),
        (">= 3", "plain number"),
        ("\u2265 3", "plain number"),
        ("3+", "plain number"),
        ("3 \u00b1 1", "plain number"),
        ("50 %", "plain number"),
        ("not 3", "'not'"),
        ("nan", "no number"),
        ("inf", "no number"),
        ("9" * 1500, "not a whole number"),
        ("2000000000", "not a whole number"),
        ("3\x00", None),
        ("\ud800", "no number"),
        ("1 " * 900, "several numbers"),
    ],
)
def test_whatever_is_no_plain_whole_number_is_refused(raw: str, reason: str | None) -> None:
    found = read(raw, STEPS)
    if reason is None:
        assert found == Value(steps=3)
    else:
        assert isinstance(found, Unreadable), found
        assert reason in found.reason
        assert len(found.reason) < 200


@pytest.mark.parametrize(
    ("raw", "metres"),
    [
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.5 m", 1.5),
        ("1.5m.", 1.5),
        ("150 cm", 1.5),
        ("2 metres tall", 2.0),
        ("The floor lamp is about 1.8 meters tall", 1.8),
        ("two metres", 2.0),
    ],
)
def test_metres_and_centimetres_are_read(raw: str, metres: float) -> None:
    found = read(raw, METRES)
    assert isinstance(found, Value)
    assert found.metres == pytest.approx(metres)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("0", "above 0"),
        ("-1.5 m", "above 0"),
        ("0.0000", "above 0"),
        ("1.5 m, 150 cm", "several numbers"),
        ("1.5 m cm", "several units"),
        ("5 feet", "'feet'"),
        ("1500 mm", "'mm'"),
        ("3 steps", "'steps'"),
        ("9" * 400, "finite"),
        ("tall", "no number"),
    ],
)
def test_lengths_that_are_none_are_refused(raw: str, reason: str) -> None:
    found = read(raw, METRES)
    assert isinstance(found, Unreadable)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("raw", "holds"),
    [("yes", True), ("Yes.", True), ("**No**", False), ("The answer is no", False)],
)
def test_yes_and_no_are_read(raw: str, holds: bool) -> None:
    assert read(raw, YES_NO) == Value(holds=holds)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("yes and no", "several answers"),
        ("no, not at all", "'not'"),
        ("maybe", "neither"),
        ("true", "neither"),
        ("not yes", "'not'"),
        ("yes-man", "neither"),
        ("nope", "neither"),
    ],
)
def test_anything_beside_yes_or_no_is_refused(raw: str, reason: str) -> None:
    found = read(raw, YES_NO)
    assert isinstance(found, Unreadable)
    assert reason in found.reason
