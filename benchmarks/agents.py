"""The tables of agents × capabilities in docs/agents.md, on all shipped trajectories.

Usage: python benchmarks/agents.py [--scenario NAME] [--sample FRACTION] [AGENT …]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tabulate import tabulate

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability, Settings
from pytest_metaspace.reports.terminal import number, share

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = ("household", "arm", "drone")
AGENTS = ("truth", "geometric", "collapsed", "random")


def main(scenario: str, agents: list[str], sample: float) -> None:
    """Print a row of scores for each agent, with the decided share, and accuracies."""
    settings = Settings(anchors=frozenset({"all"}), sample=sample)
    rows = []
    for agent in agents:
        started = time.monotonic()
        run = pipeline.run([ROOT / "fixtures" / scenario], agent, settings)
        print(f"{scenario}, {agent}: {time.monotonic() - started:.1f} s", file=sys.stderr)
        scores = {score.name: score for score in (*run.scores, *run.anchors)}
        cells = [
            f"{number(scores[name].value)} ({share(scores[name].decided_share)})"
            if name in scores
            else "n/a"
            for name in (*(code.value for code in Capability), "A1", "A2", "A3")
        ]
        rows.append([agent, *cells[:8], number(run.total), *cells[8:]])
    headers = ["agent", *(code.value for code in Capability), "total", "A1", "A2", "A3"]
    print(f"\n{scenario}, {len(run.verdicts):,} cases\n")
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenario", choices=SCENARIOS)
    parser.add_argument("--sample", type=float, default=1.0)
    parser.add_argument("agents", nargs="*", default=list(AGENTS))
    given = parser.parse_args()
    for name in [given.scenario] if given.scenario else SCENARIOS:
        main(name, given.agents, given.sample)
