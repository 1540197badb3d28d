"""The geometric agent in front of an arm: a camera that stays sees a gripper go."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from pytest_metaspace.agents import geometric
from pytest_metaspace.agents._sizes import usual
from pytest_metaspace.agents._watching import Drift, Watcher, changed, drift
from pytest_metaspace.domain import Capability, Query, State, TrackedObject, Trajectory, Value
from pytest_metaspace.errors import AgentError
from tests.agents.geometric_support import CAMERA, EYE, box_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.agents._ground import Floats

pytest.importorskip("cv2")

WENT = {
    "right": Drift(0.08, 0.0, 0.0),
    "down": Drift(0.0, 0.1, 0.0),
    "away": Drift(0.0, 0.0, 0.12),
    "nearer, up and left": Drift(-0.06, -0.05, -0.1),
}


def seen(went: Drift, count: int = 60) -> tuple[Floats, Floats]:
    """Return exact pixels, before and after, of points at one depth that move as one."""
    rng = np.random.default_rng(5)
    x, y = rng.uniform(-0.25, 0.25, (2, count))
    after = (x + went.right) / (1 + went.away), (y + went.down) / (1 + went.away)
    one, other = (
        np.stack([EYE.cx + EYE.fx * u, EYE.cy + EYE.fy * v], axis=-1) for u, v in ((x, y), after)
    )
    return one, other


def as_tuple(went: Drift) -> tuple[float, float, float]:
    return went.right, went.down, went.away


@pytest.mark.parametrize("went", WENT.values(), ids=WENT)
def test_a_known_motion_is_recovered_among_wrong_matches(went: Drift) -> None:
    a, b = seen(went)
    b[::3] = np.random.default_rng(1).uniform((0, 0), (640, 480), b[::3].shape)
    found = drift(EYE, a, b)
    assert found is not None
    assert as_tuple(found) == pytest.approx(as_tuple(went), abs=0.004)


def test_what_hardly_changed_has_not_moved_and_what_agrees_on_nothing_is_declined() -> None:
    a, b = seen(WENT["right"], count=9)
    assert drift(EYE, a, b) == Drift()
    rng = np.random.default_rng(2)
    a, b = rng.uniform((0, 0), (640, 480), (2, 40, 2))
    assert drift(EYE, a, b) is None


def test_motions_compose_and_undo() -> None:
    there, on = WENT["nearer, up and left"], WENT["away"]
    assert as_tuple(there.then(there.back)) == pytest.approx((0, 0, 0))
    assert as_tuple(there.back.then(there)) == pytest.approx((0, 0, 0))
    assert there.then(on).away == pytest.approx(0.9 * 1.12 - 1)


def patched(path: Path, left: int, top: int) -> Path:
    """Write a plain picture with a speckled square on it."""
    rng = np.random.default_rng(3)
    picture = np.full((480, 640), 120, np.uint8)
    speckles = rng.integers(0, 2, (12, 12)).astype(np.uint8) * 200
    picture[top : top + 96, left : left + 96] = np.kron(speckles, np.ones((8, 8), np.uint8))
    Image.fromarray(picture).save(path)
    return path


def test_only_what_differs_between_two_pictures_is_matched(tmp_path: Path) -> None:
    one, other = patched(tmp_path / "0.png", 200, 150), patched(tmp_path / "1.png", 240, 150)
    before, after = changed(one, other)
    assert len(before) >= 10
    assert np.median(after - before, axis=0) == pytest.approx([40.0, 0.0], abs=0.2)
    watcher = Watcher(EYE)
    went = watcher.between(one, other)
    assert went is not None
    assert as_tuple(went) == pytest.approx((40 / EYE.fx, 0.0, 0.0), abs=0.005)
    assert watcher.between(other, one) == went.back
    assert watcher.between(one, one) == Drift()


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "0.png").write_bytes(b"no picture")
    with pytest.raises(AgentError, match=r"0\.png cannot be read as a picture"):
        changed(tmp_path / "0.png", tmp_path / "0.png")


class Told(Watcher):
    """A watcher that is told the motions between frames, by their names."""

    def __init__(self, drifts: Mapping[tuple[int, int], Drift]) -> None:
        super().__init__(EYE)
        self._told = drifts

    def between(self, a: Path, b: Path) -> Drift | None:
        return self._told.get((int(a.stem), int(b.stem)))


TABLE_EYE = replace(EYE, height_m=0.5)


def on_table(name: str, ahead: float, aside: float) -> TrackedObject:
    size = usual(name, on_table=True)
    assert size is not None
    box = box_of(TABLE_EYE, ahead=ahead, aside=aside, low=0.0, size=size)
    boxes = dict.fromkeys(range(3), box)
    return TrackedObject(id=name, label=name, boxes=boxes, confidences=dict.fromkeys(boxes, 1.0))


def made(*objects: TrackedObject) -> Trajectory:
    return Trajectory(
        id="made",
        source=Path("/nowhere/trajectory.json"),
        scenario="arm",
        step_length_m=0.05,
        vertical=True,
        distance_metric="spatial",
        camera=CAMERA,
        mover="gripper",
        states=tuple(State(index=i, frame=Path(f"{i}.png")) for i in range(3)),
        objects=objects,
        truth=None,
    )


def query(code: str, a: int | str, b: int | str | None, *evidence: int) -> Query:
    return Query(
        trajectory="made", capability=Capability(code), a=a, b=b, reference=0, evidence=evidence
    )


TABLE = made(on_table("mug", 0.8, -0.2), on_table("can", 1.0, 0.1), on_table("cube", 0.7, 0.2))


def watching(drifts: Mapping[tuple[int, int], Drift]) -> geometric.GeometricAgent:
    agent = geometric.GeometricAgent()
    agent._watchers[EYE] = Told(drifts)
    return agent


def test_a_gripper_goes_as_far_as_it_would_over_the_middle_of_what_lies_there() -> None:
    """The camera looks down by 20 degrees and things lie about 0.95 m deep."""
    agent = watching({(0, 1): Drift(0.0, -0.105, 0.0), (0, 2): Drift(0.105, 0.0, 0.0)})
    up = query("SC1-a", 0, 1, 0, 1)
    assert agent.perceive(up, TABLE) == Value(planar="front", vertical="above")
    assert agent.perceive(replace(up, a=1, b=0), TABLE) == Value(planar="back", vertical="below")
    aside = query("SC1-a", 0, 2, 0, 2)
    assert agent.perceive(aside, TABLE) == Value(planar="right", vertical="level")
    far = agent.perceive(query("SC1-b", 0, 2, 0, 2), TABLE)
    assert far == Value(steps=2)


def test_a_gripper_that_is_not_made_out_is_declined() -> None:
    agent = watching({(0, 1): Drift()})
    assert agent.perceive(query("SC1-a", 0, 2, 0, 1, 2), TABLE) is None
    assert watching({(0, 1): Drift()}).perceive(query("SC1-b", 0, 1, 0, 1), made()) is None


def test_things_on_a_table_are_placed_by_the_height_that_they_tell() -> None:
    """The camera's height over the floor says nothing about the table's."""
    agent = geometric.GeometricAgent()
    assert agent.perceive(query("SC2-a", "mug", "can", 0), TABLE) == Value(
        planar="front-right", vertical="level"
    )
    true = math.hypot(0.2, 0.3) / 0.05
    steps = agent.perceive(query("SC2-b", "mug", "can", 0), TABLE)
    assert steps is not None
    assert steps.steps == pytest.approx(true, abs=1)
    tall = agent.perceive(query("SC3-a", "can", None, 0), TABLE)
    assert tall is not None
    assert tall.metres == pytest.approx(0.12, abs=0.02)


def test_a_plant_on_a_table_is_small() -> None:
    pot, big = usual("potted plant", on_table=True), usual("potted plant")
    assert pot is not None
    assert big is not None
    assert pot.height < big.height / 3
    assert usual("sofa", on_table=True) is None
