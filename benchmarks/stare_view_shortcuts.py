"""What agents score on views and frames that look at pictures, but not at where things stand.

    python -m benchmarks.stare_view_shortcuts [--puzzles 400] [--seed 1] [perspective|temporal ...]

Pictures are drawn without smoothing, and every second pixel is read. An agent takes the option of
which something is the most, or the least; equals share. What is known without looking is learned
on half of the items and tried on the others. Prints a table.
"""

from __future__ import annotations

import argparse
import io
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from benchmarks.stare_shortcuts import blind
from benchmarks.stare_view_truth import missing
from pytest_metaspace.domain import AS_WRITTEN
from pytest_metaspace.suites.stare import _panels, perspective, temporal
from pytest_metaspace.suites.stare._panels import PALETTE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.suites.stare._family import Made

    Scores = Callable[["Looked"], Sequence[float]]

FAMILIES = {"perspective": perspective.make, "temporal": temporal.make}
_FOLDER = Path("pictures")
_EVERY = 2
_FAR = 60
"""By so much a pixel may differ, over its three parts, from the colour of a thing."""


@dataclass(frozen=True)
class Picture:
    """A picture as pixels.

    Attributes:
        pixels: height, width and three parts.
        areas: how many pixels of each colour of things it shows.
        columns: the middle column of each that it shows.
        size: bytes of its file.
    """

    pixels: npt.NDArray[np.int16]
    areas: Mapping[str, int]
    columns: Mapping[str, float]
    size: int


@dataclass(frozen=True)
class Looked:
    """The pictures of a question.

    Attributes:
        before: those before the options.
        options: those to choose from.
        true: the place of the right one.
        missing: which picture of a ride is asked for, from 0; -1 where there is no ride.
    """

    before: list[Picture]
    options: list[Picture]
    true: int
    missing: int


def picture(png: bytes) -> Picture:
    """Return a picture that was drawn."""
    with Image.open(io.BytesIO(png)) as image:
        pixels = np.asarray(image.convert("RGB"), dtype=np.int16)[::_EVERY, ::_EVERY]
    areas, columns = {}, {}
    for colour, parts in PALETTE.items():
        there = np.abs(pixels - np.array(parts, dtype=np.int16)).sum(axis=2) < _FAR
        if there.sum():
            areas[colour] = int(there.sum())
            columns[colour] = float(there.nonzero()[1].mean())
    return Picture(pixels, areas, columns, len(png))


def looked(made: Made) -> Looked:
    """Return the pictures of the item of a number, as it is written."""
    ((_, item),) = made.items
    posing = item.posings[AS_WRITTEN]
    pictures = [picture(made.pictures[path.name]()) for path in map(Path, posing.images)]
    first = len(pictures) - len(posing.options)
    true = posing.options.index(str(posing.answer))
    which = missing(posing) if len(pictures) - first == temporal.OPTIONS else -1
    return Looked(pictures[:first], pictures[first:], true, which)


def _unlike(one: Picture, other: Picture) -> float:
    if one.pixels.shape != other.pixels.shape:
        return _other_colours(one, other)
    return float(np.abs(one.pixels - other.pixels).mean())


def _other_colours(one: Picture, other: Picture) -> float:
    """Return how far the shares of colours are from each other: 0 for the same, 2 for none."""
    shares = [
        {colour: area / (sum(each.areas.values()) or 1) for colour, area in each.areas.items()}
        for each in (one, other)
    ]
    return sum(abs(shares[0].get(colour, 0) - shares[1].get(colour, 0)) for colour in PALETTE)


def _among(options: Sequence[Picture]) -> list[float]:
    return [-sum(_unlike(one, other) for other in options if other is not one) for one in options]


def _passed(one: Picture, other: Picture) -> float:
    """Return by how many columns things lie farther to the right in the first picture."""
    both = one.columns.keys() & other.columns.keys()
    return sum(one.columns[key] - other.columns[key] for key in both) / (len(both) or 1)


def _right(options: Sequence[Picture]) -> list[float]:
    return [sum(_passed(one, other) for other in options if other is not one) for one in options]


def _middle(options: Sequence[Picture]) -> list[float]:
    return [-abs(value) for value in _right(options)]


USUAL: Mapping[str, Scores] = {
    "area of things": lambda one: [sum(each.areas.values()) for each in one.options],
    "number of things": lambda one: [len(each.areas) for each in one.options],
    "brightness": lambda one: [each.pixels.mean() for each in one.options],
    "colours": lambda one: [each.pixels.std(axis=2).mean() for each in one.options],
    "bytes of the file": lambda one: [each.size for each in one.options],
    "likeness to the other options": lambda one: _among(one.options),
}
OWN: Mapping[str, Mapping[str, Scores]] = {
    "perspective": {
        "likeness to the map, by colours": lambda one: [
            -_other_colours(each, one.before[0]) for each in one.options
        ],
    },
    "temporal": {
        "things to the right of where the other options have them": lambda one: _right(one.options),
        "being the middle one of the options": lambda one: _middle(one.options),
        "likeness to all shown pictures": lambda one: [
            -sum(_unlike(each, other) for other in one.before) for each in one.options
        ],
        "likeness to the nearest shown picture": lambda one: [
            -min(_unlike(each, other) for other in one.before) for each in one.options
        ],
    },
}
"""What is looked at in a family beside that."""


def looking(family: str, seen: Iterable[Looked]) -> Iterator[tuple[str, float]]:
    """Yield agents that look, with the share of right answers."""
    rights: dict[str, list[float]] = defaultdict(list)
    for one in seen:
        for name, scores in {**USUAL, **OWN[family]}.items():
            values = [round(float(score), 6) for score in scores(one)]
            for sign, most in ((1, "most"), (-1, "least")):
                rights[f"{most} {name}"].append(_share(one.true, [sign * x for x in values]))
        if one.missing >= 0:
            right = _share(one.true, _like_beside(one))
            inside = 0 < one.missing < temporal.FRAMES - 1
            rights["most likeness to the pictures beside the missing one"].append(right)
            told = "between two" if inside else "at an end"
            rights[f"the same, of a picture missing {told}"].append(right)
    for name, found in rights.items():
        yield name, sum(found) / len(found)


def _share(true: int, values: Sequence[float]) -> float:
    best = [place for place, value in enumerate(values) if value == max(values)]
    return (true in best) / len(best)


def _like_beside(one: Looked) -> list[float]:
    """Return how much each option is like the shown pictures beside the missing one."""
    places = [place for place in (one.missing - 1, one.missing) if 0 <= place < len(one.before)]
    return [-sum(_unlike(each, one.before[place]) for place in places) for each in one.options]


def rows(family: str, seed: int, count: int) -> Iterator[tuple[str, float]]:
    """Yield all agents of a family, with the share of right answers."""
    made = [FAMILIES[family](seed, number, {}, _FOLDER) for number in range(count)]
    for name, right, total in blind(item for one in made for _, item in one.items):
        yield name, right / total
    yield from looking(family, map(looked, made))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--puzzles", type=int, default=400, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    _panels._FINER = 1  # type: ignore[misc]  # noqa: SLF001 - drawing takes most of the time
    table: dict[str, dict[str, float]] = defaultdict(dict)
    names: list[str] = options.families or list(FAMILIES)
    for family in names:
        for name, share in rows(family, options.seed, options.puzzles):
            table[name][family] = share
    print(f"| {options.puzzles} puzzles | {' | '.join(names)} |")
    print(f"|---{'|---' * len(names)}|")
    for name, shares in table.items():
        told: list[Any] = [f"{shares[one]:.3f}" if one in shares else "" for one in names]
        print(f"| {name} | {' | '.join(told)} |")


if __name__ == "__main__":
    main()
