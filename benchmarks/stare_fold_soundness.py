"""Truth of nets, boards, views and frames, worked out anew; then each tie held against it.

    python -m benchmarks.stare_fold_soundness [--numbers 200] [--seed 1] [FAMILY ...]

What a question shows is read from what its pictures are drawn of, and what it tells from its words;
the answer has to be the only right one, in every way in which an item is put.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.stare_fold_truth import of_folding, of_tangram
from benchmarks.stare_view_truth import of_perspective, of_temporal
from pytest_metaspace.suites.stare import folding, perspective, tangram, temporal
from tests.suites import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_metaspace.suites.stare._family import Made

MAKERS = {
    "folding": folding.make,
    "tangram": tangram.make,
    "perspective": perspective.make,
    "temporal": temporal.make,
}
TRUTHS: dict[str, Callable[[Made], Iterator[tuple[str, str]]]] = {
    "folding": of_folding,
    "tangram": of_tangram,
    "perspective": of_perspective,
    "temporal": of_temporal,
}
_FOLDER = Path("pictures")


def made(family: str, seed: int, number: int) -> Made:
    """Return the items of a number; nothing is drawn."""
    return MAKERS[family](seed, number, {}, _FOLDER)


def wrong(family: str, one: Made) -> Iterator[tuple[str, str]]:
    """Yield what does not hold of the items of a number, each with its id."""
    yield from TRUTHS[family](one)
    for name, item in one.items:
        for tie in held.broken(item, held.truth):
            yield name, f"the true answers break {tie.relation}"


def main() -> None:
    """Print what does not hold, and how much was looked at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--numbers", type=int, default=200, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for family in options.families or MAKERS:
        counts: Counter[str] = Counter()
        bad = 0
        for number in range(options.numbers):
            one = made(family, options.seed, number)
            for name, problem in wrong(family, one):
                bad += 1
                print(f"{name}: {problem}")
            for _, item in one.items:
                counts["items"] += 1
                counts["questions"] += len(item.posings)
                counts["ties"] += len(item.ties)
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{family}, {options.numbers} numbers: {bad} wrong; {told}")


if __name__ == "__main__":
    main()
