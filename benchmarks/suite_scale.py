"""Time and memory of planning many items of suites: python benchmarks/suite_scale.py.

Five thousand items with six ways of putting each, read and planned in a process of their own
(docs/suites.md). For the file of EmbSpatial-Bench see embspatial_scale.py.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ITEMS: Final = 5000
_PROBE: Final = """
import resource, sys, time
from pathlib import Path
from pytest_metaspace import pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.questions import distinct
from pytest_metaspace.registries import Registries
from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._episodes import Choice

registries = Registries.built_in()
registries.choice = Choice(["all"])
registries.reading = Reading(frames=Path(sys.argv[2]))
start = time.process_time()
paths = pipeline.find([Path(sys.argv[1])], registries)
listed = time.process_time()
cases, asked, plain = 0, 0, 0
for path in paths:
    plan = pipeline.plan(registries.load(path), registries, Settings())
    cases += len(plan.cases)
    asked += len(distinct(plan.cases))
    plain += sum(case.relation.endswith("-ACC") for case in plan.cases)
end = time.process_time()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(len(paths), listed - start, end - listed, cases, asked, plain, peak)
"""


def main() -> None:
    """Write the files, plan each in a process of its own, print the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    from tabulate import tabulate

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [_planned(_ours(folder / "ours"), folder / "frames")]
    heads = ["items", "listing s", "planning s", "cases", "questions", "without", "MB"]
    print(tabulate(rows, heads, floatfmt=".1f"))
    print("\nwithout: questions that accuracy alone asks; CPU seconds; peak memory of the process")


def _planned(path: Path, frames: Path) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, str(path), str(frames)],
        check=True,
        capture_output=True,
        text=True,
    )
    return [float(word) for word in done.stdout.split()]


def _ours(folder: Path) -> Path:
    """Write items whose pictures are shared, as those of one place are."""
    from PIL import Image

    from pytest_metaspace.domain import AS_WRITTEN, Capability, Item, Posing
    from pytest_metaspace.suites import ties
    from pytest_metaspace.suites.writing import write_items

    folder.mkdir()
    picture = folder / "one.png"
    Image.new("RGB", (320, 220), (200, 190, 180)).save(picture)
    options = ("image 2", "image 3", "image 4", "image 5")

    def item(number: int) -> Item:
        names = [f"way {place}" for place in range(6)]
        posings = {
            name: Posing(
                text=f"Question {number}, {name}?",
                options=options,
                images=(picture,) * 5,
                answer=options[number % 4],
                written=name == AS_WRITTEN,
            )
            for name in (AS_WRITTEN, *names)
        }
        same = {one: one for one in options}
        return Item(
            task=Capability.of_suite("STARE", "perspective"),
            posings=posings,
            ties=tuple(ties.mapped("STARE-ORDER", AS_WRITTEN, name, same) for name in names),
        )

    return write_items(folder, ((f"item-{number}", item(number)) for number in range(ITEMS)))


if __name__ == "__main__":
    main()
