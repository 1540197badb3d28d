"""What agents score on nets and boards that look at no sheet and at no piece.

    python -m benchmarks.stare_fold_shortcuts [NUMBERS] [--drawn 400]

Of questions of yes and no, each shortcut is taken the way round that scores more. Nothing is drawn,
except for what pictures weigh and how much colour they show, which is told for the first numbers.
Prints the share of right answers by shortcut and task.
"""

from __future__ import annotations

import argparse
import io
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from PIL import Image

from pytest_metaspace.suites.stare import folding, tangram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._family import Made

    Feature = Callable[[Item, Posing], float | None]

MAKERS = {"folding": folding.make, "tangram": tangram.make}
BLOCK = 72
"""So many numbers of a seed hold each answer, with all that is drawn beside it, as often."""
WHITE = 250
"""A pixel with a part below that is coloured."""


def main() -> None:
    """Print what each shortcut scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", nargs="?", type=int, default=1080, help="of each family")
    parser.add_argument("--drawn", type=int, default=400, help="of these, how many are drawn")
    options = parser.parse_args()
    for make in MAKERS.values():
        made = numbers(make, options.numbers)
        items = items_of(made)
        _print(items, shares(items))
        if options.drawn:
            few = made[: options.drawn]
            _print(items_of(few), looked(few))


def _print(items: Sequence[Item], rows: Mapping[tuple[str, str], tuple[float, float]]) -> None:
    counts = Counter(str(item.task).partition("-")[2] for item in items)
    tasks = [task for task in counts if any(told.endswith(f"-{task}") for told, _ in rows)]
    print(f"| | {' | '.join(f'`{task}` ({counts[task]})' for task in tasks)} |")
    print(f"|---{'|---' * len(tasks)}|")
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for (told, shortcut), (share, constant) in rows.items():
        task = told.partition("-")[2]
        table["best constant answer"][task] = constant
        table[shortcut][task] = share
    for shortcut, by_task in table.items():
        cells = (f"{by_task[task]:.3f}" if task in by_task else "" for task in tasks)
        print(f"| {shortcut} | {' | '.join(cells)} |")
    print()


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
        if asked[0][1].form == "word":
            for name, feature in FEATURES.items():
                values = [feature(*one) for one in asked]
                if None not in values:
                    found[task, name] = (told_by(values, asked), constant)
        else:
            numbered = asked[0][1].options[0].startswith("square")
            places = dict(list(PLACES.items())[: len(asked[0][1].options)])
            for name, choose in {**places, **(NUMBERS if numbered else {})}.items():
                right = [choose(posing) == posing.answer for _, posing in asked]
                found[task, name] = (sum(right) / len(right), constant)
    return found


def looked(made: Sequence[Made]) -> dict[tuple[str, str], tuple[float, float]]:
    """Return what score the bytes of the first picture and of the last, and their colour."""
    found = {}
    by_task: dict[str, list[tuple[Item, Posing, list[bytes]]]] = defaultdict(list)
    for one in made:
        for _, item in one.items:
            posing = item.posings["unchanged"]
            if posing.images and posing.form == "word":
                files = (posing.images[0], posing.images[-1])
                drawn = [one.pictures[Path(path).name]() for path in dict.fromkeys(files)]
                by_task[str(item.task)].append((item, posing, drawn))
    for task, asked in by_task.items():
        pairs = [(item, posing) for item, posing, _ in asked]
        constant = _constant([posing for _, posing in pairs])
        for name, place in (("first", 0), ("last", -1)):
            if place == 0 or any(len(drawn) > 1 for *_, drawn in asked):
                sizes = [len(drawn[place]) for *_, drawn in asked]
                areas = [coloured(drawn[place]) for *_, drawn in asked]
                found[task, f"bytes of the {name} picture"] = (told_by(sizes, pairs), constant)
                found[task, f"colour in the {name} picture"] = (told_by(areas, pairs), constant)
    return found


def coloured(png: bytes) -> int:
    """Return how many pixels of a picture are not white."""
    with Image.open(io.BytesIO(png)) as image:
        least = image.convert("L").histogram()
    return sum(least[:WHITE])


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
    places = Counter(posing.options.index(str(posing.answer)) for posing in asked)
    return max(*answers.values(), *places.values()) / len(asked)


def _pieces(posing: Posing) -> list[list[str]]:
    told = posing.context.split("Piece ")[1:]
    return [[row.strip(" .") for row in piece.partition(": ")[2].split("/")] for piece in told]


def _irregular(_: Item, posing: Posing) -> float | None:
    pieces = _pieces(posing)
    return sum("-" in "".join(rows) for rows in pieces) if pieces else None


def _steps(item: Item, _: Posing) -> float | None:
    return float(item.slices["steps"]) if "steps" in item.slices else None


def _level(item: Item, _: Posing) -> float | None:
    level = item.slices.get("difficulty") or item.slices.get("board")
    return ("easy", "medium", "hard", "3x3", "4x4", "5x5").index(level) if level else None


def _named(posing: Posing) -> list[int]:
    return [int(number) for number in re.findall(r"square (\d)", posing.text)]


FEATURES: Mapping[str, Feature] = {
    "number of pictures": lambda _, posing: len(posing.images),
    "number of steps": _steps,
    "difficulty": _level,
    "length of the text": lambda _, posing: len(posing.text + posing.context),
    "total area": lambda _, posing: -missed(posing) if _pieces(posing) else None,
    "number of pieces": lambda item, _: float(item.slices.get("pieces", "0")) or None,
    "irregular pieces": _irregular,
    "sum of the numbers asked about": lambda _, posing: sum(_named(posing)) or None,
    "distance of the numbers asked about": lambda _, posing: (
        abs(_named(posing)[0] - _named(posing)[1]) if len(_named(posing)) > 1 else None
    ),
}
"""None where a question has no such thing."""


def _square(number: int) -> str:
    return f"square {number}"


PLACES: Mapping[str, Callable[[Posing], str]] = {
    f"option {letter}": lambda posing, place=place: "".join(posing.options[place : place + 1])  # type: ignore[misc]
    for place, letter in enumerate("ABCDE")
}
NUMBERS: Mapping[str, Callable[[Posing], str]] = {
    "lowest number": lambda posing: min(posing.options),
    "highest number": lambda posing: max(posing.options),
    "next number": lambda posing: _square(_named(posing)[0] % 6 + 1),
    "number that makes seven": lambda posing: _square(7 - _named(posing)[0]),
}


def missed(posing: Posing) -> int:
    """Return by how many cells the pieces of a puzzle that is told in words miss its board."""
    pieces = _pieces(posing)
    size = int(posing.context.split()[3]) if pieces else 0
    return abs(size**2 - sum(row.count("#") for rows in pieces for row in rows))


if __name__ == "__main__":
    main()
