"""Reads logs in a process of its own, and says of each what came of it, how long and how large.

``python -m tests.trajectories.bounded JOBS.json`` writes a line of JSON for each job, as soon as it
is done, so that one that kills the process is known by the line that is missing.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORY_MB = 1024
"""As much more memory than after imports may a reader take."""
CPU_S = 30.0
HUNG_S = 120.0
"""On the clock: who waits for what never comes uses no processor."""
_ROOT = Path(__file__).parents[2]


class Job(NamedTuple):
    """A log to read.

    Attributes:
        name: what it is called.
        path: its main file or folder, with ``::`` and an episode behind it or not.
        images: what ``--metaspace-images`` would name; empty for nothing.
    """

    name: str
    path: str
    images: str = ""


class Done(NamedTuple):
    """What came of a job.

    Attributes:
        told: our error or the defects, a line each; empty where all is well.
        crash: any other error, a signal, or that it did not end; empty where there is none.
        cpu_s: seconds of the processor.
        peak_mb: memory at its most, over that after imports.
    """

    told: str
    crash: str
    cpu_s: float
    peak_mb: float


def read_all(jobs: Sequence[Job], folder: Path) -> dict[str, Done]:
    """Read logs in one process, and in another where it dies of one; return what came of each."""
    found: dict[str, Done] = {}
    left = list(jobs)
    while left:
        path = folder / "jobs.json"
        path.write_text(json.dumps([list(job) for job in left]))
        ran = subprocess.run(
            [sys.executable, "-m", "tests.trajectories.bounded", str(path)],
            cwd=_ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        for job, line in zip(left, ran.stdout.splitlines()):
            found[job.name] = Done(*json.loads(line))
        left = [job for job in left if job.name not in found]
        if left:
            found[left[0].name] = Done("", f"exit {ran.returncode}: {ran.stderr[-2000:]}", 0, 0)
            left = left[1:]
    return found


# ------------------------------------------------------------------------- in that process


class _HungError(BaseException):
    """It did not end; no reader may take it for a defect of its file."""


def main(jobs: Path) -> None:
    """Read the logs of a file of jobs."""
    import av  # noqa: F401 - what they take is not what a log takes
    import lmdb  # noqa: F401
    import numpy as np  # noqa: F401
    import PIL.Image
    import pyarrow.parquet  # noqa: F401

    from pytest_metaspace.registries import Registries

    PIL.Image.init()
    Registries.built_in()
    soft = (MEMORY_MB << 20) * 16  # a net below the bound, so that no machine is brought down
    resource.setrlimit(resource.RLIMIT_AS, (soft, soft))
    signal.signal(signal.SIGALRM, _hung)
    idle = _memory_mb("VmRSS")
    for row in json.loads(jobs.read_text()):
        sys.stdout.write(json.dumps(_done(Job(*row), idle)) + "\n")
        sys.stdout.flush()


def _hung(*_: object) -> NoReturn:
    raise _HungError(f"it did not end in {HUNG_S} s")


def _done(job: Job, idle: float) -> Done:
    from pytest_metaspace.errors import MetaspaceError

    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    start = time.process_time()
    told = crash = ""
    signal.setitimer(signal.ITIMER_REAL, HUNG_S)
    try:
        told = "\n".join(_wrong(job))
    except MetaspaceError as problem:
        told = str(problem)
    except BaseException as problem:  # noqa: BLE001 - any other is what is looked for
        crash = f"{type(problem).__name__}: {problem}"[:2000]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    cpu = round(time.process_time() - start, 2)
    return Done(told, crash, cpu, round(_memory_mb("VmHWM") - idle, 1))


def _wrong(job: Job) -> list[str]:
    """Load what a run would look at, and look at its pictures as ``check`` does."""
    from pytest_metaspace import pipeline
    from pytest_metaspace.registries import Registries
    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._defects import Unusable, decoded_size
    from pytest_metaspace.trajectories._episodes import Choice

    path = Path(job.path)
    registries = Registries.built_in()
    registries.choice = Choice(["2"])
    images = Path(job.images) if job.images else None
    registries.reading = Reading(frames=path.parent / "kept-frames", images=images)
    found: list[str] = []
    for trajectory in pipeline.load([path], registries):
        found += map(str, trajectory.defects)
        for state in trajectory.states:
            try:
                decoded_size(state.frame)
            except Unusable as problem:
                found.append(f"{state.frame}: {problem}")
    return found


def _memory_mb(name: str) -> float:
    lines: list[Any] = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


if __name__ == "__main__":
    main(Path(sys.argv[1]))
