"""How far a run is, shown on the terminal where there is one and it takes its time."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from pytest_metaspace.options import verbosity_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


class Progress:
    """Says how far the work is once it takes longer than two seconds.

    Args:
        write: takes text for the terminal; None keeps quiet.
        live: whether a line can be written over; otherwise a new one comes every ten seconds.
    """

    def __init__(self, write: Callable[[str], None] | None, *, live: bool = True) -> None:
        self._write = write
        self._live = live
        self._next = time.monotonic() + 2
        self._shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Say how far it is, now and then."""
        if self._write is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (0.5 if self._live else 10)
        text = f"metaspace: {what} {done} of {total}"
        self._write(f"\r{text.ljust(60)}" if self._live else f"{text}\n")
        self._shown = True

    def close(self) -> None:
        """Clear the line."""
        if self._shown and self._live and self._write is not None:
            self._write("\r".ljust(61) + "\r")


def progress_on(config: pytest.Config) -> Progress:
    """Return the progress display of a run; a quiet run (``-q``) or no terminal has none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or verbosity_of(config) < 0:
        return Progress(None)

    manager: Any = config.pluginmanager.get_plugin("capturemanager")

    def write(text: str) -> None:
        with nullcontext() if manager is None else manager.global_and_fixture_disabled():
            reporter.write(text, flush=True)

    return Progress(write, live=reporter.isatty)
