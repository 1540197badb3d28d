"""AerialVLN splits: what is read of a flight, and what is said of one that is damaged."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import lmdb
import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from pytest_metaspace import pipeline
from pytest_metaspace.canonical import file_digest
from pytest_metaspace.domain import Settings
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.trajectories import Reading, _aerial_pictures, aerialvln
from tests.trajectories.aerial_support import (
    FLIGHT,
    NAME,
    OTHER,
    SIZE,
    episode,
    flown,
    split,
    views,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory


def only(tmp_path: Path, **fields: Any) -> Trajectory:
    """Load a flight whose episode says something else."""
    return aerialvln.load(split(tmp_path, episode(**fields)) / NAME)


def texts(trajectory: Trajectory) -> list[str]:
    return [
        str(one).replace(str(trajectory.source.parent.parent), "HERE") for one in trajectory.defects
    ]


def test_three_instructions_are_one_trajectory(tmp_path: Path) -> None:
    main = split(tmp_path)
    assert aerialvln.matches(main)
    assert list(aerialvln.episodes(main)) == [NAME, OTHER]
    found = aerialvln.load(main / NAME)
    assert found.id == f"val_seen-{NAME}"
    assert found.source == main / NAME
    assert (found.scenario, found.vertical, found.distance_metric) == ("drone", True, "spatial")
    assert (found.step_length_m, found.rotation_deg) == (1.0, 15.0)
    assert found.defects == ()


def test_each_state_has_its_picture_and_what_was_done_next(tmp_path: Path) -> None:
    found = aerialvln.load(split(tmp_path) / NAME)
    assert [state.frame.name for state in found.states] == [f"{i:04d}.png" for i in range(9)]
    assert [state.action.name for state in found.states if state.action] == [
        "move_forward", "turn_right", "move_forward", "go_up", "move_right", "turn_left",
        "move_left", "go_down",
    ]  # fmt: skip
    assert all(state.succeeded for state in found.states[:-1])
    assert found.states[-1].action is None
    assert found.states[-1].succeeded is None
    assert (found.camera.width, found.camera.height, found.camera.fx) == (*SIZE, SIZE[0] / 2)


def test_north_east_down_becomes_ours(tmp_path: Path) -> None:
    """x stays north, what was east is -y, and what had z negative is high up."""
    truth = aerialvln.load(split(tmp_path) / NAME).truth
    assert truth is not None
    for pose, (x, y, z, _, _, yaw) in zip(truth.poses, flown(FLIGHT)):
        assert pose.position == pytest.approx((x, -y, -z), abs=0.01)
        assert pose.yaw_deg == pytest.approx(-math.degrees(yaw), abs=0.01)
    assert truth.poses[4].position[2] > truth.poses[3].position[2]  # it went up


def test_truth_and_odometry_hold_on_a_flight(tmp_path: Path) -> None:
    main = split(tmp_path)
    run = pipeline.run(
        [main], "truth", Settings(anchors=frozenset({"A2", "A3"})), registries=Registries.built_in()
    )
    assert run.overall.violated == run.overall.invalid == run.overall.error == 0
    assert all(score.violated == 0 for score in run.anchors)
    assert {"SC1-a A2", "SC1-b A3"} <= {score.name for score in run.by_anchor}
    assert run.overall.satisfied > 100


def test_pictures_come_out_of_the_authors_database(tmp_path: Path) -> None:
    main = split(tmp_path / "data", pictures=False)
    with lmdb.open(str(tmp_path / "rgb"), map_size=1 << 24) as store, store.begin(write=True) as to:
        for step in range(len(FLIGHT)):
            pixels = Image.new("RGB", SIZE, (step, 2, 3)).tobytes()
            packed = msgpack.packb(
                {b"nd": True, b"type": "|u1", b"kind": b"", b"shape": [*SIZE[::-1], 3],
                 b"data": pixels}
            )  # fmt: skip
            to.put(f"{NAME}_{step}_rgb".encode(), packed)
    reading = Reading(images=tmp_path / "rgb", frames=tmp_path / "kept")
    found = aerialvln.load(main / NAME, reading)
    assert len(found.states) == len(FLIGHT)
    with Image.open(found.states[3].frame) as picture:
        assert picture.size == SIZE
        assert picture.getpixel((5, 5)) == (3, 2, 3)
    assert found.states[0].frame.is_relative_to(tmp_path / "kept")


def test_a_picture_out_of_the_database_is_known_by_its_pixels(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save = Image.Image.save

    def packed(picture: Image.Image, *words: Any, **named: Any) -> None:
        save(picture, *words, **{**named, "compress_level": 9})

    def made(colour: int) -> str:
        value = {b"type": "|u1", b"shape": [*SIZE[::-1], 3], b"data": bytes([colour]) * pixels}
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.png"
        path.write_bytes(_aerial_pictures._png(msgpack.packb(value), "rgb:1"))
        return file_digest(path)

    pixels = SIZE[0] * SIZE[1] * 3
    before = made(7)
    monkeypatch.setattr(Image.Image, "save", packed)
    assert made(7) == before != made(8)
    assert (tmp_path / "0.png").read_bytes() != (tmp_path / "1.png").read_bytes()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"actions": [1, 9, *FLIGHT[2:]]},
            "HERE/val_seen.json: field episodes.0.actions.1: is 9, expected 0 to 7; it counts as",
        ),
        (
            {"actions": [*FLIGHT, 3, 1]},
            "field episodes.0.actions.8: stops, and 2 actions come after it; they are left out.",
        ),
        ({"actions": json.dumps(FLIGHT)}, "field episodes.0.actions: is a text, not a list."),
        (
            {"start_rotation": [1, 0, 0]},
            "field episodes.0.start_rotation: is [1, 0, 0], expected finite numbers; there are no",
        ),
        ({"start_position": None}, "field episodes.0.start_position: is None, expected finite"),
        (
            {"reference_path": flown([1, 2, 3])},
            "field episodes.0.reference_path: has 4 places for 8 moves; as many",
        ),
        ({"reference_path": []}, "field episodes.0.reference_path: is missing; poses follow from"),
        (
            {"reference_path": [[x, -y, -z] for x, y, z, *_ in flown(FLIGHT)]},
            "field episodes.0.reference_path.0: is 72.1 m off where the actions before it lead; no",
        ),
        (
            {"reference_path": [[10.0, -20.0, -30.0], ["a"]]},
            "field episodes.0.reference_path.1: is no place where the actions before it lead; no",
        ),
    ],
)
def test_a_defect_is_named_by_file_and_field(
    tmp_path: Path, fields: dict[str, Any], said: str
) -> None:
    found = only(tmp_path, **fields)
    assert any(said in text for text in texts(found)), texts(found)


def test_what_rests_on_a_defect_is_taken_away(tmp_path: Path) -> None:
    unknown = only(tmp_path / "a", actions=[1, 9, *FLIGHT[2:]])
    assert unknown.states[1].action is None
    assert unknown.truth is None
    mirrored = only(tmp_path / "b", reference_path=[[x, -y, z] for x, y, z, *_ in flown(FLIGHT)])
    assert mirrored.truth is None
    assert not any(state.action or state.succeeded for state in mirrored.states)


def test_instructions_that_tell_other_actions_are_a_defect(tmp_path: Path) -> None:
    main = split(tmp_path, episode(), episode(number=1, actions=[1, 1, 0]))
    found = aerialvln.load(main / NAME)
    assert len(found.states) == len(FLIGHT)
    assert "field episodes.1.actions: differ from those of episodes.0" in texts(found)[0]
    assert found.truth is None
    assert not any(state.action or state.succeeded for state in found.states)


def test_where_a_flight_went_otherwise_than_told_no_heading_is_taken_to_stay(
    tmp_path: Path,
) -> None:
    """With turns that are not those of the pictures, even the truth would contradict itself."""
    mirrored = only(tmp_path, reference_path=[[x, -y, z] for x, y, z, *_ in flown(FLIGHT)])
    cases = pipeline.plan(mirrored, Registries.built_in(), Settings()).cases
    last = len(mirrored.states) - 1
    assert cases
    assert all(mirrored.turns_between(first, first + 1) for first in range(last))


def test_a_picture_that_does_not_change_is_a_defect_and_no_evidence(tmp_path: Path) -> None:
    main = split(tmp_path, episode())
    folder = tmp_path / "val_seen_rgb" / NAME
    (folder / "0003.png").write_bytes((folder / "0002.png").read_bytes())
    found = aerialvln.load(main / NAME)
    assert (
        "is the same picture as that of state 2, though the action 'move_forward'"
        in texts(found)[0]
    )
    assert found.states[2].succeeded is None
    assert found.truth is None


@pytest.mark.parametrize("damage", ["gone", "noise", "another size"])
def test_a_lost_picture_ends_the_flight_there(tmp_path: Path, damage: str) -> None:
    main = split(tmp_path, episode())
    picture = tmp_path / "val_seen_rgb" / NAME / "0005.png"
    if damage == "gone":
        picture.unlink()
    elif damage == "noise":
        picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(90))
    else:
        Image.new("RGB", (8, 8)).save(picture)
    found = aerialvln.load(main / NAME)
    assert len(found.states) == 5
    assert "field episodes.0.actions.5: has no picture to be seen before it (" in texts(found)[0]


def test_a_flight_that_stopped_needs_no_picture_after_its_last_action(tmp_path: Path) -> None:
    main = split(tmp_path, episode(actions=FLIGHT[:-1]), pictures=False)
    views(tmp_path / "val_seen_rgb" / NAME, len(FLIGHT) - 1)
    found = aerialvln.load(main / NAME)
    assert len(found.states) == len(FLIGHT) - 1
    assert found.defects == ()


def test_a_split_without_pictures_says_what_to_type(tmp_path: Path) -> None:
    main = split(tmp_path, pictures=False)
    with pytest.raises(TrajectoryError, match=r"AerialVLN ships none.*--metaspace-images=PATH"):
        aerialvln.load(main / NAME)


def test_pictures_outside_of_their_folder_are_not_touched(tmp_path: Path) -> None:
    main = split(tmp_path, episode(), pictures=False)
    views(tmp_path / "elsewhere" / NAME)
    (tmp_path / "val_seen_rgb").mkdir()
    (tmp_path / "val_seen_rgb" / NAME).symlink_to(tmp_path / "elsewhere" / NAME)
    with pytest.raises(TrajectoryError, match="has 0 pictures; a trajectory needs two"):
        aerialvln.load(main / NAME)


def test_a_file_that_is_cut_off_keeps_what_came_before(tmp_path: Path) -> None:
    main = split(tmp_path)
    whole = main.read_text(encoding="utf-8")
    main.write_text(whole[: whole.index('"episode_id"', whole.index(OTHER)) + 40], encoding="utf-8")
    assert list(aerialvln.episodes(main)) == [NAME, OTHER]
    found = aerialvln.load(main / NAME)
    assert (
        "field episodes.2: is no JSON, or cut off there; what comes after is left out."
        in texts(found)[0]
    )


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers(-2, 9) | st.text(max_size=5),
    lambda some: (
        st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=5), some, max_size=3)
    ),
    max_leaves=8,
)
_FIELDS = [
    "actions",
    "start_position",
    "start_rotation",
    "reference_path",
    "trajectory_id",
    "goals",
]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(field=st.sampled_from(_FIELDS), odd=_JSON)
def test_whatever_a_field_says_is_read_or_refused(tmp_path: Path, field: str, odd: Any) -> None:
    main = split(tmp_path, episode(**{field: odd}), episode(OTHER), pictures=False)
    for name in (NAME, OTHER):
        if not (tmp_path / "val_seen_rgb" / name).exists():
            views(tmp_path / "val_seen_rgb" / name)
    try:
        for name in aerialvln.episodes(main):
            found = aerialvln.load(main / name)
            pipeline.plan(found, Registries.built_in(), Settings())
    except TrajectoryError as problem:
        assert "val_seen.json" in str(problem)  # noqa: PT017 - it need not be raised


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=st.binary(max_size=300), where=st.integers(0, 3000))
def test_damaged_bytes_are_read_or_refused(tmp_path: Path, content: bytes, where: int) -> None:
    main = split(tmp_path, pictures=False)
    whole = main.read_bytes()
    main.write_bytes(whole[:where] + content + whole[where + len(content) :])
    aerialvln.matches(main)
    try:
        for name in aerialvln.episodes(main):
            aerialvln.load(main / name)
    except TrajectoryError as problem:
        assert "val_seen.json" in str(problem)  # noqa: PT017 - it need not be raised
