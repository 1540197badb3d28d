"""One engine in a child process, and what goes over its pipes.

A frame is a decimal count of bytes (in requests, a count of characters as well), a newline, and
so many bytes of UTF-8. Requests may be sent ahead of
their replies; reading and writing are interleaved, so that neither side can block the other.
The child has its own session, so that Ctrl-C does not reach it, and ends by itself when this
process is gone. Anything unexpected is a ChildLost; the owner decides what to do about it.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from pytest_metaspace.oracle import hosts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.oracle.hosts import HostName

_BLOCK: Final = 1 << 16
_LONGEST_HEAD: Final = 20
_KEPT_COMPLAINT: Final = 4000


class ChildLost(Exception):
    """The child died, took too long or sent nonsense; the text says which."""


class Child:
    """A running host of the engine.

    ``wall_limit_s`` is how long an answer may take; the first one has the start in it.
    """

    def __init__(self, host: HostName, *, wall_limit_s: float, laws: Sequence[str] = ()) -> None:
        self.host: Final = host
        self._laws = laws
        self.wall_limit_s = wall_limit_s
        self._unsent = bytearray()
        self._received = bytearray()
        self._complaint = b""
        self._answers: deque[bytes] = deque()
        self._waiting = 0
        self._lost: str | None = None
        self._since = time.monotonic()
        self._selector = selectors.DefaultSelector()
        self._start()

    def _start(self) -> None:
        child_in, self._requests = os.pipe()
        self._replies, child_out = os.pipe()
        life, self._life = os.pipe()
        theirs = (child_in, child_out, life)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own command line
                hosts.command(
                    self.host,
                    parent=os.getpid(),
                    requests=child_in,
                    replies=child_out,
                    life=life,
                    laws=self._laws,
                ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=theirs,
                env=hosts.environment(os.environ),
                start_new_session=True,
            )
        except BaseException:
            self._close_pipes()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        assert self._process.stderr is not None
        self._errors = self._process.stderr.fileno()
        for descriptor in (self._requests, self._replies, self._errors):
            os.set_blocking(descriptor, False)
        self._selector.register(self._replies, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)

    def _close_pipes(self) -> None:
        self._selector.close()
        for descriptor in (self._requests, self._replies, self._life):
            os.close(descriptor)

    @property
    def pid(self) -> int:
        """Process id of the child."""
        return self._process.pid

    def submit(self, text: str) -> None:
        """Send a request without waiting for its answer."""
        if self._waiting == 0:
            self._since = time.monotonic()
        payload = text.encode("utf-8")
        self._unsent += b"%d %d\n%b" % (len(payload), len(text), payload)
        self._waiting += 1
        if self._lost is None:
            self._exchange(0.0)

    def collect(self) -> str:
        """Wait for the oldest answer that was not collected yet.

        Raises:
            ChildLost: there will be none.
        """
        while not self._answers:
            if self._lost is not None:
                raise ChildLost(self._lost)
            left = self._since + self.wall_limit_s - time.monotonic()
            if left <= 0:
                raise ChildLost(f"took longer than {self.wall_limit_s:g} s")
            self._exchange(left)
        return self._answers.popleft().decode("utf-8", "replace")

    def ask(self, text: str) -> str:
        """Send a request and wait for its answer; nothing else may be under way."""
        self.submit(text)
        return self.collect()

    def close(self) -> None:
        """End the child, now."""
        self._close_pipes()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _exchange(self, timeout: float) -> None:
        """Write and read what can be written and read; wait so long for the first of it."""
        self._watch_requests()
        for key, _ in self._selector.select(timeout):
            if key.fd == self._requests:
                self._write()
            elif key.fd == self._replies:
                self._read()
            elif key.fd in self._selector.get_map():
                self._read_complaint()

    def _watch_requests(self) -> None:
        watched = self._requests in self._selector.get_map()
        if self._unsent and not watched:
            self._selector.register(self._requests, selectors.EVENT_WRITE)
        elif watched and not self._unsent:
            self._selector.unregister(self._requests)

    def _write(self) -> None:
        try:
            sent = os.write(self._requests, self._unsent[:_BLOCK])
        except BrokenPipeError:
            self._selector.unregister(self._requests)
            self._unsent.clear()  # the end of the replies will tell
        else:
            del self._unsent[:sent]

    def _read(self) -> None:
        data = os.read(self._replies, _BLOCK)
        if not data:
            self._lost = self._obituary()
            return
        self._received += data
        while (frame := self._frame()) is not None:
            self._answers.append(frame)
            self._waiting -= 1
            self._since = time.monotonic()

    def _frame(self) -> bytes | None:
        end = self._received.find(b"\n", 0, _LONGEST_HEAD)
        if end < 0:
            if len(self._received) >= _LONGEST_HEAD:
                self._lost = "answered nonsense"
            return None
        head = bytes(self._received[:end])
        if not head.isdigit() or self._waiting == 0:
            self._lost = "answered nonsense"
            return None
        stop = end + 1 + int(head)
        if len(self._received) < stop:
            return None
        frame = bytes(self._received[end + 1 : stop])
        del self._received[:stop]
        return frame

    def _read_complaint(self) -> None:
        data = os.read(self._errors, _BLOCK)
        if not data:
            self._selector.unregister(self._errors)
        self._complaint = (self._complaint + data)[-_KEPT_COMPLAINT:]

    def _obituary(self) -> str:
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "closed its answers"
        while self._errors in self._selector.get_map():
            if not self._selector.select(0.1):
                break
            self._read_complaint()
        how = f"exit status {status}" if status >= 0 else f"signal {-status}"
        lines = self._complaint.decode("utf-8", "replace").strip().splitlines()
        return f"ended with {how}" + (f": {lines[-1].strip()}" if lines else "")
