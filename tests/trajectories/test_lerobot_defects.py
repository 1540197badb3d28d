"""LeRobot data sets with something wrong in them: named, and never held against an agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, lerobot
from tests.trajectories.writers import lerobot as writer
from tests.trajectories.writers.lerobot import (
    CAMERA,
    as_in_the_cache,
    rows,
    square,
    write_v2,
    write_v3,
)
from tests.trajectories.writers.videos import greys, number_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

DATA = "data/chunk-000/file-000.parquet"
EPISODES = "meta/episodes/chunk-000/file-000.parquet"
VIDEO = f"videos/{CAMERA}/chunk-000/file-000.mp4"


def read(main: Path, episode: int = 0) -> Trajectory:
    frames = main.parent.parent / "frames"
    return lerobot.load(main / f"episode-{episode}", Reading(frames=frames))


def told(found: Trajectory) -> list[str]:
    root = found.source.parent.parent.parent
    return [str(one).replace(f"{root}/", "") for one in found.defects]


def unknown(found: Trajectory) -> list[int]:
    return [state.index for state in found.states[:-1] if state.action is None]


# ------------------------------------------------------------- defects that leave the rest


def test_a_gap_in_time_makes_what_was_done_in_it_unknown(tmp_path: Path) -> None:
    times = [0.0, 0.1, 0.2, 0.7, 0.8, 0.9]
    ends = {f"videos/{CAMERA}/to_timestamp": [1.0]}
    main = write_v3(tmp_path, [rows(0, square(6), timestamp=times)], pictures=greys(10), meta=ends)
    found = read(main)
    assert unknown(found) == [2]
    assert found.states[2].succeeded is None
    assert told(found) == [
        (
            f"{DATA}: field timestamp, row 3: is 0.7 after 0.2, a gap at 10 pictures a second; what "
            "was done meanwhile counts as unknown. Record without gaps."
        )
    ]


def test_a_counter_that_restarts_ends_the_episode(tmp_path: Path) -> None:
    main = write_v3(tmp_path, [rows(0, square(6), frame_index=[0, 1, 2, 0, 1, 2])])
    found = read(main)
    assert len(found.states) == 3
    assert told(found) == [
        (
            f"{DATA}: field frame_index, row 3: is 0 after 2; a counter that restarts means that two "
            "runs are in one episode; this row and what follows are left out. Split or repair the "
            "episode."
        )
    ]


@pytest.mark.parametrize("time", [0.1, float("nan"), -1.0])
def test_time_that_does_not_go_on_ends_the_episode(time: float, tmp_path: Path) -> None:
    main = write_v3(tmp_path, [rows(0, square(5), timestamp=[0.0, 0.1, 0.2, time, 0.4])])
    found = read(main)
    assert len(found.states) == 3
    assert told(found)[0].startswith(f"{DATA}: field timestamp, row 3: is ")


def test_a_video_shorter_than_its_rows_is_named(tmp_path: Path) -> None:
    main = write_v3(tmp_path, [rows(0, square(4)), rows(1, square(6), 4)], pictures=greys(8))
    found = read(main, 1)
    assert [number_of(state.frame) for state in found.states] == [4, 5, 6, 7]
    assert told(found) == [
        (
            f"{VIDEO}: ends after 0.8 s, but episode 1 has rows up to 0.9; states without a picture "
            "are left out. Fetch the video again."
        )
    ]


def test_rows_behind_the_end_of_their_episode_show_no_other_one(tmp_path: Path) -> None:
    ends = {f"videos/{CAMERA}/to_timestamp": [0.3, 0.8]}
    main = write_v3(tmp_path, [rows(0, square(4)), rows(1, square(4), 4)], meta=ends)
    found = read(main, 0)
    assert [number_of(state.frame) for state in found.states] == [0, 1, 2]
    assert told(found)[0].startswith(f"{EPISODES}: field videos/{CAMERA}/to_timestamp: is 0.3, but")


def test_another_length_than_told_is_named(tmp_path: Path) -> None:
    main = write_v3(tmp_path, [rows(0, square(4))], meta={"length": [9]})
    found = read(main)
    assert len(found.states) == 4
    assert told(found) == [
        (
            f"{EPISODES}: field length: is 9 for episode 0, but its data have 4 rows; these are used. "
            "Fetch both files again."
        )
    ]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ([0.0, float("nan"), 0.0], "is nan at place 1, no finite number"),
        ([0.0, 0.0], "at place 2, no finite number"),
        ([0.0, 0.0, 90.0], "has a heading of 90 rad, more than four turns; it looks like degrees"),
        ([0.0, 1e7, 0.0], "is 1e+07 at place 1, absurd"),
    ],
)
def test_a_pose_that_cannot_be_read_leaves_no_pose(
    state: list[float], expected: str, tmp_path: Path
) -> None:
    main = write_v3(tmp_path, [rows(0, [*square(3), state])])
    found = read(main)
    assert found.truth is None
    assert unknown(found) == [0, 1, 2]
    assert expected in told(found)[0]
    assert told(found)[0].startswith(f"{DATA}: field observation.state, row 3: ")


def test_a_pose_that_jumps_makes_what_was_done_unknown(tmp_path: Path) -> None:
    states = square(6)
    states[4:] = [[x + 100.0, y, t] for x, y, t in states[4:]]
    found = read(write_v3(tmp_path, [rows(0, states)]))
    assert unknown(found) == [3]
    assert "row 4: is 100 m from the row before; no robot moves so fast" in told(found)[0]


def test_a_picture_that_stays_after_a_move_is_named(tmp_path: Path) -> None:
    pictures = greys(6)
    pictures[2] = pictures[1]
    found = read(write_v3(tmp_path, [rows(0, square(6))], pictures=pictures))
    assert found.states[1].succeeded is None
    assert found.truth is None
    assert "is the same picture as that of state 1" in told(found)[0]


def test_pictures_of_another_shape_are_named_and_used(tmp_path: Path) -> None:
    made = writer.info("v3.0")["features"]
    made[CAMERA]["shape"] = [480, 640, 3]
    found = read(write_v3(tmp_path, [rows(0, square(3))], features=made))
    assert (found.camera.width, found.camera.height) == (64, 48)
    assert told(found) == [
        (
            f"meta/info.json: field features.{CAMERA}.shape: is [480, 640, 3], but the pictures have "
            "64 x 48 pixels; these are used. Correct the shape."
        )
    ]


def test_a_feature_that_the_data_lack_is_named(tmp_path: Path) -> None:
    main = write_v3(tmp_path, [rows(0, square(3))])
    pq.write_table(
        pq.read_table(tmp_path / DATA).drop_columns("observation.state"), tmp_path / DATA
    )
    found = read(main)
    assert found.truth is None
    assert told(found)[0].startswith(f"{DATA}: field observation.state: is among the features")


# ---------------------------------------------------------------- defects that leave nothing


def change(**changes: Any) -> Callable[[Path], None]:
    def changed(root: Path) -> None:
        main = root / "meta" / "info.json"
        content = json.loads(main.read_text()) | changes
        writer.put(main, {key: one for key, one in content.items() if one is not None})

    return changed


def meta(**columns: Any) -> Callable[[Path], None]:
    def changed(root: Path) -> None:
        table = pq.read_table(root / EPISODES).to_pydict()
        pq.write_table(pa.table({**table, **{k.replace("__", "/"): v for k, v in columns.items()}}),
                       root / EPISODES)  # fmt: skip

    return changed


def gone(name: str) -> Callable[[Path], None]:
    return lambda root: (root / name).unlink()


def cut(name: str) -> Callable[[Path], None]:
    def changed(root: Path) -> None:
        (root / name).write_bytes((root / name).read_bytes()[:-100])

    return changed


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (change(codebase_version="v1.6"), "field codebase_version: is 'v1.6'; expected v2.0, v2.1"),
        (change(fps=0), "field fps: Input should be greater than 0"),
        (change(fps=1e308), "field fps: Input should be less than or equal to 10000"),
        (change(total_episodes=-1), "field total_episodes: "),
        (change(features=[]), "field features: "),
        (change(features={}), "field features: has no camera"),
        (change(video_path=None), "field video_path: is missing"),
        (change(data_path="../{chunk_index}.parquet"), r"field data_path: '\.\./0\.parquet' leaves"),
        (change(data_path="/etc/{chunk_index}"), "field data_path: '/etc/0' leaves the folder"),
        (change(data_path="{chunk_index.__class__}"), "field data_path: .* is no template"),
        (change(data_path="{chunk_index:09999999d}"), "field data_path: .* is no template"),
        (change(data_path="{episode_index}"), "'{episode_index}' is nothing that is known; expected"),
        (change(video_path="{video_key:3d}.mp4"), "'{video_key:3d}' is nothing that is known"),
        (change(data_path="data\0{file_index}"), "field data_path: there is no file"),
        (meta(data__chunk_index=[-1]), "field data/chunk_index: is -1; expected a number"),
        (meta(**{f"videos__{CAMERA}__from_timestamp": [float("nan")]}), "from_timestamp: is nan; expected seconds"),
        (meta(episode_index=[7]), "has no episode 0, though total_episodes"),
        (gone(EPISODES), "episodes: has no episodes. Fetch meta/"),
        (gone(DATA), "field data_path: there is no file"),
        (gone(VIDEO), "field video_path: there is no file"),
        (cut(EPISODES), "cannot be read as Parquet .*fetch it again"),
        (cut(DATA), "cannot be read as Parquet .*fetch it again"),
        (cut(VIDEO), "cannot be read as a video .*fetch it again"),
    ],
)  # fmt: skip
def test_what_leaves_nothing_to_use_is_one_error(
    damage: Callable[[Path], None], expected: str, tmp_path: Path
) -> None:
    main = write_v3(tmp_path, [rows(0, square(3))])
    damage(tmp_path)
    with pytest.raises(TrajectoryError, match=expected):
        read(main)


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    main = write_v3(tmp_path / "set", [rows(0, square(3))])
    (tmp_path / "set" / DATA).rename(tmp_path / "outside.parquet")
    (tmp_path / "set" / DATA).symlink_to(tmp_path / "outside.parquet")
    with pytest.raises(TrajectoryError, match=r"field data_path: .* leaves the folder"):
        read(main)


def test_a_link_of_the_cache_leads_to_contents_of_the_same_data_set_only(tmp_path: Path) -> None:
    main = as_in_the_cache(write_v3(tmp_path / "set", [rows(0, square(3))]).parent.parent)
    data = main.parent.parent / DATA
    blob = data.resolve()
    for outside in (tmp_path / "blobs" / "x", blob.parent / "deeper" / "x"):
        outside.parent.mkdir()
        blob.replace(outside)
        data.unlink()
        data.symlink_to(outside)
        with pytest.raises(TrajectoryError, match=r"field data_path: .* leaves the folder"):
            read(main)
        blob = outside


def test_a_template_does_not_name_contents_of_the_cache(tmp_path: Path) -> None:
    main = as_in_the_cache(write_v3(tmp_path / "set", [rows(0, square(3))]).parent.parent)
    blob = (main.parent.parent / DATA).resolve().name
    told = json.loads(main.read_text(encoding="utf-8"))
    told["data_path"] = f"../../blobs/{blob}"
    main.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(TrajectoryError, match=r"field data_path: .* leaves the folder"):
        read(main)


def test_an_episode_without_rows_or_with_one_is_told(tmp_path: Path) -> None:
    main = write_v3(tmp_path, [rows(0, square(1)), rows(7, square(3), 1)])
    with pytest.raises(TrajectoryError, match="has 1 usable states; a trajectory needs two"):
        read(main, 0)
    with pytest.raises(TrajectoryError, match="field episode_index: no row has 1"):
        read(main, 1)
    with pytest.raises(TrajectoryError, match="has no episode 2, though total_episodes"):
        read(main, 2)
    with pytest.raises(TrajectoryError, match="has no episode 'episode-01'; they are called"):
        lerobot.load(main / "episode-01")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", r"episodes\.jsonl: has no episode 0, though"),
        ('{"episode_index": 0, "length": ', r"episodes\.jsonl: the line of episode 0 is no JSON|has no"),
        ('{"episode_index": 0, "length": }\n', "the line of episode 0 is no JSON"),
        (None, r"episodes\.jsonl: cannot be read .*Fetch meta/"),
    ],
)  # fmt: skip
def test_a_list_of_episodes_of_version_2_that_cannot_be_used(
    lines: str | None, expected: str, tmp_path: Path
) -> None:
    main = write_v2(tmp_path, [rows(0, square(3))])
    path = main.with_name("episodes.jsonl")
    path.unlink()
    if lines is not None:
        path.write_text(lines)
    with pytest.raises(TrajectoryError, match=expected):
        read(main)


def test_pyarrow_that_is_missing_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    main = write_v3(tmp_path, [rows(0, square(3))])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TrajectoryError, match=r'pip install "pytest-metaspace\[lerobot\]"'):
        read(main)


def test_a_file_that_claims_absurdly_much_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_metaspace.trajectories import _parquet, _parquet_pages

    main = write_v3(tmp_path, [rows(0, square(6))])
    monkeypatch.setattr(_parquet, "_MOST_ROWS", 5)
    with pytest.raises(TrajectoryError, match="more than 5 rows have 0"):
        read(main)
    monkeypatch.setattr(_parquet_pages, "MOST_VALUES", 10)
    with pytest.raises(TrajectoryError, match="says that it holds 18 values"):
        read(main)
