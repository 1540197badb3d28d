"""Accuracy of suites: beside guessing, beside one answer to everything, by slices, and paired.

Chance-normalised scores are those that REM (arXiv:2512.00736) publishes, F1 of "yes" and macro
averages those of STARE (arXiv:2506.04633). F1 is never told without the balanced
accuracy, as who says "yes" to everything has an F1 of 0.667 where labels are balanced.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Gain, Key, Outcome, Sliced, TaskAccuracy
from pytest_metaspace.scoring import _gains
from pytest_metaspace.scoring._intervals import linearised

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Interval

Marked = tuple[str, Key, Outcome]
"""The address of a case that was held against what is true, what is known, and its outcome."""
_YES_NO: Final = frozenset(("yes", "no"))
_TWO: Final = 2
_SIMULATION: Final = "simulation"


def by_task(
    marked: Iterable[Marked], intervals: Mapping[str, Interval | None] | None = None
) -> tuple[TaskAccuracy, ...]:
    """Return the accuracy on each task of which a question was answered, by name.

    Args:
        marked: cases, in any order; those without an answer count for nothing.
        intervals: of the accuracy of each task, as the score of its relation has it; None leaves
            out all intervals.
    """
    tasks: dict[str, list[Marked]] = {}
    for one in marked:
        if one[2] in (Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID):
            tasks.setdefault(one[0].rsplit("::", 3)[1], []).append(one)
    return tuple(_task(task, sorted(tasks[task], key=_place), intervals) for task in sorted(tasks))


def _place(one: Marked) -> str:
    return one[0]


def _task(
    task: str, marked: Sequence[Marked], intervals: Mapping[str, Interval | None] | None
) -> TaskAccuracy:
    keys = [key for _, key, _ in marked]
    chances = [1 / key.options for key in keys if key.options]
    often = Counter(key.answer for key in keys)
    most = min(often, key=lambda answer: (-often[answer], answer))
    yes = sum(key.answer == "yes" for key in keys)
    has_f1 = yes > 0 and all(key.answer in _YES_NO and key.options == _TWO for key in keys)
    return TaskAccuracy(
        task=task,
        questions=len(marked),
        right=_right(marked),
        interval=None if intervals is None else intervals.get(task),
        balanced=_balanced(marked) if len(chances) == len(keys) else None,
        f1=_f1(marked) if has_f1 else None,
        chance=sum(chances) / len(chances) if len(chances) == len(keys) else None,
        constant=most,
        constant_accuracy=often[most] / len(keys),
        yes_f1=2 * yes / (yes + len(keys)) if has_f1 else None,
        slices=tuple(_slices(marked, with_intervals=intervals is not None)),
        gain=_gain(marked),
        probe=all(key.probe for key in keys),
    )


def _right(marked: Iterable[Marked]) -> int:
    return sum(outcome is Outcome.SATISFIED for *_, outcome in marked)


def _balanced(marked: Iterable[Marked]) -> float:
    found: dict[str, list[bool]] = {}
    for _, key, outcome in marked:
        found.setdefault(key.answer, []).append(outcome is Outcome.SATISFIED)
    return sum(sum(some) / len(some) for some in found.values()) / len(found)


def _f1(marked: Iterable[Marked]) -> float:
    """Return the harmonic mean of precision and recall of "yes".

    Of two answers the wrong one was the other one; what could not be read was neither.
    """
    found = Counter((key.answer, outcome) for _, key, outcome in marked)
    hits = found["yes", Outcome.SATISFIED]
    missed = found["yes", Outcome.VIOLATED] + found["yes", Outcome.INVALID]
    false = found["no", Outcome.VIOLATED]
    return 2 * hits / (2 * hits + missed + false) if hits else 0.0


# --------------------------------------------------------------------------------- slices


def _slices(marked: Sequence[Marked], *, with_intervals: bool) -> Iterable[Sliced]:
    """Yield accuracy by each value of each slice; a value that all share tells nothing."""
    groups: dict[tuple[str, str], list[Marked]] = {}
    for one in marked:
        for part in one[1].slices.items():
            groups.setdefault(part, []).append(one)
    for (key, value), some in sorted(groups.items(), key=lambda one: _in_order(one[0])):
        if len(some) < len(marked):
            yield Sliced(
                key=key,
                value=value,
                questions=len(some),
                right=_right(some),
                interval=_interval(some) if with_intervals else None,
            )


def _in_order(part: tuple[str, str]) -> tuple[str, float, str]:
    """Return by what a slice is sorted: numbers by their size, and before words."""
    key, value = part
    try:
        number = float(value)
    except ValueError:
        number = math.inf
    return key, math.inf if math.isnan(number) else number, value


def _interval(marked: Iterable[Marked]) -> Interval | None:
    clusters: dict[str, list[int]] = {}
    for address, _, outcome in marked:
        counted = clusters.setdefault(address.rsplit("::", 3)[0], [0, 0])
        counted[0] += outcome is Outcome.SATISFIED
        counted[1] += 1
    return linearised(list(clusters.values()))


# ----------------------------------------------------------------------------------- gain


def _gain(marked: Iterable[Marked]) -> Gain | None:
    """Return what intermediate pictures bring to questions that were answered both ways."""
    sides: dict[str, dict[str, tuple[str, bool]]] = {}
    for address, key, outcome in marked:
        side = key.slices.get(_SIMULATION)
        if key.twin and side in ("with", "without"):
            item = address.rsplit("::", 3)[0]
            sides.setdefault(key.twin, {})[side] = item, outcome is Outcome.SATISFIED
    clusters: dict[str, Counter[_gains.Kind]] = {}
    for both in sides.values():
        if len(both) == _TWO:
            (item, seen), (_, alone) = both["with"], both["without"]
            clusters.setdefault(item, Counter())[seen, alone] += 1
    if not clusters:
        return None
    pairs: Counter[_gains.Kind] = sum(clusters.values(), Counter())
    many = sum(pairs.values())
    low, high = _gains.interval(list(clusters.values()))
    return Gain(
        pairs=many,
        with_pictures=(pairs[True, True] + pairs[True, False]) / many,
        without=(pairs[True, True] + pairs[False, True]) / many,
        low=low,
        high=high,
    )
