"""Whatever bytes a log is made of, its reader loads it or says what is wrong, and soon."""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, lerobot, urbanvideo, video
from tests.trajectories.test_urbanvideo import bench
from tests.trajectories.writers.lerobot import CAMERA, rows, square, write_v2, write_v3
from tests.trajectories.writers.videos import greys, write_video

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

SOON_S = 10.0
FUZZED = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["../../etc/passwd", "/etc/hostname", "{video_key.__class__}", "{0}", "\0"]),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one small log of each kind."""
    root = tmp_path_factory.mktemp("pristine")
    write_v2(root / "two", [rows(0, square(4))])
    write_v3(root / "three", [rows(0, square(4)), rows(1, square(4), 4)])
    write_video(root / "urban/videos/a.mp4", greys(6))
    bench(root / "urban", ["a.mp4"])
    write_video(root / "film/a.mp4", greys(6))
    lines = "time,action,x,y,yaw_deg\n0,forward 0.5 m,0,0,0\n0.2,left 1 m,0.5,0,0\n0.4,,0.5,1,0\n"
    (root / "film/a.actions.csv").write_text(lines)
    told = [{"time": 0, "action": "up 2 m"}, {"time": 0.2, "turn_deg": 9}, {"time": 0.4}]
    (root / "film/a.actions.json").write_text(json.dumps({"scenario": "drone", "actions": told}))
    return root


def soon(load: Callable[[], Trajectory], root: Path) -> None:
    """Load a log; it must load or be refused by our own error, soon, and stay in its folder."""
    start = time.process_time()
    refused, frames = "", []
    try:
        frames = [state.frame.resolve() for state in load().states]
    except TrajectoryError as problem:
        refused = str(problem)
    assert bool(refused) != (len(frames) >= 2)
    assert all(line.isprintable() for line in refused.split("\n")), refused
    assert all(frame.is_relative_to(root) for frame in frames)
    assert time.process_time() - start < SOON_S


def copied(pristine: Path, name: str, tmp_path: Path) -> Path:
    root = (tmp_path / name).resolve()
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(pristine / name, root)
    return root


def read(name: str, root: Path) -> Trajectory:
    asked = Reading(frames=root / "frames")
    if name in ("two", "three"):
        return lerobot.load(root / "meta" / "info.json" / "episode-0", asked)
    if name == "urban":
        return urbanvideo.load(root / "MCQ.parquet" / "a", asked)
    return video.load(root / f"a.actions.{name}", asked)


def changed(content: Any, path: list[int], value: Any) -> Any:
    """Return JSON with one of its places, found by numbers, made something else."""
    if not path or not isinstance(content, dict | list) or not content:
        return value
    made = dict(content) if isinstance(content, dict) else list(content)
    places: list[Any] = list(made) if isinstance(made, dict) else list(range(len(made)))
    place = places[path[0] % len(places)]
    made[place] = changed(made[place], path[1:], value)
    return made


@FUZZED
@given(
    name=st.sampled_from(["two", "three"]),
    path=st.lists(st.integers(0, 50), min_size=1, max_size=4),
    value=ODD,
)
def test_any_value_in_info_json(
    name: str, path: list[int], value: Any, pristine: Path, tmp_path: Path
) -> None:
    root = copied(pristine, name, tmp_path)
    main = root / "meta" / "info.json"
    main.write_text(json.dumps(changed(json.loads(main.read_text()), path, value)))
    soon(lambda: read(name, root), root)


DATA = "data/chunk-000/file-000.parquet"
FILES = [
    ("three", "meta/info.json"),
    ("three", DATA),
    ("three", "meta/episodes/chunk-000/file-000.parquet"),
    ("three", f"videos/{CAMERA}/chunk-000/file-000.mp4"),
    ("two", "meta/episodes.jsonl"),
    ("urban", "MCQ.parquet"),
    ("urban", "videos/a.mp4"),
]


@FUZZED
@given(
    where=st.sampled_from(FILES),
    cuts=st.lists(
        st.tuples(st.floats(0, 1), st.binary(max_size=8), st.integers(0, 8)), min_size=1, max_size=3
    ),
    end=st.one_of(st.none(), st.floats(0, 1)),
)
def test_any_bytes_in_a_file(
    where: tuple[str, str],
    cuts: list[tuple[float, bytes, int]],
    end: float | None,
    pristine: Path,
    tmp_path: Path,
) -> None:
    name, file = where
    root = copied(pristine, name, tmp_path)
    content = bytearray((root / file).read_bytes())
    for share, new, dropped in cuts:
        place = int(share * len(content))
        content[place : place + dropped] = new
    if end is not None:
        del content[int(end * len(content)) :]
    (root / file).write_bytes(content)
    soon(lambda: read(name, root), root)


@FUZZED
@given(
    place=st.integers(0, 80),
    new=st.text(st.characters(codec="utf-8"), max_size=6),
    dropped=st.integers(0, 5),
)
def test_any_text_in_a_csv_of_actions(
    place: int, new: str, dropped: int, pristine: Path, tmp_path: Path
) -> None:
    root = copied(pristine, "film", tmp_path)
    path = root / "a.actions.csv"
    text = path.read_text()
    path.write_text(text[:place] + new + text[place + dropped :], encoding="utf-8")
    soon(lambda: read("csv", root), root)


@FUZZED
@given(path=st.lists(st.integers(0, 9), min_size=1, max_size=3), value=ODD)
def test_any_value_in_a_json_of_actions(
    path: list[int], value: Any, pristine: Path, tmp_path: Path
) -> None:
    root = copied(pristine, "film", tmp_path)
    file = root / "a.actions.json"
    file.write_text(json.dumps(changed(json.loads(file.read_text()), path, value)))
    soon(lambda: read("json", root), root)
