"""Whether the truth of EmbSpatial items of ours holds: in their pictures and in all relations.

    python benchmarks/embspatial_soundness.py [SEEDS ITEMS]

For each of 200 seeds 12 items are built, two of each task. A second truth finds objects and feet
by the colours of pixels and has to come to the same answer; then `truth` is asked everything, as
written and changed, and may be wrong nowhere and break no relation. Exits with 1 otherwise.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.registries import Registries
from pytest_metaspace.suites.embspatial import MAIN_FILE
from pytest_metaspace.suites.embspatial._asking import item
from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._episodes import Choice
from tests.suites.embspatial_seen import complaints

SEEDS, ITEMS = 200, 12


def main() -> int:
    """Print what does not hold, and how much was looked at; return the exit status."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    items = int(sys.argv[2]) if len(sys.argv) > 2 else ITEMS
    against = 0
    verdicts: Counter[tuple[str, str]] = Counter()
    for seed in range(1, seeds + 1):
        records = [item(seed, number) for number in range(items)]
        for one in records:
            for problem in complaints(one):
                against += 1
                print(f"{one['question_id']}: {problem}")
        verdicts += judged(records)
    print(f"{seeds} seeds, {seeds * items} items: the picture says otherwise of {against}")
    for relation in sorted({relation for relation, _ in verdicts}):
        counts = {outcome: n for (name, outcome), n in verdicts.items() if name == relation}
        print(f"{relation}: {', '.join(f'{n} {outcome}' for outcome, n in counts.items())}")
    return int(bool(against) or any(outcome != "satisfied" for _, outcome in verdicts))


def judged(records: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """Return what is said of the answers of `truth`, by relation and outcome."""
    known = Registries.built_in()
    known.choice = Choice(["all"])
    with tempfile.TemporaryDirectory() as folder:
        known.reading = Reading(frames=Path(folder, "frames"))
        path = Path(folder, MAIN_FILE)
        path.write_text(json.dumps(records))
        found = pipeline.run([path], "truth", Settings(), registries=known).verdicts
    return Counter((one.case.relation, one.outcome.value) for one in found)


if __name__ == "__main__":
    sys.exit(main())
