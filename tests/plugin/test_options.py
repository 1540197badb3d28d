"""Command line over ini file over default; sampling; trajectories of the ini file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"


def test_the_ini_file_sets_defaults_and_the_command_line_overrides_them(
    project: Project, walk: Path
) -> None:
    project.write(
        "pytest.ini",
        "[pytest]\n"
        "metaspace_agent = truth\n"
        "metaspace_sc = SC1-a\n    SC1-b\n"
        "metaspace_mr = MR2\n"
        "metaspace_fail_under =\n    0.5\n    SC1-a=0.4\n",
    )
    from_ini = project.run("runs")
    from_ini.assert_outcomes(passed=6)
    from_ini.stdout.fnmatch_lines(
        [
            "metaspace: agent truth, semantics sound, capabilities SC1-a,SC1-b, relations MR2",
            "gate passed: total is 1.000, at least 0.5 (*",
            "gate passed: SC1-a is 1.000, at least 0.4 (*",
        ]
    )
    typed = project.run(
        "runs", "--metaspace-agent=collapsed", "--metaspace-sc=SC1-a,SC1-b", "--metaspace-sc=SC4-b"
    )
    typed.stdout.fnmatch_lines(["metaspace: agent collapsed, *capabilities SC1-a,SC1-b,SC4-b,*"])
    assert sum(typed.parseoutcomes().values()) == 9


def test_pyproject_toml_takes_lists(project: Project, walk: Path) -> None:
    (project.path / "pytest.ini").unlink()
    project.write(
        "pyproject.toml",
        "[tool.pytest.ini_options]\n"
        'metaspace_agent = "truth"\n'
        'metaspace_sc = ["SC1-a", "SC2-a"]\n'
        'metaspace_mr = ["MR2"]\n',
    )
    project.run("runs").assert_outcomes(passed=15)


def test_an_empty_agent_is_wrong_use_and_not_silence(project: Project, walk: Path) -> None:
    result = project.run("runs", "--metaspace-agent=")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--metaspace-agent names no agent; is a variable empty?*"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fail-under", "[NAME=]SCORE"),
        ("max-invalid", "[KIND=]SHARE"),
        ("max-calls", "N"),
        ("max-tokens", "N"),
        ("budget", "USD"),
        ("rate", "N"),
        ("tracker", "NAME"),
        ("anchors", "NAMES"),
        ("record", "FILE"),
        ("cache-dir", "FOLDER"),
        ("sc", "CODES"),
        ("mr", "NAMES"),
        ("baseline-across", "WHAT"),
    ],
)
def test_an_option_that_is_typed_and_empty_is_wrong_use_and_not_a_run_without_it(
    project: Project, walk: Path, name: str, value: str
) -> None:
    result = project.run("runs", TRUTH, f"--metaspace-{name}=")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = next(line for line in result.stderr.lines if line.startswith("ERROR: metaspace:"))
    assert told == (
        f"ERROR: metaspace: --metaspace-{name} is empty; is a variable not set? "
        f"Write --metaspace-{name}={value}, or leave the option out."
    )


def test_the_agent_off_switches_the_ini_file_off(project: Project, walk: Path) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_agent = truth\n")
    project.write("tests/test_other.py", "def test_other(): pass\n")
    result = project.run("tests", "--metaspace-agent=off")
    result.assert_outcomes(passed=1)
    assert "metaspace:" not in result.stdout.str()


def test_a_wrong_choice_in_the_ini_file_is_wrong_use(project: Project, walk: Path) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_semantics = odd\n")
    result = project.run("runs", TRUTH)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: metaspace: ini option metaspace_semantics = odd: expected sound, paper."]
    )


def test_trajectories_of_the_ini_file_are_collected_when_nothing_is_typed(
    project: Project, walk: Path
) -> None:
    project.walk("elsewhere/walk", id="elsewhere")
    project.write(
        "pytest.ini",
        "[pytest]\ntestpaths = tests\nmetaspace_trajectories = elsewhere\n"
        "metaspace_agent = truth\nmetaspace_sc = SC1-b\nmetaspace_mr = MR2\n",
    )
    project.write("tests/test_other.py", "def test_other(): pass\n")
    project.run().assert_outcomes(passed=1 + 3)
    project.run("tests").assert_outcomes(passed=1)
    workers = project.run_workers()
    workers.assert_outcomes(passed=1 + 3)
    workers.stdout.fnmatch_lines(["SC1-b * 3 * 0 * 0 * 0 * 0 * 100 % * 1.000"])


def test_trajectories_of_the_ini_file_mean_nothing_without_an_agent(
    project: Project, walk: Path
) -> None:
    project.write("pytest.ini", "[pytest]\ntestpaths = tests\nmetaspace_trajectories = runs\n")
    project.write("tests/test_other.py", "def test_other(): pass\n")
    result = project.run()
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def chosen(project: Project, *arguments: str) -> set[str]:
    result = project.run(TRUTH, "runs", "--collect-only", "-q", *arguments)
    return {line for line in result.outlines if "::" in line}


def test_a_sample_is_stable_nests_and_follows_the_seed(project: Project, walk: Path) -> None:
    tenth, half = (
        chosen(project, "--metaspace-sample=0.1"),
        chosen(project, "--metaspace-sample=0.5"),
    )
    assert tenth == chosen(project, "--metaspace-sample=0.1", "--metaspace-seed=0")
    assert tenth < half < chosen(project)
    assert 10 <= len(tenth) <= 35
    assert 80 <= len(half) <= 135
    other = chosen(project, "--metaspace-sample=0.5", "--metaspace-seed=1")
    assert other != half


def test_a_case_is_in_the_sample_whatever_else_is_selected(project: Project, walk: Path) -> None:
    whole = chosen(project, "--metaspace-sample=0.3")
    part = chosen(project, "--metaspace-sample=0.3", "--metaspace-sc=SC2-a")
    assert part == {nodeid for nodeid in whole if "::SC2-a::" in nodeid}


def test_the_header_tells_sample_and_seed(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, "runs", "--metaspace-sample=0.1", "--metaspace-seed=7")
    result.stdout.fnmatch_lines(["metaspace: agent truth, semantics sound, sample 0.1 with seed 7"])


def test_nothing_is_in_a_sample_of_zero(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, "runs", "--metaspace-sample=0")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_paper_semantics_reach_the_oracle_and_the_header(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, "runs", "--metaspace-semantics=paper", "--metaspace-sc=SC1-b")
    result.stdout.fnmatch_lines(["metaspace: agent truth, semantics paper, capabilities SC1-b"])
    assert result.ret == 0


def test_tolerances_decide_verdicts(project: Project, walk: Path) -> None:
    """A size told 8 % larger in one frame is too much for 5 %, and not for 10 %."""
    agent = project.brain("return '1.08' if 'frame 0' in prompt else '1'")
    select = ("runs", "--metaspace-sc=SC3-a")
    assert project.run(agent, *select).parseoutcomes() == {"passed": 18}
    uneven = project.brain("return '1.08' if 'frame 0' in prompt and 'chair' in prompt else '1'")
    strict = project.run(uneven, *select).parseoutcomes()
    assert strict == {"passed": 12, "violated": 6}
    assert project.run(uneven, *select, "--metaspace-delta=0.1").parseoutcomes() == {"passed": 18}


def test_boxes_below_the_confidence_are_not_used(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, "runs", "--metaspace-confidence=0.95", "--collect-only", "-q")
    assert {line.split("::")[1] for line in result.outlines if "::" in line} == {"SC1-a", "SC1-b"}


def test_the_cache_folder_is_where_it_was_asked_for(project: Project, walk: Path) -> None:
    select = ("runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
    project.run(project.brain("return '1'"), *select, "--metaspace-cache-dir=kept/here")
    folder = project.path / "kept" / "here"
    assert {path.name for path in folder.iterdir()} >= {".gitignore", "CACHEDIR.TAG", "README.md"}
    assert not (project.path / ".metaspace_cache").exists()


def test_truth_stores_nothing(project: Project, walk: Path) -> None:
    project.run(TRUTH, "runs", "--metaspace-sc=SC1-b")
    assert not (project.path / ".metaspace_cache").exists()
