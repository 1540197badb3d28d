"""LeRobot data sets of versions 2.1 and 3.0, in the shape that LeRobot writes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.trajectories.writers.videos import HEIGHT, WIDTH, greys, write_video

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

CAMERA = "observation.images.front"
FPS = 10
NAMES = ["x", "y", "theta"]

V2 = {
    "data_path": "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
    "video_path": "videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4",
}
V3 = {
    "data_path": "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
    "video_path": "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4",
}


def feature(dtype: str, shape: Sequence[int], names: Any = None) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "names": names}


def picture(dtype: str = "video", height: int = HEIGHT, width: int = WIDTH) -> dict[str, Any]:
    return feature(dtype, (height, width, 3), ["height", "width", "channels"])


def info(version: str, **changes: Any) -> dict[str, Any]:
    """Return the content of ``meta/info.json``."""
    made = {
        "codebase_version": version,
        "robot_type": "lekiwi",
        "total_episodes": 2,
        "total_frames": 20,
        "total_tasks": 1,
        "chunks_size": 1000,
        "fps": FPS,
        "splits": {"train": "0:2"},
        **(V2 if version.startswith("v2") else V3),
        "features": {
            "observation.state": feature("float32", (3,), NAMES),
            "action": feature("float32", (3,), ["x.vel", "y.vel", "theta.vel"]),
            CAMERA: picture(),
            "timestamp": feature("float32", (1,)),
            "frame_index": feature("int64", (1,)),
            "episode_index": feature("int64", (1,)),
            "index": feature("int64", (1,)),
            "task_index": feature("int64", (1,)),
        },
    }
    return {**made, **changes}


def square(count: int = 10) -> list[list[float]]:
    """Return poses of a robot that drives ahead by half a metre, and turns by 90 degrees."""
    x, y, theta = 0.0, 0.0, 0.0
    found = []
    for number in range(count):
        found.append([x, y, theta])
        if number % 3 == 2:
            theta += np.pi / 2
        else:
            x, y = x + 0.5 * np.cos(theta), y + 0.5 * np.sin(theta)
    return found


def rows(
    episode: int, states: Sequence[Sequence[float]], first: int = 0, **changes: Any
) -> dict[str, Any]:
    """Return the columns of one episode."""
    count = len(states)
    return {
        "observation.state": [list(one) for one in states],
        "action": [[0.0, 0.0, 0.0]] * count,
        "timestamp": [number / FPS for number in range(count)],
        "frame_index": list(range(count)),
        "episode_index": [episode] * count,
        "index": list(range(first, first + count)),
        "task_index": [0] * count,
        **changes,
    }


def table(columns: Mapping[str, Any]) -> pa.Table:
    kinds = {
        "observation.state": pa.list_(pa.float32()),
        "action": pa.list_(pa.float32()),
        "timestamp": pa.float32(),
    }
    return pa.table({name: pa.array(values, kinds.get(name)) for name, values in columns.items()})


def put(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def write_v2(root: Path, episodes: Sequence[Mapping[str, Any]], **changes: Any) -> Path:
    """Write a data set of version 2.1; one file of rows and one video an episode."""
    main = root / "meta" / "info.json"
    put(main, info("v2.1", total_episodes=len(episodes), **changes))
    lines = []
    for number, columns in enumerate(episodes):
        path = root / f"data/chunk-000/episode_{number:06d}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table(columns), path)
        length = len(columns["timestamp"])
        write_video(root / f"videos/chunk-000/{CAMERA}/episode_{number:06d}.mp4",
                    greys(length), fps=FPS)  # fmt: skip
        lines.append({"episode_index": number, "tasks": ["drive"], "length": length})
    (root / "meta" / "episodes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    (root / "meta" / "tasks.jsonl").write_text('{"task_index": 0, "task": "drive"}\n')
    return main


def as_in_the_cache(root: Path) -> Path:
    """Turn the files of a data set into links to their contents, as the Hub's cache has them.

    Returns:
        Its ``meta/info.json``.
    """
    home = root.parent / f"datasets--lab--{root.name}"
    snapshot = home / "snapshots" / "0f3c"
    (home / "blobs").mkdir(parents=True)
    for number, file in enumerate(sorted(one for one in root.rglob("*") if one.is_file())):
        blob = file.replace(home / "blobs" / f"{number:040x}")
        link = snapshot / file.relative_to(root)
        link.parent.mkdir(parents=True, exist_ok=True)
        up = "/".join([".."] * len(link.parent.relative_to(home).parts))
        link.symlink_to(f"{up}/blobs/{blob.name}")
    return snapshot / "meta" / "info.json"


def write_v3(
    root: Path,
    episodes: Sequence[Mapping[str, Any]],
    *,
    pictures: Sequence[Any] | None = None,
    meta: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Path:
    """Write a data set of version 3.0; all episodes in one file of rows and one video."""
    main = root / "meta" / "info.json"
    put(main, info("v3.0", total_episodes=len(episodes), **changes))
    lengths = [len(one["timestamp"]) for one in episodes]
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    data = root / "data/chunk-000/file-000.parquet"
    data.parent.mkdir(parents=True, exist_ok=True)
    with pq.ParquetWriter(data, table(episodes[0]).schema) as writer:
        for one in episodes:
            writer.write_table(table(one))
    write_video(root / f"videos/{CAMERA}/chunk-000/file-000.mp4",
                pictures or greys(sum(lengths)), fps=FPS)  # fmt: skip
    count = len(episodes)
    about = {
        "episode_index": list(range(count)),
        "tasks": [["drive"]] * count,
        "length": lengths,
        "data/chunk_index": [0] * count,
        "data/file_index": [0] * count,
        "dataset_from_index": starts,
        "dataset_to_index": [a + b for a, b in zip(starts, lengths)],
        f"videos/{CAMERA}/chunk_index": [0] * count,
        f"videos/{CAMERA}/file_index": [0] * count,
        f"videos/{CAMERA}/from_timestamp": [start / FPS for start in starts],
        f"videos/{CAMERA}/to_timestamp": [(a + b) / FPS for a, b in zip(starts, lengths)],
        "stats/observation.state/min": [[0.0, 0.0, 0.0]] * count,
        "meta/episodes/chunk_index": [0] * count,
        "meta/episodes/file_index": [0] * count,
        **(meta or {}),
    }
    path = root / "meta/episodes/chunk-000/file-000.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(about), path)
    pq.write_table(pa.table({"task_index": [0], "__index_level_0__": ["drive"]}),
                   root / "meta/tasks.parquet")  # fmt: skip
    return main
