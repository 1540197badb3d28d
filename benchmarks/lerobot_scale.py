"""What a LeRobot data set costs to list, to sample and to plan, against its number of episodes.

Usage: python benchmarks/lerobot_scale.py [EPISODES ...]   (default: 1000 10000)

Writes data sets of version 3.0 in the shape that LeRobot writes them (500 episodes a file of rows
and a video, one row group an episode, ten episodes a row group of meta/), with tiny pictures. In a
process of its own for each, it lists the episodes, draws 100 by seed 0, and loads and plans each:
peak memory of that process over that of one that only imports the same, seconds, and the bytes of
all files beside the bytes that were read.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import av
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tabulate import tabulate

CAMERA = "observation.images.front"
FPS, LENGTH, A_FILE, DRAWN = 10, 12, 500, 100
WIDTH, HEIGHT = 64, 48


def main(sizes: list[int]) -> None:
    """Print a table: a row for each number of episodes."""
    rows = []
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        idle = measured([])
        for size in sizes:
            root = Path(folder) / f"of-{size}"
            write(root, size)
            found = measured([str(root / "meta" / "info.json")])
            peaks.append(found["peak_mb"])
            total = sum(path.stat().st_size for path in root.rglob("*.*"))
            told = [found[name] for name in ("listed_s", "loaded_s", "cases", "peak_mb", "read_mb")]
            rows.append([size, *told, idle["peak_mb"], round(total / 2**20, 1)])
    headers = ["episodes", "list and draw s", "load and plan 100 s", "cases", "peak MB", "MB read",
               "MB after imports", "MB of files"]  # fmt: skip
    print(tabulate(rows, headers=headers))
    print(f"peak memory, {sizes[-1]} over {sizes[0]} episodes: {peaks[-1] / peaks[0]:.3f}")


def measured(arguments: list[str]) -> dict[str, Any]:
    """Return what a process of its own measured."""
    done = subprocess.run(
        [sys.executable, __file__, "--measure", *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measure(path: Path | None) -> dict[str, Any]:
    """List, draw, load and plan in this process; without a path only import."""
    from pytest_metaspace import pipeline
    from pytest_metaspace.domain import Settings
    from pytest_metaspace.registries import Registries
    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._episodes import Choice

    found: dict[str, Any] = {}
    if path is not None:
        registries = Registries.built_in()
        registries.reading = Reading(frames=path.parent.parent / "frames")
        registries.choice = Choice([str(DRAWN)])
        start = time.perf_counter()
        episodes = registries.episodes_of(path)
        assert episodes is not None
        found["listed_s"] = round(time.perf_counter() - start, 3)
        read = bytes_read()
        start = time.perf_counter()
        plans = [
            pipeline.plan(registries.load(one), registries, Settings(sample=0.1))
            for one in episodes
        ]
        found["loaded_s"] = round(time.perf_counter() - start, 2)
        found["cases"] = sum(len(plan.cases) for plan in plans)
        found["read_mb"] = round((bytes_read() - read) / 2**20, 1)
    found["peak_mb"] = round(peak_kb() / 1024, 1)
    return found


def peak_kb() -> int:
    """Return the most memory that this process held, where the system tells it of this one alone.

    ``ru_maxrss`` would count what the process that started it held, too.
    """
    told = Path("/proc/self/status")
    lines = told.read_text().splitlines() if told.exists() else []
    known = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), None)
    return known or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def bytes_read() -> int:
    """Return how many bytes this process has read so far, where the system tells."""
    told = Path("/proc/self/io")
    lines = told.read_text().splitlines() if told.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("rchar")), 0)


# ------------------------------------------------------------------------------ the data set


def write(root: Path, count: int) -> None:
    """Write a data set of so many episodes."""
    (root / "meta" / "episodes" / "chunk-000").mkdir(parents=True)
    (root / "data" / "chunk-000").mkdir(parents=True)
    (root / "videos" / CAMERA / "chunk-000").mkdir(parents=True)
    vector = {"dtype": "float32", "shape": [3], "names": ["x", "y", "theta"]}
    info = {
        "codebase_version": "v3.0", "robot_type": "lekiwi", "total_episodes": count, "fps": FPS,
        "total_frames": count * LENGTH, "chunks_size": 1000,
        "data_path": "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
        "video_path": "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4",
        "features": {
            "observation.state": vector,
            CAMERA: {"dtype": "video", "shape": [HEIGHT, WIDTH, 3], "names": None},
        },
    }  # fmt: skip
    (root / "meta" / "info.json").write_text(json.dumps(info))
    for file in range(0, count, A_FILE):
        names = range(file, min(file + A_FILE, count))
        number = f"file-{file // A_FILE:03d}"
        write_rows(root / "data" / "chunk-000" / f"{number}.parquet", names)
        write_video(root / "videos" / CAMERA / "chunk-000" / f"{number}.mp4", names)
    write_episodes(root / "meta" / "episodes" / "chunk-000" / "file-000.parquet", count)


def write_rows(path: Path, episodes: range) -> None:
    """Write the rows of some episodes, one row group each."""
    writer = None
    for episode in episodes:
        times = np.arange(LENGTH, dtype=np.float32) / FPS
        state = np.stack([times * 5, np.zeros(LENGTH), np.zeros(LENGTH)], axis=1)
        table = pa.table({
            "observation.state": pa.array(state.tolist(), pa.list_(pa.float32())),
            "timestamp": times,
            "frame_index": np.arange(LENGTH),
            "episode_index": np.full(LENGTH, episode),
        })  # fmt: skip
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def write_video(path: Path, episodes: range) -> None:
    """Write the pictures of some episodes into one video, no two the same in a row."""
    rng = np.random.default_rng(episodes.start)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = WIDTH, HEIGHT, "yuv420p", 2
        for shade in rng.permutation(len(episodes) * LENGTH):
            picture = np.full((HEIGHT, WIDTH, 3), shade % 250, np.uint8)
            picture[:, : shade % WIDTH] = 255 - shade % 250
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())


def write_episodes(path: Path, count: int) -> None:
    """Write where each episode lies, ten a row group, with statistics as LeRobot adds them."""
    writer = None
    for first in range(0, count, 10):
        index = np.arange(first, min(first + 10, count))
        start = (index % A_FILE) * LENGTH / FPS
        columns: dict[str, Any] = {
            "episode_index": index,
            "length": np.full(len(index), LENGTH),
            "data/chunk_index": np.zeros(len(index), int),
            "data/file_index": index // A_FILE,
            f"videos/{CAMERA}/chunk_index": np.zeros(len(index), int),
            f"videos/{CAMERA}/file_index": index // A_FILE,
            f"videos/{CAMERA}/from_timestamp": start,
            f"videos/{CAMERA}/to_timestamp": start + LENGTH / FPS,
        }
        for feature in ("observation.state", "action", "timestamp", CAMERA):
            for name in ("min", "max", "mean", "std", "count"):
                columns[f"stats/{feature}/{name}"] = [[0.0, 1.0, 2.0]] * len(index)
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(Path(sys.argv[2]) if sys.argv[2:] else None)))
    else:
        main([int(word) for word in sys.argv[1:]] or [1000, 10_000])
