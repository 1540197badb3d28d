"""How often agents are right about REM that look at no picture: tables of docs/suite-rem.md.

    python benchmarks/rem_shortcuts.py [--alike] [--sizes WALKS TURNS FRAMES] [--seed SEED]

Walks are those of ``metaspace build rem``, with frames, objects and duplicates in turn; ``--alike``
gives each of them 16 frames, 24 objects and 8 duplicates. All is drawn that says what is seen, and
no picture is kept. Of the first ones it is also said what the second truth of the tests has to say
against the questions, and how often relations would accuse somebody who is right if they did not
look at their conditions.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from pytest_metaspace.suites.rem import _making, _questions, _relations, _rules
from pytest_metaspace.suites.rem._choice import chosen
from pytest_metaspace.suites.rem._render import Studio
from tests.suites.rem_agents import Agent, answers, complaints, kept
from tests.suites.rem_shortcuts import figures, written

if TYPE_CHECKING:
    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites.rem._choice import Chosen
    from pytest_metaspace.suites.rem._seen import Kind, Walk

KINDS: tuple[Kind, ...] = ("walk", "rotation", "frame")
SIZES = (500, 100, 200)
"""Walks, full rotations and single frames: 400 questions of each task."""
LOOKED_AT = 40
ALIKE: dict[str, int | str] = {"frames": 16, "objects": 24, "duplicates": 8}
FOLDER = Path("nowhere")


def main() -> None:
    """Print the table."""
    options = _options()
    ordered: dict[Kind, dict[str, int | str]] = {"walk": ALIKE} if options.alike else {}
    items: list[Item] = []
    dropped: Counter[str] = Counter()
    against: list[str] = []
    naive: Counter[tuple[str, bool]] = Counter()
    with Studio() as studio, mock.patch.object(_making, "_draw"):
        for kind, count in zip(KINDS, options.sizes):
            for number in range(count):
                whole = number < LOOKED_AT
                chosen_now = chosen(kind, number, ordered.get(kind, {}))
                walk, made = _asked(studio, kind, options.seed, number, chosen_now, whole=whole)
                items += made.items
                dropped += made.dropped
                if whole:
                    against += complaints(walk, made.items)
                    naive += _naive(walk)
    _tell(items, dropped)
    print(f"\nagainst the questions: {against or 'nothing'}")
    for relation in ("REM-REVERSED", "REM-TRANSITIVE"):
        broken, fine = naive[relation, False], naive[relation, True]
        print(f"{relation} without its condition accuses in {broken} of {broken + fine} cases")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--alike", action="store_true", help="all walks have one size")
    parser.add_argument("--sizes", type=int, nargs=3, default=SIZES, help=f"default: {SIZES}")
    parser.add_argument("--seed", type=int, default=1, help="of all draws (default: 1)")
    return parser.parse_args()


def _asked(
    studio: Studio, kind: Kind, seed: int, number: int, size: Chosen, *, whole: bool
) -> tuple[Walk, _questions.Questions]:
    """Return a walk and what is asked about it; less than whole, without changed questions."""
    if whole:
        walk = _making.make(studio, FOLDER, kind, seed, number, size).walk
        return walk, _questions.questions(walk)
    with (
        mock.patch.object(_making, "_added", return_value=None),
        mock.patch.object(_questions, "relate"),
    ):
        walk = _making.make(studio, FOLDER, kind, seed, number, size).walk
        return walk, _questions.questions(walk)


def _naive(walk: Walk) -> Counter[tuple[str, bool]]:
    """Count the cases about order and sides that are kept, and broken, without conditions."""
    found: Counter[tuple[str, bool]] = Counter()
    with (
        mock.patch.object(_relations, "ends_agree", return_value=True),
        mock.patch.object(_rules, "shown_together", return_value=True),
    ):
        for item in _questions.questions(walk).items:
            wanted = {"REM-order": "REM-REVERSED", "REM-left-right": "REM-TRANSITIVE"}
            said = answers(Agent(walk), item)
            for tie in item.ties:
                if tie.relation == wanted.get(str(item.task)):
                    found[tie.relation, kept(tie, said) is not False] += 1
    return found


def _tell(items: list[Item], dropped: Counter[str]) -> None:
    """Print a line for each task, and one for each filter."""
    head: list[str] = []
    for task, posings in written(items).items():
        if len(posings) < 2:
            continue
        told = figures(posings)
        if not head:
            head = ["task", "questions", *told]
            print("| " + " | ".join(head) + " |")
            print("|" + "---|" * len(head))
        shares = (f"{share:.2f}" for share in told.values())
        print(f"| `{task}` | {len(posings)} | " + " | ".join(shares) + " |")
    print("\n| candidates left out | number |\n|---|---|")
    for reason, number in sorted(dropped.items()):
        print(f"| {reason} | {number} |")


if __name__ == "__main__":
    main()
