"""The words of ``metaspace build SUITE OUT``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace import arguments, files
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    import argparse

_ITEMS = 48


def fill(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    command.add_argument("suite", metavar="SUITE", help="its name, as in embspatial")
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
    command.set_defaults(lines=_lines)


def _lines(options: argparse.Namespace) -> tuple[list[str], int]:
    """Build; return what to print, and the exit status.

    Raises:
        UsageProblem: there is no such suite, it has no items of ours, or they cannot be written.
    """
    from pytest_metaspace.pipeline import Registries

    suite = Registries.built_in().suites.get(options.suite)
    if suite.build is None:
        raise UsageProblem(
            f"metaspace: {suite.title} has no items of ours. Bring its own file (docs/suites.md)."
        )
    told = suite.build(options.seed, options.items, options.folder)
    there = files.told(options.folder.resolve())
    return [
        *told,
        f"Try: pytest --metaspace-agent=truth --metaspace-episodes=all {there}",
    ], 0
