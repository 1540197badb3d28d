"""What `truth` scores on objects that a detector found, on all shipped trajectories.

    .venv-yolo/bin/python benchmarks/tracked_truth.py [--weights FILE.pt] [FOLDER ...]

Boxes are the detector's, and so are MR5's heights in pixels; answers are true. What MR5 does not
forgive is what the detector got wrong. Objects that are nothing real have no truth: an error.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections import Counter
from pathlib import Path

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.tracking import Following, TrackerContext

HERE = Path(__file__).resolve().parent.parent
WEIGHTS = HERE / "fixtures" / "detector" / "yolo11n-metaspace.pt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[HERE / "fixtures"])
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--confidence", type=float, default=0.6)
    options = parser.parse_args()
    registries = pipeline.Registries.built_in()
    source = registries.trackers.get("yolo").build(str(options.weights), TrackerContext(root=HERE))
    registries.following = Following(
        "yolo",
        source,
        HERE / ".metaspace_cache",
        confidence=options.confidence,
        retrack=True,
    )
    settings = dataclasses.replace(Settings(), confidence=options.confidence)
    print("| trajectories | relation | satisfied | violated | error | other | violated share |")
    print("|---|---|---|---|---|---|---|")
    counts: dict[tuple[str, str], Counter[str]] = {}
    scenarios = {one.id: one.scenario for one in pipeline.load(options.folders, registries)}
    run = pipeline.run(options.folders, "truth", settings, registries=registries)
    for verdict in run.verdicts:
        where = scenarios[verdict.case.trajectory], verdict.case.relation
        counts.setdefault(where, Counter())[verdict.outcome.value] += 1
    for (scenario, relation), count in sorted(counts.items()):
        total = sum(count.values())
        known = [count[what] for what in ("satisfied", "violated", "error")]
        decided = count["satisfied"] + count["violated"]
        share = f"{count['violated'] / decided:.2%}" if decided else "-"
        cells = " | ".join(map(str, [*known, total - sum(known)]))
        print(f"| {scenario} | {relation} | {cells} | {share} |")
    print(f"\nleft out: {dict(run.drops)}")


if __name__ == "__main__":
    main()
