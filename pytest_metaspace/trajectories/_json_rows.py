"""JSON objects one after another, whatever holds them together, each with its line.

One JSON list, one object a line, blank lines between, a list appended to a list, a last line that
was cut off: writers of logs do all of that under the ending ``.json``.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import require
from pytest_metaspace.trajectories._json_text import LARGEST, bytes_of, too_many

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.trajectories._moments import Findings

_MOST_BAD = 20
_BETWEEN = re.compile(r"[\s,\[\]]*")
_DECODER = json.JSONDecoder()


def text_of(path: Path, largest: int = LARGEST) -> str:
    """Read a text in UTF-8; bytes that are none become U+FFFD.

    Raises:
        TrajectoryError: it cannot be read, or is too large.
    """
    require(path)
    content = bytes_of(path, "log of one episode", largest)
    much = too_many(content)
    if much is not None:
        raise TrajectoryError(f"{path}: {much}")
    return content.decode("utf-8", "replace")


def decoded(text: str, start: int) -> tuple[Any, int] | None:
    """Return the JSON value that starts at a place and where it ends, or None."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def rows(path: Path, findings: Findings) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of a file, each with the line that it starts on.

    What is no object is left out and said.

    Raises:
        TrajectoryError: the file cannot be read, or little in it is JSON.
    """
    text = text_of(path)
    found: list[tuple[int, dict[str, Any]]] = []
    bad = 0
    for line, value, last in _values(text):
        if isinstance(value, dict):
            found.append((line, value))
            continue
        bad += 1
        if bad > _MOST_BAD:
            break
        findings.add(
            "",
            "is cut off; that step is left out." if last else "is no JSON object; it is left out.",
            "Copy the whole file." if last else "Look at what wrote it.",
            line=line,
        )
    if bad > _MOST_BAD or not found:
        raise findings.nothing_left(
            "holds no JSON objects, or little else than damage; expected one for each step."
        )
    return found


def _values(text: str) -> Iterator[tuple[int, Any, bool]]:
    """Yield line, value (None for what is not JSON), and whether nothing follows."""
    place, line, counted = 0, 1, 0
    while True:
        match = _BETWEEN.match(text, place)
        place = match.end() if match else place
        if place >= len(text):
            return
        line += text.count("\n", counted, place)
        counted = place
        got = decoded(text, place)
        if got is None:
            end = text.find("\n", place)
            place = len(text) if end < 0 else end + 1
            yield line, None, place >= len(text)
        else:
            place = got[1]
            yield line, got[0], place >= len(text)
