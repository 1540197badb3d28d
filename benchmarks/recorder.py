"""What a step of the recorder costs: milliseconds, and the ratio to writing the same file bare.

Usage: python benchmarks/recorder.py [STEPS]

Frames of a shipped trajectory (640 x 480), once as rendered and once with the noise of a camera.
Bare means Pillow's ``save`` with the same settings, and for files reading and writing, of the same
picture in the same run, taking turns with the recorder.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image
from tabulate import tabulate

from pytest_metaspace import Action, Pose, TrajectoryRecorder
from pytest_metaspace.trajectories import native

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

FRAMES = Path(__file__).resolve().parent.parent / "fixtures" / "household" / "study-01" / "frames"
SAVED: dict[str, dict[str, Any]] = {
    "webp": {"format": "WEBP", "lossless": True, "method": 0, "quality": 0},
    "png": {"format": "PNG", "compress_level": 1},
}
AHEAD = Action(name="move_forward", move_m=(0.25, 0, 0))
BOXES = [
    {"id": f"thing-{n}", "label": "thing", "xyxy": (n, n, n + 40, n + 60), "confidence": 0.9}
    for n in range(10)
]


def main(steps: int) -> None:
    """Print a table: a row for each way to hand over a picture."""
    rendered = [pixels(path) for path in sorted(FRAMES.glob("*.webp"))]
    rng = np.random.default_rng(0)
    noisy = [
        np.clip(frame + rng.normal(0, 4, frame.shape), 0, 255).astype(np.uint8)
        for frame in rendered
    ]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, frames in (("rendered", rendered), ("camera", noisy)):
            rows += [
                [name, f"array to {form}", *arrays(Path(folder), frames, form, steps)]
                for form in SAVED
            ]
            rows.append([name, "file, copied", *files(Path(folder), frames, steps)])
        long_run(Path(folder))
    headers = ["picture", "step", "ms a step", "bare ms", "ratio", "kB a picture"]
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))


def pixels(path: Path) -> NDArray[np.uint8]:
    """Decode a frame."""
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def arrays(folder: Path, frames: list[NDArray[np.uint8]], form: Any, steps: int) -> list[str]:
    """Time arrays that are encoded; every step writes another picture."""

    def bare(frame: NDArray[np.uint8], target: Path) -> None:
        Image.fromarray(frame).save(target, **SAVED[form])

    return timed(folder, changing(frames, steps), bare, form)


def files(folder: Path, frames: list[NDArray[np.uint8]], steps: int) -> list[str]:
    """Time JPEG files that lie on disk already."""
    given = []
    for number, frame in enumerate(changing(frames, steps)):
        given.append(folder / f"given-{number}.jpg")
        Image.fromarray(frame).save(given[-1], quality=95)

    def bare(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes())

    return timed(folder, given, bare, "webp")


def changing(frames: list[NDArray[np.uint8]], steps: int) -> list[NDArray[np.uint8]]:
    """Return as many pictures as there are steps, no two alike."""
    return [np.roll(frames[n % len(frames)], 3 * n, axis=1) for n in range(steps)]


def timed(
    folder: Path, pictures: list[Any], bare: Callable[[Any, Path], Any], form: Any
) -> list[str]:
    """Time each picture both ways, in turns; return medians and their ratio."""
    ours: list[float] = []
    theirs: list[float] = []
    target = Path(tempfile.mkdtemp(dir=folder))  # a file that is written over costs more
    run = folder / "run"
    with TrajectoryRecorder(
        run, scenario="household", step_length_m=0.25, images=form, overwrite=True
    ) as rec:

        def recorded(picture: Any, number: int) -> None:
            pose = Pose(position=(number, 0, 1), yaw_deg=0)
            rec.step(picture, AHEAD, succeeded=True, pose=pose, objects=BOXES)

        for number, picture in enumerate(pictures):
            turns = [
                (lambda: recorded(picture, number), ours),  # noqa: B023 - called at once
                (lambda: bare(picture, target / f"{number:06d}"), theirs),  # noqa: B023 - likewise
            ]
            for write, times in turns if number % 2 else reversed(turns):
                started = time.perf_counter()
                write()
                times.append(time.perf_counter() - started)
    size = statistics.mean(path.stat().st_size for path in (run / "frames").iterdir())
    mine, plain = statistics.median(ours) * 1e3, statistics.median(theirs) * 1e3
    return [f"{mine:.2f}", f"{plain:.2f}", f"{mine / plain:.2f}", f"{size / 1e3:.0f}"]


def long_run(folder: Path, steps: int = 3000) -> None:
    """Time tiny pictures: does a step of a long run get dearer, and what does the end cost?"""
    run, ours = folder / "long", []
    rec = TrajectoryRecorder(run, scenario="household", step_length_m=0.25)
    for number in range(steps):
        picture = np.full((12, 16, 3), (number % 256, number // 256, 0), np.uint8)
        started = time.perf_counter()
        rec.step(picture, AHEAD, objects=[{**BOXES[0], "xyxy": (1, 1, 9, 9)}])
        ours.append(time.perf_counter() - started)
    started = time.perf_counter()
    rec.close()
    closed = time.perf_counter() - started
    assert len(native.load(run / "trajectory.json").states) == steps
    first, last = (statistics.median(part) * 1e3 for part in (ours[:500], ours[-500:]))
    print(
        f"{steps} steps: {first:.2f} ms each in the first 500, {last:.2f} ms in the last 500; "
        f"close took {closed * 1e3:.0f} ms\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
