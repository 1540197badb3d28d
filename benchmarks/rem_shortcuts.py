"""How often agents are right about REM that look at no picture: a table of docs/suite-rem.md.

    python benchmarks/rem_shortcuts.py [WALKS TURNS FRAMES SEED]

Walks are those of ``metaspace build rem``: all is drawn that says what is seen, and no picture is
kept. Says also what the second truth of the tests has to say against the questions, and how often
relations would accuse somebody who is right if they did not look at their conditions.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, cast
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from pytest_metaspace.suites.rem import _making, _relations, _rules
from pytest_metaspace.suites.rem._choice import chosen
from pytest_metaspace.suites.rem._questions import questions
from pytest_metaspace.suites.rem._render import Studio
from tests.suites.rem_agents import Agent, answers, complaints, kept
from tests.suites.rem_shortcuts import figures, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites.rem._seen import Kind, Walk

SIZES = (400, 80, 80)
FOLDER = Path("nowhere")


def main() -> None:
    """Print the table."""
    sizes = tuple(map(int, sys.argv[1:4])) or SIZES
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    items: list[Item] = []
    dropped: Counter[str] = Counter()
    against: list[str] = []
    naive: Counter[tuple[str, bool]] = Counter()
    with Studio() as studio, mock.patch.object(_making, "_draw"):
        for kind, count in zip(("walk", "rotation", "frame"), sizes):
            for walk in _walks(studio, cast("Kind", kind), count, seed):
                made = questions(walk)
                items += made.items
                dropped += made.dropped
                against += complaints(walk, made.items)
                naive += _naive(walk)
    _tell(items, dropped)
    print(f"\nagainst the questions: {against or 'nothing'}")
    for relation in ("REM-REVERSED", "REM-TRANSITIVE"):
        broken, whole = naive[relation, False], naive[relation, True]
        print(f"{relation} without its condition accuses in {broken} of {broken + whole} cases")


def _walks(studio: Studio, kind: Kind, count: int, seed: int) -> Iterator[Walk]:
    """Yield walks; a thing more for every fourth, as that takes the most time."""
    for number in range(count):
        with mock.patch.object(_making, "_added", _making._added if number % 4 == 0 else _none):  # noqa: SLF001
            yield _making.make(studio, FOLDER, kind, seed, number, chosen(kind, number, {})).walk


def _none(*_: object) -> None:
    return None


def _naive(walk: Walk) -> Counter[tuple[str, bool]]:
    """Count the cases about order and sides that are kept, and broken, without conditions."""
    found: Counter[tuple[str, bool]] = Counter()
    with (
        mock.patch.object(_relations, "ends_agree", return_value=True),
        mock.patch.object(_rules, "shown_together", return_value=True),
    ):
        for item in questions(walk).items:
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
