"""How many tokens a question will take, before anybody counts them: estimates, as (low, high).

Text: a token for 3 to 5 characters of English. A picture: by its size in pixels, from the least to
the most of the rules that vendors publish. What an endpoint really counts is in its replies.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Range = tuple[int, int]
"""The least and the most that is likely."""

_LONGEST_SIDE: Final = 2048
_SHORTER_SIDE: Final = 768
#  What a message and each of its parts takes beside its text.
_FRAMING: Final = (0, 8)
_UNKNOWN_SIZE: Final = (1024, 1024)


def of_text(text: str) -> Range:
    """Return the tokens of a text."""
    return math.ceil(len(text) / 5), math.ceil(len(text) / 3)


def of_picture(width: int, height: int) -> Range:
    """Return the tokens of a picture of some size in pixels.

    The rules are Anthropic's (a token for 750 pixels), OpenAI's two (85, and 170 for each tile of
    512 pixels; 1 to 2.46 for each patch of 32 pixels, of which there are 1536 at most) and
    Google's (258 for each tile of 768 pixels), as their documentation had them in 2025.
    """
    shrunk = min(1.0, _LONGEST_SIDE / max(width, height))
    shrunk = min(shrunk, max(_SHORTER_SIDE / min(width, height), 0.0))
    patches = min(_cover(width, height, 32), 1536)
    rules = (
        width * height / 750,
        85 + 170 * _cover(width * shrunk, height * shrunk, 512),
        patches,
        2.46 * patches,
        258 if max(width, height) <= 384 else 258 * _cover(width, height, 768),  # noqa: PLR2004
    )
    return max(math.floor(min(rules)), 1), math.ceil(max(rules))


def _cover(width: float, height: float, side: int) -> int:
    """Return how many squares cover a picture."""
    return math.ceil(width / side) * math.ceil(height / side)


def of_question(text: str, images: Sequence[Path], picture_scale: float = 1.0) -> Range:
    """Return the tokens of a question with its pictures.

    Args:
        text: of the question.
        images: files of the pictures; one that cannot be read is taken for a megapixel.
        picture_scale: how many times more a model counts for a picture than others do.
    """
    low, high = of_text(text)
    for path in images:
        least, most = _of_file(path)
        low += math.floor(least * picture_scale)
        high += math.ceil(most * picture_scale)
    parts = 2 * len(images) + 1  # each picture comes with its number as text
    return low + _FRAMING[0] * parts, high + _FRAMING[1] * parts


@lru_cache(maxsize=65536)
def _of_file(path: Path) -> Range:
    from PIL import Image

    try:
        with Image.open(path) as image:
            return of_picture(*image.size)
    except OSError:
        return of_picture(*_UNKNOWN_SIZE)
