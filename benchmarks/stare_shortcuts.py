"""What agents score on puzzles of ours that do not solve them; no picture is drawn.

    python -m benchmarks.stare_shortcuts [--puzzles 960] [--seed 1] [FAMILY ...]

What is known of an item without looking (number of pictures and options, steps, length of its
text) is learned on half of the items and tried on the others. Of puzzles of changes there are
agents that look at the options alone, where equals share, and every puzzle is asked in all probes.
Of the last intermediate picture, which only some tasks show, it is told below the table.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from functools import cache
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import AS_WRITTEN
from pytest_metaspace.suites.stare import FAMILIES, _asking, _build, _draw
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
    for name, score in _NAMES.items():
        yield name, sum(_chosen(posing, score) for _, posing in posings), len(labels)
    for name, feature in _FEATURES.items():
        yield _learned(name, [feature(*one) for one in posings], labels)


def _chosen(posing: Posing, score: Callable[[int, str], Any]) -> float:
    """Return how much of the answer is hit by the option of the least score; equals share."""
    scores = {option: score(*one) for one in enumerate(posing.options) for option in one[1:]}
    best = [option for option, one in scores.items() if one == min(scores.values())]
    return (posing.answer in best) / len(best)


_NAMES: Mapping[str, Callable[[int, str], Any]] = {
    "the first option": lambda place, _: place,
    "the first by the alphabet": lambda _, option: option,
    "the longest": lambda _, option: -len(option),
    "the shortest": lambda _, option: len(option),
}
"""What is chosen by the names of options: the one of the least score."""


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
    for name in SCORES:
        scores = [_scored(puzzle, name) for puzzle in puzzles]
        for sign, most in ((1, "most"), (-1, "least")):
            right = sum(_share([sign * round(one, 6) for one in values]) for values in scores)
            yield f"{most} {name}", right, len(puzzles)


@cache
def _scored(puzzle: Puzzle, name: str) -> list[float]:
    return SCORES[name](puzzle)


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


def _high(puzzle: Puzzle) -> list[float]:
    return [one.centre[1] for one in puzzle.options]


def _from_model(puzzle: Puzzle) -> list[float]:
    end = last(puzzle.model, puzzle.steps).centre
    return [dist(end, one.centre) for one in puzzle.options]


def _size(puzzle: Puzzle) -> list[float]:
    return [puzzle.world.extent(one) for one in puzzle.options]


SCORES: Mapping[str, Callable[[Puzzle], list[float]]] = {
    "large": _size,
    "high in the picture": _high,
    "like the other options": _alike,
    "in agreement with others on shape and place": agreeing,
    "like the start": _like_start,
    "far from the start": _from_start,
    "far from the dot": _from_dot,
    "far from the end of the model": _from_model,
}


def like_before(puzzle: Puzzle) -> list[float]:
    """Return how like the last intermediate picture each option is; of one step there is none."""
    if len(puzzle.steps) == 1:
        return [0.0] * len(puzzle.options)
    before = last(puzzle.asked, puzzle.steps[:-1])
    return [round(puzzle.world.likeness(before, one), 6) for one in puzzle.options]


def next_to_last(puzzles: Iterable[Puzzle]) -> Iterator[Found]:
    """Yield what scores who takes what is most or least like the last intermediate picture.

    One step is left from there, so it is a cue where intermediate pictures are shown.
    """
    scores = [like_before(puzzle) for puzzle in puzzles if len(puzzle.steps) > 1]
    for sign, most in ((1, "most"), (-1, "least")):
        right = sum(_share([sign * one for one in values]) for values in scores)
        yield f"{most} like the last intermediate picture", right, len(scores)


def main() -> None:
    """Print a table for each family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--puzzles", type=int, default=960, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for family in options.families or FAMILIES:
        found, drawn = _family(family, options.seed, options.puzzles)
        _print(found)
        print()
        for name, right, count in next_to_last(drawn) if drawn else ():
            print(f"{name}: {right / count:.3f} of {count} puzzles of two and three steps")


def _family(family: str, seed: int, count: int) -> tuple[dict[str, list[Found]], list[Puzzle]]:
    """Return what each agent scores, by task, and the puzzles, where they are of changes."""
    drawn: list[Puzzle] = []
    tasks: dict[str, list[Item]] = defaultdict(list)
    puzzles: dict[str, list[Puzzle]] = defaultdict(list)
    for number in range(count):
        made = Made()
        if family in _WORLDS:
            puzzle = _draw.puzzle(_WORLDS[family], seed, number, {}, made.dropped)
            _asking.ask(puzzle, _FOLDER, made, every=True)
            drawn.append(puzzle)
            for _, item in made.items:
                puzzles[str(item.task)].append(puzzle)
        else:
            made = _build.family(family)(seed, number, {}, _FOLDER)
        for _, item in made.items:
            tasks[str(item.task)].append(item)
    scores = {
        task: [*blind(items), *(looking(puzzles[task]) if task in puzzles else ())]
        for task, items in sorted(tasks.items())
    }
    return scores, drawn


def _print(found: Mapping[str, Sequence[Found]]) -> None:
    """Print a row for each agent, and how far the best one is above the best constant answer."""
    rows = {
        task: {name: right / count for name, right, count in one} for task, one in found.items()
    }
    agents = dict.fromkeys(name for one in rows.values() for name in one)
    print(f"| which answer | {' | '.join(task.partition('-')[2] for task in found)} |")
    print(f"|---{'|---' * len(found)}|")
    print(f"| of items | {' | '.join(str(one[0][2]) for one in found.values())} |")
    for name in agents:
        told = (f"{one[name]:.3f}" if name in one else "" for one in rows.values())
        print(f"| {name} | {' | '.join(told)} |")
    print(f"| most above the best constant answer | {' | '.join(map(_above, rows.values()))} |")


def _above(shares: Mapping[str, float]) -> str:
    constant = max(share for name, share in shares.items() if name.startswith("always"))
    return f"{max(shares.values()) - constant:.3f}"


if __name__ == "__main__":
    main()
