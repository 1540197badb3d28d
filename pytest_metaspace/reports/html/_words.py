"""Texts of a page: each once, within a budget, as JSON that no label can break out of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NONE: Final = -1
"""The place of no text."""
LEFT_OUT: Final = 0
"""The place of a text that did not fit."""
_encoded = json.JSONEncoder(separators=(",", ":")).encode


def as_json(value: Any) -> str:
    """Return compact JSON in ASCII that may stand in a ``<script>``.

    No ``<`` is in it, so that nothing closes the script or opens a comment; characters that end
    a line of JavaScript and lone surrogates are escaped.
    """
    return _encoded(value).replace("<", "\\u003c")


class Words:
    """Texts by their place; what is put first is kept when the budget is used up.

    Args:
        budget: how many bytes of JSON all of them may take.
    """

    def __init__(self, budget: int) -> None:
        self.left = budget
        self.left_out = 0
        self._places: dict[str, int] = {}
        self._told = ["null"]

    def put(self, text: str | None, longest: int) -> int:
        """Return the place of the first ``longest`` characters of a text."""
        if text is None:
            return NONE
        kept = text[:longest]
        place = self._places.get(kept)
        if place is None:
            told = as_json(kept)
            if not self.afford(len(told) + 1):
                self.left_out += 1
                return LEFT_OUT
            place = self._places[kept] = len(self._told)
            self._told.append(told)
        return place

    def afford(self, size: int) -> bool:
        """Take so many bytes out of the budget, if they are there."""
        if size > self.left:
            return False
        self.left -= size
        return True

    def each(self, texts: Iterable[str], longest: int) -> list[int]:
        """Return the place of each text."""
        return [self.put(text, longest) for text in texts]

    def table(self) -> str:
        """Return all texts as a JSON list."""
        return f"[{','.join(self._told)}]"
