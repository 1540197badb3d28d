"""A mutant: one piece of one file, broken."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    #  Where it stands (a clause, a function), what is done, from, to, and the text instead.
    Change = tuple[str, str, int, int, str]


@dataclass(frozen=True)
class Mutant:
    """One piece broken: text from ``start`` to ``stop`` of a file is replaced."""

    file: str
    line: int
    key: str
    start: int
    stop: int
    text: str


def keyed(file: str, text: str, changes: Iterable[Change]) -> Iterator[Mutant]:
    """Give each change a key that survives a change of line numbers."""
    name = file.removeprefix("prolog/").removeprefix("pytest_metaspace/")
    seen: Counter[str] = Counter()
    for where, what, start, stop, replacement in changes:
        key = f"{name} | {where} | {what}"
        seen[key] += 1
        number = f" ({seen[key]})" if seen[key] > 1 else ""
        yield Mutant(file, text.count("\n", 0, start) + 1, key + number, start, stop, replacement)


def line_at(text: str, place: int) -> str:
    """Return the line of a place in a text, without what depends on its layout."""
    start = text.rfind("\n", 0, place) + 1
    return " ".join(text[start:].split("\n", 1)[0].split())
