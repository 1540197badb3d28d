"""Who does steps wrongly in one way: how often answers are wrong, and how often they disagree.

    python -m benchmarks.stare_mutants [--puzzles 100] [--seed 1] [2d|3d ...]

A mutant does the steps of a question as it takes them, and chooses the option whose corners lie
nearest to what comes out; what is shown by another figure it reads rightly and does as wrongly.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from math import dist
from typing import TYPE_CHECKING

from benchmarks import stare_soundness as truth
from pytest_metaspace.domain import Becomes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Posing
    from pytest_metaspace.suites.stare._affine import Vector
    from pytest_metaspace.suites.stare._world import Puzzle

Steps = list[str]
Counts = dict[str, dict[str, tuple[int, int]]]
FAULTS: Mapping[str, Callable[[Steps], Steps]] = {
    "none": lambda steps: steps,
    "ignores the last step": lambda steps: steps[:-1],
    "ignores the first step": lambda steps: steps[1:],
    "does steps backwards": lambda steps: steps[::-1],
    "does not turn": lambda steps: [one for one in steps if not one.startswith(("turn", "tip"))],
    "does not move": lambda steps: [one for one in steps if not one.startswith("move")],
    "takes left for right": lambda steps: [_sides(one) for one in steps],
}
_OTHER = {
    "left": "right",
    "right": "left",
    "clockwise": "counter-clockwise",
    "counter-clockwise": "clockwise",
}


def _sides(sentence: str) -> str:
    return " ".join(_OTHER.get(word, word) for word in sentence.split(" "))


def answer(puzzle: Puzzle, posing: Posing, fault: str) -> str:
    """Return what a mutant answers to a question whose options are pictures."""
    if fault == "answers A":
        return posing.options[0]
    change = truth.parts(posing)[-1][1]
    steps = truth.told_steps(posing.context) or _shown(puzzle, change)
    points = truth.seen(truth.spatial(puzzle.asked.points), change)
    centre: Vector = truth.seen(truth.spatial([puzzle.asked.centre]), change)[0]
    for sentence in FAULTS[fault](steps):
        points, centre = truth.after(points, centre, sentence, truth.SQUARES[puzzle.world.name])
    return min(
        (sum(map(dist, points, other)), option)
        for option, other in truth.figures(puzzle, posing).items()
    )[1]


def _shown(puzzle: Puzzle, change: str | None) -> Steps:
    world = puzzle.world
    as_seen = {"mirrored": world.mirrored, "turned": world.turned}.get(change or "")
    return [world.words(as_seen(step) if as_seen else step) for step in puzzle.steps]


def table(made: Iterable[truth.Made]) -> Counts:
    """Return by mutant and relation how many cases it breaks, and of how many."""
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for puzzle, items in made:
        for _, item in items.items:
            posings = {name: one for name, one in item.posings.items() if one.images}
            for fault in (*FAULTS, "answers A"):
                told = {name: answer(puzzle, one, fault) for name, one in posings.items()}
                counts = found[fault]
                for name, posing in posings.items():
                    if posing.written:
                        counts["ACC"].append(told[name] != posing.answer)
                for tie in item.ties:
                    if told.keys() >= set(tie.posings):
                        follows = _follows(tie.givens)
                        first, second = (told[name] for name in tie.posings)
                        broken = follows.get(first, second) != second
                        counts[tie.relation.partition("-")[2]].append(broken)
    return {
        fault: {name: (sum(cases), len(cases)) for name, cases in counts.items()}
        for fault, counts in found.items()
    }


def _follows(givens: Sequence[object]) -> dict[str, str]:
    return {one.option: one.becomes for one in givens if isinstance(one, Becomes)}


def main() -> None:
    """Print a table for each family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--puzzles", type=int, default=100, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for family in options.families or truth.WORLDS:
        numbers = range(options.puzzles)
        found = table(truth.made(family, options.seed, number) for number in numbers)
        names = list(found["none"])
        print(f"| {family}: wrong or broken, % | {' | '.join(names)} |")
        print(f"|---{'|---' * len(names)}|")
        for fault, counts in found.items():
            shares = [f"{100 * counts[name][0] / counts[name][1]:.0f}" for name in names]
            print(f"| {fault} | {' | '.join(shares)} |")


if __name__ == "__main__":
    main()
