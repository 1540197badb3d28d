"""A trajectory of ours that EB-Navigation might have logged says the same when it is read back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Outcome, Settings
from pytest_metaspace.registries import Registries
from pytest_metaspace.trajectories import NATIVE, Reading
from tests.trajectories.writers import exported

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Case, Trajectory

MOVEMENT = frozenset({"SC1-a", "SC1-b"})


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported.native(tmp_path_factory.mktemp("ours") / "native")


@pytest.fixture
def log(ours: Path, tmp_path: Path) -> Path:
    return exported.logged(ours, tmp_path)


def read_back(log: Path) -> Trajectory:
    known = Registries.built_in()
    known.reading = Reading(tasks=log.parents[2] / "datasets")
    return known.load(log)


def cases(found: Trajectory) -> list[Case]:
    return pipeline.plan(found, Registries.built_in(), Settings()).cases


def verdicts(path: Path, reading: Reading, settings: Settings) -> dict[str, Outcome]:
    known = Registries.built_in()
    known.reading = reading
    run = pipeline.run([path], "truth", settings, registries=known)
    return {one.case.address: one.outcome for one in run.verdicts}


def test_where_it_went_is_worked_out_to_where_it_really_was(ours: Path, log: Path) -> None:
    found, real = read_back(log), NATIVE.load(ours)
    assert found.truth is not None
    assert real.truth is not None
    for pose, true in zip(found.truth.poses, real.truth.poses, strict=True):
        assert pose.position == pytest.approx(true.position, abs=1e-5)
        assert (pose.yaw_deg, pose.pitch_deg) == (true.yaw_deg, true.pitch_deg)
    assert [one.action for one in found.states] == [one.action for one in real.states]
    assert [one.succeeded for one in found.states] == [one.succeeded for one in real.states]
    assert found.defects == ()


def test_without_more_it_feeds_the_same_movements_with_the_same_verdicts(
    ours: Path, log: Path
) -> None:
    settings = Settings(capabilities=MOVEMENT, anchors=frozenset({"all"}))
    reading = Reading(tasks=log.parents[2] / "datasets")
    found = verdicts(log, reading, settings)
    assert found == verdicts(ours, Reading(), settings)
    assert Counter(found.values())[Outcome.VIOLATED] == 0
    assert any("::A2::" in one for one in found)


def test_with_its_companions_it_feeds_the_same_cases_with_the_same_verdicts(
    ours: Path, log: Path
) -> None:
    exported.add_companions(ours, log)
    found, real = cases(read_back(log)), cases(NATIVE.load(ours))
    assert found == real
    assert len({case.capability for case in found}) == 8
    settings = Settings(sample=0.04, anchors=frozenset({"all"}))
    reading = Reading(tasks=log.parents[2] / "datasets")
    assert verdicts(log, reading, settings) == verdicts(ours, Reading(), settings)
