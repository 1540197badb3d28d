"""Frames as small pictures inside the page, each once, within a budget."""

from __future__ import annotations

import base64
import io
import warnings
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

MOST_PIXELS: Final = 320
"""Of the longer side."""
MISSING: Final = -1
UNREADABLE: Final = -2
LEFT_OUT: Final = -3
_QUALITY: Final = 72


class Album:
    """Pictures as data addresses, in the order in which they were asked for.

    Args:
        folder: what relative names belong to.
        budget: how many bytes all of them may take.
    """

    def __init__(self, folder: Path, budget: int) -> None:
        self.addresses: list[str] = []
        self._folder = folder
        self._left = budget
        self._places: dict[str, int] = {}

    @property
    def asked_for(self) -> int:
        """How many frames were asked for, each file once."""
        return len(self._places)

    @property
    def left_out(self) -> int:
        """How many of them did not fit."""
        return sum(place == LEFT_OUT for place in self._places.values())

    @property
    def missing(self) -> int:
        """How many of them were not there or no pictures."""
        return sum(place in (MISSING, UNREADABLE) for place in self._places.values())

    def place(self, name: str) -> int:
        """Return the index of a frame's picture, or why there is none."""
        if name not in self._places:
            self._places[name] = self._added(name)
        return self._places[name]

    def _added(self, name: str) -> int:
        path = self._folder / name
        try:
            there = path.is_file()
        except (OSError, ValueError):
            there = False
        if not there:
            return MISSING
        if self._left <= 0:
            return LEFT_OUT
        address = thumbnail(path)
        if address is None:
            return UNREADABLE
        self._left -= len(address)
        if self._left < 0:
            return LEFT_OUT
        self.addresses.append(address)
        return len(self.addresses) - 1


def thumbnail(path: Path) -> str | None:
    """Return a picture as a data address, at most 320 pixels across and down; None if unreadable.

    WebP, or JPEG where Pillow was built without it.
    """
    from PIL import Image, features

    kind = "webp" if features.check("webp") else "jpeg"
    packed = io.BytesIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as picture:
                picture.draft("RGB", (MOST_PIXELS, MOST_PIXELS))
                small = picture.convert("RGB")
            small.thumbnail((MOST_PIXELS, MOST_PIXELS))
            small.save(packed, kind, quality=_QUALITY, method=2)  # JPEG knows no method
    except Exception:  # noqa: BLE001 - Pillow's readers raise whatever a broken file brings about
        return None
    return f"data:image/{kind};base64,{base64.b64encode(packed.getvalue()).decode('ascii')}"
