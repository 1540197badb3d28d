"""Strict reading of raw answers: an allowed value, or *unreadable* with the reason.

Where reasoning comes first, the answer is what stands behind ``ANSWER:`` on the one line that
begins with it, to the end of the text; no other line is looked at, and two such lines are two
answers. A JSON object with a field ``answer`` is read as the schema of ``structured.py`` has it.
Nothing is guessed. Beside the one value an answer may hold only words that add nothing (``The
answer is …``, the unit, the names of the objects asked about); any other word makes it
unreadable, so that "I left the room" is not *left* and "not left" is not *left* either.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from pytest_metaspace import structured
from pytest_metaspace.answer_options import by_letter, by_words
from pytest_metaspace.answer_words import HEDGES, phrases, pick, plain, stray, tokens
from pytest_metaspace.domain import Unreadable, Value
from pytest_metaspace.failures import DECLINED
from pytest_metaspace.prompts.parts import MARKER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import AnswerFormat, Trouble

_TROUBLE: Mapping[Trouble, str] = {
    "refused": "the agent refused to answer",
    "filtered": "a filter of the endpoint stopped the question or the answer",
    "truncated": "the answer was cut off before its end",
    "malformed": "the answer is not the JSON that was asked for",
}
#  Markdown around the marker changes nothing; a word before it makes it another sentence.
_FINAL = re.compile(
    r"^[ \t>#*_`~+\u2022-]*(?:the[ \t]+)?(?:final[ \t]+)?answer[*_`]*[ \t]*[:\uff1a]",
    re.IGNORECASE | re.MULTILINE,
)
_REFUSALS = re.compile(
    r"\b(sorry|cannot|can.t|unable|not able|don't know|do not know|no idea|unclear|"
    r"impossible|won't|as an ai|i decline|declined)\b",
    re.IGNORECASE,
)
_NUMBER_WORDS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
_COUNTED = frozenset(("count", "exactly", "number", "there"))
#  Words that make another number, or several, also where the question has them.
_RANGING = HEDGES | frozenset(
    (
        "and", "between", "both", "but", "dozen", "double", "either", "except", "fewer", "half",
        "if", "least", "less", "minus", "more", "most", "or", "over", "pair", "pairs", "plus",
        "than", "twice", "under",
    )
)  # fmt: skip
_STEP_UNITS = frozenset({"step", "steps", "whole"})
_METRE_UNITS = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 1.0),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), 0.01),
}
_NUMBER = re.compile(r"(?<![\w.,])[-+\u2212\u2013]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?![0-9])")
# What makes another number of the digits beside it, or a range of them.
_CHANGED = re.compile(r"[\u2264\u2265%\xb1\xb0]|(?:^|\s)[<>]=?\s*[0-9.]|[0-9]\s*\+")
_NEAR = re.compile("[~\u223c\u2243\u2245\u2248]")
_NONE_OF_THEM = re.compile(r"\bnone of\b")
_LONGEST = 2000
_MOST_STEPS = 1e9


def troubled(trouble: Trouble) -> Unreadable:
    """Return what a reply is that the endpoint itself calls no answer."""
    return Unreadable(_TROUBLE[trouble])


def read(raw: str, form: AnswerFormat) -> Value | Unreadable:
    """Read one raw answer.

    Args:
        raw: what the agent said, as it came.
        form: the answers that were allowed.

    Returns:
        The value, or the reason why it cannot be read as one.
    """
    if not raw.strip():
        return Unreadable("the answer is empty")
    fields = structured.fields(raw)
    if fields is not None:
        return structured.value(fields, form)
    return _last_line(raw, form) if form.reasoned else _whole(raw, form)


def brief(raw: str, form: AnswerFormat) -> str:
    """Return what a report shows of a raw answer: all of it, or its end where it reasons."""
    if not form.reasoned or structured.fields(raw) is not None:
        return raw
    lines = raw.strip().splitlines()
    return raw if len(lines) <= 1 else f"... {lines[-1]}"


def _last_line(raw: str, form: AnswerFormat) -> Value | Unreadable:
    """Read an answer that reasons first: what the one marked line has behind its marker."""
    marked = list(_FINAL.finditer(raw))
    if len(marked) == 1:
        return _whole(raw[marked[0].end() :], form)
    if marked:
        return Unreadable(f"{len(marked)} lines begin with {MARKER}; one ends an answer")
    end = raw.strip().splitlines()[-1]
    if _REFUSALS.search(end[-_LONGEST:]):
        return Unreadable(DECLINED)
    return Unreadable(f"no line begins with {MARKER}")


def _whole(raw: str, form: AnswerFormat) -> Value | Unreadable:
    """Read a text that is an answer and nothing else."""
    if not raw.strip():
        return Unreadable("the answer is empty")
    if len(raw) > _LONGEST:
        return Unreadable(f"the answer has {len(raw)} characters; one value was asked for")
    text = plain(raw)
    if form.kind == "choice":
        value = by_letter(raw, form)
    elif form.kind == "word":
        value = by_words(text, form)
    elif form.kind == "direction":
        value = _direction(text, form)
    elif form.kind == "yes-no":
        value = _yes_no(text, form)
    else:
        value = _number(text, form)
    if isinstance(value, Unreadable) and _REFUSALS.search(raw):
        return Unreadable(DECLINED)
    return value


def _direction(text: str, form: AnswerFormat) -> Value | Unreadable:
    if _NONE_OF_THEM.search(text):
        return Unreadable("none of the directions, which is not the same as no distance")
    words = [word for phrase in phrases(text) for word in _joined(phrase, form.planar)]
    planar, rest = pick(words, form.planar)
    if form.vertical:
        vertical, rest = pick(rest, form.vertical)
    else:
        vertical = []
    if len(planar) > 1 or len(vertical) > 1:
        found = planar if len(planar) > 1 else vertical
        return Unreadable(f"several directions: {', '.join(found)}")
    if not planar or (form.vertical and not vertical):
        allowed = form.vertical if planar else form.planar
        return Unreadable(f"no direction out of {', '.join(allowed)}")
    extra = stray(rest, form.names)
    if extra is not None:
        return Unreadable(f"more than a direction: the word {extra!a}")
    return Value(
        planar=form.planar[planar[0]], vertical=form.vertical[vertical[0]] if vertical else None
    )


def _joined(tokens: list[str], allowed: Mapping[str, str]) -> list[str]:
    """Join ``forward left`` to ``forward-left`` and ``north-east`` to ``northeast``."""
    joined: list[str] = []
    for token in tokens:
        word = token
        if token not in allowed and token.replace("-", "") in allowed:
            word = token.replace("-", "")
        before = joined[-1] if joined else ""
        both = next((w for w in (f"{before}-{word}", before + word) if before and w in allowed), "")
        if both:
            joined[-1] = both
        else:
            joined.append(word)
    return joined


def _yes_no(text: str, form: AnswerFormat) -> Value | Unreadable:
    found, rest = pick(tokens(text), {"yes": "yes", "no": "no"})
    if len(found) > 1:
        return Unreadable(f"several answers: {', '.join(found)}")
    if not found:
        return Unreadable("neither yes nor no")
    extra = stray(rest, form.names)
    if extra is not None:
        return Unreadable(f"more than yes or no: the word {extra!a}")
    return Value(holds=found[0] == "yes")


def _number(text: str, form: AnswerFormat) -> Value | Unreadable:
    if _CHANGED.search(text) or (form.kind == "count" and _NEAR.search(text)):
        return Unreadable("more than a plain number")
    numbers = _NUMBER.findall(text)
    words = tokens(_NUMBER.sub(" ", text))
    spelled = [word for word in words if word in _NUMBER_WORDS]
    if len(numbers) + len(spelled) != 1:
        some = ", ".join(found[:20] for found in [*numbers, *spelled][:4])
        return Unreadable(f"several numbers: {some}" if some else "no number")
    number = (
        re.sub("[\u2212\u2013]", "-", numbers[0]) if numbers else str(_NUMBER_WORDS[spelled[0]])
    )
    rest = [word for word in words if word not in _NUMBER_WORDS]
    if form.kind == "steps":
        return _steps(number, rest, form)
    if form.kind == "count":
        return _count(number, rest, form)
    return _metres(number, rest, form)


def _steps(number: str, rest: list[str], form: AnswerFormat) -> Value | Unreadable:
    extra = stray([word for word in rest if word not in _STEP_UNITS], form.names)
    if extra is not None:
        return Unreadable(f"more than a number of steps: the word {extra!a}")
    value = float(number)
    if value < 0:
        return Unreadable(f"a negative distance: {number[:20]}")
    if not value.is_integer() or value > _MOST_STEPS:
        return Unreadable(f"not a whole number of steps: {number[:20]}")
    return Value(steps=int(value))


def _count(number: str, rest: list[str], form: AnswerFormat) -> Value | Unreadable:
    extra = stray(rest, form.names | _COUNTED, _RANGING)
    if extra is not None:
        return Unreadable(f"more than a number: the word {extra!a}")
    value = float(number)
    if value < 0 or not value.is_integer() or value > _MOST_STEPS:
        return Unreadable(f"not a whole number from 0 on: {number[:20]}")
    return Value(choice=int(value))


def _metres(number: str, rest: list[str], form: AnswerFormat) -> Value | Unreadable:
    units = [word for word in rest if word in _METRE_UNITS]
    extra = stray([word for word in rest if word not in _METRE_UNITS], form.names)
    if extra is not None:
        return Unreadable(f"more than a length in metres: the word {extra!a}")
    if len(units) > 1:
        return Unreadable(f"several units: {', '.join(units)}")
    metres = float(number) * (_METRE_UNITS[units[0]] if units else 1.0)
    if not 0 < metres < math.inf:
        return Unreadable(f"a length must be above 0 and finite: {number[:20]}")
    return Value(metres=metres)
