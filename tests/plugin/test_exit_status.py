"""The exit status is pytest's own, and says what became of the run; with workers too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import BROKEN, MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
ONE_PAIR = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2")


def test_status_is_0_when_every_case_is_satisfied(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, "runs")
    result.assert_outcomes(passed=214)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["total *214 * 0 * 0 * 0 * 0 * 100 % * 1.000"])


def test_status_is_0_with_workers_when_every_case_is_satisfied(
    project: Project, walk: Path
) -> None:
    result = project.run_workers(TRUTH, "runs", "--metaspace-fail-under=1.0")
    result.assert_outcomes(passed=214)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["gate passed: total is 1.000, at least 1 (*"])


def test_status_is_1_when_a_case_is_violated(project: Project, walk: Path) -> None:
    result = project.run(project.brain("return 'right'"), "runs", *ONE_PAIR)
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 3}


def test_status_is_1_when_an_answer_is_invalid(project: Project, walk: Path) -> None:
    result = project.run(project.brain("return 'upwards'"), "runs", *ONE_PAIR)
    assert result.ret == 1
    assert result.parseoutcomes() == {"invalid": 3}


def test_status_is_1_when_there_is_no_answer_even_if_violations_are_only_reported(
    project: Project, walk: Path
) -> None:
    agent = project.brain(BROKEN)
    result = project.run(agent, "runs", *ONE_PAIR, "--metaspace-violations=report")
    assert result.ret == 1
    assert result.parseoutcomes() == {"errored": 3}


def test_status_is_1_when_a_gate_fails(project: Project, walk: Path) -> None:
    agent = project.brain("return 'right'")
    result = project.run(agent, "runs", *ONE_PAIR, "--metaspace-fail-under=0.5")
    assert result.ret == 1
    sentence = "total is 0.000, below 0.5"
    result.stdout.fnmatch_lines(
        [f"GATE FAILED: {sentence} (*", f"*!!! metaspace gate: {sentence} !!!*"]
    )


def test_status_is_0_when_a_gate_passes_although_there_are_violations(
    project: Project, walk: Path
) -> None:
    """``auto`` leaves the decision to the gates, and the cases are still counted."""
    result = project.run(project.brain(MOODY), "runs", *ONE_PAIR, "--metaspace-fail-under=0.3")
    assert result.ret == 0
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}
    result.stdout.fnmatch_lines(["gate passed: total is 0.333, at least 0.3 (*"])
    result.stdout.no_fnmatch_line("*!!!*")


def test_a_gate_of_one_capability_fails_while_the_total_passes(
    project: Project, walk: Path
) -> None:
    agent = project.brain(MOODY)
    selected = ("--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR2")
    gates = ("--metaspace-fail-under=0.6", "--metaspace-fail-under=SC1-a=0.9")
    result = project.run(agent, "runs", *selected, *gates)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "gate passed: total is 0.667, at least 0.6 (*",
            "GATE FAILED: SC1-a is 0.333, below 0.9 (*",
        ]
    )


def test_no_gate_passes_a_run_with_errors_unless_it_is_allowed(
    project: Project, walk: Path
) -> None:
    agent = project.brain("if 'exactly one of' in prompt:\n    raise OSError('off')\nreturn '1'")
    selected = ("--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR2")
    gate = "--metaspace-fail-under=SC1-b=0.5"
    refused = project.run(agent, "runs", *selected, gate)
    refused.stdout.fnmatch_lines(
        ["GATE FAILED: SC1-b cannot pass a run with 3 errors*allow errors*"]
    )
    allowed = project.run(agent, "runs", *selected, gate, "--metaspace-allow=errors")
    allowed.stdout.fnmatch_lines(["gate passed: SC1-b is 1.000, at least 0.5 (*"])
    assert (refused.ret, allowed.ret) == (1, 1)  # a case without an answer fails in any case


def test_status_is_1_with_workers_when_cases_are_violated_and_a_gate_fails(
    project: Project, walk: Path
) -> None:
    gate = ("--metaspace-fail-under=0.9", "--metaspace-violations=fail")
    result = project.run_workers(project.brain(MOODY), "runs", *ONE_PAIR, *gate)
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}
    result.stdout.fnmatch_lines(["*!!! metaspace gate: total is 0.333, below 0.9 !!!*"])


def test_status_is_2_when_a_trajectory_is_broken(project: Project) -> None:
    walk = project.walk(trajectory={"step_length_m": -1})
    result = project.run(TRUTH, "runs")
    assert result.ret == 2
    result.stdout.fnmatch_lines(
        [
            "*ERROR collecting runs/walk/trajectory.json*",
            f"{walk}: field step_length_m: Input should be greater than 0, found -1",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_status_is_2_when_two_trajectories_have_one_id(project: Project, walk: Path) -> None:
    other = project.walk("runs/xother")
    result = project.run(TRUTH, "runs")
    assert result.ret == 2
    result.stdout.fnmatch_lines([f"{other}: field id: 'walk' is also the id of {walk}.*"])


def test_status_is_2_with_workers_when_a_trajectory_is_broken(project: Project) -> None:
    project.walk(trajectory={"step_length_m": -1})
    result = project.run_workers(TRUTH, "runs")
    assert result.ret == 1  # what pytest-xdist makes of any error in collection
    result.stdout.fnmatch_lines(["*field step_length_m: Input should be greater than 0, found -1"])


def test_status_is_5_when_nothing_is_collected(project: Project) -> None:
    project.pytester.mkdir("empty")
    assert project.run(TRUTH, "empty").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_status_is_5_when_everything_is_deselected(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, "runs", "-k", "nothing_of_that_name")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_status_is_5_with_workers_when_nothing_is_collected(project: Project) -> None:
    project.pytester.mkdir("empty")
    result = project.run_workers(TRUTH, "empty")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_exitfirst_stops_at_the_first_violation(project: Project, walk: Path) -> None:
    result = project.run(project.brain("return 'right'"), "runs", *ONE_PAIR, "-x")
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 1}
    result.stdout.fnmatch_lines(["*stopping after 1 failures*"])


def test_maxfail_stops_after_that_many_violations(project: Project, walk: Path) -> None:
    result = project.run(project.brain("return 'right'"), "runs", *ONE_PAIR, "--maxfail=2")
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 2}


def test_exitfirst_ignores_violations_that_are_only_reported(project: Project, walk: Path) -> None:
    agent = project.brain("return 'right'")
    result = project.run(agent, "runs", *ONE_PAIR, "-x", "--metaspace-violations=report")
    assert result.ret == 0
    assert result.parseoutcomes() == {"violated": 3}


def test_ctrl_c_while_asking_ends_with_2_and_keeps_what_was_answered(
    project: Project, walk: Path
) -> None:
    """The second run asks only what the first one had no answer to."""
    agent = project.brain(
        "import time\n"
        "with open('calls.txt', 'a') as file:\n"
        "    file.write(prompt[-400:].replace('\\n', ' ') + '\\n')\n"
        "time.sleep(0.25)\n"
        "return 'right'"
    )
    calls = project.path / "calls.txt"

    def asked() -> list[str]:
        return calls.read_text().splitlines() if calls.exists() else []

    status, output = project.interrupt(lambda: len(asked()) >= 3, agent, "runs", *ONE_PAIR)
    assert (status, "!!! KeyboardInterrupt !!!" in output) == (2, True), output
    before = asked()
    assert 3 <= len(before) < 6
    result = project.run_apart(agent, "runs", *ONE_PAIR)
    assert result.ret == 1
    repeated = set(before) & set(asked()[len(before) :])
    assert repeated <= {before[-1]}, "only the question in flight may be asked again"
    assert len(set(asked())) == 6
