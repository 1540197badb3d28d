"""Dataclasses of the vocabulary as JSON and back: whatever they hold."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_metaspace.coding import Misfit, decoded, encoded
from pytest_metaspace.domain import (
    GateResult,
    Known,
    Outcome,
    Put,
    Said,
    Settings,
    Step,
    ToldCase,
    ToldObject,
)

CASE = {"address": "a::b::c::d", "outcome": "violated"}


def test_what_is_empty_is_left_out_and_numbers_are_not() -> None:
    assert encoded(ToldCase(address="a", outcome=Outcome.ERROR)) == {
        "address": "a",
        "outcome": "error",
    }
    assert encoded(Said(raw=None)) == {"raw": None, "length": 0}
    assert encoded(Settings())["sample"] == 1.0
    assert "capabilities" not in encoded(Settings())


@pytest.mark.parametrize(
    "value",
    [
        Put(capability="SC1-a", alike=False),
        Put(capability="SC1-a", failed=""),
        Said(raw="", error=""),
        Step(goal="", because="", source="", observation=0),
        GateResult(name="", value=0.0, threshold=-math.inf, passed=False, sentence=""),
    ],
)
def test_nothing_is_taken_for_empty_that_is_not_none(value: Any) -> None:
    assert decoded(type(value), encoded(value)) == value


def test_a_number_is_written_alike_whatever_python_holds_it_in() -> None:
    assert repr(encoded(Settings(epsilon=1))["epsilon"]) == "1.0"


def test_numbers_are_read_as_what_they_stand_for() -> None:
    told = decoded(ToldObject, {"id": "a", "label": "b", "boxes": {"3": [1, 2, 3, 4.5]}})
    assert told.boxes == {3: (1.0, 2.0, 3.0, 4.5)}
    assert all(type(number) is float for number in told.boxes[3])
    assert math.isnan(
        decoded(
            GateResult,
            encoded(GateResult(name="", value=math.nan, threshold=0, passed=True, sentence="")),
        ).value
    )


@pytest.mark.parametrize(
    ("kind", "value", "place", "what"),
    [
        (ToldCase, [], "", "expected an object, found []"),
        (ToldCase, {"address": "a"}, "", "lacks the field outcome"),
        (ToldCase, {**CASE, "colour": 1}, "", "has the field 'colour', which is not known"),
        (ToldCase, {**CASE, "outcome": "fine"}, "outcome", "expected one of satisfied, violated, inconclusive, invalid, error, found 'fine'"),
        (ToldCase, {**CASE, "outcome": []}, "outcome", "expected one of satisfied, violated, inconclusive, invalid, error, found []"),
        (ToldCase, {**CASE, "address": 3}, "address", "expected a text, found 3"),
        (ToldCase, {**CASE, "questions": [0, "1"]}, "questions[1]", "expected a whole number, found '1'"),
        (ToldCase, {**CASE, "questions": [True]}, "questions[0]", "expected a whole number, found True"),
        (ToldCase, {**CASE, "questions": {}}, "questions", "expected a list, found {}"),
        (ToldCase, {**CASE, "derivation": {"summary": "", "root": {"goal": "", "because": "", "source": "", "children": [{}]}}}, "derivation.root.children[0]", "lacks the field goal"),
        (ToldObject, {"id": "", "label": "", "boxes": {"0": [1, 2, 3]}}, "boxes.0", "expected a list of 4, found [1, 2, 3]"),
        (ToldObject, {"id": "", "label": "", "boxes": {"0": [1, 2, 3, "4"]}}, "boxes.0[3]", "expected a number, found '4'"),
        (ToldObject, {"id": "", "label": "", "boxes": {"x": [1, 2, 3, 4]}}, "boxes.x", "expected a whole number, found 'x'"),
        (ToldObject, {"id": "", "label": "", "boxes": {"0": [1, 2, 3, 10**400]}}, "boxes.0[3]", "this number is too large"),
        (Settings, {**encoded(Settings()), "boxes": "big"}, "boxes", "expected one of text, draw, both, none, found 'big'"),
        (Settings, {**encoded(Settings()), "sample": None}, "sample", "expected a number, found None"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_told_with_its_place(
    kind: type, value: Any, place: str, what: str
) -> None:
    with pytest.raises(Misfit) as caught:
        decoded(kind, value)
    assert (caught.value.place, caught.value.what) == (place, what)


def test_a_date_and_a_member_are_told_in_words() -> None:
    with pytest.raises(Misfit, match="expected a date as 2027-01-31, found 'soon'"):
        decoded(Known, {"case": "", "reason": "", "owner": "", "expires": "soon"})
