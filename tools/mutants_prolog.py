"""Mutants of Prolog: each clause deleted, each comparison and each step by a number turned round.

There is no library for that: Prolog has none that breaks one piece at a time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mutants import keyed, line_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mutants import Change, Mutant

FLIPS: Final = {
    "=<": "<",
    "<": "=<",
    ">=": ">",
    ">": ">=",
    "==": "\\==",
    "\\==": "==",
    "=:=": "=\\=",
    "=\\=": "=:=",
}
STEPS: Final = {"+": "-", "-": "+"}
_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|%[^\n]*|/\*.*?\*/)
    | (?P<quoted>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")
    | (?P<number>0'(?:\\.|''|.)|\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?|0x[0-9a-fA-F]+)
    | (?P<name>\w+)
    | (?P<symbol>[-+*/\\^<>=~:.?@\#&$]+)
    | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


def mutants(file: str, text: str) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    return keyed(file, text, _changes(text))


def clauses(text: str) -> Iterator[tuple[int, int, list[re.Match[str]]]]:
    """Yield start, stop and tokens of every clause; directives are left out."""
    tokens: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "space":
            continue
        tokens.append(token)
        following = text[token.end() : token.end() + 1]
        if token[0] == "." and (not following or following in " \t\n%"):
            if tokens[0][0] != ":-":
                yield tokens[0].start(), token.end(), tokens
            tokens = []


def _changes(text: str) -> Iterator[Change]:
    for start, stop, tokens in clauses(text):
        head = line_at(text, start)
        yield head, "delete", start, stop, "\n" * text.count("\n", start, stop)
        for what, first, last, replacement in _flips(text, tokens):
            yield head, what, first, last, replacement


def _flips(text: str, tokens: Sequence[re.Match[str]]) -> Iterator[tuple[str, int, int, str]]:
    for before, token, after in zip(tokens, tokens[1:], tokens[2:]):
        new = FLIPS.get(token[0])
        if after.lastgroup == "number" and (
            before.lastgroup in ("name", "number") or before[0] == ")"
        ):
            new = STEPS.get(token[0], new)
        if new is None or before[0] in ("(", ","):  # an operator as an argument is data
            continue
        what = f"{token[0]} -> {new} in: {line_at(text, token.start())}"
        yield what, token.start(), token.end(), new
