"""Writes puzzles: pictures where they are missing, then ``items.json``, then how many there are.

A build that was killed goes on where it stopped when the same command is typed again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from pytest_metaspace import files
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports.terminal import plural
from pytest_metaspace.suites.building import all_there, begun, note, whole
from pytest_metaspace.suites.stare import FAMILIES, PROBES
from pytest_metaspace.suites.stare._family import PICTURES
from pytest_metaspace.suites.writing import write_items
from pytest_metaspace.trajectories.items import MAIN_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites import Order
    from pytest_metaspace.suites.stare._family import Family, Made, Options

_MODULES: Final = {"2d": "transform2d", "3d": "transform3d"}
"""The module that makes a family, where it has not the name of the family."""
_OF_CHANGES: Final = {"steps": "varied", "pictures": "all"}
"""Options of shapes and solids alone, each with its default."""
_NAME: Final = "stare"
_PACKAGE: Final = __name__.rpartition(".")[0]


def family(name: str) -> Family:
    """Return what makes a family."""
    return cast("Family", import_module(f"{_PACKAGE}.{_MODULES.get(name, name)}").make)


def puzzles(seed: int, count: int, options: Options, pictures: Path) -> Iterator[tuple[str, Made]]:
    """Yield puzzles, evenly over the families, each with its family; nothing is drawn.

    Args:
        seed: of all draws.
        count: how many numbers.
        options: those of the suite, by name.
        pictures: the folder in which pictures will lie.
    """
    chosen = str(options.get("family", "all"))
    names = FAMILIES if chosen == "all" else (chosen,)
    for place in range(count):
        name = names[place % len(names)]
        yield name, family(name)(seed, place // len(names), options, pictures)


def build(order: Order) -> list[str]:
    """Write items and their pictures; return what to say of it.

    Raises:
        UsageProblem: an option is of no use, other items are there, or they cannot be written.
    """
    _require_used(order.options)
    main = order.folder / MAIN_FILE
    finished = begun(order, _NAME)
    head = f"{files.told(main)}: "
    if finished >= order.items and whole(main, order.folder):
        told = plural(order.items, "puzzle")
        return [f"{head}{told}, seed {order.seed}: {all_there(order, finished)}"]
    count = max(order.items, finished)
    note(order, _NAME, finished)
    pictures = order.folder / PICTURES
    counted = _Counted(count)
    made = puzzles(order.seed, count, order.options, pictures)
    write_items(order.folder, _drawn(order, made, counted))
    note(order, _NAME, count)
    each = ", ".join(f"{some} of {name}" for name, some in counted.puzzles.items())
    told = f"{plural(counted.items, 'item')} of {plural(count, 'puzzle')}, {each}"
    return [
        f"{head}{told}; seed {order.seed}",
        *(f"dropped, {reason}: {some}" for reason, some in sorted(counted.dropped.items())),
    ]


def _require_used(options: Options) -> None:
    """Make sure that no option goes nowhere.

    Raises:
        UsageProblem: one does.
    """
    chosen = str(options.get("family", "all"))
    if chosen in ("all", *_MODULES):
        return
    for name, default in _OF_CHANGES.items():
        if options.get(name, default) != default:
            raise UsageProblem(
                f"metaspace: --{name} is of no use with --family {chosen}: it is of the steps that "
                "change shapes and solids. Leave it out."
            )


@dataclass
class _Counted:
    """Of how many puzzles a build is, what it made, and what its filters threw away."""

    total: int
    items: int = 0
    puzzles: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


def _drawn(
    order: Order, found: Iterable[tuple[str, Made]], counted: _Counted
) -> Iterator[tuple[str, Item]]:
    """Draw puzzles one by one and yield their items; none is kept, as there may be many."""
    pictures = order.folder / PICTURES
    for family_name, made in found:
        _draw(made, pictures)
        for name, item in made.items:
            counted.items += 1
            yield name, replace(item, probe=str(item.task).partition("-")[2] in PROBES)
        counted.puzzles[family_name] += 1
        reasons = {f"{family_name}: {reason}": some for reason, some in made.dropped.items()}
        counted.dropped.update(reasons)
        order.tell(counted.puzzles.total(), counted.total)


def _draw(made: Made, folder: Path) -> None:
    for name, drawing in made.pictures.items():
        path = folder / name
        if not path.exists():
            files.put(path, drawing())
