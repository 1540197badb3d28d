"""Where answers go that cannot be stored: memory, and a file from which they can be imported."""

from __future__ import annotations

import os
import secrets
import shlex
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace.asking.rows import line_of
from pytest_metaspace.errors import MetaspaceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.asking.rows import Entry


class Spare:
    """Takes answers that a run received and could not store.

    Args:
        folders: where a file may be made, the best first; the current folder and that for
            temporary files when None.
    """

    def __init__(self, folders: Sequence[Path] | None = None) -> None:
        self._folders = folders
        self._entries: dict[str, Entry] = {}
        self._lock = threading.Lock()
        self._reason = ""
        self._loose: dict[str, Entry] = {}
        self.path: Path | None = None
        """The file; None while there is none, or none that can be written."""

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> Entry | None:
        """Return an answer that was taken in this run."""
        return self._entries.get(key)

    def put(self, entry: Entry, reason: str) -> None:
        """Take an answer; it is in memory in any case, and in the file when this returns.

        Args:
            entry: the answer.
            reason: why it could not be stored.

        Raises:
            MetaspaceError: no file can be written either.
        """
        with self._lock:
            self._reason = reason
            self._entries[entry.key] = self._loose[entry.key] = entry
            before = self.path
            if before is None or not _appended(before, self._loose.values()):
                self._begin()
                if before is not None:
                    _discard(before)  # all of it is in the new one
            self._loose.clear()

    def _begin(self) -> None:
        """Write all answers to a new file, in the first folder that takes them."""
        problems = []
        folders = self._folders
        if folders is None:
            folders = (Path.cwd(), Path(tempfile.gettempdir()))
        for folder in folders:
            path = folder / f"answers-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.jsonl"
            try:
                _write(path, self._entries.values(), os.O_CREAT | os.O_EXCL)
            except OSError as problem:
                _discard(path)
                problems.append(f"{folder}: {problem.strerror}")
            else:
                self.path = path.absolute()
                return
        raise MetaspaceError(
            f"metaspace: an answer could not be stored ({self._reason}), nor written to a file "
            f"({'; '.join(problems)}). Nothing more is asked. Free the disk and run again."
        )

    def told(self, folder: Path) -> str:
        """Say where the answers are and what to type; empty when there are none.

        Args:
            folder: that of the store which could not take them.
        """
        told = []
        if self._loose:
            told.append(
                f"{_answers(len(self._loose))} that this run received could be written nowhere "
                f"({self._reason}). The results above rest on them; the next run asks again."
            )
        if self.path is not None:
            told.append(
                f"{_answers(len(self._entries) - len(self._loose))} could not be stored in "
                f"{folder} ({self._reason}) and went to a file instead. When there is room, type: "
                f"metaspace answers import {shlex.quote(str(self.path))} "
                f"--cache-dir={shlex.quote(str(folder))}"
            )
        return f"metaspace: {' '.join(told)}" if told else ""


def _answers(count: int) -> str:
    return f"{count} answer{'s' if count > 1 else ''}"


def _appended(path: Path, entries: Iterable[Entry]) -> bool:
    """Add answers to a file; where that fails the file is as it was, and the answer is no."""
    try:
        size = path.stat().st_size
    except OSError:
        return False  # somebody took it away
    try:
        _write(path, entries, os.O_APPEND)
    except OSError:
        with suppress(OSError):
            os.truncate(path, size)
        return False
    return True


def _write(path: Path, entries: Iterable[Entry], how: int) -> None:
    """Write lines to a file that only we may read; the operating system has them then."""
    text = "".join(f"{line_of(entry)}\n" for entry in entries)
    file = os.open(path, os.O_WRONLY | how, 0o600)
    try:
        rest = memoryview(text.encode("ascii"))
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)


def _discard(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
