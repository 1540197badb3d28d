"""Do frames agree with moves in every trajectory that comes with the project?

Prints a line for each, and at the end how many steps were measured, and how many disagree.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from pytest_metaspace import handedness
from pytest_metaspace.trajectories import native

FIXTURES = Path(__file__).parents[1] / "fixtures"


def main() -> None:
    measured: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    problems = 0
    started = time.process_time()
    for path in sorted(FIXTURES.glob("*/*/trajectory.json")):
        trajectory = native.load(path)
        found = handedness.compared(trajectory)
        told = [*found.problems(), *handedness.contradictions(trajectory)]
        measured += found.measured
        agreed += found.agreed
        problems += len(told)
        print(f"{trajectory.id}: {found.line()}")
        for text in told:
            print(f"  {text}")
    for kind, count in sorted(measured.items()):
        print(f"{kind}: {agreed[kind]} of {count} steps agree in sign")
    print(f"{problems} warnings; {time.process_time() - started:.0f} s of one core")


if __name__ == "__main__":
    main()
