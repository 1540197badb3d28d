"""The words of ``metaspace import FORMAT SRC DST``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace import arguments

if TYPE_CHECKING:
    import argparse

    from pytest_metaspace.importing import Import


def fill(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    command.add_argument("format", metavar="FORMAT", help="its name, or any")
    command.add_argument("source", type=arguments.path, metavar="SRC", help="log or folder")
    command.add_argument(
        "target", type=arguments.path, metavar="DST", help="folder for the folders; made if missing"
    )
    command.add_argument(
        "--overwrite", action="store_true", help="replace folders that are there already"
    )
    arguments.add_seed(command)
    arguments.add_tracking(command)
    arguments.add_cache_dir(command)


def work_of(options: argparse.Namespace) -> Import:
    """Return what does the work, by ``fill``.

    Raises:
        UsageProblem: an option names what is not there.
    """
    from pytest_metaspace.importing import Import

    return Import(
        options.format,
        options.source,
        options.target,
        arguments.registries_of(options),
        overwrite=options.overwrite,
    )
