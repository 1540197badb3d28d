"""Files that stand where a log stood: empty, a pointer of Git LFS, or cut off.

Formats are recognised by what their files hold. Of these nothing is left to recognise, and a run
that passes them by would pass without having looked at anything.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pytest_metaspace.errors import TrajectoryError

if TYPE_CHECKING:
    from pathlib import Path

_POINTER = b"version https://git-lfs.github.com/spec/"
_NO_FILE = "is a pipe, a device or a socket, and no file. Put the file itself there."
_HEAD = 4096
_LARGEST_JSON = 1 << 20
_NOTHING = re.compile(rb'\s*(\{\s*("episodes"\s*:\s*\[\s*\]\s*)?\}|\[\s*\])\s*')
_ITEMS = "items.json"
_ENDINGS = frozenset({".json", ".jsonl", ".parquet", ".csv"})


def lost(path: Path, *, needed: bool = False) -> str | None:
    """Say in a sentence that nothing of a file is here and how to get it, or return None.

    Only its first bytes are read; a file that cannot be read is left to its reader. A pipe or a
    device is not opened: whoever reads it waits for ever, or gets no end.

    Args:
        path: the file.
        needed: whether something else is of no use without it, so that nobody should delete it.
    """
    try:
        if not path.is_file() and not path.is_dir() and path.exists():
            return _NO_FILE
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return None
    if head.startswith(_POINTER):
        return (
            "is a pointer of Git LFS, not the file itself. Fetch it with git lfs pull; in CI, "
            "check out with LFS (lfs: true)."
        )
    if not head.strip() and len(head) < _HEAD:
        return f"is empty. Fetch or record it again{'' if needed else ', or delete it'}."
    return None


def ruined(path: Path) -> str | None:
    """Say as ``lost`` does, also of a file of up to a megabyte that is no JSON."""
    found = lost(path)
    if found is not None:
        return found
    try:
        if path.stat().st_size <= _LARGEST_JSON:
            json.loads(path.read_bytes())
    except OSError:
        return None
    except (ValueError, RecursionError):
        return "is no JSON, or cut off. Fetch or record it again."
    return None


def emptied(path: Path) -> bool:
    """Whether a file is JSON that holds an empty list or object and nothing else."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return _NOTHING.fullmatch(head) is not None


def named(path: Path) -> str | None:
    """Say what is wrong with a file that somebody names as a log and no format recognises."""
    if path.suffix.lower() not in _ENDINGS or path.is_dir():
        return None
    found = ruined(path) if path.suffix.lower() == ".json" else lost(path)
    if found is not None:
        return f"{path}: {found}"
    if emptied(path):
        return f"{path}: holds no episode: its list is empty. Fetch or record it again."
    if path.name == _ITEMS and path.is_file():
        return (
            f"{path}: is no list of items of a suite; expected task and posings in each. "
            "See docs/format-items.md."
        )
    return None


def require(path: Path) -> None:
    """Make sure that something of a file is here.

    Raises:
        TrajectoryError: it is empty, a pointer of Git LFS, or no file at all.
    """
    found = lost(path)
    if found is not None:
        raise TrajectoryError(f"{path}: {found}")


def require_file(path: Path) -> None:
    """Make sure that a path is no pipe, device or socket; the file may be empty, or missing.

    Raises:
        TrajectoryError: it is one.
    """
    found = lost(path)
    if found == _NO_FILE:
        raise TrajectoryError(f"{path}: {found}")
