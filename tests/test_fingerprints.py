"""Two runs are comparable only where what answers rest on and are held against is the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.fingerprints import shown
from pytest_metaspace.trajectories import NATIVE
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory


@pytest.fixture
def walk(tmp_path: Path) -> Trajectory:
    return NATIVE.load(Walk(id="walk").write(tmp_path / "walk"))


def _elsewhere(walk: Trajectory) -> dict[str, Any]:
    assert walk.truth is not None
    poses = (replace(walk.truth.poses[0], yaw_deg=1.5), *walk.truth.poses[1:])
    return {"truth": replace(walk.truth, poses=poses)}


def _moved(walk: Trajectory) -> dict[str, Any]:
    assert walk.truth is not None
    objects = dict(walk.truth.objects)
    name = min(objects)
    objects[name] = replace(objects[name], center=(9.0, 9.0, 9.0))
    return {"truth": replace(walk.truth, objects=objects)}


@pytest.mark.parametrize(
    "change",
    [
        _elsewhere,
        _moved,
        lambda _: {"truth": None},
        lambda walk: {"camera": replace(walk.camera, pitch_deg=12.0)},
        lambda walk: {"camera": replace(walk.camera, height_m=0.3)},
        lambda _: {"rotation_deg": 17.0},
        lambda walk: {"states": (replace(walk.states[0], holds="mug"), *walk.states[1:])},
        lambda walk: {"objects": walk.objects[:-1]},
    ],
)
def test_what_answers_are_held_against_is_in_the_fingerprint(walk: Trajectory, change: Any) -> None:
    assert shown(replace(walk, **change(walk))) != shown(walk)


def test_where_a_trajectory_lies_is_not(walk: Trajectory, tmp_path: Path) -> None:
    assert shown(replace(walk, source=tmp_path, warnings=("w",))) == shown(walk)
