"""JSON that is read whole: only as much of it as makes modest values.

Values take up to forty times the room of their text.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import require, require_file

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 64 << 20
"""A file with more bytes is read by an index, or not at all."""
_MOST_NESTED = 2_000_000
_MOST_VALUES = 8_000_000


def bytes_of(path: Path, what: str = "file of this kind", largest: int = LARGEST) -> bytes:
    """Read a file, up to so many bytes.

    Args:
        path: the file.
        what: what a larger one cannot be, for the message.
        largest: the most bytes that it may have.

    Raises:
        TrajectoryError: it cannot be read, or is too large.
    """
    require_file(path)
    try:
        with path.open("rb") as file:
            known = os.fstat(file.fileno()).st_size  # for memory is taken for what may be read
            content = file.read(min(known, largest) + 1)
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from problem
    if len(content) > largest:
        raise TrajectoryError(
            f"{path}: has more than {largest >> 20} MB, so it is no {what}. Split it."
        )
    return content


def too_many(text: str | bytes, start: int = 0, end: int | None = None) -> str | None:
    """Say that a text of JSON holds more values than are read, or return None.

    Texts in it are counted as if they were JSON, too.
    """
    stop = len(text) if end is None else end
    marks = ("[", "{", ",") if isinstance(text, str) else (b"[", b"{", b",")
    lists, objects, values = (text.count(mark, start, stop) for mark in marks)  # type: ignore[arg-type] # both or neither are bytes
    if lists + objects > _MOST_NESTED or values > _MOST_VALUES:
        return (
            f"holds {lists + objects:,} lists and objects and {values:,} commas; at most "
            f"{_MOST_NESTED:,} and {_MOST_VALUES:,} are read. Split it."
        )
    return None


def json_of(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        TrajectoryError: it cannot be read, is no JSON in UTF-8, or too large.
    """
    require(path)
    content = bytes_of(path)
    much = too_many(content)
    if much is not None:
        raise TrajectoryError(f"{path}: {much}")
    try:
        return json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise TrajectoryError(f"{path}: is not JSON in UTF-8 ({problem}).") from problem
