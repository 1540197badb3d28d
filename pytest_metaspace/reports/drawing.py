"""Derivations with lines between their steps, for terminals that can show them.

Records and reports hold the plain text, the same bytes wherever a run takes place; this is put on
when a person reads it.
"""

from __future__ import annotations

import os
import re
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_STEP = re.compile(r"( *)(.*?)   (\([^()]+\)|<- (?:answer \d+|measured))")
_WIDTH = 2  # of a level, in plain text


def can_draw(
    *, terminal: bool, encoding: str | None, environ: Mapping[str, str] = os.environ
) -> bool:
    """Whether an output shows lines: a terminal, a locale that is not C, an encoding that has them.

    Logs that are written to a file or a pipe stay plain.
    """
    names = (environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    if not terminal or next(filter(None, names), "C") in ("C", "POSIX"):
        return False
    try:
        "├└│─←".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def drawn(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines; where derivations stand among them, with their steps joined."""
    for is_step, group in groupby(lines, key=lambda line: _STEP.fullmatch(line) is not None):
        block = list(group)
        yield from _tree(block) if is_step else block


def _tree(lines: list[str]) -> Iterator[str]:
    base = _indent(lines[0])
    depths = [(_indent(line) - base) // _WIDTH for line in lines]
    for number, line in enumerate(lines):
        text = line.lstrip().replace("   <- ", "   ← ")
        bars = [_goes_on(level, depths[number + 1 :]) for level in range(1, depths[number] + 1)]
        rails = "".join("│  " if bar else "   " for bar in bars[:-1])
        branch = ("├─ " if bars[-1] else "└─ ") if bars else ""
        yield " " * base + rails + branch + text


def _goes_on(level: int, later: list[int]) -> bool:
    """Whether another step of a level follows under the same step."""
    return next((depth for depth in later if depth <= level), 0) == level


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
