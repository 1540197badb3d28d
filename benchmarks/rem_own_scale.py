"""How long as many walks as REM has take to be read and planned, and how much memory.

    python benchmarks/rem_own_scale.py [WALKS] [FOLDER]

The walks are written by the helper of the tests into FOLDER, where they are not there yet; their
pictures are tiny, as none but the first one of each is opened.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.questions import distinct
from pytest_metaspace.registries import Registries
from tests.suites import rem_own

WALKS = 3119
_FRAMES = (2, 4, 8, 16, 24, 32, 64)
_OBJECTS = (8, 16, 24, 36, 48)
_ASKED = (5, 5, 8, 5, 5)


def write(folder: Path, walks: int) -> None:
    """Write so many walks with as many questions as those of REM have at most."""
    for number in range(walks):
        run = folder / f"{number + 1:04d}-run"
        if (run / "scene_config.json").exists():
            continue
        scene = rem_own.by_chance(
            number, frames=_FRAMES[number % 7], objects=_OBJECTS[number % 5], kinds=8
        )
        asked = {
            name: rows[:most]
            for (name, rows), most in zip(rem_own.questions(scene).items(), _ASKED)
        }
        rem_own.write(run, scene, asked)


def measure(folder: Path) -> None:
    """Read and plan all walks, and print what it took."""
    registries = Registries.built_in()
    before, used = _megabytes(), time.process_time()
    start = time.perf_counter()
    files = pipeline.find([folder], registries)
    found = time.perf_counter()
    walks = [registries.load(path) for path in files]
    loaded = time.perf_counter()
    tasks = frozenset(
        one.value for walk in walks for one in (item.task for item in walk.items.values())
    )
    settings = Settings(capabilities=tasks)
    plans = [pipeline.plan(walk, registries, settings) for walk in walks]
    planned = time.perf_counter()
    cases = [case for plan in plans for case in plan.cases]
    written = sum(
        posing.written
        for walk in walks
        for item in walk.items.values()
        for posing in item.posings.values()
    )
    pictures = sum(len(walk.states) for walk in walks)
    print(f"{len(walks):,} walks, {pictures:,} pictures, {written:,} questions as written")
    print(f"{len(cases):,} cases, {len(distinct(cases)):,} distinct questions with the relations")
    print(f"{time.process_time() - used:.1f} s of processor time for what follows")
    print(f"found in {found - start:.1f} s, read in {loaded - found:.1f} s")
    print(f"planned in {planned - loaded:.1f} s")
    print(f"{_megabytes() - before:.0f} MB of memory for all of it")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    walks = int(sys.argv[1]) if len(sys.argv) > 1 else WALKS
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(made)
        write(folder, walks)
        os.sync()
        measure(folder)


if __name__ == "__main__":
    main()
