"""How the time per case grows with the number of cases: it should not.

    python benchmarks/growth.py [--walks 1 6 59] [--rounds 1]

Cached answers, half of the cases violated. What a run of one single case takes is taken off
first; the rest, by the number of cases, must not be more than 20 % over that of the smallest run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate
from workload import measured, walks

CLAIM = 1.2
ONE = "(SC1-a and MR2)"


def main() -> int:
    """Measure, print the table, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, nargs="+", default=[1, 6, 59], help="1,688 cases each")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for count in options.walks:
            project = Path(name) / str(count)
            walks.project(project, count)
            first = measured.ours(project)
            rounds = range(max(options.rounds, 3 if first.cases < 5000 else 1))
            run = measured.least([measured.ours(project) for _ in rounds])
            if not rows:
                few = [measured.ours(project, "-m", ONE) for _ in rounds]
                start = measured.least(few)
            each = (run.cpu_s - start.cpu_s) / (run.cases - start.cases)
            memory = (run.peak_mb - start.peak_mb) * 1024 / run.cases
            base = rows[0][2] if rows else each
            rows.append([run.cases, run.cpu_s, each, memory, each / base])
            print(f"{run.cases} cases: {run.cpu_s:.1f} s", file=sys.stderr)
    told = [
        [cases, f"{cpu:.1f}", f"{1e6 * each:.0f}", f"{memory:.1f}", f"{ratio:.2f}"]
        for cases, cpu, each, memory, ratio in rows
    ]
    headers = ["cases", "CPU s", "µs a case", "KB a case", "ratio"]
    print(tabulate(told, headers=headers, disable_numparse=True, tablefmt="github"))
    return int(any(row[-1] > CLAIM for row in rows))


if __name__ == "__main__":
    sys.exit(main())
