"""The engine in a Python process, through pyswip.

Run by path in a child process, never imported by pytest-metaspace: importing pyswip starts
Prolog in the process that does it. All calls are raw, with text in and text out, because
pyswip's own term interface leaks and misreads what it is given.
"""

from __future__ import annotations

import json
import runpy
import sys
from ctypes import byref, c_char_p, c_size_t, string_at
from pathlib import Path
from typing import Any


def main(argument: str) -> None:
    """Answer frames until the requests end."""
    config: dict[str, Any] = json.loads(argument)
    frames = runpy.run_path(str(Path(__file__).with_name("host_frames.py")))
    frames["watch"](config["parent"])
    sys.path[:] = config["path"]
    frames["serve"](config, lambda: _engine(config["load"]))


class _Engine:
    """The predicate check_chunk/2 as a function from bytes to bytes."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._predicate = core.PL_predicate("check_chunk", 2, "engine")
        self._give_back = core.PL_predicate("give_back", 0, "engine")
        library = core._lib  # noqa: SLF001 - PL_get_nchars has no public name there
        self._get = library.PL_get_nchars
        self._put = library.PL_put_chars
        self._flags = core.CVT_STRING | core.BUF_STACK | core.REP_UTF8

    def __call__(self, text: bytes) -> bytes:
        core = self._core
        frame = core.PL_open_foreign_frame()
        try:
            arguments = core.PL_new_term_refs(2)
            self._put(
                core.term_t(arguments),
                core.PL_STRING | core.REP_UTF8,
                c_size_t(len(text)),
                c_char_p(text),
            )
            with core.PL_STRINGS_MARK():
                called = core.PL_call_predicate(
                    None, core.PL_Q_CATCH_EXCEPTION, self._predicate, arguments
                )
                return self._text(arguments + 1) if called else b""
        finally:
            core.PL_discard_foreign_frame(frame)
            core.PL_call_predicate(None, core.PL_Q_CATCH_EXCEPTION, self._give_back, 0)

    def _text(self, term: int) -> bytes:
        size = c_size_t()
        start = c_char_p()
        if not self._get(self._core.term_t(term), byref(size), byref(start), self._flags):
            return b""
        return string_at(start, size.value)


def _engine(load: str) -> _Engine:
    import pyswip.prolog  # noqa: F401 - starts Prolog
    from pyswip import core

    goal = core.PL_new_term_ref()
    core.PL_chars_to_term(load, goal)
    if not core.PL_call(goal, None):
        raise RuntimeError("the engine could not be loaded")
    return _Engine(core)


if __name__ == "__main__":
    main(sys.argv[1])
