"""Frames held against the moves of a log: signs, axes and units that are wrong are noticed."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image, ImageOps

from pytest_metaspace import handedness
from pytest_metaspace.domain import Pose, Truth
from pytest_metaspace.trajectories import native

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.domain import Action, Trajectory

FIXTURES = Path(__file__).parents[1] / "fixtures"


@lru_cache(maxsize=4)
def shipped(name: str) -> Trajectory:
    return native.load(FIXTURES / name / "trajectory.json")


def with_actions(trajectory: Trajectory, change: Callable[[Action], Action]) -> Trajectory:
    states = tuple(
        state if state.action is None else replace(state, action=change(state.action))
        for state in trajectory.states
    )
    return replace(trajectory, states=states)


def negated(action: Action) -> Action:
    forward, right, up = action.move_m
    return replace(action, move_m=(-forward, -right, -up), turn_deg=-action.turn_deg)


def in_centimetres(action: Action) -> Action:
    forward, right, up = action.move_m
    return replace(action, move_m=(100 * forward, 100 * right, 100 * up))


def in_radians(action: Action) -> Action:
    return replace(action, turn_deg=math.radians(action.turn_deg))


@pytest.mark.parametrize("name", ["drone/avenue-01", "household/study-02", "household/bathroom-02"])
def test_nothing_is_said_of_what_is_right(name: str) -> None:
    """``benchmarks/handedness.py`` shows it for every trajectory that comes with the project."""
    found = handedness.compared(shipped(name))
    assert list(found.problems()) == []
    assert sum(found.measured.values()) >= 8
    assert found.agreed == found.measured
    assert "agree in sign: forward" in found.line()
    assert list(handedness.contradictions(shipped(name))) == []


def test_mirrored_pictures_are_noticed(tmp_path: Path) -> None:
    trajectory = shipped("drone/avenue-01")
    states = []
    for state in trajectory.states:
        frame = tmp_path / f"{state.index}.png"
        with Image.open(state.frame) as picture:
            ImageOps.mirror(picture).save(frame)
        states.append(replace(state, frame=frame))
    found = handedness.compared(replace(trajectory, states=tuple(states)))
    (problem,) = found.problems()
    assert problem.startswith(
        "the frames show the opposite of what the log tells in 4 of 4 turns and moves to the side."
    )
    assert problem.endswith("were pictures mirrored?")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (negated, ["5 of 5 moves forward or back", "4 of 4 moves to the side"]),
        (in_centimetres, ["the lengths of 3 steps are 0.011 times what the log tells"]),
    ],
)
def test_moves_with_a_wrong_sign_or_unit_are_noticed(
    change: Callable[[Action], Action], expected: list[str]
) -> None:
    found = handedness.compared(with_actions(shipped("household/bathroom-02"), change))
    told = list(found.problems())
    assert len(told) == len(expected)
    assert all(part in text for part, text in zip(expected, told)), told


def test_a_turn_in_radians_is_too_small_to_be_one() -> None:
    found = handedness.compared(with_actions(shipped("drone/avenue-01"), in_radians))
    assert found.measured["turn"] == 0
    assert list(found.problems()) == []


def test_ratios_of_turns_tell_of_another_unit() -> None:
    found = handedness.Found(ratios={"turns": [57.0, 58.0, 57.3]})
    (problem,) = found.problems()
    assert problem.startswith("by the frames the turns of 3 steps are 57 times what the log tells")


def posed(trajectory: Trajectory, change: Callable[[Pose], Pose]) -> Trajectory:
    assert trajectory.truth is not None
    return replace(
        trajectory, truth=Truth(poses=tuple(map(change, trajectory.truth.poses)), objects={})
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda pose: replace(pose, position=tuple(-part for part in pose.position)),
        lambda pose: replace(pose, position=(pose.position[1], pose.position[0], 0.0)),
        lambda pose: replace(pose, position=tuple(100 * part for part in pose.position)),
        lambda pose: replace(pose, yaw_deg=pose.yaw_deg + 90),
    ],
    ids=["negated", "axes swapped", "centimetres", "another zero of yaw"],
)
def test_poses_that_contradict_the_actions_are_noticed(change: Any) -> None:
    (told,) = handedness.contradictions(posed(shipped("household/bathroom-02"), change))
    assert told.startswith("poses and actions tell different moves in ")
    assert "Poses have z up and a yaw that grows counter-clockwise" in told


def test_without_actions_poses_are_held_against_the_frames() -> None:
    trajectory = shipped("household/bathroom-02")
    bare = replace(
        trajectory, states=tuple(replace(state, action=None) for state in trajectory.states)
    )
    assert list(handedness.compared(bare).problems()) == []
    mirrored = posed(bare, lambda p: replace(p, position=(-p.position[0], -p.position[1], 0.0)))
    assert list(handedness.compared(mirrored).problems())


def test_a_camera_that_stays_is_not_compared() -> None:
    found = handedness.compared(shipped("arm/cube-01"))
    assert found.line() == "frames and moves: not compared (the camera stays)"


def test_pictures_of_nothing_are_not_measured(tmp_path: Path) -> None:
    trajectory = shipped("household/bathroom-02")
    Image.new("RGB", (640, 480)).save(tmp_path / "black.png")
    states = tuple(replace(s, frame=tmp_path / "black.png") for s in trajectory.states)
    found = handedness.compared(replace(trajectory, states=states))
    assert found.line() == "frames and moves: not compared (no step can be measured)"
