"""The words of ``metaspace sensitivity`` and ``metaspace review``.

metaspace sensitivity PATH …   how much scores hang on tolerances and on the confidence of boxes
metaspace review               label violations of the last run; how many of them are right
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace import arguments
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from pytest_metaspace.reviewing import Review

_NOT_ASKED: Final = frozenset(
    {"timeout", "tries", "max-calls", "max-tokens", "budget", "concurrency", "rate", "price"}
)


def fill_sensitivity(command: argparse.ArgumentParser) -> None:
    """Say what ``metaspace sensitivity`` takes."""
    arguments.add_selection(command)
    command.add_argument("--agent", required=True, metavar="NAME", help="whose answers")
    command.add_argument(
        "--samples",
        "--metaspace-samples",
        type=arguments.count,
        default=1,
        metavar="N",
        help="how often each question was put (default: 1)",
    )
    arguments.add_tolerances(command)
    arguments.add_model(command, without=_NOT_ASKED)
    arguments.add_cache_dir(command)
    command.set_defaults(lines=_sensitivity, parser=command)


def _sensitivity(options: argparse.Namespace) -> tuple[Iterable[str], bool]:
    from pytest_metaspace import last_run, pipeline, sensitivity
    from pytest_metaspace.asking.reading import Reader

    registries = pipeline.Registries.built_in()
    models = arguments.models_of(options, asks=False)
    agent = registries.agent(options.agent, Path.cwd(), models)
    folder = last_run.cache_folder(options.cache_dir)
    if agent.identity is not None and not Reader.finds(folder):
        raise UsageProblem(
            f"metaspace: there are no stored answers in {folder}, and this command asks nobody. "
            "Name the folder with --cache-dir, or record them first:  pytest "
            f"--metaspace-agent={options.agent}"
        )
    settings = arguments.settings_of(options)

    def lines() -> Iterator[str]:
        yield from arguments.unread(options, options.parser)
        with ExitStack() as opened:
            store = None if agent.identity is None else opened.enter_context(Reader(folder))
            study = sensitivity.Study(options.paths, registries, agent, store)
            yield from sensitivity.lines(study, options.agent, settings)

    return lines(), False


def fill_review(command: argparse.ArgumentParser) -> None:
    """Say what ``metaspace review`` takes."""
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


def _review(options: argparse.Namespace) -> tuple[Iterable[str], bool]:
    from pytest_metaspace import reviewing

    review = reviewing.Review(options.file, options.cache_dir, options.number)
    review.write()
    return _told(review, options.file), False


def _told(review: Review, file: Path) -> Iterator[str]:
    from pytest_metaspace import reviewing

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
