"""Writes a file of the benchmark's form with items of ours, and what its filters threw away."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from pytest_metaspace import files
from pytest_metaspace.reports.terminal import plural
from pytest_metaspace.suites.building import all_there, begun, dropped_before, note
from pytest_metaspace.suites.embspatial import DEPTHS, MAIN_FILE, TASKS
from pytest_metaspace.suites.embspatial._asking import item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.suites import Order

_NAME = "embspatial"


def build(order: Order) -> list[str]:
    """Write items into a file of the benchmark's form; return what to say of it.

    Raises:
        UsageProblem: the folder holds something else, or cannot be written.
    """
    path = order.folder / MAIN_FILE
    finished = begun(order, _NAME, MAIN_FILE)
    if finished >= order.items and _reads(path):
        head = f"{files.told(path)}: {_said(order.items)}, seed {order.seed}"
        return [f"{head}: {all_there(order, finished)}", *_dropped(dropped_before(order))]
    count = max(order.items, finished)
    records = []
    dropped: Counter[str] = Counter()
    for number in range(count):
        records.append(item(order.seed, number, dropped))
        order.tell(number + 1, count)
    note(order, _NAME, finished)
    written = (json.dumps(one, ensure_ascii=True) for one in records)
    files.put(path, "[\n" + ",\n".join(written) + "\n]\n")
    note(order, _NAME, count, dropped)
    farther, nearer = heights(records)
    far, near = sizes(records)
    return [
        f"{files.told(path)}: {_said(count)}, seed {order.seed}",
        (
            f"depths, the true object and another: the higher one is farther in {farther} pairs, "
            f"nearer in {nearer}; the smaller one is farther in {far}, nearer in {near}"
        ),
        *_dropped(dropped),
    ]


def _said(count: int) -> str:
    return f"{plural(count, 'item')} of {plural(min(count, len(TASKS)), 'relation')}"


def _dropped(dropped: Mapping[str, int]) -> Iterator[str]:
    for reason, count in sorted(dropped.items()):
        yield f"  dropped {reason} ({count})"


def _reads(path: Path) -> bool:
    try:
        return isinstance(json.loads(path.read_bytes()), list)
    except (OSError, ValueError, RecursionError):
        return False


def heights(records: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """Return in how many pairs the higher object is farther, and in how many nearer.

    Pairs are the true object of a question of depth and each other one.
    """
    return _agreeing(records, lambda bbox: bbox[1] + bbox[3] / 2)


def sizes(records: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """Return in how many such pairs the object that looks smaller is farther, and how many not."""
    return _agreeing(records, lambda bbox: bbox[2])


def _agreeing(
    records: Sequence[dict[str, Any]], less: Callable[[Sequence[float]], float]
) -> tuple[int, int]:
    """Return in how many pairs the object that has less of something is farther, and nearer."""
    farther = nearer = 0
    for one in records:
        if one["relation"] in DEPTHS:
            found = [less(thing["bbox"]) for thing in one["objects"]]
            true = found[one["answer"]]
            fewer = sum(other < true for other in found)
            more = len(found) - 1 - fewer
            agreeing = fewer if one["relation"] == "close" else more
            farther += agreeing
            nearer += len(found) - 1 - agreeing
    return farther, nearer
