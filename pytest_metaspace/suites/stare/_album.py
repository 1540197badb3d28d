"""The pictures of a number: each drawn once, and shared by the questions that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable
    from pathlib import Path

    from pytest_metaspace.suites.stare._family import Drawing


class Album:
    """Names pictures and keeps what draws them.

    Args:
        folder: in which they will lie.
        name: what their names begin with.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._known: dict[Hashable, Path] = {}
        self.pictures: dict[str, Drawing] = {}

    def add(self, shows: Hashable, drawing: Drawing) -> Path:
        """Return the file of a picture.

        Args:
            shows: all that it shows; pictures of which this is equal are one.
            drawing: draws it.
        """
        if shows not in self._known:
            path = self._folder / f"{self._name}-{len(self.pictures) + 1}.png"
            self._known[shows] = path
            self.pictures[path.name] = drawing
        return self._known[shows]
