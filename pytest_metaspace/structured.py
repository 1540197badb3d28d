"""Structured output: the JSON schema of an answer, and the strict reading of what comes back.

The schema is the closed set of answers that the question's text allows, with a field for the
reasoning before it where reasoning comes first. It is written in the part of JSON Schema that
endpoints hold models to: every field required, no other one allowed.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Unreadable, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import AnswerFormat, Question

VERSION: Final = 1
"""Of the schemas; part of the key of an answer, so raise it when they change."""
FIELD: Final = "response_format"
"""The field of a request that carries a schema."""
_MOST_STEPS: Final = 1e9
_REASONING: Final = "reasoning"
_ANSWER: Final = "answer"
_RISE: Final = "vertical"


def response_format(question: Question) -> dict[str, Any] | None:
    """Return what an endpoint holds the model to; None where any text is an answer."""
    if question.format.kind == "text":
        return None
    made = {"name": "answer", "strict": True, "schema": schema(question.format)}
    return {"type": "json_schema", "json_schema": made}


def schema(form: AnswerFormat) -> dict[str, Any]:
    """Return the JSON schema of the answers that are allowed."""
    fields: dict[str, Any] = {}
    if form.reasoned:
        fields[_REASONING] = {"type": "string"}
    fields[_ANSWER] = _answer(form)
    if form.vertical:
        fields[_RISE] = {"type": "string", "enum": list(form.vertical)}
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _answer(form: AnswerFormat) -> dict[str, Any]:
    if form.kind == "direction":
        return {"type": "string", "enum": list(form.planar)}
    if form.kind in ("choice", "word"):
        return {"type": "string", "enum": list(form.options)}
    if form.kind == "yes-no":
        return {"type": "string", "enum": ["yes", "no"]}
    if form.kind in ("steps", "count"):
        return {"type": "integer", "minimum": 0}
    return {"type": "number", "exclusiveMinimum": 0}


def fields(raw: str) -> dict[str, Any] | None:
    """Return the fields of a raw answer that is a JSON object with an answer in it, else None."""
    text = raw.strip()
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and _ANSWER in found else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a field is there twice")
    return dict(pairs)


def _no_number(word: str) -> float:
    raise ValueError(word)


def value(found: Mapping[str, Any], form: AnswerFormat) -> Value | Unreadable:
    """Read the fields of an answer; what the schema does not allow is unreadable."""
    wanted = list(schema(form)["properties"])
    for name in wanted:
        if name not in found:
            return Unreadable(f"the JSON has no field {name}")
    extra = next((name for name in found if name not in wanted), None)
    if extra is not None:
        return Unreadable(f"the JSON has more than an answer: the field {extra[:40]!a}")
    if form.reasoned and not isinstance(found[_REASONING], str):
        return Unreadable(f"the JSON field {_REASONING} is no text")
    answer = found[_ANSWER]
    if form.kind == "direction":
        return _direction(answer, found.get(_RISE), form)
    if form.kind in ("choice", "word", "yes-no"):
        return _word(answer, form)
    if isinstance(answer, bool) or not isinstance(answer, (int, float)):
        return _not(answer, "a number")
    return _number(answer, form)


def _word(answer: Any, form: AnswerFormat) -> Value | Unreadable:
    if form.kind == "yes-no":
        yes_or_no = answer in ("yes", "no")
        return Value(holds=answer == "yes") if yes_or_no else _not(answer, "yes or no")
    if not isinstance(answer, str) or answer not in form.options:
        return _not(answer, f"one of {', '.join(form.options)}")
    return Value(choice=form.options[answer])


def _direction(answer: Any, rise: Any, form: AnswerFormat) -> Value | Unreadable:
    for said, allowed in ((answer, form.planar), (rise, form.vertical)):
        if allowed and (not isinstance(said, str) or said not in allowed):
            return _not(said, f"one of {', '.join(allowed)}")
    vertical = form.vertical[rise] if form.vertical else None
    return Value(planar=form.planar[answer], vertical=vertical)


def _number(answer: float, form: AnswerFormat) -> Value | Unreadable:
    if form.kind == "metres":
        if not 0 < answer <= sys.float_info.max:
            return _not(answer, "a length above 0")
        return Value(metres=float(answer))
    if not (0 <= answer <= _MOST_STEPS and float(answer).is_integer()):
        of_steps = " of steps" if form.kind == "steps" else ""
        return _not(answer, f"a whole number{of_steps} from 0")
    return Value(steps=int(answer)) if form.kind == "steps" else Value(choice=int(answer))


def _not(answer: Any, wanted: str) -> Unreadable:
    return Unreadable(f"the JSON answer {str(answer)[:40]!a} is not {wanted}")
