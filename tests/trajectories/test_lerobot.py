"""LeRobot data sets: what is read of them, field by field."""

from __future__ import annotations

import io
import json
import math
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from PIL import Image

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Action, Camera, Pose
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.registries import Registries
from pytest_metaspace.trajectories import Reading, lerobot
from tests.trajectories.writers import lerobot as writer
from tests.trajectories.writers.lerobot import CAMERA, feature, picture, rows, square, write_v3
from tests.trajectories.writers.videos import HEIGHT, WIDTH, greys, number_of, write_video

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

AHEAD = Action(name="move_forward", move_m=(0.5, 0.0, 0.0))
LEFT = Action(name="turn_left", turn_deg=-90.0)
EE = ["x", "y", "z", "roll", "pitch", "yaw", "gripper"]


def read(main: Path, episode: int = 0, camera: str | None = None) -> Trajectory:
    frames = main.parent.parent / "frames"
    return lerobot.load(main / f"episode-{episode}", Reading(camera=camera, frames=frames))


def of_states(root: Path, names: list[str], states: list[list[float]], **changes: Any) -> Path:
    """Write a data set whose state has other names."""
    made = writer.info("v3.0")["features"]
    made["observation.state"] = feature("float32", (len(names),), names)
    return write_v3(root, [rows(0, states)], **{"features": made, **changes})


@pytest.mark.parametrize("write", [writer.write_v2, writer.write_v3])
def test_an_episode_is_read_field_by_field(write: Any, tmp_path: Path) -> None:
    main = write(tmp_path / "drives", [rows(0, square(4)), rows(1, square(7), 4)])
    assert lerobot.matches(main)
    assert list(lerobot.episodes(main)) == ["episode-0", "episode-1"]
    found = read(main, 1)
    assert (found.id, found.source) == ("drives-episode-1", main / "episode-1")
    assert (found.scenario, found.mover, found.vertical) == ("household", "agent", False)
    assert (found.step_length_m, found.rotation_deg) == (0.5, 90.0)
    assert found.distance_metric == "planar"
    assert found.camera == Camera(width=WIDTH, height=HEIGHT)
    assert [state.action for state in found.states] == [*[AHEAD, AHEAD, LEFT] * 2, None]
    assert [state.succeeded for state in found.states] == [True] * 6 + [None]
    first = 0 if write is writer.write_v2 else 4
    assert [number_of(state.frame) for state in found.states] == [first + n for n in range(7)]
    assert found.truth is not None
    assert found.truth.poses[3] == Pose(position=(1.0, 0.0, 0.0), yaw_deg=90.0)
    assert found.defects == ()


@pytest.mark.parametrize("write", [writer.write_v2, writer.write_v3])
def test_a_data_set_is_read_as_the_cache_of_the_hub_has_it(write: Any, tmp_path: Path) -> None:
    main = writer.as_in_the_cache(write(tmp_path / "drives", [rows(0, square(4))]).parent.parent)
    (tmp_path / "link").symlink_to(main.parent.parent)
    known = Registries.built_in()
    known.reading = Reading(frames=tmp_path / "frames")
    (path,) = pipeline.find([main, main.parent.parent, tmp_path / "link" / "meta"], known)
    found = known.load(path)
    assert path == main / "episode-0"
    assert (found.id, found.defects) == ("drives-episode-0", ())
    assert [number_of(state.frame) for state in found.states] == [0, 1, 2, 3]


def test_another_info_json_is_none_of_ours(tmp_path: Path) -> None:
    for name, content in (("meta/info.json", "{}"), ("info.json", '{"codebase_version": "v3.0"}')):
        writer.put(tmp_path / name, json.loads(content))
        assert not lerobot.matches(tmp_path / name)
    assert not lerobot.matches(tmp_path / "gone" / "meta" / "info.json")


def test_a_million_episodes_are_listed_without_being_made() -> None:
    names = lerobot.Episodes(10**6)
    assert (len(names), names[999_999], names[1:3]) == (
        10**6,
        "episode-999999",
        ["episode-1", "episode-2"],
    )


def test_a_log_of_many_pictures_a_second_is_thinned_to_whole_moves(tmp_path: Path) -> None:
    states = [[0.025 * number, 0.0, 0.001 * (number % 3)] for number in range(61)]
    found = read(write_v3(tmp_path, [rows(0, states)], pictures=greys(31) * 2))
    assert [number_of(state.frame) for state in found.states] == [0, 10, 20, 30, 9, 19, 29]
    assert {state.action for state in found.states[:-1]} == {
        Action(name="move_forward", move_m=(0.25, 0.0, 0.0))
    }
    assert found.truth is not None
    assert {pose.yaw_deg for pose in found.truth.poses} == {0.0}
    assert any("7 of its 61 pictures" in note for note in found.warnings)


def test_a_long_way_is_cut_into_longer_moves(tmp_path: Path) -> None:
    states = [[0.3 * number, 0.0, 0.0] for number in range(50)]
    found = read(write_v3(tmp_path, [rows(0, states)]))
    assert 10 < len(found.states) <= 20
    assert {state.action.length_m for state in found.states if state.action} == {
        found.step_length_m
    }


def test_a_robot_that_stands_is_seen_every_few_pictures(tmp_path: Path) -> None:
    found = read(write_v3(tmp_path, [rows(0, [[1.0, 2.0, 0.5]] * 50)]))
    assert [number_of(state.frame) for state in found.states] == list(range(0, 50, 3))
    assert found.states[0].action == Action(name="stay")


def test_joint_values_alone_are_no_pose_and_that_is_said(tmp_path: Path) -> None:
    names = ["shoulder_pan.pos", "elbow_flex.pos", "gripper.pos"]
    found = read(of_states(tmp_path, names, [[0.0, 1.0, 2.0]] * 5, robot_type="so100_follower"))
    assert found.truth is None
    assert (found.scenario, found.mover) == ("arm", "gripper")
    assert all(state.action is None for state in found.states)
    assert any("has no pose" in note and "shoulder_pan.pos" in note for note in found.warnings)


@pytest.mark.parametrize(
    ("names", "values", "yaw"),
    [
        (["x", "y", "theta"], [1, 2, math.pi / 2], 90),
        (["base_x.pos", "base_y.pos", "base_yaw.pos"], [1, 2, math.pi / 2], 90),
        (["odom.x", "odom.y", "odom.heading_deg"], [1, 2, 90], 90),
        (["pose_x", "pose_y", "pose_qw", "pose_qx", "pose_qy", "pose_qz"], [1, 2, *[0.5**0.5, 0, 0, 0.5**0.5]], 90),
        (["robot.x", "robot.y", "robot.yaw", "ee.x", "ee.y", "ee.z"], [1, 2, math.pi, 7, 8, 9], 180),
    ],
)  # fmt: skip
def test_names_that_are_the_pose_of_a_base(
    names: list[str], values: list[float], yaw: float, tmp_path: Path
) -> None:
    found = read(of_states(tmp_path, names, [values] * 3, robot_type="tiago"))
    assert found.truth is not None
    assert found.truth.poses[0].position == (1.0, 2.0, 0.0)
    assert found.truth.poses[0].yaw_deg == pytest.approx(yaw, abs=1e-3)


@pytest.mark.parametrize(
    "names",
    [
        ["x.vel", "y.vel", "theta.vel"],
        ["joint_x", "joint_y", "joint_yaw"],
        ["target_x", "target_y", "target_yaw"],
        ["left_hand_x", "left_hand_y", "left_hand_z", "right_hand_x", "right_hand_y", "right_hand_z"],
        ["x", "y", "z"],
    ],
)  # fmt: skip
def test_names_that_are_no_pose(names: list[str], tmp_path: Path) -> None:
    states = [[0.1 * number] * len(names) for number in range(3)]
    found = read(of_states(tmp_path, names, states))
    assert found.truth is None
    assert all(state.action is None for state in found.states)


def test_names_may_stand_below_motors_and_pictures_with_colours_first(tmp_path: Path) -> None:
    made = writer.info("v3.0")["features"]
    made["observation.state"]["names"] = {"motors": ["x", "y", "theta"]}
    made[CAMERA]["shape"] = [3, HEIGHT, WIDTH]
    found = read(write_v3(tmp_path, [rows(0, square(3))], features=made))
    assert found.truth is not None
    assert found.defects == ()


def test_a_drone_moves_up_and_down(tmp_path: Path) -> None:
    states = [[0.0, 0.0, 2.0 * number, 0.0] for number in range(3)]
    found = read(of_states(tmp_path, ["x", "y", "z", "yaw"], states, robot_type="quadrotor"))
    assert (found.scenario, found.vertical) == ("drone", True)
    assert found.states[0].action == Action(name="move_up", move_m=(0.0, 0.0, 2.0))


# --------------------------------------------------------------------------- arms, cameras


def reach(tmp_path: Path, **changes: Any) -> Path:
    states = [[0.5, 0.1 * number, 0.2, 0, 0, 0, 0] for number in range(4)]
    return of_states(tmp_path, EE, states, robot_type="franka", **changes)


def test_a_gripper_is_watched_and_its_moves_wait_for_where_the_camera_looks(
    tmp_path: Path,
) -> None:
    found = read(reach(tmp_path))
    assert (found.scenario, found.mover, found.vertical) == ("arm", "gripper", True)
    assert [state.action for state in found.states] == [None] * 4
    assert any("--metaspace-camera=front@90" in note for note in found.warnings)


def test_moves_of_a_gripper_are_told_as_the_camera_looks(tmp_path: Path) -> None:
    main = reach(tmp_path)
    away = read(main, camera="front@90").states[0].action
    assert away == Action(name="move_farther", move_m=(0.1, 0.0, 0.0))
    left = read(main, camera="front@0").states[0].action
    assert left == Action(name="move_left", move_m=(0.0, -0.1, 0.0))
    near = read(main, camera=f"{CAMERA}@-90").states[0].action
    assert near == Action(name="move_nearer", move_m=(-0.1, 0.0, 0.0))


def test_a_camera_at_the_wrist_moves_itself(tmp_path: Path) -> None:
    wrist = "observation.images.wrist"
    made = writer.info("v3.0")["features"]
    made[wrist] = picture("image")
    made["observation.state"] = feature("float32", (len(EE),), EE)
    states = [[0.5, 0.1 * number, 0.2, 0, 0, 0, 0] for number in range(3)]
    columns = rows(0, states) | {wrist: embedded(3)}
    main = write_v3(tmp_path, [columns], features=made, robot_type="franka")
    found = read(main, camera="wrist@90")
    assert (found.scenario, found.mover) == ("arm", "agent")
    assert [state.action for state in found.states] == [None] * 3
    assert any("moves with the hand" in note for note in found.warnings)


def embedded(count: int) -> list[dict[str, Any]]:
    """Return pictures as rows hold them."""
    stored = []
    for grey in greys(count):
        file = io.BytesIO()
        Image.fromarray(grey).save(file, format="PNG")
        stored.append({"bytes": file.getvalue(), "path": "frame.png"})
    return stored


def cameras(tmp_path: Path) -> Path:
    made = writer.info("v3.0")["features"]
    made["observation.images.wrist"] = picture()
    made["observation.images.depth"] = picture() | {"info": {"video.is_depth_map": True}}
    return write_v3(tmp_path, [rows(0, square(3))], features=made)


def test_of_several_cameras_one_is_chosen(tmp_path: Path) -> None:
    main = cameras(tmp_path)
    with pytest.raises(TrajectoryError) as caught:
        lerobot.episodes(main)
    assert str(caught.value) == (
        f"{main}: field features: has 2 cameras: observation.images.front, "
        "observation.images.wrist. Choose one: --metaspace-camera=front"
    )
    assert len(lerobot.episodes(main, Reading(camera="front"))) == 1
    assert len(read(main, camera=CAMERA).states) == 3
    with pytest.raises(TrajectoryError, match=r"no camera is called 'depth'.*There are: obs"):
        read(main, camera="depth")
    for odd in ("front@abc", "front@inf", "front@1000"):
        with pytest.raises(TrajectoryError, match=r"Behind @ a number of degrees is expected"):
            lerobot.episodes(main, Reading(camera=odd))


def test_pictures_inside_the_rows_are_taken_out(tmp_path: Path) -> None:
    made = writer.info("v3.0")["features"]
    made[CAMERA] = picture("image")
    columns = rows(0, square(3)) | {CAMERA: embedded(3)}
    found = read(write_v3(tmp_path, [columns], features=made, video_path=None))
    assert [number_of(state.frame) for state in found.states] == [0, 1, 2]
    assert found.camera == Camera(width=WIDTH, height=HEIGHT)


def test_the_templates_of_paths_decide(tmp_path: Path) -> None:
    main = write_v3(tmp_path, [rows(0, square(3))])
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data/chunk-000/file-000.parquet").rename(tmp_path / "elsewhere/0-00.pq")
    content = json.loads(main.read_text())
    writer.put(main, content | {"data_path": "elsewhere/{chunk_index}-{file_index:02d}.pq"})
    assert len(read(main).states) == 3


def test_only_the_row_groups_of_an_episode_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = write_v3(tmp_path, [rows(number, square(3), 3 * number) for number in range(8)])
    asked: list[Any] = []
    inner = pq.ParquetFile.iter_batches

    def watched(self: Any, *args: Any, **options: Any) -> Any:
        column = self.schema_arrow.names.index("episode_index")
        known = self.metadata.row_group(0).column(column).statistics
        asked.append((self.metadata.num_row_groups, known.min, known.max))
        return inner(self, *args, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", watched)
    assert [number_of(state.frame) for state in read(main, 5).states] == [15, 16, 17]
    assert asked == [(1, 0, 7), (1, 5, 5)]  # the row of the episode, then its rows


def test_it_is_built_in_and_loads_through_the_registries(tmp_path: Path) -> None:
    main = write_v3(tmp_path / "set", [rows(0, square(3))])
    write_video(tmp_path / "other.mp4", greys(2))
    registries = Registries.built_in()
    registries.reading = Reading(frames=tmp_path / "frames")
    assert registries.episodes_of(main) == [main / "episode-0"]
    assert registries.load(main / "episode-0").id == "set-episode-0"
