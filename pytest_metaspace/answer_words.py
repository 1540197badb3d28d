"""The words of raw answers: split, compared, and which of them add nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_FILLER: Final = frozenset(
    (
        "a", "about", "an", "answer", "apart", "approximately", "are", "around", "as", "at",
        "away", "b", "be", "by", "depth", "direction", "distance", "far", "final", "from",
        "height", "in", "is", "it", "its", "lie", "lies", "located", "movement", "moves", "my",
        "object", "of", "on", "response", "result", "roughly", "s", "side", "size", "so", "tall",
        "that", "the", "therefore", "this", "to", "total", "would",
    )
)  # fmt: skip
HEDGES: Final = frozenset(("about", "approximately", "around", "roughly", "some"))
"""Words that make a value one of several, where only one is right."""
#  Hyphens of other fonts and keyboards; a dash between two words may part them, so it stays.
_HYPHENS: Final = str.maketrans(dict.fromkeys("\u2010\u2011\ufe63\uff0d", "-"))


def plain(raw: str) -> str:
    """Return text in small letters, its hyphens those of a keyboard."""
    return raw.strip().lower().translate(_HYPHENS)


def bare(text: str) -> str:
    """Return text for comparing: small letters, one blank between words, nothing around them."""
    return " ".join(text.casefold().split()).strip(" .,:;!*_`\"'()[]{}$")


def tokens(text: str) -> list[str]:
    """Split into words; hyphens inside words stay, everything else is only a separator."""
    return re.findall(r"[^\W_]+(?:-[^\W_]+)*", text.replace("_", " "))


def phrases(text: str) -> list[list[str]]:
    """Split at punctuation into runs of words that stand side by side."""
    return [tokens(part) for part in re.split(r"[^\w\s-]+", text)]


def pick(words: Iterable[str], allowed: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Part words into those that are allowed values and the rest."""
    every = list(words)
    return [word for word in every if word in allowed], [
        word for word in every if word not in allowed
    ]


def stray(words: Iterable[str], names: Collection[str], never: Collection[str] = ()) -> str | None:
    """Return the first word that an answer should not hold, or None.

    Args:
        words: of the answer, without its value.
        names: words of the question that an answer may repeat.
        never: words that always add something.
    """
    return next((word for word in words if word in never or not _idle(word, names)), None)


def _idle(word: str, names: Collection[str]) -> bool:
    """Whether a word adds nothing to an answer; ``book-shelf`` is two words of a label."""
    return word in _FILLER or all(part in names for part in word.split("-"))
