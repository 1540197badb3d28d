"""UrbanVideo-Bench: pictures at even times, and nothing that is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Camera, Settings
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.registries import Registries
from pytest_metaspace.trajectories import Reading, urbanvideo
from tests.trajectories.writers.lerobot import put
from tests.trajectories.writers.videos import HEIGHT, WIDTH, greys, number_of, write_video

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

QUESTION = "Which way did the drone turn?\nChoices:\nA. left\nB. right"


def bench(root: Path, videos: list[Any], **columns: Any) -> Path:
    """Write the benchmark's table; one question for each video named."""
    count = len(videos)
    made = {
        "Question_id": list(range(count)),
        "video_id": videos,
        "question_category": ["Trajectory Captioning"] * count,
        "question": [QUESTION] * count,
        "answer": ["A"] * count,
    }
    root.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({**made, **columns}), root / "MCQ.parquet")
    return root / "MCQ.parquet"


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("urban")
    large = [np.tile(picture, (5, 5, 1)) for picture in greys(40)]
    write_video(folder / "videos" / "EmbodiedCity_7.mp4", large)
    write_video(folder / "videos" / "still.mp4", greys(1))
    write_video(folder / "videos" / "short one.mp4", greys(6))
    return folder


@pytest.fixture
def main(root: Path) -> Path:
    named = ["short one.mp4", "EmbodiedCity_7.mp4", "EmbodiedCity_7.mp4", "still.mp4", "gone.mp4"]
    return bench(root, [*named, "../out.mp4", None, "x" * 300])


def read(main: Path, name: str, tmp_path: Path) -> Trajectory:
    return urbanvideo.load(main / name, Reading(frames=tmp_path))


def test_each_video_is_an_episode_named_once(main: Path) -> None:
    assert urbanvideo.matches(main)
    assert list(urbanvideo.episodes(main)) == [
        "_out", "EmbodiedCity_7", "gone", "short_one", "still",
    ]  # fmt: skip


def test_two_videos_that_would_share_a_name_do_not(tmp_path: Path) -> None:
    main = bench(tmp_path, ["a b.mp4", "a_b.mp4", "a_b.avi"])
    assert list(urbanvideo.episodes(main)) == ["a_b", "a_b-2", "a_b-3"]


def test_a_video_is_seen_at_even_times_and_nothing_else_is_known(
    main: Path, tmp_path: Path
) -> None:
    found = read(main, "EmbodiedCity_7", tmp_path)
    assert (found.id, found.source) == ("urbanvideo-EmbodiedCity_7", main / "EmbodiedCity_7")
    assert [number_of(state.frame) for state in found.states] == list(range(0, 40, 2))
    assert {(state.action, state.succeeded) for state in found.states} == {(None, None)}
    assert (found.scenario, found.mover, found.vertical) == ("drone", "agent", True)
    assert found.camera == Camera(width=5 * WIDTH, height=5 * HEIGHT)
    assert (found.truth, found.objects, found.defects) == (None, (), ())
    assert "the questions in MCQ.parquet are not asked" in found.warnings[0]


def fed(main: Path, tmp_path: Path) -> dict[str, int]:
    """Return how many cases there are of each capability."""
    registries = Registries.built_in()
    registries.reading = Reading(frames=tmp_path)
    plan = pipeline.plan(registries.load(main / "EmbodiedCity_7"), registries, Settings())
    counts: dict[str, int] = {}
    for case in plan.cases:
        counts[case.capability.value] = counts.get(case.capability.value, 0) + 1
    return counts


def test_what_it_feeds_is_what_its_page_says(main: Path, tmp_path: Path) -> None:
    movement = ["SC1-a", "SC1-b"]
    assert sorted(fed(main, tmp_path)) == movement
    things = [
        {"id": name, "label": name, "boxes": [
            {"frame": frame, "xyxy": [70 * place + 10, 50, 70 * place + 50, 120 + 5 * place + frame]}
            for frame in range(20)
        ]}
        for place, name in enumerate(["tower", "tree", "bus", "bench"])
    ]  # fmt: skip
    sidecar = main.with_name("MCQ.metaspace") / "EmbodiedCity_7" / "objects.json"
    put(sidecar, {"format": "metaspace-objects", "version": 1, "objects": things})
    try:
        assert sorted(fed(main, tmp_path)) == [
            *movement, "SC2-a", "SC2-b", "SC3-a", "SC3-b", "SC4-a", "SC4-b",
        ]  # fmt: skip
    finally:
        sidecar.unlink()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gone", r"field video_id: there is no file 'gone\.mp4' .*--metaspace-images=FOLDER"),
        ("_out", r"field video_id: '\.\./out\.mp4' leaves the folder"),
        ("never", "field video_id: no question is about 'never'"),
        ("still", r"still\.mp4: has 1 pictures; a trajectory needs two"),
    ],
)
def test_a_video_that_cannot_be_used_is_named(
    name: str, expected: str, main: Path, tmp_path: Path
) -> None:
    with pytest.raises(TrajectoryError, match=expected):
        read(main, name, tmp_path)


def test_a_video_with_too_few_pictures_is_a_defect(main: Path, tmp_path: Path) -> None:
    found = read(main, "short_one", tmp_path)
    assert [number_of(state.frame) for state in found.states] == list(range(6))
    assert "only 6 of 20 pictures at even times differ" in str(found.defects[0])


def test_a_table_without_videos_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"video": ["a"]}), tmp_path / "MCQ.parquet")
    with pytest.raises(TrajectoryError, match="has no column 'video_id'; it has 'video'"):
        urbanvideo.episodes(tmp_path / "MCQ.parquet")


def test_a_table_cut_off_is_refused(main: Path, tmp_path: Path) -> None:
    path = tmp_path / "MCQ.parquet"
    path.write_bytes(main.read_bytes()[:100])
    with pytest.raises(TrajectoryError, match=r"cannot be read as Parquet.*fetch it again"):
        urbanvideo.episodes(path)
    path.write_text("no table")
    assert not urbanvideo.matches(path)
    assert not urbanvideo.matches(tmp_path / "other.parquet")
