"""Looks into a store without writing: for people, and where the disk is read-only."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.asking.rows import unpack
from pytest_metaspace.asking.store import (
    DATABASE,
    FOLDER,
    FURTHER,
    UNREADABLE,
    BytesDisk,
    StoreError,
)
from pytest_metaspace.errors import warn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

    from pytest_metaspace.asking.rows import Asked, Entry
    from pytest_metaspace.domain import Reply

_COLUMNS = "SELECT key, raw, store_time, mode, filename, value FROM Cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a store as it lies there.

    Attributes:
        key: as the database has it; that of a further answer ends in ``+`` and a number.
        when: when it was stored, in seconds since 1970.
        size: in bytes.
        entry: what it says; None when it is damaged.
        damage: why it cannot be read.
    """

    key: str
    when: float
    size: int
    entry: Entry | None
    damage: str = ""


class Reader:
    """The rows of a store, read-only.

    Args:
        folder: that of the store.

    Raises:
        StoreError: there is no store, or it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._connection: sqlite3.Connection | None = None
        self._disk: Any = None
        if not self.finds(folder):
            raise StoreError(f"metaspace: there are no answers in {folder}.")
        self._opened()

    @staticmethod
    def finds(folder: Path) -> bool:
        """Whether there is a store in a folder."""
        return (folder / FOLDER / DATABASE).is_file()

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        path = (self.folder / FOLDER / DATABASE).resolve()
        problem: Exception | None = None
        #  Where not even a lock may be written, a database is readable as one that cannot change.
        for how in ("mode=ro", "mode=ro&immutable=1"):
            connection = sqlite3.connect(
                f"{path.as_uri()}?{how}", uri=True, timeout=60, check_same_thread=False
            )
            try:
                connection.execute(f"{_COLUMNS} LIMIT 1").fetchone()
            except sqlite3.Error as error:
                problem = error
                connection.close()
            else:
                self._disk = BytesDisk(str(path.parent))
                self._connection = connection
                return connection
        raise StoreError(
            f"metaspace: the answers in {self.folder} cannot be read ({problem}). Repair or move "
            "the folder."
        ) from problem

    def rows(self, prefix: str = "") -> Iterator[Row]:
        """Yield the rows whose keys begin with something, in the order of their keys."""
        begins = " WHERE substr(key, 1, ?) = ?" if prefix else ""
        found = self._opened().execute(
            f"{_COLUMNS}{begins} ORDER BY key", (len(prefix), prefix) if prefix else ()
        )
        for key, raw, when, mode, filename, value in found:
            yield self._row(key, raw, when, mode, filename, value)

    def get(self, key: str) -> Reply | None:
        """Return a stored reply; a row that is damaged warns and counts as not there."""
        found = self._opened().execute(f"{_COLUMNS} WHERE key = ? AND raw = 1", (key,)).fetchone()
        if found is None:
            return None
        row = self._row(*found)
        if row.entry is None:
            warn(
                f"metaspace: the stored answer {key[:12]} is damaged ({row.damage}); asking again."
            )
            return None
        return row.entry.reply

    def _row(
        self, key: object, raw: object, when: object, mode: Any, filename: Any, value: Any
    ) -> Row:
        name = key if isinstance(key, str) else ""
        moment = float(when) if isinstance(when, (int, float)) else 0.0
        size = 0
        try:
            if not raw or not isinstance(key, str):
                raise ValueError("its key is no text")
            row = self._disk.fetch(mode, filename, value, False)
            size = len(row)
            entry = unpack(row, name.partition(FURTHER)[0])
        except UNREADABLE as problem:
            return Row(key=name, when=moment, size=size, entry=None, damage=str(problem))
        return Row(key=name, when=moment, size=size, entry=entry)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ------------------------------------------------------------------ as a store of a run

    def put(
        self,
        key: str,
        reply: Reply,
        *,
        agent: str,
        asked: Asked | None = None,
        replace: bool = False,
    ) -> Reply:
        """Refuse: nothing is written here.

        Raises:
            StoreError: always.
        """
        del key, reply, agent, asked, replace
        raise StoreError(f"metaspace: {self.folder} may not be written")

    def claim(self, key: str) -> bool:
        """Grant every claim: there is nowhere to write one down."""
        del key
        return True

    def release(self, key: str) -> None:
        """Do nothing, likewise."""

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
