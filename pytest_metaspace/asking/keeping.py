"""The store as a run uses it: one that goes on where nothing can be written.

What is stored is read; what cannot be stored goes to a spare file. A database that is there and
cannot be read is refused: going on without it would mean paying for its answers again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.asking.reading import Reader
from pytest_metaspace.asking.rows import Entry
from pytest_metaspace.asking.store import DATABASE, FOLDER, AnswerStore, StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.asking.rows import Asked
    from pytest_metaspace.asking.spare import Spare
    from pytest_metaspace.domain import Reply


class Keeper:
    """A store of answers, and a spare for those that it cannot take.

    Args:
        folder: of the store.
        spare: that of the run.

    Raises:
        StoreError: there are answers in the folder, and they cannot be read.
    """

    def __init__(self, folder: Path, spare: Spare) -> None:
        self._spare = spare
        self._inner: AnswerStore | Reader | None = None
        self._reason = ""
        try:
            self._inner = AnswerStore(folder)
        except StoreError as problem:
            self._reason = _brief(problem)
            if (folder / FOLDER / DATABASE).exists():
                self._inner = _read_only(folder, problem)

    def get(self, key: str) -> Reply | None:
        """Return a stored reply.

        Raises:
            StoreError: there are answers in the folder, and they cannot be read any more.
        """
        spared = self._spare.get(key)
        if spared is not None:
            return spared.reply
        if self._inner is None:
            return None
        try:
            return self._inner.get(key)
        except StoreError as problem:
            if isinstance(self._inner, Reader):
                raise
            self._inner.close()
            self._inner = _read_only(self._inner.folder, problem)
            self._reason = _brief(problem)
            return self._inner.get(key)

    def put(
        self,
        key: str,
        reply: Reply,
        *,
        agent: str,
        asked: Asked | None = None,
        replace: bool = False,
    ) -> Reply:
        """Store a reply, or give it to the spare; return the one that counts.

        Raises:
            MetaspaceError: neither takes it.
        """
        reason = self._reason
        if self._inner is not None:
            try:
                return self._inner.put(key, reply, agent=agent, asked=asked, replace=replace)
            except StoreError as problem:
                reason = reason or _brief(problem)
        self._spare.put(Entry(key=key, agent=agent, reply=reply, asked=asked), reason)
        return reply

    def claim(self, key: str) -> bool:
        """Tell other runs that this question is being asked; False when one of them told so."""
        return self._inner is None or self._inner.claim(key)

    def release(self, key: str) -> None:
        """Tell other runs that it is not being asked any more."""
        if self._inner is not None:
            self._inner.release(key)

    def close(self) -> None:
        """Close the store."""
        if self._inner is not None:
            self._inner.close()


def _read_only(folder: Path, problem: StoreError) -> Reader:
    try:
        return Reader(folder)
    except StoreError:
        raise problem from problem.__cause__


def _brief(problem: StoreError) -> str:
    return str(problem.__cause__ or problem)
