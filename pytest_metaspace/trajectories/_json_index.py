"""Where the objects of a large JSON list lie, so that any of them is read alone.

The list is walked once, in pieces, with one object in memory at a time.
"""

from __future__ import annotations

import json
import re
from array import array
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import require
from pytest_metaspace.trajectories._json_rows import decoded

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader
    from pathlib import Path

_PIECE = 4 << 20
_LARGEST_OBJECT = 16 << 20
_LONGEST_OPENING = 1 << 10
MOST = 1_000_000
"""Episodes of a file; those after them are left out."""
_BEFORE = "\xef\xbb\xbf \t\r\n"
"""What may stand before a list: blanks, and the mark of UTF-8."""
_BETWEEN = re.compile(r"[ \t\r\n,]*")


@dataclass(frozen=True)
class Index:
    """The objects of a list.

    Attributes:
        path: the file.
        names: of the objects, in order; no two are equal.
        starts: the byte on which each starts.
        ends: the byte after each.
        problem: why it ends before the file does; empty where it does not.
    """

    path: Path
    names: tuple[str, ...]
    starts: array[int]
    ends: array[int]
    problem: str

    def read(self, place: int) -> Any:
        """Read one object.

        Raises:
            TrajectoryError: the file is not what it was.
        """
        start, end = self.starts[place], self.ends[place]
        try:
            with self.path.open("rb") as file:
                file.seek(start)
                return json.loads(file.read(end - start))
        except (OSError, ValueError, RecursionError) as problem:
            raise TrajectoryError(
                f"{self.path}: field {place}: cannot be read again ({problem}). Leave the file as "
                "it is while it is used."
            ) from None


def index_of(path: Path, name: Callable[[int, Any], str]) -> Index:
    """Return where the objects of a list lie; a file is walked over once in a process.

    Args:
        path: the file.
        name: what to call an object, by its place and its content; a function of a module.

    Raises:
        TrajectoryError: the file cannot be read, or is no list.
    """
    try:
        stat = path.stat()
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from problem
    return _index(path, name, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=8)
def _index(path: Path, name: Callable[[int, Any], str], changed: int, size: int) -> Index:
    del changed, size  # they say that the file is the same
    return indexed(path, name)


def indexed(path: Path, name: Callable[[int, Any], str]) -> Index:
    """Walk over a file that is one JSON list.

    Args:
        path: the file.
        name: what to call an object, by its place and its content.

    Raises:
        TrajectoryError: it cannot be read, or is no list.
    """
    require(path)
    found = _Named(name)
    walk = Walk(found.add)
    try:
        with path.open("rb") as file:
            walk.over(file)
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from problem
    if not found.names:
        raise TrajectoryError(
            f"{path}: {walk.problem or 'is an empty list.'} Expected a JSON list of episodes."
        )
    return Index(path, tuple(found.names), found.starts, found.ends, walk.problem)


class _Named:
    """Gives each object a name of its own."""

    def __init__(self, name: Callable[[int, Any], str]) -> None:
        self._name = name
        self._alike: dict[str, int] = {}
        self.names: dict[str, None] = {}
        self.starts = array("Q")
        self.ends = array("Q")

    def add(self, number: int, value: Any, start: int, end: int) -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.names[self._unused(self._name(number, value))] = None

    def _unused(self, name: str) -> str:
        if name not in self.names:
            return name
        while True:
            count = self._alike[name] = self._alike.get(name, 1) + 1
            if f"{name}-{count}" not in self.names:
                return f"{name}-{count}"


class Walk:
    """Walks over a list in Latin-1: each byte is one character, and JSON's own are ASCII.

    Args:
        found: is told of each object its number, content, first byte and the byte after its end.
    """

    def __init__(self, found: Callable[[int, Any, int, int], None]) -> None:
        self._found = found
        self.count = 0
        self.problem = ""
        """Why the walk ended before the file did; empty where it did not."""
        self._text = ""
        self._before = 0
        """How many bytes lie before the text."""

    def over(self, file: BufferedReader) -> None:
        """Walk over a file that is a list."""
        head = ""
        while not head and self._more(file):
            head = self._text.lstrip(_BEFORE)
            if not head:
                self._before, self._text = self._before + len(self._text), ""
        if not head.startswith("["):
            self.problem = "is no JSON list."
            return
        self._along(file, len(self._text) - len(head) + 1)

    def over_list_behind(self, opening: re.Pattern[str], file: BufferedReader) -> bool:
        """Walk over the list that begins where a pattern ends; return whether there is one."""
        while (start := opening.search(self._text)) is None:
            kept = self._text[-_LONGEST_OPENING:]
            self._before, self._text = self._before + len(self._text) - len(kept), kept
            if not self._more(file):
                return False
        self._along(file, start.end())
        return True

    def _along(self, file: BufferedReader, place: int) -> None:
        while True:
            place = self._skip(place)
            while place >= len(self._text) and self._more(file):
                place = self._skip(place)
            if place >= len(self._text):
                self.problem = "is cut off: the list has no end."
                return
            if self._text[place] == "]":
                return
            if self.count >= MOST:
                self.problem = f"holds more than {MOST:,} episodes: those after are left out."
                return
            got = self._object(place, file)
            if got is None:
                return
            place = got

    def _object(self, place: int, file: BufferedReader) -> int | None:
        """Tell of the object at a place; return where it ends, None where there is none."""
        got = decoded(self._text, place)
        while got is None and self._text[place] == "{" and len(self._text) < _LARGEST_OBJECT:
            if not self._more(file, len(self._text)):
                break
            got = decoded(self._text, place)
        if got is None:
            self.problem = (
                f"is damaged or cut off at byte {self._before + place}: episodes from "
                f"number {self.count + 1} on are left out."
            )
            return None
        value, end = got
        self._found(self.count, value, self._before + place, self._before + end)
        self.count += 1
        return end

    def _skip(self, place: int) -> int:
        between = _BETWEEN.match(self._text, place)
        return self._forget(place if between is None else between.end())

    def _more(self, file: BufferedReader, least: int = 0) -> bool:
        piece = file.read(max(_PIECE, least))
        self._text += piece.decode("latin-1")
        return bool(piece)

    def _forget(self, place: int) -> int:
        """Let go of what was walked over, now and then; return where the place is now."""
        if place < _PIECE:
            return place
        self._text = self._text[place:]
        self._before += place
        return 0
