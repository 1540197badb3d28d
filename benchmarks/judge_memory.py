"""Whether `metaspace judge` needs more memory the longer it runs.

    python benchmarks/judge_memory.py [--cases 100000] [--engines pyswip swipl wasm]

Feeds `metaspace judge` with cases of all six relations in which no object is met twice, and
watches the memory (resident set) of the command and of its engine. Exits with 1 where one of
them was ever larger, by more than a tenth and 8 MiB, than it had been within the first tenth of
the cases. Two engines run at a time: this is about memory, not about time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import psutil
from judge import mixed_cases
from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.oracle.engine import EngineName

ENGINES: Final[tuple[EngineName, ...]] = ("pyswip", "swipl", "wasm")
PARTS: Final = ("command", "engine")
EVERY: Final = 500
MIB: Final = 1 << 20

Peaks = dict[str, list[float]]


def fed(judge: subprocess.Popen[bytes], cases: int) -> None:
    """Write cases as fast as they are taken."""
    assert judge.stdin is not None
    with judge.stdin as sink:
        for case in mixed_cases(cases, names=cases):
            sink.write(json.dumps(case).encode() + b"\n")


def memory(judge: psutil.Process) -> list[float]:
    """Measure the command and its engine, in MiB."""
    engine = sum(child.memory_info().rss for child in judge.children())
    return [judge.memory_info().rss / MIB, engine / MIB]


def watched(engine: EngineName, cases: int, marks: Sequence[int]) -> list[list[float]]:
    """Judge so many cases; return the peaks of both parts up to each mark.

    Raises:
        CalledProcessError: a case was not judged.
    """
    command = [sys.executable, "-m", "pytest_metaspace", "judge", "--engine", engine]
    peaks, found = [0.0, 0.0], []
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as judge,
        ThreadPoolExecutor(1) as pool,
    ):
        feeding = pool.submit(fed, judge, cases)
        assert judge.stdout is not None
        for number, _ in enumerate(judge.stdout, start=1):
            if number % EVERY == 0 and number < cases:  # at the very end the engine may be gone
                peaks = list(map(max, peaks, memory(psutil.Process(judge.pid))))
            if number in marks:
                found.append(peaks)
                told = ", ".join(f"{part} {peak:.1f}" for part, peak in zip(PARTS, peaks))
                print(f"{engine}: {number:,} cases: {told} MiB at most", file=sys.stderr)
        feeding.result()
    if judge.returncode != 0 or len(found) != len(marks):
        raise subprocess.CalledProcessError(judge.returncode, command)
    return found


def main() -> int:
    """Watch each engine and print a table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--engines", nargs="+", default=ENGINES, choices=ENGINES)
    options = parser.parse_args()
    marks = [options.cases // 10, options.cases // 3, options.cases]
    with ThreadPoolExecutor(2) as pool:
        runs = pool.map(lambda engine: watched(engine, options.cases, marks), options.engines)
        rows, failed = [], False
        for engine, found in zip(options.engines, runs):
            for part, peaks in zip(PARTS, zip(*found)):
                flat = peaks[-1] <= peaks[0] * 1.1 + 8
                failed |= not flat
                rows.append([engine, part, *peaks, "flat" if flat else "GROWS"])
    headers = ["engine", "MiB at most", *(f"in {mark:,} cases" for mark in marks), ""]
    print(tabulate(rows, headers=headers, floatfmt=".1f"))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
