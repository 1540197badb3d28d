"""The one thing that is sacred: the truth agent scores 1.000 on every shipped trajectory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability, Outcome, Run, Settings

ROOT = Path(__file__).resolve().parent.parent
HOUSEHOLD = ROOT / "fixtures" / "household"
ALL = frozenset({"all"})
ANCHORED = ("A1", "A2", "A3")
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


@pytest.fixture(scope="module")
def truth_run() -> Run:
    return pipeline.run([HOUSEHOLD], "truth", Settings())


def test_truth_scores_one_on_all_eight_capabilities_through_the_pipeline(truth_run: Run) -> None:
    assert len(truth_run.trajectories) == 12
    assert {score.name: score.value for score in truth_run.scores} == {
        code.value: 1.0 for code in Capability
    }
    assert truth_run.total == 1.0


def test_truth_scores_one_whatever_it_is_asked_to_write_first(truth_run: Run) -> None:
    run = pipeline.run([HOUSEHOLD], "truth", Settings(prompting="map"))
    assert run.total == 1.0
    assert run.scores == truth_run.scores
    assert run.by_relation == truth_run.by_relation
    some = pipeline.run([HOUSEHOLD], "truth", Settings(prompting="cot", sample=0.05, anchors=ALL))
    assert {score.name: score.value for score in some.anchors} == dict.fromkeys(ANCHORED, 1.0)
    assert len(some.trajectories) == 12
    assert {score.name: score.value for score in some.scores} == {
        code.value: 1.0 for code in Capability
    }


def test_nothing_of_truth_is_violated_invalid_or_in_error(truth_run: Run) -> None:
    wrong = [
        (found.case.address, found.reason)
        for found in truth_run.verdicts
        if found.outcome not in (Outcome.SATISFIED, Outcome.INCONCLUSIVE)
    ]
    assert wrong == []


def test_every_capability_and_relation_pair_has_decided_cases(truth_run: Run) -> None:
    decided = {
        (found.case.capability.value, found.case.relation)
        for found in truth_run.verdicts
        if found.outcome is Outcome.SATISFIED
    }
    assert decided == PAIRS


def test_both_readings_of_a_window_occur(truth_run: Run) -> None:
    """Exact legs and rounded ones are both among the shipped cases."""
    windows = [v.case for v in truth_run.verdicts if v.case.capability.value == "SC1-a"]
    assert {case.exact for case in windows if case.relation == "MR1"} == {True, False}


def test_truth_scores_one_on_all_eight_capabilities_in_pytest(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", str(HOUSEHOLD), "-q", "-p", "no:cacheprovider"]
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
    scores = re.findall(r"^(SC\d-[ab]) .* ([\d.]+|n/a) +1$", done.stdout, re.MULTILINE)
    assert dict(scores) == {code.value: "1.000" for code in Capability}
    assert re.search(r"^\d+ passed, \d+ inconclusive in ", done.stdout, re.MULTILINE)


def test_the_literal_reading_of_the_paper_accuses_the_truth() -> None:
    """Why ``sound`` is the default: see docs/concepts.md."""
    settings = Settings(semantics="paper", relations=frozenset({"MR1", "MR4"}))
    run = pipeline.run([HOUSEHOLD / "study-01"], "truth", settings)
    assert any(score.violated for score in run.by_relation if score.name.endswith("MR1"))
    assert any(score.violated for score in run.by_relation if score.name.endswith("MR4"))
