"""What agents score on puzzles of ours that do not solve them; no picture is drawn.

    python -m benchmarks.stare_shortcuts.py [--puzzles 400] [--seed 1] [FAMILY ...]

What is known of an item without looking (number of pictures and options, steps, length of its
text) is learned on half of the items and tried on the others. Of puzzles of changes there are
agents that look at the options alone.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace.domain import AS_WRITTEN
from pytest_metaspace.suites.stare import _asking, _build, _draw
from pytest_metaspace.suites.stare._affine import last, rounded
from pytest_metaspace.suites.stare._family import Made
from pytest_metaspace.suites.stare.transform2d import FLAT
from pytest_metaspace.suites.stare.transform3d import SOLID

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._world import Puzzle

_FOLDER = Path("pictures")
_WORLDS = {"2d": FLAT, "3d": SOLID}
Found = tuple[str, float, int]
"""An agent, how many answers were right, and of how many."""


def blind(items: Iterable[Item]) -> Iterator[Found]:
    """Yield agents that see no picture of items of one task, as they are written."""
    posings = [(item, item.posings[AS_WRITTEN]) for item in items]
    labels = [_label(posing) for _, posing in posings]
    for label in sorted(set(labels)):
        yield f"always {label}", labels.count(label), len(labels)
    for name, feature in _FEATURES.items():
        yield _learned(name, [feature(*one) for one in posings], labels)


def _label(posing: Posing) -> str:
    """Return the answer: its letter where options differ from item to item."""
    if posing.form == "letter":
        return "ABCDEFGHIJ"[posing.options.index(str(posing.answer))]
    return str(posing.answer)


_FEATURES: Mapping[str, Callable[[Item, Posing], Hashable]] = {
    "number of pictures": lambda _, posing: len(posing.images),
    "number of steps": lambda item, _: item.slices.get("steps"),
    "difficulty": lambda item, _: item.slices.get("difficulty"),
    "length of the text": lambda _, posing: len(posing.context + posing.text) // 20,
}


def _learned(name: str, values: Sequence[Hashable], labels: Sequence[str]) -> Found:
    """Learn the most frequent answer by value on half of the items, try it on the others."""
    half = len(labels) // 2
    pairs = list(zip(values, labels))
    right = _tried(pairs[:half], pairs[half:]) + _tried(pairs[half:], pairs[:half])
    return name, right, len(labels)


def _tried(seen: Sequence[tuple[Hashable, str]], asked: Sequence[tuple[Hashable, str]]) -> int:
    counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for value, label in seen:
        counts[value][label] += 1
    best = {value: found.most_common(1)[0][0] for value, found in counts.items()}
    return sum(best.get(value) == label for value, label in asked)


def looking(puzzles: Sequence[Puzzle]) -> Iterator[Found]:
    """Yield agents that look at options and start, but do not do the steps; ties are shared."""
    for name, score in _SCORES.items():
        scores = [score(puzzle) for puzzle in puzzles]
        for sign, most in ((1, "most"), (-1, "least")):
            right = sum(_share([sign * round(one, 6) for one in values]) for values in scores)
            yield f"{most} {name}", right, len(puzzles)


def _share(values: Sequence[float]) -> float:
    best = [place for place, value in enumerate(values) if value == max(values)]
    return (0 in best) / len(best)


def _alike(puzzle: Puzzle) -> list[float]:
    likeness = puzzle.world.likeness
    return [sum(likeness(a, b) for b in puzzle.options if b is not a) for a in puzzle.options]


def agreeing(puzzle: Puzzle) -> list[float]:
    """Return with how many others each option shares its shape or its place."""
    keys = [
        (("shape", rounded(one.linear)), ("place", rounded((one.centre,))))
        for one in puzzle.options
    ]
    counts = Counter(part for key in keys for part in key)
    return [float(sum(counts[part] for part in key)) for key in keys]


def _like_start(puzzle: Puzzle) -> list[float]:
    return [puzzle.world.likeness(puzzle.asked, one) for one in puzzle.options]


def _from_start(puzzle: Puzzle) -> list[float]:
    return [dist(puzzle.asked.centre, one.centre) for one in puzzle.options]


def _from_dot(puzzle: Puzzle) -> list[float]:
    return [dist((0,) * len(one.centre), one.centre) for one in puzzle.options]


def _from_model(puzzle: Puzzle) -> list[float]:
    end = last(puzzle.model, puzzle.steps).centre
    return [dist(end, one.centre) for one in puzzle.options]


def _size(puzzle: Puzzle) -> list[float]:
    return [puzzle.world.extent(one) for one in puzzle.options]


_SCORES: Mapping[str, Callable[[Puzzle], list[float]]] = {
    "large": _size,
    "like the other options": _alike,
    "in agreement with others on shape and place": agreeing,
    "like the start": _like_start,
    "far from the start": _from_start,
    "far from the dot": _from_dot,
    "far from the end of the model": _from_model,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--puzzles", type=int, default=400, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for family in options.families or _build.known():
        _family(family, options.seed, options.puzzles)


def _family(family: str, seed: int, count: int) -> None:
    tasks: dict[str, list[Item]] = defaultdict(list)
    puzzles: list[Puzzle] = []
    for number in range(count):
        made = Made()
        if family in _WORLDS:
            puzzles.append(_draw.puzzle(_WORLDS[family], seed, number, {}, made.dropped))
            _asking.ask(puzzles[-1], _FOLDER, made)
        else:
            made = _build.family(family)(seed, number, {}, _FOLDER)
        for _, item in made.items:
            tasks[str(item.task)].append(item)
    for task, items in sorted(tasks.items()):
        _print(task, blind(items))
    if puzzles:
        _print(f"{family}, looking at options alone", looking(puzzles))


def _print(title: str, found: Iterable[tuple[str, float, int]]) -> None:
    print(title)
    for name, right, count in found:
        print(f"  {name:<46} {right / count:.3f} of {count}")


if __name__ == "__main__":
    main()
