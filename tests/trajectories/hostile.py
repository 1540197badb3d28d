"""Logs of every format that mean harm: small to write, and enormous or endless to read."""

from __future__ import annotations

import base64
import json
import os
import re
from typing import TYPE_CHECKING, Any

import lmdb
import msgpack
import pyarrow as pa
import pyarrow.parquet as pq

from pytest_metaspace.suites.embspatial._build import item
from tests.trajectories import aerial_support, hostile_pictures
from tests.trajectories.bounded import Job
from tests.trajectories.hostile_pictures import LIES, PICTURES
from tests.trajectories.test_urbanvideo import bench
from tests.trajectories.writers import eb_manipulation as man_writer
from tests.trajectories.writers import eb_navigation as nav_writer
from tests.trajectories.writers import embodiedbench_datasets as set_writer
from tests.trajectories.writers import lerobot as le_writer
from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Made = tuple["Path", "Path | None"]
"""A main file, and what ``--metaspace-images`` names."""

DEEP = "[" * 200_000
DEEP_OBJECT = '{"a":' * 200_000
DIGITS = "9" * 5000
HUGE = "1e400"
LONG = '"' + "x" * (20 << 20) + '"'
MANY = "[" + "{}," * 20_000_000 + "{}]"
MANY_TEXTS = "[" + '"aa",' * 12_000_000 + '"a"]'
ODD = {"deep": DEEP, "deep-objects": DEEP_OBJECT, "digits": DIGITS, "huge-number": HUGE}
VALUES = ODD | {"long-text": LONG, "many-objects": MANY, "many-texts": MANY_TEXTS}
_SPARSE = 6 << 30


def _put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _pipe(path: Path) -> Path:
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path


def _device(path: Path) -> Path:
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")
    return path


def _loop(path: Path) -> Path:
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)
    return path


def _endless(path: Path, head: bytes) -> Path:
    """Write a file of gigabytes that takes no room: after its head there are zeros."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(head)
        file.truncate(_SPARSE)
    return path


ODD_FILES: dict[str, Callable[[Path], Path]] = {"pipe": _pipe, "device": _device, "loop": _loop}


# ------------------------------------------------------------------------------- native


def _native(folder: Path, **fields: str) -> Path:
    """Write a trajectory; fields are given as JSON."""
    paint(folder / "frames/0.png", 0)
    paint(folder / "frames/1.png", 1)
    told = {
        "format": '"metaspace-trajectory"', "version": "1", "id": '"a"', "scenario": '"household"',
        "step_length_m": "0.5", "camera": '{"width": 40, "height": 40}',
        "states": '[{"frame": "frames/0.png"}, {"frame": "frames/1.png"}]', **fields,
    }  # fmt: skip
    rows = ", ".join(f'"{name}": {value}' for name, value in told.items())
    return _put(folder / "trajectory.json", f"{{{rows}}}")


def _with(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    main = _native(folder)
    make(folder / name)
    return main


def natives() -> Iterator[tuple[str, Callable[[Path], Path]]]:
    for name, value in VALUES.items():
        yield f"native-{name}", lambda to, value=value: _native(to, states=value)
    for name, value in ODD.items():
        yield (
            f"objects-{name}",
            lambda to, value=value: _with(
                to, "objects.json",
                lambda at: _put(at, '{"format": "metaspace-objects", "version": 1, '
                                    f'"objects": {value}}}'),
            ),
        )  # fmt: skip
    yield "native-endless", lambda to: _endless(
        to / "trajectory.json", b'{"format": "metaspace-trajectory", "id": "'
    )
    yield "native-unnamed-endless", lambda to: _endless(
        paint(to / "frames/0.png", 0).parents[1] / "trajectory.json", b'{"id": "'
    )
    yield "objects-endless", lambda to: _with(to, "objects.json", lambda at: _endless(at, b"["))
    yield "journal-endless", lambda to: _journal(to, lambda at: _endless(at, b"{"))
    yield "journal-many", lambda to: _journal(to, lambda at: _put(at, "{}\n" * 5_000_000))
    for name, make in ODD_FILES.items():
        yield f"native-{name}", lambda to, make=make: make(_native(to))
        for file in ("objects.json", "truth.json", "frames/1.png"):
            yield (
                f"native-{name}-{file}",
                lambda to, make=make, file=file: _with(to, file, make),
            )
    for name, content in PICTURES.items():
        yield (
            f"native-picture-{name}",
            lambda to, content=content: _with(
                to, "frames/1.png", lambda at: at.write_bytes(content())
            ),
        )


def _journal(folder: Path, make: Callable[[Path], object]) -> Path:
    main = _native(folder)
    content = json.loads(main.read_text())
    del content["states"]
    make(folder / "steps.jsonl")
    return _put(main, json.dumps(content))


# ------------------------------------------------------------------------------ LeRobot


def _le(folder: Path, version: str = "3", **how: Any) -> Path:
    episodes = [le_writer.rows(0, le_writer.square(4)), le_writer.rows(1, le_writer.square(4), 4)]
    return (le_writer.write_v3 if version == "3" else le_writer.write_v2)(folder, episodes, **how)


def _info(main: Path, field: str, value: str) -> Path:
    content = json.loads(main.read_text()) | {field: "HERE"}
    return _put(main, json.dumps(content).replace('"HERE"', value))


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


def lerobots() -> Iterator[tuple[str, Callable[[Path], Path]]]:
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
        lambda to: (_le(to, "2"), _endless(to / "meta/episodes.jsonl", b"{"))[0],
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
    return _put(folder / f"a.actions.{ending}", text)


ROWS = "time,action\n0,forward 0.5 m\n0.4,left 1 m\n0.8,\n"


def videos() -> Iterator[tuple[str, Callable[[Path], Path]]]:
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
    yield "film-endless", lambda to: _endless(_acted(to, ROWS), b"time,action\n")
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


# -------------------------------------------------------------------------- EmbodiedBench


def _navigation(folder: Path, more: str = "", picture: Callable[[Path], object] | None = None) -> Path:
    main = nav_writer.write_current(folder, nav_writer.sample())
    if picture is not None:
        picture(sorted(folder.glob("*_step_3_*.png"))[0])
    return _put(main, main.read_text() + more)


def _manipulation(
    folder: Path, more: str = "", picture: Callable[[Path], object] | None = None
) -> Path:
    main = man_writer.write(folder, man_writer.sample())
    if picture is not None:
        picture(folder / "images/episode_1/episode_1_step_3_front_rgb.png")
    output = main.with_name("planner_output_episode_1.txt")
    _put(output, more + output.read_text())
    return main


def _dataset(folder: Path, content: str) -> Path:
    main = set_writer.write(folder, [set_writer.navigation()])
    return _put(main, content.replace("EPISODE", json.dumps(set_writer.navigation())))


def embodied() -> Iterator[tuple[str, Callable[[Path], Path]]]:
    for name, value in VALUES.items():
        yield f"navigation-{name}", lambda to, value=value: _navigation(to, value)
        yield f"dataset-{name}", lambda to, value=value: _dataset(to, f"[EPISODE, {value}]")
    for name, value in ODD.items():
        row = '{{"distance": {0}, "action_id": {0}, "last_action_success": {0}, "env_step": {0}}}'
        yield (
            f"navigation-row-{name}",
            lambda to, value=value, row=row: _navigation(to, row.format(value)),
        )
        plan = f'{{"executable_plan": {value}}}\n'
        yield f"manipulation-plan-{name}", lambda to, plan=plan: _manipulation(to, plan)
        trajectory = f'[EPISODE, {{"model_name": "m", "trajectory": {value}}}]'
        yield f"dataset-episode-{name}", lambda to, text=trajectory: _dataset(to, text)
    yield "navigation-endless", lambda to: _endless(
        to / "episode_1_step_2.json", b'{"distance": 1, "action_id": -1'
    )
    yield "dataset-endless", lambda to: _endless(
        to / "eb-nav_dataset_x.json", b'[{"model_name": "", "eval_set": "", "episode_id": "'
    )
    alike = '{"model_name": "m", "eval_set": "e", "episode_id": 1},'
    yield "dataset-alike", lambda to: _dataset(to, "[" + alike * 100_000 + "EPISODE]")
    yield "dataset-blanks", lambda to: _dataset(to, "[EPISODE" + " " * (60 << 20) + "]")
    yield "manipulation-starts", lambda to: _manipulation(to, "{\n" * (10 << 20))
    yield "manipulation-written", lambda to: _manipulation(
        to, json.dumps({"executable_plan": "(" * 9000 + "[" * 9000}) + "\n"
    )
    for name, content in PICTURES.items():
        for kind, write in (("navigation", _navigation), ("manipulation", _manipulation)):
            yield (
                f"{kind}-picture-{name}",
                lambda to, write=write, content=content: write(
                    to, picture=lambda at: at.write_bytes(content())
                ),
            )
    for name, make in ODD_FILES.items():
        yield f"navigation-{name}", lambda to, make=make: make(_navigation(to))
        yield f"navigation-{name}-picture", lambda to, make=make: _navigation(to, picture=make)
        yield f"manipulation-{name}", lambda to, make=make: make(_manipulation(to))
        yield (
            f"manipulation-{name}-output",
            lambda to, make=make: (
                _manipulation(to), make(to / "results/planner_output_episode_1.txt"))[0],
        )  # fmt: skip
        yield f"dataset-{name}", lambda to, make=make: make(_dataset(to, "[EPISODE]"))


# ------------------------------------------------------------------------------ AerialVLN


def _flight(folder: Path, **fields: str) -> Path:
    """Write a split; fields of its episode are given as JSON."""
    main = aerial_support.split(folder, aerial_support.episode())
    content = json.loads(main.read_text())
    for name, value in fields.items():
        content["episodes"][0][name] = f"HERE {name}"
        _put(main, json.dumps(content).replace(f'"HERE {name}"', value))
    return main


def _store(folder: Path, value: Any = None, damage: Callable[[Path], object] | None = None) -> Made:
    main = aerial_support.split(folder, pictures=False)
    images = folder / "rgb"
    width, height = aerial_support.SIZE
    fields = {b"nd": True, b"type": "|u1", b"shape": [height, width, 3],
              b"data": b"\0" * (height * width * 3)}  # fmt: skip
    with lmdb.open(str(images), map_size=1 << 28) as store, store.begin(write=True) as to:
        for step in range(len(aerial_support.FLIGHT)):
            packed = msgpack.packb(fields) if value is None else value
            to.put(f"{aerial_support.NAME}_{step}_rgb".encode(), packed)
    if damage is not None:
        damage(images / "data.mdb")
    return main, images


def _meta(path: Path, at: int, new: bytes) -> None:
    """Overwrite something in both heads of an LMDB."""
    content = bytearray(path.read_bytes())
    for page in (0, 4096):
        content[page + at : page + at + len(new)] = new
    path.write_bytes(content)


def _cut(path: Path, size: int) -> None:
    os.truncate(path, size)


def aerials() -> Iterator[tuple[str, Callable[[Path], Path | Made]]]:
    for name, value in VALUES.items():
        for field in ("trajectory_id", "actions", "reference_path") if name in ODD else ("info",):
            yield (
                f"aerial-{field}-{name}",
                lambda to, field=field, value=value: _flight(to, **{field: value}),
            )
    yield "aerial-endless", lambda to: _endless(
        to / "val_seen.json",
        b'{"x": ["trajectory_id", "start_rotation", "start_position"], "episodes": [{"a": "',
    )
    yield "aerial-blanks", lambda to: _put(
        to / "val_seen.json",
        '{"episodes": [{"trajectory_id": "a", "start_rotation": [], "start_position": []}'
        + " " * (60 << 20),
    )
    yield "aerial-many", lambda to: _put(
        to / "val_seen.json",
        '{"a": ["start_rotation", "start_position"], "episodes": ['
        + '{"trajectory_id": 1},' * 2_000_000 + "{}]}",
    )  # fmt: skip
    for name, make in ODD_FILES.items():
        yield f"aerial-{name}", lambda to, make=make: make(_flight(to))
        yield (
            f"aerial-{name}-picture",
            lambda to, make=make: (
                _flight(to), make(to / "val_seen_rgb" / aerial_support.NAME / "0003.png"))[0],
        )  # fmt: skip
        yield f"aerial-{name}-store", lambda to, make=make: _store(to, damage=make)
    for name, content in PICTURES.items():
        yield (
            f"aerial-picture-{name}",
            lambda to, content=content: (
                _flight(to),
                (to / "val_seen_rgb" / aerial_support.NAME / "0003.png").write_bytes(content()),
            )[0],
        )
    yield "aerial-store", _store
    yield "aerial-store-map", lambda to: _store(
        to, damage=lambda at: _meta(at, 16 + 16, (1 << 46).to_bytes(8, "little"))
    )
    yield "aerial-store-cut", lambda to: _store(to, damage=lambda at: _cut(at, 3 * 4096))
    yield "aerial-store-head", lambda to: _store(to, damage=lambda at: _cut(at, 100))
    yield "aerial-store-deep", lambda to: _store(to, b"\x91" * 100_000)
    yield "aerial-store-many", lambda to: _store(to, b"\xdd\xff\xff\xff\xff")
    yield "aerial-store-shape", lambda to: _store(
        to, msgpack.packb({b"type": "|u1", b"shape": [10**9, 10**9, 3], b"data": b""})
    )


# ----------------------------------------------------------------------------- EmbSpatial


def _items(folder: Path, **fields: str) -> Path:
    """Write a file of one item; fields are given as JSON."""
    made = item(1, 4) | {name: f"HERE {name}" for name in fields}
    text = json.dumps([made])
    for name, value in fields.items():
        text = text.replace(f'"HERE {name}"', value)
    return _put(folder / "embspatial_bench.json", text)


def items() -> Iterator[tuple[str, Callable[[Path], Path]]]:
    for name, value in VALUES.items():
        for field in ("answer_options", "objects", "answer") if name in ODD else ("image",):
            yield (
                f"items-{field}-{name}",
                lambda to, field=field, value=value: _items(to, **{field: value}),
            )
    for name, content in PICTURES.items():
        yield (
            f"items-picture-{name}",
            lambda to, content=content: _items(
                to, image=json.dumps(base64.b64encode(content()).decode())
            ),
        )
    yield "items-not-base64", lambda to: _items(to, image=json.dumps("A" * (20 << 20) + "?"))
    for name, make in ODD_FILES.items():
        yield f"items-{name}", lambda to, make=make: make(_items(to))


def all_of_them() -> dict[str, Callable[[Path], Path | Made]]:
    """Return what writes each, by its name."""
    found: dict[str, Callable[[Path], Path | Made]] = {}
    for some in (natives(), lerobots(), videos(), embodied(), aerials(), items()):
        for name, make in some:
            assert name not in found
            found[name] = make
    return found


_DEAR = re.compile(
    r"film-(wide|columns|notes)|aerial-many|dataset-alike|urban-(one-text-often|long-texts)"
    r"|lerobot-(many-nulls|too-many-nulls|one-row|picture-unpacked)"
    r"|(?!native|items).*-(many-objects|many-texts|long-text|picture-large)|items-.*-many-texts"
)
"""Those that take a second to write or to read, and are read with the others in a benchmark."""


def written(
    folder: Path, *, dear: bool, wanted: Callable[[str], bool] = lambda _: True
) -> list[Job]:
    """Write them, each into a folder of its own; return what is to be read."""
    jobs = []
    for name, make in all_of_them().items():
        if (_DEAR.fullmatch(name) and not dear) or not wanted(name):
            continue
        home = folder / name.replace("/", "-")
        home.mkdir()
        made = make(home)
        main, images = made if isinstance(made, tuple) else (made, None)
        jobs.append(Job(name, str(main), str(images or "")))
    return jobs
