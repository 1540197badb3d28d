"""The store of answers: what was received is never lost, and never asked again.

``diskcache`` keeps the rows; a ``Disk`` of our own keeps them honest. Rows are bytes of JSON that
repeat their key and carry a checksum (``rows.py``). A pickled row, which would run code when
read, is refused before it is looked at, and nothing is ever evicted.
"""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import diskcache

from pytest_metaspace.asking.claims import Claims
from pytest_metaspace.asking.rows import Entry, pack, unpack
from pytest_metaspace.errors import MetaspaceError, warn

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

    from pytest_metaspace.asking.rows import Asked
    from pytest_metaspace.domain import Reply

FOLDER: Final = "answers"
DATABASE: Final = "cache.db"
_CLAIMS: Final = "claims.lock"
#  Between a key and the number of a further answer that was received for it.
FURTHER: Final = "+"
_NO_LIMIT: Final = 2**62
_READABLE: Final = frozenset({diskcache.core.MODE_RAW, diskcache.core.MODE_BINARY})
UNREADABLE: Final = (ValueError, KeyError, TypeError, sqlite3.Error, OSError)
#  Never ``retry=True`` for what writes: diskcache then tries for ever, also where nobody may write.
_UNWRITABLE: Final = (sqlite3.Error, OSError, diskcache.Timeout)
_README: Final = """\
These are answers of agents, stored by pytest-metaspace so that none is paid for
twice. metaspace answers list says what is here. last_run.jsonl is what the last run found, for
metaspace explain. Deleting the folder is safe and means asking again.
"""


class StoreError(MetaspaceError):
    """An answer could not be stored; it stays in memory and nothing more is asked."""


class BytesDisk(diskcache.Disk):  # type: ignore[misc]
    """Stores bytes under text keys and refuses every other row, pickles first of all."""

    def put(self, key: Any) -> tuple[Any, bool]:
        """Return a key as the database has it: text only."""
        if not isinstance(key, str):
            raise TypeError("keys are text")
        return key, True

    def get(self, key: Any, raw: bool) -> Any:
        """Return a key that the database has; a pickled one is refused."""
        if not raw:
            raise ValueError("a pickled key is not read")
        return key

    def store(self, value: Any, read: bool, key: Any = None) -> Any:
        """Store bytes, and nothing else."""
        if not isinstance(value, bytes) or read:
            raise TypeError("values are bytes")
        return super().store(value, read, key=key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        """Return stored bytes; a row in any other mode is refused before it is decoded."""
        if mode not in _READABLE or read:
            raise ValueError("a row that is not bytes is not read")
        return super().fetch(mode, filename, value, read)


class AnswerStore:
    """Raw answers by answer key, on disk.

    Args:
        folder: made when missing, with a note for people and for backup programs.

    Raises:
        StoreError: the folder cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._claims: Claims | None = None
        self._damaged: set[str] = set()
        # Made in two steps, so that a database that cannot be opened can still be closed.
        self._cache = diskcache.Cache.__new__(diskcache.Cache)
        try:
            prepare(folder)
            diskcache.Cache.__init__(
                self._cache,
                str(folder / FOLDER),
                disk=BytesDisk,
                eviction_policy="none",
                size_limit=_NO_LIMIT,
                cull_limit=0,
            )
        except (OSError, sqlite3.Error, ValueError) as problem:
            with suppress(AttributeError, sqlite3.Error):
                self._cache.close()
            raise StoreError(
                f"metaspace: the answers in {folder} cannot be opened ({problem}). Free the disk, "
                "repair or move the folder, or name another with --metaspace-cache-dir."
            ) from problem

    def get(self, key: str) -> Reply | None:
        """Return a stored reply; a row that is damaged warns, once, and counts as not there.

        Raises:
            StoreError: the whole database cannot be read, so that nobody knows what is stored.
        """
        entry = self.entry(key)
        return None if entry is None else entry.reply

    def entry(self, key: str) -> Entry | None:
        """Return a stored reply with what is known about it, likewise."""
        try:
            row = self._cache.get(key, retry=True)
            return None if row is None else unpack(row, key.partition(FURTHER)[0])
        except sqlite3.OperationalError as problem:
            raise StoreError(
                f"metaspace: the answers in {self.folder} cannot be read ({problem}). Repair or "
                "move the folder, or name another with --metaspace-cache-dir."
            ) from problem
        except UNREADABLE as problem:
            if key not in self._damaged:
                self._damaged.add(key)
                warn(
                    f"metaspace: the stored answer {key[:12]} is damaged ({problem}); asking again."
                )
            return None

    def put(
        self,
        key: str,
        reply: Reply,
        *,
        agent: str,
        asked: Asked | None = None,
        replace: bool = False,
    ) -> Reply:
        """Store a reply; it is on disk when this returns.

        Args:
            key: of the answer.
            reply: what came back.
            agent: the agent's identity.
            asked: what was asked, for people.
            replace: whether it takes the place of an answer that is there.

        Returns:
            The reply that counts: the one that is there already, which another run has stored
            in the meantime; then this one is kept beside it.

        Raises:
            StoreError: the disk is full or gone.
        """
        entry = Entry(key=key, agent=agent, reply=reply, asked=asked)
        try:
            return self._put(entry, replace=replace).reply
        except _UNWRITABLE as problem:
            raise StoreError(
                f"metaspace: an answer could not be stored in {self.folder} ({_told(problem)}). "
                "Nothing more is asked; answers stored so far are safe. Free the disk and run "
                "again."
            ) from problem

    def _put(self, entry: Entry, *, replace: bool) -> Entry:
        row = pack(entry)
        if replace:
            self._cache.set(entry.key, row)
            return entry
        if self._cache.add(entry.key, row):
            return entry
        there = self.entry(entry.key)
        if there is None:  # damaged
            self._cache.set(entry.key, row)
            return entry
        if (there.reply.text, there.reply.trouble) != (entry.reply.text, entry.reply.trouble):
            names = (f"{entry.key}{FURTHER}{number}" for number in itertools.count(2))
            next(name for name in names if self._cache.add(name, row))
        return there

    def put_all(self, entries: Iterable[Entry], *, replacing: Container[str] = frozenset()) -> None:
        """Store many entries: all of them, or none.

        Args:
            entries: what to store.
            replacing: keys whose entries take the place of what is there.

        Raises:
            StoreError: the disk is full or gone; nothing was stored.
        """
        try:
            with self._cache.transact():
                for entry in entries:
                    self._put(entry, replace=entry.key in replacing)
        except _UNWRITABLE as problem:
            raise StoreError(
                f"metaspace: the answers could not be stored in {self.folder} "
                f"({_told(problem)}); none of them was. Free the disk and type it again."
            ) from problem

    def forget(self, keys: Iterable[str]) -> None:
        """Delete rows by their keys: all of them, or none.

        Raises:
            StoreError: the disk is gone or may not be written.
        """
        try:
            with self._cache.transact():
                for key in keys:
                    self._cache.delete(key)
        except _UNWRITABLE as problem:
            raise StoreError(
                f"metaspace: nothing was forgotten: {self.folder} cannot be written "
                f"({_told(problem)})."
            ) from problem

    def claim(self, key: str) -> bool:
        """Tell other runs that this question is being asked; False when one of them told so."""
        if self._claims is None:
            self._claims = Claims(self.folder / FOLDER / _CLAIMS)
        return self._claims.take(key)

    def release(self, key: str) -> None:
        """Tell other runs that it is not being asked any more."""
        if self._claims is not None:
            self._claims.release(key)

    def close(self) -> None:
        """Close the database and give back all claims."""
        if self._claims is not None:
            self._claims.close()
            self._claims = None
        self._cache.close()

    def __len__(self) -> int:
        return len(self._cache)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _told(problem: Exception) -> str:
    if isinstance(problem, diskcache.Timeout):
        return "the database is locked by another program, or may not be written"
    return str(problem)


def prepare(folder: Path) -> None:
    """Make the folder, with its notes for people, for git and for backup programs."""
    folder.mkdir(parents=True, exist_ok=True)
    notes = {
        "README.md": _README,
        ".gitignore": "*\n",
        "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
    }
    for name, text in notes.items():
        if _is_torn(folder / name, text):
            (folder / name).write_text(text, encoding="utf-8")


def _is_torn(note: Path, text: str) -> bool:
    """Whether a note is missing, or is a beginning of what it was to be, as on a full disk."""
    there = note.read_bytes() if note.exists() else b""
    whole = text.encode("utf-8")
    return len(there) < len(whole) and whole.startswith(there)
