"""Accuracy on suites as tables: beside guessing and one answer to everything, by slices, paired."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import mean_of_tasks
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import columns
from pytest_metaspace.reports.terminal import between, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_metaspace.domain import Run, TaskAccuracy

_INTERVAL: Final = "95 % interval"
HEADERS: Final = (
    "task",
    "asked",
    "accuracy",
    _INTERVAL,
    "balanced",
    "F1",
    "chance",
    "constant",
    "normalised",
)
"""Of the table, a row for each task."""
SLICE_HEADERS: Final = ("task", "slice", "asked", "accuracy", _INTERVAL)
NOTES: Final = (
    "constant: the one answer that is right most often, given to everything",
    "normalised: (accuracy - chance) / (1 - chance), 0 for who guesses and 1 for who knows",
)
_BROKEN: Final = {"balanced": "bal-\nanced", "normalised": "norma-\nlised"}
_LONGEST: Final = 40


def lines(run: Run, *, verbose: bool, width: int) -> Iterator[str]:
    """Yield the table for a terminal, and by slices when verbose; nothing without suites."""
    if not run.accuracy:
        return
    yield from ("", "accuracy on suites, beside guessing:")
    yield from columns.table(*_fitting(list(rows(run)), width), left=[0, HEADERS.index("accuracy")])
    yield from (*NOTES, *notes(run))
    found = list(slices(run))
    if verbose and found:
        yield from ("", "accuracy by what tells items apart:")
        yield from columns.table(SLICE_HEADERS, found, left=[0, 1])


def _fitting(cells: list[list[str]], width: int) -> tuple[list[str], list[list[str]]]:
    """Return headers and rows that fit a terminal, if any do: intervals stand in the table above.

    Long names of columns have two lines where that makes room.
    """
    at = HEADERS.index(_INTERVAL)
    heads = [name for name in HEADERS if name != _INTERVAL]
    with_intervals = [
        [*row[: at - 1], f"{row[at - 1]} ({row[at]})" if row[at] else row[at - 1], *row[at + 1 :]]
        for row in cells
    ]
    without = [[*row[:at], *row[at + 1 :]] for row in cells]
    if columns.width(heads, with_intervals) <= width:
        return heads, with_intervals
    short = [_BROKEN.get(name, name) for name in heads]
    return (heads if columns.width(heads, without) <= width else short), without


def rows(run: Run) -> Iterator[list[str]]:
    """Yield the cells of each task, and of each suite its macro average."""
    for suite, found in groupby(run.accuracy, key=lambda one: one.suite):
        tasks = list(found)
        yield from map(_row, tasks)
        own = [task for task in tasks if not task.probe]
        if len(own) > 1:
            total = str(sum(task.questions for task in own))
            yield [f"{suite} mean of tasks", total, number(mean_of_tasks(tasks)), *[""] * 6]


def _row(task: TaskAccuracy) -> list[str]:
    constant = f"{number(task.constant_accuracy)} {one_line(task.constant, _LONGEST)}"
    return [
        task.task,
        str(task.questions),
        number(task.accuracy),
        between(task.interval),
        _known(task.balanced),
        _known(task.f1),
        _known(task.chance),
        constant,
        _known(task.normalised),
    ]


def notes(run: Run) -> Iterator[str]:
    """Yield sentences on what numbers alone do not tell."""
    for suite, found in groupby(run.accuracy, key=lambda one: one.suite):
        tasks = list(found)
        yield from _beaten(tasks)
        if any(task.f1 is not None for task in tasks):
            always = {task.task: task.yes_f1 for task in tasks if task.yes_f1 is not None}
            told = ", ".join(f"{number(value)} on {name}" for name, value in always.items())
            yield f'{suite}: F1 is of "yes"; who always says yes has {told}'
            mixed = number(mean_of_tasks(tasks, of_f1=True))
            yield f"{suite}: with F1 for tasks of yes or no the mean of tasks is {mixed}"
        yield from (line for task in tasks for line in gains(task))


def _beaten(tasks: Iterable[TaskAccuracy]) -> Iterator[str]:
    names = [
        task.task for task in tasks if task.accuracy <= task.constant_accuracy and task.accuracy < 1
    ]
    if names:
        yield f"no better than one answer to everything: {', '.join(names)}"


def gains(task: TaskAccuracy) -> Iterator[str]:
    """Yield what intermediate pictures bring to a task, where that is known."""
    gain = task.gain
    if gain is not None:
        pairs = "1 pair" if gain.pairs == 1 else f"{gain.pairs} pairs"
        yield (
            f"{task.task}: {number(gain.with_pictures)} with intermediate pictures, "
            f"{number(gain.without)} without: {gain.difference:+.3f} "
            f"({gain.low:+.2f} to {gain.high:+.2f}) over {pairs}"
        )


def slices(run: Run) -> Iterator[list[str]]:
    """Yield the cells of each task and value of a slice."""
    for task in run.accuracy:
        for part in task.slices:
            named = f"{one_line(part.key, _LONGEST)} {one_line(part.value, _LONGEST)}"
            cells = [str(part.questions), number(part.accuracy), between(part.interval)]
            yield [task.task, named, *cells]


def _known(value: float | None) -> str:
    return "" if value is None else number(value)
