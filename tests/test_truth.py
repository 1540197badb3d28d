"""The one thing that is sacred: the truth agent scores 1.000 on every shipped trajectory."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability, Outcome, Run, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = {"household": 12, "arm": 7, "drone": 7}
"""How many trajectories of each are shipped."""
SAMPLES = {"arm": 0.2}
"""The share of the cases of a scenario that is judged, where that is not all of them.

A camera that stays shows the same things in every frame, and cases about them by the ten thousand.
"""
HOUSEHOLD, ARM, DRONE = (ROOT / "fixtures" / name for name in SCENARIOS)
PAIRS = {
    ("SC1-a", "MR1"),
    ("SC1-a", "MR2"),
    ("SC1-a", "MR3"),
    ("SC1-b", "MR2"),
    ("SC1-b", "MR3"),
    ("SC1-b", "MR4"),
    ("SC2-a", "MR1"),
    ("SC2-a", "MR2"),
    ("SC2-a", "MR3"),
    ("SC2-b", "MR2"),
    ("SC2-b", "MR3"),
    ("SC2-b", "MR4"),
    ("SC3-a", "MR6"),
    ("SC3-b", "MR5"),
    ("SC4-a", "MR1"),
    ("SC4-a", "MR2"),
    ("SC4-a", "MR3"),
    ("SC4-b", "MR2"),
    ("SC4-b", "MR3"),
    ("SC4-b", "MR4"),
}


each = pytest.mark.parametrize("scenario", SCENARIOS)


@pytest.fixture(scope="module")
def truth_of() -> Callable[[str], Run]:
    """The truth about all trajectories of a scenario."""

    @functools.cache
    def run(scenario: str) -> Run:
        settings = Settings(sample=SAMPLES.get(scenario, 1.0))
        return pipeline.run([ROOT / "fixtures" / scenario], "truth", settings)

    return run


@each
def test_truth_scores_one_on_all_eight_capabilities_through_the_pipeline(
    truth_of: Callable[[str], Run], scenario: str
) -> None:
    truth_run = truth_of(scenario)
    assert len(truth_run.trajectories) == SCENARIOS[scenario]
    assert {score.name: score.value for score in truth_run.scores} == {
        code.value: 1.0 for code in Capability
    }
    assert truth_run.total == 1.0
    assert all(score.half_decided for score in truth_run.scores)


def test_truth_scores_one_whatever_it_is_asked_to_write_first() -> None:
    some = [HOUSEHOLD / "study-01", ARM / "can-01", DRONE / "park-01"]
    plain, *others = (
        pipeline.run(some, "truth", Settings(prompting=prompting, sample=0.2))
        for prompting in ("direct", "map", "cot")
    )
    assert plain.total == 1.0
    for run in others:
        assert run.scores == plain.scores
        assert run.by_relation == plain.by_relation


@each
def test_truth_agrees_with_the_world_too(scenario: str) -> None:
    settings = Settings(sample=0.05, anchors=frozenset({"all"}))
    run = pipeline.run([ROOT / "fixtures" / scenario], "truth", settings)
    assert {score.name: score.value for score in run.anchors} == {"A1": 1.0, "A2": 1.0, "A3": 1.0}


@each
def test_nothing_of_truth_is_violated_invalid_or_in_error(
    truth_of: Callable[[str], Run], scenario: str
) -> None:
    wrong = [
        (found.case.address, found.reason)
        for found in truth_of(scenario).verdicts
        if found.outcome not in (Outcome.SATISFIED, Outcome.INCONCLUSIVE)
    ]
    assert wrong == []


@each
def test_every_capability_and_relation_pair_has_decided_cases(
    truth_of: Callable[[str], Run], scenario: str
) -> None:
    decided = {
        (found.case.capability.value, found.case.relation)
        for found in truth_of(scenario).verdicts
        if found.outcome is Outcome.SATISFIED
    }
    assert decided == PAIRS


@each
def test_both_readings_of_a_window_occur(truth_of: Callable[[str], Run], scenario: str) -> None:
    """Exact legs and rounded ones are both among the shipped cases."""
    windows = [v.case for v in truth_of(scenario).verdicts if v.case.capability.value == "SC1-a"]
    assert {case.exact for case in windows if case.relation == "MR1"} == {True, False}


def test_truth_scores_one_on_all_eight_capabilities_in_pytest(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", str(HOUSEHOLD / "study-01")]
        + [str(ARM / "can-01"), str(DRONE / "park-01")]
        + ["-q", "-p", "no:cacheprovider"]
        + ["--rootdir", str(tmp_path), "-c", "/dev/null", "-p", "metaspace"]
        + ["--metaspace-agent=truth", "--metaspace-violations=fail"]
        + [f"--metaspace-fail-under={code.value}=1" for code in Capability]
        + ["--metaspace-fail-under=1"],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    row = r"^(SC\d-[ab]) .* % +([\d.]+|n/a) +(?:[\d.]+-[\d.]+ +)?1$"
    scores = re.findall(row, done.stdout, re.MULTILINE)
    assert dict(scores) == {code.value: "1.000" for code in Capability}
    assert re.search(r"^\d+ passed, \d+ inconclusive in ", done.stdout, re.MULTILINE)


def test_the_literal_reading_of_the_paper_accuses_the_truth() -> None:
    """Why ``sound`` is the default: see docs/concepts.md."""
    settings = Settings(semantics="paper", relations=frozenset({"MR1", "MR4"}))
    run = pipeline.run([HOUSEHOLD / "study-01"], "truth", settings)
    assert any(score.violated for score in run.by_relation if score.name.endswith("MR1"))
    assert any(score.violated for score in run.by_relation if score.name.endswith("MR4"))
