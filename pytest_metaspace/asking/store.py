"""The store of answers: what was received is never lost, and never asked again.

``diskcache`` keeps the rows; a ``Disk`` of our own keeps them honest. Rows are bytes of JSON that
repeat their key and carry a checksum. A pickled row, which would run code when read, is refused
before it is looked at, and nothing is ever evicted.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import diskcache

from pytest_metaspace.domain import Reply
from pytest_metaspace.errors import MetaspaceError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

_SCHEMA = 1
_NO_LIMIT = 2**62
_ENCODER = json.JSONEncoder(sort_keys=True)
_READABLE = frozenset({diskcache.core.MODE_RAW, diskcache.core.MODE_BINARY})
_README = """These are answers of agents, stored by pytest-metaspace so that none is paid for twice.
last_run.jsonl is what the last run found, for metaspace explain.
Deleting the folder is safe and means asking again.
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
        # Made in two steps, so that a database that cannot be opened can still be closed.
        self._cache = diskcache.Cache.__new__(diskcache.Cache)
        try:
            prepare(folder)
            diskcache.Cache.__init__(
                self._cache,
                str(folder / "answers"),
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
        """Return a stored reply; a row that is damaged warns and counts as not there."""
        try:
            row = self._cache.get(key, retry=True)
            return None if row is None else _unpack(row, key)
        except (ValueError, KeyError, TypeError, sqlite3.Error, OSError) as problem:
            warnings.warn(
                f"metaspace: the stored answer {key[:12]} is damaged ({problem}); asking again.",
                stacklevel=2,
            )
            return None

    def put(self, key: str, reply: Reply, *, agent: str) -> None:
        """Store a reply; it is on disk when this returns.

        Raises:
            StoreError: the disk is full or gone.
        """
        try:
            self._cache.set(key, _pack(key, reply, agent), retry=True)
        except (sqlite3.Error, OSError) as problem:
            raise StoreError(
                f"metaspace: an answer could not be stored in {self.folder} ({problem}). "
                "Nothing more is asked; answers stored so far are safe. Free the disk and run "
                "again."
            ) from problem

    def close(self) -> None:
        """Close the database."""
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


def prepare(folder: Path) -> None:
    """Make the folder, with its notes for people, for git and for backup programs."""
    folder.mkdir(parents=True, exist_ok=True)
    notes = {
        "README.md": _README,
        ".gitignore": "*\n",
        "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
    }
    for name, text in notes.items():
        if not (folder / name).exists():
            (folder / name).write_text(text, encoding="utf-8")


def _pack(key: str, reply: Reply, agent: str) -> bytes:
    body: dict[str, Any] = {"schema": _SCHEMA, "key": key, "agent": agent, "raw": reply.text}
    if reply.trouble is not None:
        body["trouble"] = reply.trouble
    if reply.tokens_in or reply.tokens_out:
        body["tokens"] = [reply.tokens_in, reply.tokens_out]
    body["sum"] = _checksum(body)
    return _ENCODER.encode(body).encode("ascii")


def _unpack(row: bytes, key: str) -> Reply:
    try:
        body = json.loads(row)
    except RecursionError as problem:
        raise ValueError("it is nested too deeply") from problem
    if not isinstance(body, dict):
        raise TypeError("it is no JSON object")
    if body.pop("sum") != _checksum(body) or body["key"] != key or body["schema"] != _SCHEMA:
        raise ValueError("its checksum, key or schema does not fit")
    if not isinstance(body["raw"], str):
        raise TypeError("its answer is no text")
    tokens_in, tokens_out = body.get("tokens", (0, 0))
    return Reply(
        text=body["raw"],
        trouble=body.get("trouble"),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
    )


def _checksum(body: dict[str, Any]) -> str:
    return hashlib.sha256(_ENCODER.encode(body).encode("ascii")).hexdigest()
