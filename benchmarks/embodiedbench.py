"""How long a large dataset of EmbodiedBench takes to list, and to read an episode of; and memory.

Run: python -m benchmarks.embodiedbench [MEGABYTES]
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import psutil

from pytest_metaspace.trajectories import _dataset
from tests.trajectories.writers import embodiedbench_datasets as writer

_PROMPT = "## You are a robot operating in a home. " * 400


def main(megabytes: int) -> None:
    """Print what it takes."""
    process = psutil.Process()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "eb-nav_dataset_single_step.json"
        count = _write(path, megabytes << 20)
        before = process.memory_info().rss
        start = time.process_time()
        index = _dataset.index_of(path)
        walked = time.process_time() - start
        grown = process.memory_info().rss - before
        start = time.process_time()
        for place in range(0, count, max(count // 20, 1)):
            index.read(place)
        read = time.process_time() - start
        size = path.stat().st_size >> 20
    print(f"{size} MB, {count} episodes: listed in {walked:.2f} s CPU, memory grew by", end=" ")
    print(f"{grown >> 20} MB; 20 episodes read in {read:.3f} s CPU")


def _write(path: Path, size: int) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            episode = writer.navigation(episode=count, plans=[(0, 4, 1)] * 6) | {"input": _PROMPT}
            for entry in episode["trajectory"]:
                entry["reasoning_and_reflection"] = 'I see the "pot" to my left. ' * 60
            file.write(",\n" if count else "[\n")
            json.dump(episode, file)
            count += 1
        file.write("]\n")
    return count


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
