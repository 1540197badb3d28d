"""Answers as JSON: the schema allows what the text allows, and what comes back is read strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_metaspace import structured
from pytest_metaspace.answers import read
from pytest_metaspace.domain import AnswerFormat, Capability, Unreadable, Value
from pytest_metaspace.questions import answer_format, own_words, question
from tests.answer_forms import (
    AS_WORDS,
    COUNT,
    FLIGHT,
    LETTERS,
    MAP,
    METRES,
    MOVEMENT,
    OPTIONS,
    STEPS,
    TALL_VIEW,
    VIEW,
    YES_NO,
    query,
    scene,
)

FORMS = [
    AS_WORDS,
    COUNT,
    FLIGHT,
    LETTERS,
    MAP,
    METRES,
    MOVEMENT,
    OPTIONS,
    STEPS,
    TALL_VIEW,
    VIEW,
    YES_NO,
]
REASONED = answer_format(query(Capability.OBJECT_DIRECTION), scene(vertical=False), "cot")


def said(**fields: Any) -> str:
    return json.dumps(fields)


def test_a_schema_is_closed_and_has_the_words_of_the_question() -> None:
    asked = question(query(Capability.OBJECT_DIRECTION), scene(vertical=True))
    assert structured.response_format(asked) == {
        "type": "json_schema",
        "json_schema": {
            "name": "answer",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {
                    "answer": {
                        "type": "string",
                        "enum": [
                            "farther",
                            "farther-right",
                            "right",
                            "nearer-right",
                            "nearer",
                            "nearer-left",
                            "left",
                            "farther-left",
                            "none",
                        ],
                    },
                    "vertical": {"type": "string", "enum": ["above", "level", "below"]},
                },
                "required": ["answer", "vertical"],
                "additionalProperties": False,
            },
        },
    }


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        (STEPS, {"type": "integer", "minimum": 0}),
        (METRES, {"type": "number", "exclusiveMinimum": 0}),
        (YES_NO, {"type": "string", "enum": ["yes", "no"]}),
    ],
)
def test_numbers_and_claims_have_schemas_of_their_own(
    form: AnswerFormat, answer: dict[str, Any]
) -> None:
    assert structured.schema(form)["properties"] == {"answer": answer}


def test_reasoning_comes_before_the_answer() -> None:
    made = structured.schema(REASONED)
    assert list(made["properties"]) == made["required"] == ["reasoning", "answer"]
    assert made["properties"]["reasoning"] == {"type": "string"}


def test_a_question_in_own_words_has_no_schema() -> None:
    assert structured.response_format(own_words("How many doors are there?", [])) is None


def of_schema(form: AnswerFormat) -> st.SearchStrategy[dict[str, Any]]:
    """Return what a schema allows, as its own words say it."""
    kinds = {
        "string": st.text(max_size=20),
        "integer": st.integers(0, 10**9),
        "number": st.floats(0, 1e6, exclude_min=True),
    }
    return st.fixed_dictionaries(
        {
            name: st.sampled_from(about["enum"]) if "enum" in about else kinds[about["type"]]
            for name, about in structured.schema(form)["properties"].items()
        }
    )


@given(st.sampled_from([*FORMS, REASONED]).flatmap(lambda f: st.tuples(st.just(f), of_schema(f))))
def test_whatever_the_schema_allows_is_read(case: tuple[AnswerFormat, dict[str, Any]]) -> None:
    form, fields = case
    value = read(json.dumps(fields), form)
    assert isinstance(value, Value)
    answer = fields["answer"]
    assert answer in (
        value.steps,
        value.choice,
        next((one for one, option in form.options.items() if option == value.choice), None),
        value.metres,
        {True: "yes", False: "no", None: ""}[value.holds],
        next((word for word, label in form.planar.items() if label == value.planar), None),
    )
    if form.vertical:
        assert form.vertical[fields["vertical"]] == value.vertical


@pytest.mark.parametrize(
    ("raw", "form", "reason"),
    [
        (said(answer="Left"), VIEW, "the JSON answer 'Left' is not one of farther"),
        (said(answer="left."), VIEW, "'left.' is not one of"),
        (said(answer="left", sure=True), VIEW, "more than an answer: the field 'sure'"),
        (said(answer=None), VIEW, "'None' is not one of"),
        (said(answer=["left"]), VIEW, "is not one of"),
        (said(answer="up"), FLIGHT, "the JSON has no field vertical"),
        (said(answer="forward", vertical="above"), FLIGHT, "'above' is not one of up"),
        (said(answer="3"), STEPS, "'3' is not a number"),
        (said(answer=True), STEPS, "'True' is not a number"),
        (said(answer=-1), STEPS, "is not a whole number of steps from 0"),
        (said(answer=2.5), STEPS, "is not a whole number of steps from 0"),
        (said(answer=1e300), STEPS, "is not a whole number of steps from 0"),
        (said(answer=0), METRES, "is not a length above 0"),
        ('{"answer": 1e999}', METRES, "is not a length above 0"),
        (said(answer=True), YES_NO, "'True' is not yes or no"),
        (said(answer="left"), REASONED, "the JSON has no field reasoning"),
        (said(reasoning=3, answer="left"), REASONED, "the JSON field reasoning is no text"),
        (said(reasoning="", answer="north"), REASONED, "'north' is not one of"),
    ],
)
def test_what_the_schema_does_not_allow_is_refused(
    raw: str, form: AnswerFormat, reason: str
) -> None:
    found = read(raw, form)
    assert isinstance(found, Unreadable)
    assert reason in found.reason


@pytest.mark.parametrize(
    "raw",
    [
        '{"answer": "left", "answer": "right"}',
        '{"answer": "left", "answer": "left"}',
        '{"reasoning": "so", "answer": "left"} left',
        '{"reasoning": "so", "answer": "left"',
        '[{"answer": "left"}, "right"]',
        '{"answer": ' + "[" * 100_000,
    ],
)
@pytest.mark.parametrize("form", [VIEW, REASONED])
def test_what_is_no_json_object_is_no_answer(raw: str, form: AnswerFormat) -> None:
    assert isinstance(read(raw, form), Unreadable)


def test_the_field_decides_not_what_the_reasoning_says() -> None:
    raw = said(reasoning="First.\nANSWER: right\nNo, left.", answer="left")
    assert read(raw, REASONED) == Value(planar="left")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


@given(JSON, JSON, st.sampled_from([*FORMS, REASONED]))
@example(float("nan"), 0, METRES)
@example(10**400, 0, METRES)
@example(10**400, 0, STEPS)
def test_reading_json_never_raises(answer: Any, other: Any, form: AnswerFormat) -> None:
    for raw in (said(answer=answer), said(reasoning=other, answer=answer, vertical=other)):
        found = read(raw, form)
        assert isinstance(found, (Value, Unreadable))
        if isinstance(found, Unreadable):
            found.reason.encode()
            assert "\n" not in found.reason
