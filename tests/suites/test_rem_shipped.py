"""The walks of REM in the repository: truth is right about them, and they can be made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability, Outcome, Settings
from pytest_metaspace.suites import Order
from pytest_metaspace.suites.rem import REM
from tests.fixtures.shipped_support import skip_without_opengl

if TYPE_CHECKING:
    from pytest_metaspace.domain import Run

SHIPPED = Path(__file__).resolve().parents[2] / "fixtures" / "rem"


@pytest.fixture(scope="module")
def asked() -> Run:
    """The truth about every question of the suite."""
    return pipeline.run([SHIPPED], "truth", Settings(capabilities=frozenset(REM.capabilities)))


def test_truth_keeps_every_relation_of_the_suite(asked: Run) -> None:
    assert len(asked.trajectories) == 5
    assert {found.outcome for found in asked.verdicts} == {Outcome.SATISFIED}
    assert {str(found.case.capability) for found in asked.verdicts} == {
        f"REM-{task}" for task in REM.tasks
    }
    assert {found.case.relation for found in asked.verdicts} == {
        "REM-ACC",
        *(f"REM-{name}" for name in REM.relations),
    }


def test_truth_scores_one_on_every_capability_of_a_walk() -> None:
    run = pipeline.run([SHIPPED / "walks"], "truth", Settings(sample=0.3))
    assert {score.name: score.value for score in run.scores} == {
        code.value: 1.0 for code in Capability
    }


def test_they_stay_under_four_hundred_kilobytes() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) < 400_000


def test_a_frame_is_drawn_and_asked_about_again(tmp_path: Path) -> None:
    skip_without_opengl()
    order = json.loads((SHIPPED / "frames" / "build.json").read_text(encoding="utf-8"))
    assert REM.build is not None
    REM.build(Order(seed=order["seed"], items=1, folder=tmp_path, options=order["options"]))
    old, new = (
        json.loads((folder / "items.json").read_text(encoding="utf-8"))
        for folder in (SHIPPED / "frames", tmp_path)
    )
    assert new == old[:1]
    for picture in (tmp_path / "pictures").iterdir():
        ours, theirs = (
            _pixels(one) for one in (picture, SHIPPED / "frames/pictures" / picture.name)
        )
        assert np.abs(ours - theirs).mean() < 1  # another driver may draw an edge elsewhere


def _pixels(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"), dtype=np.float64)
