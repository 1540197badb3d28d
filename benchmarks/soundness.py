"""Whether the relations ever accuse an agent that answers from the truth.

    python -m fixtures.generate --paper /tmp/paper
    python benchmarks/soundness.py /tmp/paper

Asks `truth` everything on every trajectory in a folder of scenarios, and prints per relation and
scenario how many verdicts are violations, of how many decided. Exits with 1 where anything but
MR5 is violated, where MR5 is in more than 0.1 % of a scenario's decided cases, or where a case
is invalid or in error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tabulate import tabulate

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Outcome, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
MOST_OF_MR5 = 0.001
SHOWN = 20
"""Violations printed, at most."""

Counts = Counter[tuple[str, str]]
"""How many verdicts there are, by relation and outcome."""


def main() -> int:
    """Judge everything, print the table, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=FIXTURES,
        help="Holds a folder for each scenario; without one, what ships is judged",
    )
    parser.add_argument("--relation", action="append", default=[], help="Only this one")
    parser.add_argument(
        "--sample", type=float, default=1.0, help="Share of the cases to judge; of MR5 always all"
    )
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    found = sorted(options.folder.glob("*/*/trajectory.json"))
    paths = [path for path in found if path.parent.suffix != ".partial"]
    if not paths:
        parser.error(f"{options.folder} holds no SCENARIO/NAME/trajectory.json")
    totals: dict[str, Counts] = defaultdict(Counter)
    sizes: Counter[str] = Counter()
    began = time.monotonic()
    shared = [(frozenset(options.relation), options.sample)] * len(paths)
    wrong: list[str] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for path, (counts, odd) in zip(paths, pool.map(judged, paths, shared)):
            scenario = path.parents[1].name
            totals[scenario] += counts
            sizes[scenario] += 1
            wrong += odd
            print(f"{sizes.total()}/{len(paths)} {path.parent.name}", file=sys.stderr)
    print(table(totals, sizes))
    print(f"{time.monotonic() - began:.0f} s, {sum(map(Counter.total, totals.values()))} cases")
    print("\n".join(wrong[:SHOWN]))
    return int(not accepted(totals))


def judged(path: Path, chosen: tuple[frozenset[str], float]) -> tuple[Counts, list[str]]:
    """Return the verdicts on one trajectory, counted, and which cases went wrong and how."""
    relations, sample = chosen
    known = relations or frozenset(
        relation.name for relation in pipeline.Registries.built_in().relations
    )
    parts = {1.0: known} if sample == 1 else {sample: known - {"MR5"}, 1.0: known & {"MR5"}}
    verdicts = [
        found
        for share, names in parts.items()
        if names
        for found in pipeline.run([path], "truth", Settings(relations=names, sample=share)).verdicts
    ]
    counts = Counter((found.case.relation, found.outcome.value) for found in verdicts)
    fine = (Outcome.SATISFIED, Outcome.INCONCLUSIVE)
    wrong = [f"{v.case.address}: {v.outcome.value}" for v in verdicts if v.outcome not in fine]
    return counts, wrong


def table(totals: Mapping[str, Counts], sizes: Mapping[str, int]) -> str:
    """Return violations of decided cases, a row for each relation."""
    names = sorted({relation for counts in totals.values() for relation, _ in counts})
    rows = [[name, *(_cell(totals[scenario], name) for scenario in totals)] for name in names]
    headers = ["relation", *(f"{scenario} ({sizes[scenario]})" for scenario in totals)]
    return tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True)


def _cell(counts: Counts, name: str) -> str:
    violated, decided = _violated(counts, name)
    odd = counts[name, "invalid"] + counts[name, "error"]
    share = f" ({100 * violated / decided:.3f} %)" if violated else ""
    return f"{violated} of {decided}{share}" + (f", {odd} unread" if odd else "")


def _violated(counts: Counts, name: str) -> tuple[int, int]:
    violated = counts[name, "violated"]
    return violated, violated + counts[name, "satisfied"]


def accepted(totals: Mapping[str, Counts]) -> bool:
    """Say whether no accusation is one too many."""
    for counts in totals.values():
        for name in {relation for relation, _ in counts}:
            violated, decided = _violated(counts, name)
            most = MOST_OF_MR5 * decided if name == "MR5" else 0
            if violated > most or counts[name, "invalid"] + counts[name, "error"]:
                return False
    return True


if __name__ == "__main__":
    sys.exit(main())
