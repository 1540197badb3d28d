"""What each format of report takes for a run of a given size: bytes, seconds, memory.

    python -m benchmarks.reports [CASES]

The run is made up (tests/reports/samples.py): every second case is violated, in 60 trajectories;
as in a run, the first hundred violations of each capability and relation have derivations. Each
format is written in a process of its own; memory is what it took more than the report itself.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pytest_metaspace.reports.built_in import BUILT_IN
from tests.reports.samples import large


def measure(name: str, cases: int) -> tuple[int, int, float, float]:
    """Return files, their bytes, seconds of CPU and MB of memory of a format."""
    form = next(form for form in BUILT_IN if form.name == name)
    report = large(cases)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        form.write(report, Path(folder) / form.default)
        seconds = time.process_time() - start
        sizes = [path.stat().st_size for path in Path(folder).iterdir()]
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return len(sizes), sum(sizes), seconds, taken / 1024


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 30_300
    print(f"{cases} cases\n{'format':10} files        bytes    CPU s  more MB")
    context = multiprocessing.get_context("spawn")
    for form in BUILT_IN:
        with context.Pool(1) as pool:
            files, size, seconds, memory = pool.apply(measure, (form.name, cases))
        print(f"{form.name:10} {files:5} {size:12,} {seconds:8.2f} {memory:8.0f}")


if __name__ == "__main__":
    main()
