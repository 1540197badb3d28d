"""The words of ``metaspace review``: label violations of the last run; how many are right."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import arguments

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pytest_metaspace.reviewing import Review


def fill(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    command.add_argument(
        "--number",
        type=arguments.count,
        default=100,
        metavar="N",
        help="how many to look at, 200 at most; more have the fewer among them (default: 100)",
    )
    command.add_argument(
        "--file",
        type=arguments.path,
        default=Path("metaspace-review.jsonl"),
        metavar="FILE",
        help="where labels are kept, to be edited too (default: metaspace-review.jsonl)",
    )
    arguments.add_cache_dir(command)
    command.set_defaults(lines=_review)


def _review(options: argparse.Namespace) -> Iterator[str]:
    from pytest_metaspace import reviewing

    review = reviewing.Review(options.file, options.cache_dir, options.number)
    review.write()
    yield from _told(review, options.file, options.number)


def _told(review: Review, file: Path, number: int) -> Iterator[str]:
    from pytest_metaspace import reviewing

    if number > reviewing.MOST:
        yield f"a run keeps {reviewing.MOST} violations to be reviewed, so {number} are not there"
    yield (
        f"{len(review.labels)} of {review.violations} violations of the last run, drawn by its "
        f"seed; labels are kept in {file}"
    )
    if sys.stdin is not None and sys.stdin.isatty():
        try:
            yield from reviewing.asked(review, input)
        except KeyboardInterrupt:
            yield "\nstopped; what was labelled is kept"
        yield ""
    yield from reviewing.result(review)
    if any(not label.label for label in review.labels.values()):
        yield (
            f'to label: metaspace review at a terminal, or write "true" or "false alarm" as label '
            f"into {file}; metaspace explain CASE shows a case in full"
        )
