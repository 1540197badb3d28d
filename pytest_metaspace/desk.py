"""Where workers of xdist have questions answered: one process asks, whatever ``-n`` is.

Bytes of JSON over ``multiprocessing.connection``; never its pickles, which would run code.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import sys
import tempfile
import threading
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

_MOST_BYTES = 64 << 20
_LONGEST_PATH = 90
_PATIENCE_S = 5.0
_LOOK_S = 1.0
_GONE = (OSError, EOFError, AuthenticationError)


class Desk:
    """Answers the requests of other processes, in a thread of its own.

    What arrives while the agent is busy is answered in one round after that, so an agent is never
    asked by two threads, and one that is async is asked concurrently.

    Args:
        answer: turns requests into replies; both are JSON-simple.
        close: called in the same thread when all is done.

    Attributes:
        address: for ``Caller``.
        key: what a caller proves to have.
    """

    def __init__(
        self, answer: Callable[[list[Any]], list[Any]], close: Callable[[], None] = lambda: None
    ) -> None:
        self.key = os.urandom(32)
        self._answer = answer
        self._close = close
        self._folder = None if sys.platform == "win32" else _short_folder()
        where = None if self._folder is None else str(self._folder / "ask")
        self._listener = Listener(where, backlog=64)
        self.address = str(self._listener.address)
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._closing = False
        self._threads = [
            threading.Thread(target=work, name=f"metaspace-{work.__name__}", daemon=True)
            for work in (self._receive, self._work)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Take no more requests, finish the round under way, and leave nothing behind."""
        self._closing = True
        self._requests.put(None)
        with suppress(*_GONE):
            Client(self.address).close()  # wakes the thread that waits for callers
        for thread in self._threads:
            thread.join(_PATIENCE_S)  # an agent that never returns holds up nobody
        self._listener.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _receive(self) -> None:
        while not self._closing:
            with suppress(OSError):
                connection = self._listener.accept()
                serve = threading.Thread(target=self._serve, args=(connection,), daemon=True)
                serve.start()

    def _serve(self, connection: Connection) -> None:
        """Hand on what one caller asks, until it is gone; its death harms nobody."""
        with connection, suppress(*_GONE, ValueError, TypeError, RecursionError):
            deliver_challenge(connection, self.key)
            answer_challenge(connection, self.key)
            while not self._closing:
                request = _Request(json.loads(connection.recv_bytes(_MOST_BYTES)))
                self._requests.put(request)
                while not request.done.wait(_LOOK_S):
                    if not self._threads[1].is_alive():
                        return  # it came too late
                connection.send_bytes(json.dumps(request.reply).encode("ascii"))

    def _work(self) -> None:
        while (first := self._requests.get()) is not None:
            batch = [first]
            while not self._requests.empty():
                another = self._requests.get()
                if another is None:
                    self._requests.put(None)  # after this round
                    break
                batch.append(another)
            self._answered(batch)
        self._close()

    def _answered(self, batch: list[_Request]) -> None:
        asked = [one for request in batch for one in request.content]
        try:
            replies = self._answer(asked)
        except Exception as problem:  # noqa: BLE001 - told to the test that asked
            told = f"{type(problem).__name__}: {problem}"
            replies = [{"raw": None, "error": told, "trouble": ""} for _ in asked]
        for request in batch:
            count = len(request.content)
            request.reply, replies = replies[:count], replies[count:]
            request.done.set()


class _Request:
    """What one caller asks at once, and what it is told."""

    def __init__(self, content: list[Any]) -> None:
        self.content = list(content)
        self.reply: list[Any] = []
        self.done = threading.Event()


def _short_folder() -> Path:
    """Make a folder that only we can read; the name of a socket must be short."""
    folder = Path(tempfile.mkdtemp(prefix="metaspace-"))
    if len(str(folder)) <= _LONGEST_PATH:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="metaspace-", dir="/tmp"))


class Caller:
    """In a worker: has questions answered by the process that asks.

    Args:
        address: of its desk.
        key: the desk's.
    """

    def __init__(self, address: str, key: bytes) -> None:
        self._address = address
        self._key = key
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    def ask(self, requests: list[Any]) -> list[Any]:
        """Return the reply to each request.

        Raises:
            AgentError: the desk is gone.
        """
        with self._lock:
            try:
                return self._asked(requests)
            except _GONE as problem:
                self.close()
                raise AgentError(
                    "metaspace: the process that asks the agent cannot be reached "
                    f"({problem or type(problem).__name__}). Run again with -n 0; workers on "
                    "another machine cannot ask."
                ) from problem
            except BaseException:
                self.close()  # a reply that nobody waited for would be taken for the next one
                raise

    def _asked(self, requests: list[Any]) -> list[Any]:
        if self._connection is None:
            self._connection = Client(self._address, authkey=self._key)
        self._connection.send_bytes(json.dumps(requests).encode("ascii"))
        replies: list[Any] = json.loads(self._connection.recv_bytes())
        return replies

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
