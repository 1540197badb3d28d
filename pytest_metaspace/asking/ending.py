"""How a run is ended from outside while it asks: SIGTERM, as a CI that cancels sends it, is Ctrl-C.

By itself it would end the process on the spot, and nobody would say what is stored and how to go
on.
"""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def as_ctrl_c() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does; afterwards it does again what it did.

    Only in the main thread, where signals arrive, and only where nobody else handles it.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end(_number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C does now: the loop that asks has a handler of its own for it."""
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        handler(signal.SIGINT, frame)
    else:  # a run in the background may ignore Ctrl-C
        raise KeyboardInterrupt
