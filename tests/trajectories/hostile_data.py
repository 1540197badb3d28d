"""Data sets of LeRobot, UrbanVideo-Bench and films that mean harm."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.trajectories import hostile_pictures
from tests.trajectories.hostile_pictures import LIES, PICTURES
from tests.trajectories.hostile_values import DIGITS, HUGE, ODD, ODD_FILES, VALUES, endless, put
from tests.trajectories.test_urbanvideo import bench
from tests.trajectories.writers import lerobot as le_writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.trajectories.hostile_values import Make


# ------------------------------------------------------------------------------ LeRobot


def _le(folder: Path, version: str = "3") -> Path:
    """Copy a data set, which is written once: a video takes its time."""
    first = folder.parent / f".first-{version}"
    if not first.exists():
        some = [le_writer.rows(0, le_writer.square(4)), le_writer.rows(1, le_writer.square(4), 4)]
        (le_writer.write_v3 if version == "3" else le_writer.write_v2)(first, some)
    shutil.copytree(first, folder, dirs_exist_ok=True)
    return folder / "meta" / "info.json"


def _info(main: Path, field: str, value: str) -> Path:
    content = json.loads(main.read_text()) | {field: "HERE"}
    return put(main, json.dumps(content).replace('"HERE"', value))


DATA = "data/chunk-000/file-000.parquet"
EPISODES = "meta/episodes/chunk-000/file-000.parquet"
VIDEO = f"videos/{le_writer.CAMERA}/chunk-000/file-000.mp4"


def _data(folder: Path, **columns: Any) -> Path:
    """Write a data set whose rows are others."""
    main = _le(folder)
    table = le_writer.table(le_writer.rows(0, le_writer.square(4)))
    for name, column in columns.items():
        table = table.set_column(table.column_names.index(name), name, column)
    pq.write_table(table, folder / DATA, compression="zstd")
    return main


def _nulls(folder: Path, rows: int) -> Path:
    main = _le(folder)
    names = ("episode_index", "frame_index", "timestamp")
    made = {name: pa.nulls(rows, pa.int64()) for name in names}
    pq.write_table(pa.table(made), folder / DATA, row_group_size=rows)
    return main


def _one_row(folder: Path, values: int) -> Path:
    state = pa.ListArray.from_arrays(
        pa.array([0, values, values, values, values], pa.int32()), pa.repeat(0.5, values)
    )
    return _data(folder, **{"observation.state": state})


def _texts(folder: Path) -> Path:
    column = pa.DictionaryArray.from_arrays([0, 0, 0, 0], ["x" * (30 << 20)])
    return _data(folder, timestamp=column)


def _pictures(folder: Path, content: bytes, rows: int = 4) -> Path:
    main = _le(folder)
    features = json.loads(main.read_text())["features"]
    features[le_writer.CAMERA] = le_writer.picture("image")
    _info(main, "features", json.dumps(features))
    table = le_writer.table(le_writer.rows(0, le_writer.square(rows)))
    column = pa.array([{"bytes": content, "path": "a.png"}] * rows)
    pq.write_table(table.append_column(le_writer.CAMERA, column), folder / DATA, compression="zstd")
    return main


def lerobots() -> Iterator[tuple[str, Make]]:
    for name, value in VALUES.items():
        yield f"lerobot-features-{name}", lambda to, value=value: _info(_le(to), "features", value)
    for name, value in ODD.items():
        yield f"lerobot-fps-{name}", lambda to, value=value: _info(_le(to), "fps", value)
    yield "lerobot-all-episodes", lambda to: _info(_le(to), "total_episodes", "999999999")
    for name, make in ODD_FILES.items():
        for file in ("meta/info.json", DATA, EPISODES, VIDEO):
            yield (
                f"lerobot-{name}-{file}",
                lambda to, make=make, file=file: (_le(to), make(to / file))[0],
            )
        yield (
            f"lerobot-{name}-lines",
            lambda to, make=make: (_le(to, "2"), make(to / "meta/episodes.jsonl"))[0],
        )
    yield (
        "lerobot-endless-lines",
        lambda to: (_le(to, "2"), endless(to / "meta/episodes.jsonl", b"{"))[0],
    )
    yield "lerobot-many-nulls", lambda to: _nulls(to, 24_000_000)
    yield "lerobot-too-many-nulls", lambda to: _nulls(to, 26_000_000)
    yield "lerobot-one-row", lambda to: _one_row(to, 20_000_000)
    yield "lerobot-texts", _texts
    for name, content in PICTURES.items():
        yield f"lerobot-picture-{name}", lambda to, content=content: _pictures(to, content())
    yield "lerobot-picture-unpacked", lambda to: _pictures(to, b"\0" * (300 << 20), rows=1)
    for name in LIES:
        yield (
            f"lerobot-video-{name}",
            lambda to, name=name: (_le(to), hostile_pictures.film(to / VIDEO, name))[0],
        )


# --------------------------------------------------------------- UrbanVideo-Bench, and videos


def _urban(folder: Path, videos: Any = ("a.mp4",), lie: str = "", **how: Any) -> Path:
    hostile_pictures.film(folder / "videos" / "a.mp4", lie)
    main = bench(folder, ["a.mp4"])
    table = pa.table({"video_id": videos if isinstance(videos, pa.Array) else list(videos)})
    pq.write_table(table, main, compression="zstd", **how)
    return main


def _acted(folder: Path, text: str, ending: str = "csv", lie: str = "") -> Path:
    hostile_pictures.film(folder / "a.mp4", lie)
    return put(folder / f"a.actions.{ending}", text)


ROWS = "time,action\n0,forward 0.5 m\n0.4,left 1 m\n0.8,\n"


def videos() -> Iterator[tuple[str, Make]]:
    repeated = pa.DictionaryArray.from_arrays(
        pa.repeat(pa.scalar(0, pa.int32()), 100_000), ["x" * (20 << 20)]
    )
    yield "urban-one-text-often", lambda to: _urban(to, repeated)
    yield (
        "urban-many-texts",
        lambda to: _urban(to, (f"{n}é" for n in range(120_000))),
    )
    yield "urban-alike", lambda to: _urban(to, (chr(0x4E00 + n) for n in range(20_000)))
    yield "urban-long-texts", lambda to: _urban(to, ["x" * (90 << 20)] * 3, use_dictionary=False)
    for name, make in ODD_FILES.items():
        for file in ("MCQ.parquet", "videos/a.mp4"):
            yield (
                f"urban-{name}-{file}",
                lambda to, make=make, file=file: (_urban(to), make(to / file))[0],
            )
    for lie in LIES:
        yield f"urban-video-{lie}", lambda to, lie=lie: _urban(to, lie=lie)
        yield f"film-{lie}", lambda to, lie=lie: _acted(to, ROWS, lie=lie)
    yield "film-wide", lambda to: (_acted(to, ROWS), hostile_pictures.wide(to / "a.mp4"))[0]
    yield "film-one-line", lambda to: _acted(to, "time,action\n" + "0," * (7 << 20))
    yield "film-one-cell", lambda to: _acted(to, 'time,action\n0,"' + "x" * (15 << 20))
    yield "film-notes", lambda to: _acted(to, "# a: b\n" * (2 << 20))
    yield "film-columns", lambda to: _acted(to, "time,action" + ",x" * (7 << 20) + "\n0,a\n")
    yield "film-endless", lambda to: endless(_acted(to, ROWS), b"time,action\n")
    yield "film-late", lambda to: _acted(to, "time,action\n0,a\n999999,b\n")
    yield "film-digits", lambda to: _acted(to, f"time,action\n{DIGITS},a\n{HUGE},b\n")
    for name, value in ODD.items():
        yield (
            f"film-json-{name}",
            lambda to, value=value: _acted(to, f'{{"actions": {value}}}', "json"),
        )
        yield (
            f"film-json-time-{name}",
            lambda to, value=value: _acted(
                to, f'[{{"time": 0, "action": "stay"}}, {{"time": {value}, "action": 1}}]', "json"
            ),
        )
    for name, make in ODD_FILES.items():
        yield f"film-{name}", lambda to, make=make: make(_acted(to, ROWS))
        yield f"film-{name}-video", lambda to, make=make: (_acted(to, ROWS), make(to / "a.mp4"))[0]
