"""Cases as text for Prolog, and its answers back.

Everything travels as data: strings as quoted atoms in plain ASCII, so that neither an encoding
nor a quote, a newline or a piece of Prolog in a label can mean anything. Lone surrogates, which
Prolog cannot hold, are written as a noncharacter and four digits, and put back afterwards.
Nothing is judged here: wrong data is sent on as it is, and Prolog says what is wrong with it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping

from pytest_metaspace.domain import Missing, Unreadable

_PLAIN = re.compile(r"[ !#-&(-\[\]-~]*")
_SPECIAL = re.compile(r"[^ !#-&(-\[\]-~]")
_ESCAPE = "\ufdd0"
_BEYOND_ASCII = re.compile(f"{_ESCAPE}(?:{_ESCAPE}|([0-9a-f]{{4}}))|[^\\x00-\\x7f]")
_DEEPEST = 64
_LARGEST_BITS = 1024  # beyond any float


def encoded_case(case: Mapping[str, object]) -> str:
    """Write one case as a Prolog term, with its full stop."""
    return f"case({_term(case, 0)}).\n"


def quoted(text: str) -> str:
    """Write text as a quoted atom in ASCII."""
    if _PLAIN.fullmatch(text):
        return "'" + text + "'"
    return "'" + _SPECIAL.sub(_escape, text) + "'"


def restored(answer: str) -> str:
    """Write an answer of Prolog in ASCII, with the lone surrogates that were in the cases."""
    return answer if answer.isascii() else _BEYOND_ASCII.sub(_unescape, answer)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if char in "'\\":
        return "\\" + char
    if char == '"':
        return char
    if 0xD800 <= code <= 0xDFFF:
        return f"\\xfdd0\\{code:04x}"
    if char == _ESCAPE:
        return "\\xfdd0\\\\xfdd0\\"
    return f"\\x{code:x}\\"


def _unescape(match: re.Match[str]) -> str:
    text, surrogate = match[0], match[1]
    if surrogate:
        return "\\u" + str(surrogate)
    return json.dumps(text[0] if text == _ESCAPE * 2 else text)[1:-1]


def _term(value: object, depth: int) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "b(true)" if value else "b(false)"
    if isinstance(value, (int, float)):
        return _number(value)
    if value is None:
        return "b(null)"
    if depth > _DEEPEST:
        return "odd('data nested too deeply')"
    if isinstance(value, Mapping):
        return f"j([{','.join(_pair(k, v, depth) for k, v in value.items())}])"
    if isinstance(value, (list, tuple)):
        return f"[{','.join([_term(item, depth + 1) for item in value])}]"
    if isinstance(value, Unreadable):
        return f"unreadable({quoted(value.reason)})"
    if isinstance(value, Missing):
        return f"missing({quoted(value.reason)})"
    return f"odd({quoted(type(value).__name__)})"


def _pair(key: object, value: object, depth: int) -> str:
    return f"{_term(key, depth + 1)}={_term(value, depth + 1)}"


def _number(value: float) -> str:
    # The space keeps a minus sign apart from the = before it, which would take it in.
    if isinstance(value, int):
        if value.bit_length() > _LARGEST_BITS:
            return "number('a number too large')"
        return " " + int.__repr__(value)
    if math.isfinite(value):
        return " " + float.__repr__(value)
    return f"number('{float.__repr__(value)}')"
