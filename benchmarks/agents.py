"""The table of agents × capabilities in docs/agents.md, on all shipped trajectories.

Usage: python benchmarks/agents.py [AGENT …]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tabulate import tabulate

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability, Settings
from pytest_metaspace.reports.terminal import number, share

ROOT = Path(__file__).resolve().parent.parent
AGENTS = (
    "truth",
    "geometric",
    *(
        f"mutant:{fault}:truth"
        for fault in (
            "yes-sayer",
            "frame-locked",
            "off-by-one",
            "mirrored",
            "constant",
            "collapsed",
            "random",
        )
    ),
)


def main(agents: list[str]) -> None:
    """Print a row of scores for each agent, with the decided share where it is not all."""
    rows = []
    for agent in agents or AGENTS:
        started = time.monotonic()
        run = pipeline.run([ROOT / "fixtures" / "household"], agent, Settings())
        print(f"{agent}: {time.monotonic() - started:.1f} s", file=sys.stderr)
        cells = [f"{number(s.value)} ({share(s.decided_share)})" for s in run.scores]
        rows.append([agent, *cells, number(run.total)])
    headers = ["agent", *(code.value for code in Capability), "total"]
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main(sys.argv[1:])
