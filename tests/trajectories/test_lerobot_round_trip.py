"""A household trajectory of ours, written in the shape of LeRobot v3 and read back, is the same."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.registries import Registries
from pytest_metaspace.trajectories import Reading, native
from tests.trajectories.writers import lerobot as writer
from tests.trajectories.writers.lerobot import CAMERA, picture, rows, write_v3

if TYPE_CHECKING:
    from pytest_metaspace.domain import Case, Outcome, Trajectory

OURS = Path(__file__).parents[2] / "fixtures" / "household" / "study-01" / "trajectory.json"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trajectory, Trajectory, Registries]:
    """Return a trajectory of ours, the same after a way through LeRobot, and what read it."""
    root = tmp_path_factory.mktemp("set") / "study"
    ours = replace(native.load(OURS), id="study-episode-0")
    assert ours.truth is not None
    pictures = []
    for state in ours.states:
        with Image.open(state.frame) as image:
            pictures.append(np.asarray(image.convert("RGB")))
    states = [[*pose.position[:2], math.radians(pose.yaw_deg)] for pose in ours.truth.poses]
    made = writer.info("v3.0")["features"]
    made[CAMERA] = picture(height=480, width=640)
    main = write_v3(root, [rows(0, states)], pictures=pictures, features=made)
    beside = root / "meta" / "info.metaspace" / "episode-0"
    beside.mkdir(parents=True)
    for name in ("objects.json", "truth.json"):
        shutil.copy(OURS.with_name(name), beside / name)
    camera = json.loads(OURS.read_text())["camera"]
    (beside / "camera.json").write_text(json.dumps(camera))
    registries = Registries.built_in()
    registries.reading = Reading(frames=root / "frames")
    return ours, registries.load(main / "episode-0"), registries


def test_states_and_moves_are_the_same(
    both: tuple[Trajectory, Trajectory, Registries],
) -> None:
    ours, theirs, _ = both
    assert theirs.defects == ()
    assert (theirs.step_length_m, theirs.rotation_deg) == (ours.step_length_m, ours.rotation_deg)
    assert len(theirs.states) == len(ours.states)
    for one, other in zip(ours.states, theirs.states):
        if one.action is None or not one.succeeded:
            continue
        assert other.action is not None
        assert other.action.move_m == pytest.approx(one.action.move_m, abs=1e-9)
        assert other.action.turn_deg == pytest.approx(one.action.turn_deg, abs=1e-9)
        assert other.succeeded


def test_the_pictures_are_nearly_the_same(
    both: tuple[Trajectory, Trajectory, Registries],
) -> None:
    ours, theirs, _ = both
    for one, other in zip(ours.states, theirs.states):
        with Image.open(one.frame) as first, Image.open(other.frame) as second:
            far = np.asarray(first.convert("RGB"), int) - np.asarray(second.convert("RGB"), int)
        assert np.abs(far).mean() < 6


def test_cases_and_verdicts_with_truth_are_the_same(
    both: tuple[Trajectory, Trajectory, Registries],
) -> None:
    ours, theirs, registries = both
    settings = Settings(anchors=frozenset({"all"}), sample=0.3)
    found: list[dict[str, Outcome]] = []
    asked: list[list[Case]] = []
    for trajectory in (ours, theirs):
        cases = list(pipeline.plan(trajectory, registries, settings).cases)
        known = {trajectory.id: trajectory}
        agent = registries.agent("truth", Path.cwd())
        with pipeline.oracle_for(registries, settings) as oracle:
            answers = pipeline.ask(cases, known, agent, None).answers
            verdicts = list(pipeline.judge(cases, answers, known, oracle))
        found.append({one.case.address: one.outcome for one in verdicts})
        asked.append(cases)
    assert [case.address for case in asked[0]] == [case.address for case in asked[1]]
    assert len(asked[0]) > 100
    assert found[0] == found[1]
    assert "violated" not in {one.value for one in found[0].values()}
