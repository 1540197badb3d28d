"""How fast frames are searched: one at a time against batches, in one run.

    .venv-yolo/bin/python benchmarks/tracking.py [--weights FILE.pt] [--device cuda] [--frames N]

The model is loaded and has seen a batch before the clock starts. Rounds alternate, and the
median of each counts, so that what else the machine does touches both alike.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import pipeline
from pytest_metaspace.tracking import Detector, TrackerContext, identities

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent.parent
WEIGHTS = HERE / "fixtures" / "detector" / "yolo11n-metaspace.pt"


def seconds(detector: Detector, frames: Sequence[Path], size: int) -> float:
    """Return how long it takes to search frames in batches of a size."""
    started = time.perf_counter()
    for first in range(0, len(frames), size):
        detector.detect(frames[first : first + size])
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--frames", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=[8, 16])
    options = parser.parse_args()
    if not options.weights.is_file():
        raise SystemExit(f"there is no {options.weights}; name weights with --weights")
    registries = pipeline.Registries.built_in()
    context = TrackerContext(root=Path.cwd(), device=options.device)
    detector = registries.trackers.get("yolo").build(str(options.weights.resolve()), context)
    assert isinstance(detector, Detector)
    loaded = pipeline.load([HERE / "fixtures"], registries)
    every = [state.frame for one in loaded for state in one.states]
    frames = list(islice(cycle(every), options.frames))
    sizes = [1, *options.sizes]
    took: dict[int, list[float]] = {size: [] for size in sizes}
    for size in sizes:
        detector.detect(frames[:size])
    for _ in range(options.rounds):
        for size in sizes:
            took[size].append(seconds(detector, frames, size))
    alone = statistics.median(took[1])
    print(f"{len(frames)} frames, median of {options.rounds} rounds, device {options.device}")
    for size in sizes:
        median = statistics.median(took[size])
        rate, ratio = len(frames) / median, alone / median
        print(f"batches of {size:3}: {rate:7.1f} frames/s, {ratio:5.2f} times one at a time")
    started = time.perf_counter()
    found = detector.detect([state.frame for state in loaded[0].states])
    identities.identify(found, loaded[0], confidence=0.6)
    took_ms = 1000 * (time.perf_counter() - started) / len(found)
    print(f"detections and identities of {loaded[0].id}: {took_ms:.0f} ms a frame")


if __name__ == "__main__":
    main()
