"""A folder that one recorder at a time writes into."""

from __future__ import annotations

import fcntl
import json
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_metaspace.errors import TrajectoryError, UsageProblem
from pytest_metaspace.trajectories import FRAMES, MAIN_FILE
from pytest_metaspace.trajectories._journal import STEPS_FILE

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

_FILES = (MAIN_FILE, STEPS_FILE, "objects.json", "truth.json")


def claim(folder: Path, *, overwrite: bool) -> FileIO:
    """Make a folder ours and return its journal, empty, open and locked.

    Raises:
        UsageProblem: something is in it that may not be deleted, or another recorder writes there.
        TrajectoryError: it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {entry.name for entry in folder.iterdir()}
        if there and not (overwrite and there & {MAIN_FILE, STEPS_FILE}):
            raise UsageProblem(_taken(folder, there))
        journal = (folder / STEPS_FILE).open("ab", buffering=0)
        try:
            _lock(journal, folder)
            if there:
                _clear(folder)
            journal.truncate(0)
        except BaseException:
            journal.close()
            raise
    except OSError as problem:
        raise TrajectoryError(
            f"metaspace: {folder} cannot be recorded into ({problem.strerror})."
        ) from problem
    return journal


def _taken(folder: Path, there: set[str]) -> str:
    if there & {MAIN_FILE, STEPS_FILE}:
        return (
            f"metaspace: a recording is in {folder} already. Name another folder, or give "
            "overwrite=True, which deletes it."
        )
    return (
        f"metaspace: {folder} is not empty, and what is in it is no recording. Name another folder."
    )


def _lock(journal: FileIO, folder: Path) -> None:
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageProblem(
            f"metaspace: another recorder is writing into {folder}. Close it, or name another "
            "folder."
        ) from None
    except OSError:
        return  # a file system without locks


def _clear(folder: Path) -> None:
    """Delete what a recorder writes, and nothing else; the main file first."""
    for name in _FILES:
        if name != STEPS_FILE:
            (folder / name).unlink(missing_ok=True)
    frames = folder / FRAMES
    if frames.is_dir():
        shutil.rmtree(frames)


def put(path: Path, content: object) -> None:
    """Write JSON so that at any moment the file is the old one or the new one.

    Raises:
        OSError: it cannot be written.
    """
    made = path.with_name(f".{path.name}.new")
    try:
        made.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        made.replace(path)
    except BaseException:
        with suppress(OSError):
            made.unlink(missing_ok=True)
        raise
