"""What models write: the table of docs/models.md, line by line."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.answers import read
from pytest_metaspace.domain import Capability, Unreadable, Value
from pytest_metaspace.questions import answer_format
from tests.answer_forms import (
    AS_WORDS,
    COUNT,
    LETTERS,
    METRES,
    OPTIONS,
    STEPS,
    VIEW,
    YES_NO,
    item,
    query,
    scene,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import AnswerFormat

PAGE = Path(__file__).resolve().parent.parent / "docs" / "models.md"
FORMS = {
    "a direction": VIEW,
    "steps": STEPS,
    "metres": METRES,
    "yes or no": YES_NO,
    "red cones, cones or equal": OPTIONS,
    "the letter of lamp, red sofa or cup": LETTERS,
    "the letter of b, a, d or option c": item("Which?", "letter", "b", "a", "d", "option c"),
    "yes or no, as words": AS_WORDS,
    "a count": COUNT,
    "a last line": answer_format(query(Capability.OBJECT_DIRECTION), scene(vertical=False), "cot"),
}
VALUES = {
    "red cones": Value(choice="red cones"),
    "red sofa": Value(choice="red sofa"),
    "b": Value(choice="b"),
    "option c": Value(choice="option c"),
    "left": Value(planar="left"),
    "farther-left": Value(planar="front-left"),
    "3": Value(steps=3),
    "1.5": Value(metres=1.5),
    "yes": Value(holds=True),
}
_ROW = re.compile(r"^\| (`'.*) \| (.*) \| (.*) \|$", re.MULTILINE)


def rows() -> Iterator[tuple[str, str, str]]:
    for written, asked, meaning in _ROW.findall(PAGE.read_text(encoding="utf-8")):
        for literal in re.findall(r"`('(?:[^'])*')`", written):
            yield ast.literal_eval(literal), asked, meaning


def meant(form: AnswerFormat, meaning: str) -> Value:
    """Return a value as an answer of this form has it."""
    if form is COUNT:
        return Value(choice=int(meaning))
    return Value(choice=meaning) if form.kind == "word" else VALUES[meaning]


def test_the_table_has_all_kinds_of_answers() -> None:
    found = list(rows())
    assert len(found) > 80
    assert {asked for _, asked, _ in found} == set(FORMS)
    assert {meaning for *_, meaning in found} == {*VALUES, "unreadable"}


@pytest.mark.parametrize(("raw", "asked", "meaning"), list(rows()))
def test_an_answer_is_read_as_the_page_says(raw: str, asked: str, meaning: str) -> None:
    found = read(raw, FORMS[asked])
    if meaning == "unreadable":
        assert isinstance(found, Unreadable)
    else:
        assert found == meant(FORMS[asked], meaning)
