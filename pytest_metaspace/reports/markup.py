"""Text as data in the Markdown of GitHub and GitLab: no markup, link, mention or command of it.

Both sites look for mentions (``@name``, ``#12``, ``!5``) in the text of the finished page, where
an escape is gone; they leave code alone. So names and answers are code, and in prose a space of no
width parts the sign from the word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HARMLESS: Final = frozenset("-,.()'/;+=%")
"""Punctuation that means nothing inside a line; all other is written as a reference."""
_ENTITIES: Final = {
    ord(sign): f"&#{ord(sign)};"
    for sign in map(chr, range(0x21, 0x7F))
    if not sign.isalnum() and sign not in _HARMLESS
}
_COLON: Final = f"{_ENTITIES[ord(':')]} "
_LINKS: Final = re.compile(r"(?i)@|\bwww(?=\.)")
"""What GitHub makes links of in code, too, where that is an element and no code span."""
_MENTIONS: Final = re.compile(r"(?i)([@#!$~%&^*:]|\bGH-|\bwww(?=\.))(?=\S)")
_NO_WIDTH: Final = "\u200b"
_COMMAND: Final = re.compile(r"(?m)^( *)/")
_PRE: Final = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def code(text: str, longest: int = 160) -> str:
    """Return text as code that may stand in a sentence, a heading or a cell of a table."""
    return f"<code>{_inert(_parted(_LINKS, one_line(text, longest)))}</code>"


def prose(text: str, longest: int = 600) -> str:
    """Return text as plain words of a sentence or a cell, never at the beginning of a line."""
    return _inert(_parted(_MENTIONS, one_line(text, longest)))


def _parted(signs: re.Pattern[str], text: str) -> str:
    return signs.sub(lambda found: found[0] + _NO_WIDTH, text)


def _inert(text: str) -> str:
    return text.translate(_ENTITIES).replace(_COLON, ": ")


def block(lines: Iterable[str]) -> str:
    """Return lines as a block of code; lines that begin with a slash are no commands there."""
    told = "\n".join(line.translate(_PRE) for line in lines)
    inert = _COMMAND.sub(r"\1&#47;", told)
    return f"<pre>\n{inert}\n</pre>\n"


def row(cells: Iterable[str]) -> str:
    """Return a row of a table; the cells are markup already."""
    return f"| {' | '.join(cells)} |\n"


def table(headers: Sequence[str], right: range) -> str:
    """Return the two lines that begin a table; numbers stand on the right of their columns."""
    ruler = ("--:" if column in right else ":--" for column in range(len(headers)))
    return row(headers) + row(ruler)
