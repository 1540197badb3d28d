"""What the hosts that are written in Python share: frames in, frames out, and their end.

Run by path in a child process, never imported by pytest-metaspace: importing the package would
take a host longer than starting Prolog does.
"""

from __future__ import annotations

import os
import threading
import time
import traceback
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable


def watch(parent: int) -> None:
    """End this process when its parent is gone, even from the middle of an endless case."""
    threading.Thread(target=_wait_for_end, args=(parent,), daemon=True).start()


def serve(config: dict[str, Any], start: Callable[[], Callable[[bytes], bytes]]) -> None:
    """Start the engine and answer frames until the requests end; never returns, nor raises.

    Leaving normally runs the cleanup of the engine, which can crash, or hang for ever once the
    thread that watches the parent is gone. What went wrong is written where the parent reads it.
    """
    status = 1
    try:
        _answer_frames(config, start())
        status = 0
    except BaseException:  # noqa: BLE001 - whatever it is, nobody is there to handle it
        traceback.print_exc()
    finally:
        os._exit(status)


def _answer_frames(config: dict[str, Any], check_chunk: Callable[[bytes], bytes]) -> None:
    with (
        os.fdopen(config["requests"], "rb") as requests,
        os.fdopen(config["replies"], "wb") as replies,
    ):
        while (text := _frame(requests)) is not None:
            answer = check_chunk(text)
            replies.write(b"%d\n%b" % (len(answer), answer))
            replies.flush()


def _frame(requests: BinaryIO) -> bytes | None:
    head = requests.readline()
    if not head:
        return None
    size = int(head.split()[0])
    text = requests.read(size)
    return text if len(text) == size else None


def _wait_for_end(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)
