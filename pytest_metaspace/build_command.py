"""The words of ``metaspace build SUITE OUT``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_metaspace import arguments, files
from pytest_metaspace.suites.built_in import BUILT_IN

if TYPE_CHECKING:
    import argparse

    from pytest_metaspace.suites import BuildOption, Suite

_ITEMS = 48


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
        type=arguments.count,
        default=_ITEMS,
        metavar="N",
        help=f"how many items (default: {_ITEMS})",
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
        type=partial(_number, word=word),
        default=option.default,
        metavar="N" if word is None else f"N|{word}",
        help=told,
    )


def _number(text: str, word: str | None) -> int | str:
    """Read a whole number from 0 on, or a word that stands for no certain one."""
    return word if word is not None and text == word else arguments.whole(text)


def _lines(options: argparse.Namespace) -> tuple[list[str], int]:
    """Build; return what to print, and the exit status.

    Raises:
        UsageProblem: they cannot be written.
    """
    from pytest_metaspace.suites import Order

    suite: Suite = options.suite
    assert suite.build is not None
    given = {one.name: getattr(options, one.name.replace("-", "_")) for one in suite.build_options}
    told = suite.build(
        Order(seed=options.seed, items=options.items, folder=options.folder, options=given)
    )
    there = files.told(options.folder.resolve())
    return [
        *told,
        f"Try: pytest --metaspace-agent=truth --metaspace-episodes=all {there}",
    ], 0
