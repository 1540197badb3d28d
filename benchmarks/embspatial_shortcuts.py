"""How often agents that solve nothing are right about EmbSpatial items: a table of its page.

    python benchmarks/embspatial_shortcuts.py [ITEMS SEED]

Items are those of ``metaspace build embspatial``, 400 of each task unless told otherwise; nothing
is drawn. Below stands how often what is higher or looks bigger is farther, and what filters threw
away.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from pytest_metaspace.suites.embspatial import _asking, _build
from tests.suites.embspatial_shortcuts import by_row, figures

ITEMS = 2400


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    dropped: Counter[str] = Counter()
    with mock.patch.object(_asking, "picture", return_value=""):
        records = [_asking.item(seed, number, dropped) for number in range(count)]
    rows = by_row(records)
    found = {name: figures(some) for name, some in rows.items()}
    print("| agent | " + " | ".join(f"{name} ({len(rows[name])})" for name in rows) + " |")
    print("|---|" + "---|" * len(rows))
    for agent in dict.fromkeys(agent for told in found.values() for agent in told):
        shares = (f"{told[agent]:.2f}" if agent in told else "" for told in found.values())
        print(f"| {agent} | " + " | ".join(shares) + " |")
    for what, pairs in (
        ("higher", _build.heights(records)),
        ("smaller", _build.sizes(records)),
    ):
        farther, nearer = pairs
        print(f"\nthe {what} one is farther in {farther} pairs and nearer in {nearer}")
    print("\n| dropped | number |\n|---|---|")
    for reason, number in sorted(dropped.items()):
        print(f"| {reason} | {number} |")


if __name__ == "__main__":
    main()
