"""From frames to objects: what is stored, what is asked again, and what a detector may not say."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Box, Settings
from pytest_metaspace.errors import TrackerError
from pytest_metaspace.sensitivity import Study
from pytest_metaspace.tracking import Detection, Following
from pytest_metaspace.tracking._store import Store
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

CHAIR = Detection(label="chair", box=Box(10, 10, 50, 60), confidence=0.9)


@pytest.fixture
def walk(tmp_path: Path) -> Trajectory:
    main = Walk(with_objects=False).write(tmp_path / "walk")
    (found,) = pipeline.load([main], pipeline.Registries.built_in())
    return found


class Fake:
    """Finds the same in every frame, and counts; opened as long as it is at work."""

    def __init__(self, *found: Detection, identity: str = "fake 1") -> None:
        self.identity = identity
        self.found = list(found)
        self.batches: list[int] = []
        self.opened = 0

    def __enter__(self) -> Fake:  # noqa: PYI034 - Self needs Python 3.11
        self.opened += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.opened -= 1

    def detect(self, frames: Sequence[Path]) -> list[list[Detection]]:
        assert self.opened == 1
        self.batches.append(len(frames))
        return [list(self.found) for _ in frames]


class Follower(Fake):
    """Brings one track."""

    detect = None  # type: ignore[assignment]

    def follow(self, trajectory: Trajectory) -> list[list[Detection]]:
        self.batches.append(len(trajectory.states))
        return [list(self.found) for _ in trajectory.states]


def test_a_frame_that_is_no_picture_is_named(walk: Trajectory, tmp_path: Path) -> None:
    frame = walk.states[1].frame
    frame.write_bytes(b"no picture")
    following = Following("fake", Fake(CHAIR), tmp_path)
    with pytest.raises(TrackerError, match="cannot be read as a picture") as told:
        following.completed(walk)
    following.finish()
    assert str(told.value).startswith(f"metaspace: {frame}: ")


def test_frames_are_searched_in_batches_and_once(walk: Trajectory, tmp_path: Path) -> None:
    fake = Fake(CHAIR)
    shown: list[tuple[str, int, int]] = []
    following = Following(
        "fake", fake, tmp_path, batch_size=3, progress=lambda *told: shown.append(told)
    )
    first = following.completed(walk)
    assert fake.batches == [3, 1]
    assert shown == [("frames of walk searched:", 0, 4), ("frames of walk searched:", 3, 4)]
    assert following.completed(walk) == first
    again = Following("fake", Fake(CHAIR), tmp_path).completed(walk)
    assert again == first
    assert fake.batches == [3, 1]
    following.finish()
    assert fake.opened == 0


def test_a_tracker_is_let_go_when_all_trajectories_are_loaded(
    walk: Trajectory, tmp_path: Path
) -> None:
    fake = Fake(CHAIR)
    registries = pipeline.Registries.built_in()
    registries.following = Following("fake", fake, tmp_path)
    (found,) = pipeline.load([walk.source], registries)
    assert found.objects
    assert fake.opened == 0


def test_scores_at_another_confidence_are_those_of_other_tracks(
    walk: Trajectory, tmp_path: Path
) -> None:
    """What a tracker made of surer boxes cannot say what it would have made of all."""
    left, right = (
        Detection(label="chair", box=Box(x, 200, x + 60, 290), confidence=sure)
        for x, sure in ((100, 0.55), (400, 0.75))
    )
    fake = Fake(left, right)
    registries = pipeline.Registries.built_in()
    registries.following = Following("fake", fake, tmp_path)
    study = Study([walk.source], registries, registries.agent("random", tmp_path), None)
    found = study.confidence(Settings(relations=frozenset({"MR6"})))
    pairs = {one.value: "MR6" in one.scores for one in found}
    assert pairs == {0.4: True, 0.5: True, 0.6: False, 0.7: False, 0.8: False, 0.9: False}
    assert fake.batches == [4]
    assert fake.opened == 0


def test_another_identity_is_another_search(walk: Trajectory, tmp_path: Path) -> None:
    Following("fake", Fake(CHAIR), tmp_path).completed(walk)
    other = Fake(identity="fake 2")
    assert Following("fake", other, tmp_path).completed(walk).objects == ()
    assert other.batches == [4]


def test_who_follows_objects_is_asked_for_the_whole_trajectory_once(
    walk: Trajectory, tmp_path: Path
) -> None:
    follower = Follower(CHAIR)
    found = Following("fake", follower, tmp_path).completed(walk)
    assert Following("fake", follower, tmp_path).completed(walk) == found
    assert follower.batches == [4]


def test_what_is_stored_can_be_read_and_a_damaged_file_counts_as_missing(
    walk: Trajectory, tmp_path: Path
) -> None:
    frame = walk.states[0].frame
    store = Store(tmp_path)
    store.put([frame], "fake 1", [[CHAIR]])
    (path,) = (tmp_path / "tracks").rglob("*.json")
    assert json.loads(path.read_text())["frames"][0][0]["label"] == "chair"
    assert store.get([frame], "fake 1") == [[CHAIR]]
    whole = path.read_text()
    for damaged in ("", whole[:-20], "[]", "null", whole.replace('"xyxy"', '"xy"'), "[" * 99999):
        path.write_text(damaged)
        assert store.get([frame], "fake 1") is None


def test_a_store_that_cannot_be_written_is_told_once_and_done_without(
    walk: Trajectory, tmp_path: Path
) -> None:
    (tmp_path / "tracks").write_text("no folder")
    following = Following("fake", Fake(CHAIR), tmp_path)
    with pytest.warns(UserWarning, match="detections cannot be stored in") as told:
        assert following.completed(walk).objects
    assert len(told) == 1


def test_two_do_not_search_at_once(tmp_path: Path) -> None:
    entered, order = threading.Event(), []

    def other() -> None:
        entered.set()
        with Store(tmp_path).alone():
            order.append("other")

    with Store(tmp_path).alone():
        thread = threading.Thread(target=other)
        thread.start()
        entered.wait(5)
        thread.join(0.1)
        order.append("first")
    thread.join(5)
    assert order == ["first", "other"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"label": ""}, "expected a label"),
        ({"label": None}, "expected a label"),
        ({"box": Box(float("nan"), 0, 1, 1)}, "a box of finite numbers"),
        ({"confidence": 1.5}, "a confidence from 0 to 1"),
    ],
)
def test_what_is_no_detection_is_refused(
    walk: Trajectory, tmp_path: Path, wrong: dict[str, Any], told: str
) -> None:
    fields: dict[str, Any] = {"label": "chair", "box": CHAIR.box, "confidence": 0.9, **wrong}
    with pytest.raises(TrackerError, match=told):
        Following("fake", Fake(Detection(**fields)), tmp_path).completed(walk)


def test_a_list_too_few_is_refused(
    walk: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = Fake()
    monkeypatch.setattr(fake, "detect", lambda frames: [[]] * (len(frames) - 1))
    with pytest.raises(TrackerError, match=r"was given 4 frames and returned detections of 3"):
        Following("fake", fake, tmp_path).completed(walk)


def test_boxes_are_cut_to_the_image_and_labels_to_one_line(
    walk: Trajectory, tmp_path: Path
) -> None:
    over = Detection(label=" a\n chair\t", box=Box(-9, -9, 700, 500), confidence=0.9)
    outside = Detection(label="chair", box=Box(700, 10, 720, 60), confidence=0.9)
    objects = Following("fake", Fake(over, outside), tmp_path).completed(walk).objects
    assert {one.label for one in objects} == {"a chair"}
    assert {box for one in objects for box in one.boxes.values()} == {Box(0, 0, 640, 480)}
