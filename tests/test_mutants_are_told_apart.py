"""What the relations catch of each fault, and what they cannot (docs/agents.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_metaspace import gates, pipeline
from pytest_metaspace.domain import Run, Settings

HOUSEHOLD = Path(__file__).resolve().parent.parent / "fixtures" / "household"


def run(fault: str, name: str = "bedroom-02") -> Run:
    return pipeline.run([HOUSEHOLD / name], f"mutant:{fault}:truth", Settings())


@pytest.mark.parametrize("fault", ["yes-sayer", "random", "frame-locked", "off-by-one", "constant"])
def test_a_fault_falls_below_nine_tenths_somewhere(fault: str) -> None:
    scores = run(fault).scores
    assert any(score.value is not None and score.value < 0.9 for score in scores)


def test_a_mirrored_world_is_as_consistent_as_ours() -> None:
    assert {score.value for score in run("mirrored").scores} == {1.0}


def test_a_collapsed_world_is_not_decided_enough_for_a_gate() -> None:
    made = run("collapsed", "living-room-02")  # many things in view, so many transitivities
    undecided = {score.name for score in made.scores if not score.half_decided}
    assert {"SC2-a", "SC4-a"} <= undecided
    gate = gates.decide("total", made.overall, 0.5)
    assert not gate.passed
    assert "SC2-a, SC4-a" in gate.sentence
