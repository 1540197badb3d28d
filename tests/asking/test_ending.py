"""SIGTERM while a run asks is Ctrl-C, and nothing else at any other time."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking.ending import as_ctrl_c

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(autouse=True)
def _as_a_process_starts() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, before)


def terminated() -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    for _ in range(1000):
        pass


def test_it_is_ctrl_c_and_what_it_did_comes_back() -> None:
    with pytest.raises(KeyboardInterrupt), as_ctrl_c():
        terminated()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_it_goes_the_way_of_whoever_handles_ctrl_c() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        with as_ctrl_c():
            terminated()
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]


def test_where_ctrl_c_is_ignored_it_ends_the_run_all_the_same() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt), as_ctrl_c():
            terminated()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_somebody_else_stays() -> None:
    seen: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: seen.append(number))
    with as_ctrl_c():
        terminated()
    assert seen == [signal.SIGTERM]


def test_in_another_thread_nothing_is_touched() -> None:
    found: list[object] = []

    def look() -> None:
        with as_ctrl_c():
            found.append(signal.getsignal(signal.SIGTERM))

    run: Callable[[], None] = look
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL]
