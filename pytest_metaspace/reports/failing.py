"""What a run says of questions that came to no value: how many, in which way, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace import failures
from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Run

HEADERS = ("case is", "question", "questions", "share", "next step")
_OTHER = "the reason below is the agent's"


def lines(run: Run) -> Iterator[str]:
    """Yield a row for each kind of failure that occurred; nothing where none did."""
    from tabulate import tabulate

    if not run.failures:
        return
    yield from tabulate(
        rows(run),
        headers=HEADERS,
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", "left", "right", "right", "left"),
    ).splitlines()
    yield total(run)


def rows(run: Run) -> list[list[str]]:
    """Return the cells of each kind of failure, as ``HEADERS`` names them."""
    return [
        [
            failures.outcome_of(name).value,
            one_line(name, 40),
            str(run.failures[name]),
            percent(run.failures[name], run.questions),
            failures.KINDS[name].next_step if name in failures.KINDS else _OTHER,
        ]
        for name in failures.ordered(run.failures)
    ]


def total(run: Run) -> str:
    """Return how many questions came to no value, in a sentence."""
    failed = sum(run.failures.values())
    return (
        f"{failed} of {run.questions} distinct questions came to no value "
        f"({percent(failed, run.questions)}); no such question is ever a violation"
    )


def percent(count: int, whole: int) -> str:
    """Return a share in percent with a digit after the point, or n/a."""
    return f"{100 * count / whole:.1f} %" if whole else "n/a"
