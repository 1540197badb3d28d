"""Cases as text for Prolog, and its answers back.

Everything travels as data: strings as quoted atoms, so that no quote, newline or piece of Prolog
in a label can mean anything. Lone surrogates, which UTF-8 and Prolog cannot hold, are written as a
noncharacter and four digits, and put back afterwards.
Nothing is judged here: wrong data is sent on as it is, and Prolog says what is wrong with it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Union

from pytest_metaspace.domain import Missing, Unreadable

#  What can be escaped is, because newer versions refuse some characters as they are (U+202E, which
#  turns the order of what follows); 9.0 in turn refuses some escapes beyond U+FFFF.
_SPECIAL = re.compile("[^ -~\ue000-\U0010ffff]|['\\\\\ufdd0]")
_ESCAPE = "\ufdd0"
_BEYOND_ASCII = re.compile(f"{_ESCAPE}(?:{_ESCAPE}|([0-9a-f]{{4}}))|[^\\x00-\\x7f]")
_DEEPEST = 64
_OBSERVATION_DEPTH = 2
_LARGEST_BITS = 1024  # beyond any float

_Compound = Union[Mapping[object, object], list[object], tuple[object, ...]]


class Encoded(str):
    """A piece of a case that is written already, because many cases share it."""

    __slots__ = ()


def encoded(value: Mapping[str, object]) -> Encoded:
    """Write one observation of a case."""
    return Encoded(_term(value, _OBSERVATION_DEPTH))


def encoded_case(case: Mapping[str, object]) -> str:
    """Write one case as a Prolog term, with its full stop."""
    return f"case({_term(case, 0)}).\n"


def quoted(text: str) -> str:
    """Write text as a quoted atom."""
    if text.isascii() and text.isprintable() and "'" not in text and "\\" not in text:
        return f"'{text}'"  # nearly all that is ever written
    return "'" + _SPECIAL.sub(_escape, text) + "'"


def restored(answer: str) -> str:
    """Write an answer of Prolog in ASCII, with the lone surrogates that were in the cases."""
    return answer if answer.isascii() else _BEYOND_ASCII.sub(_unescape, answer)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char in "'\\":
        return "\\" + char
    if char == _ESCAPE:
        return _ESCAPE * 2
    if "\ud800" <= char <= "\udfff":
        return f"{_ESCAPE}{ord(char):04x}"
    return f"\\x{ord(char):x}\\"


def _unescape(match: re.Match[str]) -> str:
    text, surrogate = match[0], match[1]
    if surrogate:
        return "\\u" + str(surrogate)
    return json.dumps(text[0] if text == _ESCAPE * 2 else text)[1:-1]


def _term(value: object, depth: int) -> str:
    if type(value) is Encoded:
        return value
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "b(true)" if value else "b(false)"
    if isinstance(value, (int, float)):
        return _number(value)
    if value is None:
        return "b(null)"
    if isinstance(value, (dict, list, tuple, Mapping)):
        return _compound(value, depth + 1) if depth < _DEEPEST else "odd('data nested too deeply')"
    if isinstance(value, (Unreadable, Missing)):
        return f"{type(value).__name__.lower()}({quoted(value.reason)})"
    return f"odd({quoted(type(value).__name__)})"


def _compound(value: _Compound, depth: int) -> str:
    if isinstance(value, Mapping):
        return f"j([{','.join([_pair(key, item, depth) for key, item in value.items()])}])"
    return f"[{','.join([_term(item, depth) for item in value])}]"


def _pair(key: object, value: object, depth: int) -> str:
    name = _name(key) if type(key) is str else _term(key, depth)
    return f"{name}={_term(value, depth)}"


_name = lru_cache(maxsize=256)(quoted)  # of fields: they are few


def _number(value: float) -> str:
    # The space keeps a minus sign apart from the = before it, which would take it in.
    if isinstance(value, int):
        if value.bit_length() > _LARGEST_BITS:
            return "number('a number too large')"
        return " " + int.__repr__(value)
    if math.isfinite(value):
        return " " + float.__repr__(value)
    return f"number('{float.__repr__(value)}')"
