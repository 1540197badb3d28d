"""Who is asking what just now, told to other runs that use the same store.

A question is claimed with a lock on one byte of an empty file: at the place that the question's
key gives. The operating system drops the locks of a process that ends, however it ends, so there
is nothing to expire and nothing to clean up.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: runs there do not know of one another
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from pathlib import Path

#  A file has room for places below 2 ** 63.
_DIGITS: Final = 15
_TAKEN: Final = frozenset({errno.EAGAIN, errno.EACCES})
#  ``struct flock`` of 64-bit Linux: type, whence, start, length, process.
_FLOCK: Final = "hhqqi4x"


class Claims:
    """Claims on questions, made by one opener of a store.

    Args:
        path: the file, made when missing. Where it cannot be made or locked, every claim is
            granted: runs then do not know of one another, and nothing else is lost.
    """

    def __init__(self, path: Path) -> None:
        self._file: int | None = None
        if fcntl is not None:
            with suppress(OSError):
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)

    def take(self, key: str) -> bool:
        """Claim a question; False when another opener of the store has it.

        Args:
            key: of the answer, hexadecimal.
        """
        try:
            self._lock(key, fcntl.F_WRLCK if fcntl else 0)
        except OSError as problem:
            return problem.errno not in _TAKEN
        return True

    def release(self, key: str) -> None:
        """Give a claim back."""
        with suppress(OSError):
            self._lock(key, fcntl.F_UNLCK if fcntl else 0)

    def close(self) -> None:
        """Give all claims back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lock(self, key: str, kind: int) -> None:
        """Lock or unlock the byte of a key.

        Linux has locks that belong to whoever opened the file. Elsewhere they belong to the
        process, which is enough among processes.
        """
        if self._file is None:
            return
        place = int(key[:_DIGITS], 16)
        if sys.platform == "linux" and sys.maxsize > 2**32:
            lock = struct.pack(_FLOCK, kind, os.SEEK_SET, place, 1, 0)
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, lock)
        else:
            how = fcntl.LOCK_UN if kind == fcntl.F_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB
            fcntl.lockf(self._file, how, 1, place, os.SEEK_SET)
