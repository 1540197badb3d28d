"""``--junitxml`` carries capability, relation, trajectory and derivation."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.plugin.made import BROKEN, EVASIVE, MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

ONE_PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")


def cases(project: Project, *arguments: str, workers: bool = False) -> list[ET.Element]:
    """Run with ``--junitxml`` and return its test cases, by name."""
    run = project.run_workers if workers else project.run
    run(*arguments, "--junitxml=report.xml", "-p", "junitxml")
    tree = ET.parse(project.path / "report.xml")
    return sorted(tree.iter("testcase"), key=lambda case: case.attrib["name"])


def properties(case: ET.Element) -> dict[str, str]:
    return {found.attrib["name"]: found.attrib["value"] for found in case.iter("property")}


@pytest.mark.parametrize("workers", [False, True], ids=["serial", "workers"])
def test_a_violated_case_fails_with_its_derivation(
    project: Project, walk: Path, workers: bool
) -> None:
    violated, invalid, satisfied = cases(project, project.brain(MOODY), *ONE_PAIR, workers=workers)
    for case in (violated, invalid, satisfied):
        assert case.attrib["classname"] == "runs.walk.trajectory.json.SC1-a.MR2"
    (failure,) = violated.iter("failure")
    assert "These answers cannot all be true" in (failure.text or "")
    assert "(laws/symmetry.pl:" in (failure.text or "")
    assert properties(violated) == {
        "capability": "SC1-a",
        "relation": "MR2",
        "trajectory": "walk",
        "outcome": "violated",
    }
    (failure,) = invalid.iter("failure")
    assert "could not be read" in (failure.text or "")
    assert properties(invalid)["outcome"] == "invalid"
    assert not list(satisfied.iter("failure"))


def test_a_violation_that_is_only_reported_passes_with_its_derivation_as_property(
    project: Project, walk: Path
) -> None:
    agent = project.brain(MOODY)
    violated, *_ = cases(project, agent, *ONE_PAIR, "--metaspace-violations=report")
    assert not list(violated.iter("failure"))
    assert properties(violated)["outcome"] == "violated"
    assert "cannot all be true" in properties(violated)["derivation"]


def test_a_case_without_an_answer_fails_with_the_reason(project: Project, walk: Path) -> None:
    for case in cases(project, project.brain(BROKEN), *ONE_PAIR):
        (failure,) = case.iter("failure")
        assert "the battery is empty" in (failure.text or "")
        assert properties(case)["outcome"] == "error"


def test_an_inconclusive_case_is_skipped_with_the_reason(project: Project, walk: Path) -> None:
    select = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR1")
    found = cases(project, project.brain(EVASIVE), *select)
    assert len(found) == 12
    for case in found:
        (skipped,) = case.iter("skipped")
        assert skipped.attrib["message"]
        assert properties(case)["outcome"] == "inconclusive"


def test_counts_of_the_suite_fit(project: Project, walk: Path) -> None:
    cases(project, project.brain(MOODY), *ONE_PAIR)
    (suite,) = ET.parse(project.path / "report.xml").iter("testsuite")
    assert [suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")] == [
        "3",
        "2",
        "0",
        "0",
    ]


def test_a_case_checked_by_hand_carries_the_same_once(project: Project, walk: Path) -> None:
    project.write(
        "tests/test_it.py",
        "import pytest\n"
        '@pytest.mark.metaspace(sc="SC1-a", mr="MR2", trajectories="runs")\n'
        "def test_it(metaspace_case):\n"
        "    metaspace_case.check()\n",
    )
    violated, *_ = cases(project, "tests", project.brain(MOODY))
    assert "cannot all be true" in "".join(violated.itertext())
    names = [found.attrib["name"] for found in violated.iter("property")]
    assert names == ["capability", "relation", "trajectory", "outcome"]
