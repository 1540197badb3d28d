"""Fixtures that are no case: trajectories, their objects, and the scores of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
LOOKS = """
import pytest

@pytest.mark.metaspace(trajectories="runs")
def test_it(FIXTURES):
    BODY
"""


def looks(fixtures: str, body: str) -> str:
    return LOOKS.replace("FIXTURES", fixtures).replace("BODY", body)


@pytest.mark.parametrize("agent", [(), (TRUTH,)], ids=["without-agent", "with-agent"])
def test_a_test_of_trajectories_runs_once_for_each_with_or_without_an_agent(
    project: Project, walk: Path, agent: tuple[str, ...]
) -> None:
    project.walk("runs/other", id="other")
    body = "assert metaspace_trajectory.step_length_m == 0.5"
    project.write("test_it.py", looks("metaspace_trajectory", body))
    result = project.run("test_it.py", "-v", *agent)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["test_it.py::test_it?other? PASSED *", "test_it.py::test_it?walk? PASSED *"]
    )
    result.stdout.no_fnmatch_line("*scores*")


def test_a_trajectory_is_found_in_a_format_of_the_conftest_also_without_an_agent(
    project: Project, walk: Path
) -> None:
    walk.rename(walk.with_name("ours.json"))
    project.write(
        "conftest.py",
        "from pytest_metaspace.trajectories import TrajectoryFormat, load_native\n"
        "def pytest_metaspace_register_trajectory_formats(register):\n"
        "    register(TrajectoryFormat(name='ours', load=load_native,\n"
        "                              matches=lambda path: path.name == 'ours.json'))\n",
    )
    project.write("test_it.py", looks("metaspace_trajectory", "pass"))
    project.run("test_it.py").assert_outcomes(passed=1)


def test_tracked_objects_are_handed_out_by_id(project: Project, walk: Path) -> None:
    body = "assert metaspace_objects['chair-1'].boxes[0].height == pytest.approx(80)"
    project.write("test_it.py", looks("metaspace_objects", body))
    project.run("test_it.py").assert_outcomes(passed=1)


def test_an_object_that_is_not_there_is_told_with_those_near(project: Project, walk: Path) -> None:
    body = (
        "assert metaspace_objects.get('chair') is None and 'chair' not in metaspace_objects\n"
        "    metaspace_objects['chair']"
    )
    project.write("test_it.py", looks("metaspace_objects", body))
    result = project.run("test_it.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E *UsageProblem: metaspace: object 'chair' is not known. Did you mean 'chair-1'*"]
    )
    assert not any("pytest_metaspace/" in line for line in result.outlines)


def test_objects_are_those_of_the_case_where_there_is_one(project: Project, walk: Path) -> None:
    body = (
        "assert set(metaspace_case.case.subjects) <= set(metaspace_objects); metaspace_case.check()"
    )
    text = looks("metaspace_case, metaspace_objects", body).replace(
        "trajectories", "sc='SC2-a', mr='MR2', trajectories"
    )
    project.write("test_it.py", text)
    project.run("test_it.py", TRUTH).assert_outcomes(passed=12)


def test_a_trajectory_without_objects_is_a_skip_that_says_so(project: Project) -> None:
    project.walk(with_objects=False)
    project.write("test_it.py", looks("metaspace_objects", "assert False"))
    result = project.run("test_it.py", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(
        [
            "SKIPPED * metaspace: walk has no tracked objects: there is no objects.json, and no tracker was chosen *"
        ]
    )


@pytest.mark.parametrize(
    "fixtures",
    [
        "metaspace_trajectory, metaspace_agent",
        "metaspace_scores, metaspace_objects",
        "metaspace_trajectory, metaspace_case",
    ],
)
def test_without_an_agent_what_needs_one_is_exactly_one_skip(
    project: Project, walk: Path, fixtures: str
) -> None:
    project.walk("runs/other", id="other")
    project.write("test_it.py", looks(fixtures, "assert False"))
    result = project.run("test_it.py", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(
        ["SKIPPED * metaspace: no agent to ask; add --metaspace-agent=NAME"]
    )


@pytest.mark.parametrize("fixture", ["metaspace_agent", "metaspace_scores"])
def test_an_asking_test_without_trajectories_is_one_skip_too(
    project: Project, fixture: str
) -> None:
    project.write("test_it.py", f"def test_it({fixture}): assert False\n")
    result = project.run("test_it.py", "-rs", "--metaspace-agent=off")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(
        ["SKIPPED * metaspace: no agent to ask; add --metaspace-agent=NAME"]
    )


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ('sc="SC1-a", trajectories="runs"', "the mark metaspace chooses cases with sc, and *"),
        ("", "names no trajectories. Write *"),
        ('trajectories="nowhere"', "metaspace: there is no file or folder *nowhere*"),
        ('scs="SC1-a"', "the mark metaspace does not know scs; allowed are *"),
    ],
)
def test_a_mark_that_chooses_no_trajectory_names_the_test(
    project: Project, walk: Path, mark: str, expected: str
) -> None:
    text = looks("metaspace_trajectory", "pass").replace('trajectories="runs"', mark)
    project.write("test_it.py", text)
    result = project.run("test_it.py")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"test_it.py::test_it: {expected}"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_damaged_trajectory_is_an_error_of_collection_that_names_the_field(
    project: Project,
) -> None:
    project.walk(trajectory={"step_length_m": -1})
    project.write("test_it.py", looks("metaspace_trajectory", "pass"))
    result = project.run("test_it.py")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["test_it.py::test_it: *trajectory.json: field step_length_m: *"])


def test_a_trajectory_that_comes_too_late_says_what_to_write(project: Project) -> None:
    body = "def test_it(request): request.getfixturevalue('metaspace_trajectory')\n"
    project.write("test_it.py", body)
    project.run("test_it.py").stdout.fnmatch_lines(
        ["*metaspace_trajectory has to be an argument of the test or of one of its fixtures*"]
    )


SCORES = """
def test_before(metaspace_scores):
    assert metaspace_scores["SC1-a"].value == 2 / 3
    assert metaspace_scores["SC1-a MR2"].violated == 1
    assert list(metaspace_scores) == ["SC1-a", "SC1-a MR2"]
    assert "SC1-a" in metaspace_scores and "SC1-b" not in metaspace_scores
    assert metaspace_scores.total == 2 / 3
"""
SELECT = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2", "--metaspace-violations=report")


def test_scores_are_those_of_all_selected_cases_whatever_ran_before(
    project: Project, walk: Path
) -> None:
    """Three cases: right, wrong (forward and forward again), and nothing but none."""
    agent = project.brain(
        "back = 'frame 1 was taken to the place of frame 0' in prompt\n"
        "return 'forward' if back or 'frame 0 was taken' in prompt else 'none'"
    )
    project.write("aaa/test_it.py", SCORES)
    for stopping in ((), ("-x",)):
        result = project.run("aaa", "runs", agent, *SELECT, *stopping)
        assert result.parseoutcomes() == {"passed": 3, "violated": 1}  # two cases and the test
        result.stdout.fnmatch_lines(["SC1-a * 3 * 1 * 0 * 0 * 0 * 0.667"])


@pytest.mark.parametrize(
    ("arguments", "body", "expected"),
    [
        (["runs"], 'metaspace_scores["SC1a"]', "score 'SC1a' is not known. Did you mean 'SC1-a'*"),
        (
            ["runs"],
            'metaspace_scores["SC2-a"]',
            "score 'SC2-a' is not known.*no case in this run.*",
        ),
        (
            [],
            'metaspace_scores["SC1-a"]',
            "this run has selected no case, so there are no scores.*",
        ),
    ],
)
def test_a_score_that_is_not_there_says_what_is(
    project: Project, walk: Path, arguments: list[str], body: str, expected: str
) -> None:
    project.write("test_it.py", f"def test_it(metaspace_scores):\n    {body}\n")
    result = project.run("test_it.py", *arguments, TRUTH, *SELECT)
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines([f"E *UsageProblem: metaspace: {expected}"])
    assert not any("pytest_metaspace/" in line for line in result.outlines)


def test_nothing_is_settled_or_asked_when_fixtures_are_only_shown(
    project: Project, walk: Path
) -> None:
    agent = project.brain("open('asked.txt', 'a').close()\nreturn 'none'")
    project.write("test_it.py", "def test_it(metaspace_scores, metaspace_agent): pass\n")
    for only in ("--setup-only", "--collect-only"):
        project.run("runs", "test_it.py", agent, only)
    assert not (project.path / "asked.txt").exists()
