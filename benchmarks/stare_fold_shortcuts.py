"""What agents score on nets and boards that look at no sheet and at no piece.

    python benchmarks/stare_fold_shortcuts.py [NUMBERS]

Each shortcut is taken the way round that scores more. Nothing is drawn, except for what pictures
weigh, which is told for the first of them. Prints the share of right answers by task and shortcut,
beside that of the best constant answer.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from pytest_metaspace.suites.stare import folding, tangram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._family import Made

    Feature = Callable[[Item, Posing], float]

MAKERS = {"folding": folding.make, "tangram": tangram.make}
BLOCK = 72
"""So many numbers of a seed hold each answer, with all that is drawn beside it, as often."""
DRAWN = 48


def main() -> None:
    """Print what each shortcut scores."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2400
    for family, make in MAKERS.items():
        made = numbers(make, count)
        rows = {**shares(items_of(made)), **weights(made[:DRAWN])}
        for (task, shortcut), (share, constant) in rows.items():
            print(f"{task:24} {shortcut:24} {share:.3f}  best constant {constant:.3f}")
        print(f"{family}: {len(made)} numbers")


def numbers(make: Callable[..., Made], count: int) -> list[Made]:
    """Return numbers of as many seeds as it takes, whole blocks of each."""
    folder = Path("pictures")
    return [make(place // BLOCK, place % BLOCK, {}, folder) for place in range(count)]


def items_of(made: Iterable[Made]) -> list[Item]:
    """Return all items of some numbers."""
    return [item for one in made for _, item in one.items]


def shares(items: Sequence[Item]) -> dict[tuple[str, str], tuple[float, float]]:
    """Return what shortcuts score, and the best constant answer, by task and shortcut."""
    by_task: dict[str, list[tuple[Item, Posing]]] = defaultdict(list)
    for item in items:
        for posing in item.posings.values():
            if posing.written:
                by_task[str(item.task)].append((item, posing))
    found = {}
    for task, asked in by_task.items():
        constant = _constant([posing for _, posing in asked])
        found[task, "first option"] = (_first(posing for _, posing in asked), constant)
        if asked[0][1].form == "word":
            for name, feature in FEATURES.items():
                found[task, name] = (told_by([feature(*one) for one in asked], asked), constant)
    return found


def weights(made: Sequence[Made]) -> dict[tuple[str, str], tuple[float, float]]:
    """Return what the bytes of the first picture score."""
    found = {}
    tasks = {str(item.task) for one in made for _, item in one.items}
    for task in sorted(tasks):
        asked, sizes = [], []
        for one in made:
            for _, item in one.items:
                posing = item.posings["unchanged"]
                if str(item.task) == task and posing.images and posing.form == "word":
                    asked.append((item, posing))
                    sizes.append(len(one.pictures[Path(posing.images[0]).name]()))
        if asked:
            constant = _constant([posing for _, posing in asked])
            found[task, "bytes of a picture"] = (told_by(sizes, asked), constant)
    return found


def told_by(values: Sequence[float], asked: Sequence[tuple[Item, Posing]]) -> float:
    """Return what scores who says yes above the middle of some numbers, or below it."""
    middle = median(values)
    right = [
        (value >= middle) == (posing.answer == "yes") for value, (_, posing) in zip(values, asked)
    ]
    share = sum(right) / len(right)
    return max(share, 1 - share)


def _constant(asked: Sequence[Posing]) -> float:
    answers = Counter(posing.answer for posing in asked)
    return max(answers.values()) / len(asked)


def _first(asked: Iterable[Posing]) -> float:
    right = [posing.answer == posing.options[0] for posing in asked]
    return sum(right) / len(right)


def _pieces(posing: Posing) -> list[list[str]]:
    told = posing.context.split("Piece ")[1:]
    return [[row.strip(" .") for row in piece.partition(": ")[2].split("/")] for piece in told]


def _irregular(_: Item, posing: Posing) -> float:
    return sum("-" in "".join(rows) for rows in _pieces(posing))


def _steps(item: Item, _: Posing) -> float:
    return float(item.slices.get("steps", "0"))


FEATURES: Mapping[str, Feature] = {
    "number of pictures": lambda _, posing: len(posing.images),
    "number of steps": _steps,
    "length of the text": lambda _, posing: len(posing.text + posing.context),
    "total area": lambda _, posing: -missed(posing),
    "number of pieces": lambda _, posing: len(_pieces(posing)),
    "irregular pieces": _irregular,
}


def missed(posing: Posing) -> int:
    """Return by how many cells the pieces of a puzzle that is told in words miss its board."""
    pieces = _pieces(posing)
    size = int(posing.context.split()[3]) if pieces else 0
    return abs(size**2 - sum(row.count("#") for rows in pieces for row in rows))


if __name__ == "__main__":
    main()
