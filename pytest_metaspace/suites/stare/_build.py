"""Writes puzzles: pictures where they are missing, then ``items.json``, then how many there are.

A build that was killed goes on where it stopped when the same command is typed again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, cast

from pytest_metaspace import files
from pytest_metaspace.reports.terminal import plural
from pytest_metaspace.suites.building import begun, note, whole
from pytest_metaspace.suites.stare import PROBES
from pytest_metaspace.suites.stare._family import PICTURES
from pytest_metaspace.suites.writing import write_items
from pytest_metaspace.trajectories.items import MAIN_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.suites import Order
    from pytest_metaspace.suites.stare._family import Family, Made, Options

FAMILIES: Final = {
    "2d": "transform2d:make",
    "3d": "transform3d:make",
    "folding": "folding:make",
    "tangram": "tangram:make",
    "perspective": "perspective:make",
    "temporal": "temporal:make",
}
"""What makes each family: a module beside this one, and a function in it."""
_NAME: Final = "stare"
_PACKAGE: Final = __name__.rpartition(".")[0]


def known() -> dict[str, str]:
    """Return the families that are there."""
    return {
        name: where
        for name, where in FAMILIES.items()
        if find_spec(f"{_PACKAGE}.{where.partition(':')[0]}") is not None
    }


def family(name: str) -> Family:
    """Return what makes a family."""
    module, _, function = FAMILIES[name].partition(":")
    return cast("Family", getattr(import_module(f"{_PACKAGE}.{module}"), function))


def puzzles(seed: int, count: int, options: Options, pictures: Path) -> Iterator[tuple[str, Made]]:
    """Yield puzzles, evenly over the families, each with its family; nothing is drawn.

    Args:
        seed: of all draws.
        count: how many numbers.
        options: those of the suite, by name.
        pictures: the folder in which pictures will lie.
    """
    chosen = str(options.get("family", "all"))
    names = list(known()) if chosen == "all" else [chosen]
    for place in range(count):
        name = names[place % len(names)]
        yield name, family(name)(seed, place // len(names), options, pictures)


def build(order: Order) -> list[str]:
    """Write items and their pictures; return what to say of it.

    Raises:
        UsageProblem: other items are there, or they cannot be written.
    """
    main = order.folder / MAIN_FILE
    finished = begun(order, _NAME)
    head = f"{files.told(main)}: "
    if finished >= order.items and whole(main, order.folder):
        told = plural(finished, "puzzle")
        return [f"{head}{told}, seed {order.seed}: all are there already"]
    count = max(order.items, finished)
    note(order, _NAME, finished)
    pictures = order.folder / PICTURES
    items = []
    dropped: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for name, made in puzzles(order.seed, count, order.options, pictures):
        _draw(made, pictures)
        items += [
            (name, replace(item, probe=str(item.task).partition("-")[2] in PROBES))
            for name, item in made.items
        ]
        numbers[name] += 1
        dropped.update({f"{name}: {reason}": some for reason, some in made.dropped.items()})
        order.tell(numbers.total(), count)
    write_items(order.folder, items)
    note(order, _NAME, count)
    each = ", ".join(f"{some} of {name}" for name, some in numbers.items())
    told = f"{plural(len(items), 'item')} of {plural(count, 'puzzle')}, {each}; seed {order.seed}"
    return [
        f"{head}{told}",
        *(f"dropped, {reason}: {some}" for reason, some in sorted(dropped.items())),
    ]


def _draw(made: Made, folder: Path) -> None:
    for name, drawing in made.pictures.items():
        path = folder / name
        if not path.exists():
            files.put(path, drawing())
