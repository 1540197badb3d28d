"""What logs that mean harm take to be refused: seconds and memory of each.

Usage: python -m benchmarks.hostile [PATTERN ...]   (names with *, as in 'lerobot*'; default: all)

Each is a file or a few that a test writes (tests/trajectories/hostile.py), read as ``metaspace
check`` reads it, in one process. The bounds stand in docs/logs.md.
"""

from __future__ import annotations

import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

from tabulate import tabulate

from tests.trajectories import bounded, hostile


def main(patterns: list[str]) -> None:
    """Print a table, the largest first, and whether the bounds hold."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        jobs = hostile.written(root, dear=True, wanted=lambda name: _wanted(name, patterns))
        done = bounded.read_all(jobs, root)
        rows = [
            (name, one.cpu_s, one.peak_mb, (one.crash or one.told).replace(folder, "")[:70])
            for name, one in sorted(done.items(), key=lambda item: -item[1].peak_mb)
        ]
    print(tabulate(rows, headers=["log", "CPU s", "peak MB", "told"]))
    over = [one for one in done.values() if one.cpu_s > bounded.CPU_S]
    over += [one for one in done.values() if one.peak_mb > bounded.MEMORY_MB or one.crash]
    print(
        f"{len(done)} logs, {len(over)} beyond {bounded.CPU_S:g} s and {bounded.MEMORY_MB} MB; "
        f"at most {max(one.cpu_s for one in done.values()):g} s and "
        f"{max(one.peak_mb for one in done.values()):g} MB"
    )


def _wanted(name: str, patterns: list[str]) -> bool:
    return not patterns or any(fnmatch(name, pattern) for pattern in patterns)


if __name__ == "__main__":
    main(sys.argv[1:])
