"""The words of ``metaspace build SUITE OUT``."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_metaspace import arguments, files
from pytest_metaspace.suites.built_in import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.suites import BuildOption, Suite

_ITEMS: Final = 48
_ITEMS_MOST: Final = 100_000
_FIRST_S: Final = 2.0
"""What takes no longer says nothing of how far it is."""
_LIVE_S, _LOG_S = 0.5, 10.0
"""Between two lines about it, on a terminal and elsewhere."""


def fill(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    suites = command.add_subparsers(metavar="SUITE", required=True)
    for suite in BUILT_IN:
        if suite.build is not None:
            told = f"items of {suite.title}"
            _fill(suites.add_parser(suite.name, help=told, description=f"Write {told}."), suite)


def _fill(command: argparse.ArgumentParser, suite: Suite) -> None:
    command.add_argument(
        "folder", type=arguments.path, metavar="OUT", help="folder; made when missing"
    )
    command.add_argument(
        "--items",
        type=partial(_number, word=None, least=1, most=_ITEMS_MOST),
        default=_ITEMS,
        metavar="N",
        help=f"how many {suite.counted}; 1 to {_ITEMS_MOST:,} (default: {_ITEMS})",
    )
    arguments.add_seed(command)
    for option in suite.build_options:
        _add(command, option)
    command.set_defaults(lines=_lines, suite=suite)


def _add(command: argparse.ArgumentParser, option: BuildOption) -> None:
    told = f"{option.help} (default: {option.default})"
    if option.choices:
        command.add_argument(
            f"--{option.name}", choices=option.choices, default=option.default, help=told
        )
        return
    word = option.default if isinstance(option.default, str) else None
    command.add_argument(
        f"--{option.name}",
        type=partial(_number, word=word, least=option.least, most=option.most),
        default=option.default,
        metavar="N" if word is None else f"N|{word}",
        help=told,
    )


def _number(text: str, word: str | None, least: int, most: int | None) -> int | str:
    """Read a whole number within bounds, or a word that stands for no certain one."""
    if word is not None and text == word:
        return word
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least or (most is not None and value > most):
        upto = f"{least} or more" if most is None else f"{least} to {most:,}"
        told = f"{text}: expected {upto}" + ("" if word is None else f", or {word}")
        raise argparse.ArgumentTypeError(told)
    return value


def _lines(options: argparse.Namespace) -> tuple[list[str], int]:
    """Build; return what to print, and the exit status.

    Raises:
        UsageProblem: they cannot be written.
        KeyboardInterrupt: as it was pressed; how far it came is said.
    """
    from pytest_metaspace.suites import Order

    suite: Suite = options.suite
    assert suite.build is not None
    files.require_folder(options.folder)
    given = {one.name: getattr(options, one.name.replace("-", "_")) for one in suite.build_options}
    with _followed(options.items, at_once=suite.at_once) as progress:
        told = suite.build(
            Order(
                seed=options.seed,
                items=options.items,
                folder=options.folder,
                options=given,
                tell=progress.tell,
            )
        )
    there = shlex.quote(files.told(options.folder.resolve()))
    return [
        *told,
        f"Try: pytest --metaspace-agent=truth --metaspace-episodes=all {there}",
    ], 0


@contextmanager
def _followed(total: int, *, at_once: bool) -> Iterator[_Progress]:
    """Say how far a build is while it takes its time, and when it is stopped."""
    progress = _Progress(total)
    try:
        yield progress
    except KeyboardInterrupt:
        progress.clear()
        how = "nothing was written; type the same command to begin again"
        if not at_once:
            how = "type the same command to go on"
        _say(f"metaspace: stopped after {progress.done} of {progress.total}; {how}\n")
        raise
    progress.clear()


class _Progress:
    """How far a build is, on standard error: one line on a terminal, else a line now and then."""

    def __init__(self, total: int) -> None:
        self.done, self.total = 0, total
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + (_FIRST_S if self._live else _LOG_S)
        self._shown = False

    def tell(self, done: int, total: int) -> None:
        """Note it, and say it where it is time."""
        self.done, self.total = done, total
        now = time.monotonic()
        if now >= self._next:
            self._next = now + (_LIVE_S if self._live else _LOG_S)
            self._shown = True
            text = f"metaspace build: {done} of {total}"
            _say(f"\r\x1b[K{text}" if self._live else f"{text}\n")

    def clear(self) -> None:
        """Clear the line."""
        if self._shown and self._live:
            _say("\r\x1b[K")


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()
