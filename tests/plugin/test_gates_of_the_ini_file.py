"""A gate of the ini file decides on runs that score cases, and is silent in all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

USAGE = pytest.ExitCode.USAGE_ERROR
INI = """[pytest]
testpaths = tests runs
metaspace_agent = truth
metaspace_fail_under = 0.5
"""
NOTHING = "nothing to decide on"


@pytest.fixture
def gated(project: Project, walk: Path) -> Project:
    """A repository with tests of its own, a trajectory, and agent and gate in the ini file."""
    project.write("pytest.ini", INI)
    project.write("tests/test_u1.py", "def test_u1(): pass\n")
    project.write("tests/test_u2.py", "def test_u2(): assert False\n")
    return project


@pytest.mark.parametrize(
    "selection",
    [
        ["tests/test_u1.py"],
        ["-k", "test_u1"],
        ["-k", "test_u1", "."],
        ["--deselect=runs", "--deselect=tests/test_u2.py"],
        ["tests/test_u1.py", "--metaspace-agent=off"],
        ["runs", "tests/test_u1.py", "--metaspace-agent=off"],
    ],
    ids=" ".join,
)
def test_it_is_silent_where_no_case_was_selected(gated: Project, selection: list[str]) -> None:
    result = gated.run(*selection)
    result.assert_outcomes(passed=1, deselected=result.parseoutcomes().get("deselected", 0))
    assert result.ret == 0
    assert NOTHING not in result.stderr.str()


def test_it_is_silent_where_the_ini_file_names_no_agent(gated: Project) -> None:
    gated.write("pytest.ini", INI.replace("metaspace_agent = truth\n", ""))
    assert gated.run("tests/test_u1.py").ret == 0


def test_it_is_silent_with_workers_where_all_cases_were_deselected(gated: Project) -> None:
    assert gated.run_workers("-k", "test_u1").ret == 0


def test_it_is_silent_where_only_what_failed_last_runs_again(gated: Project) -> None:
    gated.run("tests")
    gated.write("tests/test_u2.py", "def test_u2(): pass\n")
    result = gated.run("--lf")
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def test_status_is_5_where_everything_was_deselected(gated: Project) -> None:
    assert gated.run("-k", "nothing_of_that_name").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_failed_test_keeps_status_1_whoever_set_the_gate(gated: Project) -> None:
    assert gated.run("tests/test_u2.py").ret == 1
    assert gated.run("tests/test_u2.py", "--metaspace-fail-under=0.5").ret == 1


def test_a_gate_that_was_typed_is_refused_where_no_case_was_selected(gated: Project) -> None:
    assert gated.run("tests/test_u1.py", "--metaspace-fail-under=0.5").ret == USAGE


NOT_SCORED = ("tests/test_u1.py", "--metaspace-sample=0")


@pytest.mark.parametrize(
    "named",
    [
        [*NOT_SCORED, "runs"],
        ["runs/walk/trajectory.json", "tests/test_u1.py", "-k", "test_u1"],
        ["runs/walk", "tests/test_u1.py", "-k", "test_u1"],
    ],
    ids=" ".join,
)
def test_a_trajectory_that_scored_nothing_is_never_green(gated: Project, named: list[str]) -> None:
    result = gated.run(*named)
    assert result.ret == USAGE
    assert f"ini option metaspace_fail_under has {NOTHING}" in result.stderr.str()


def test_a_trajectory_that_scored_nothing_is_never_green_with_workers(gated: Project) -> None:
    assert gated.run_workers(*NOT_SCORED, "runs").ret == USAGE


def test_trajectories_of_the_ini_file_that_scored_nothing_are_never_green(gated: Project) -> None:
    gated.write(
        "pytest.ini", f"{INI}metaspace_trajectories = runs\n".replace("tests runs", "tests")
    )
    gated.write("tests/test_u2.py", "")
    assert gated.run("--metaspace-sample=0").ret == USAGE


def test_it_decides_where_cases_were_scored(gated: Project) -> None:
    result = gated.run("runs", "--metaspace-sc=SC1-a")
    result.stdout.fnmatch_lines(["gate passed: total is 1.000, at least 0.5 (*"])
    assert result.ret == 0
