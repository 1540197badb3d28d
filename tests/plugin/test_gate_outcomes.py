"""What gates come to, and the exit status of the run: for each policy, and on runs that lack cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
SELECTION = ("--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR2")
ALWAYS_RIGHTWARDS = "return 'right' if 'exactly one of' in prompt else '1'"
THREE = 3 * 3
"""Cases of each of the two capabilities: three in each trajectory."""


@pytest.fixture
def walks(project: Project) -> Project:
    """A project with three trajectories."""
    for name in ("walk-1", "walk-2", "walk-3"):
        project.walk(f"runs/{name}", id=name)
    return project


# (threshold, policy, status, line) of an agent whose SC1-a is 0 and whose SC1-b is 1
OUTCOMES = [
    ("SC1-b=1", "point", 0, "gate passed: SC1-b is 1.000, at least 1 (*"),
    ("SC1-a=0.01", "point", 1, "GATE FAILED: SC1-a is 0.000, below 0.01 (*"),
    ("SC1-b=0.01", "confident-pass", 0, "gate passed: SC1-b is 1.000, and surely at least 0.01 (*"),
    ("SC1-b=0.9", "confident-pass", 1, "GATE UNDECIDED: SC1-b is 1.000, which may be on either *"),
    ("SC1-b=0.9", "confident-fail", 0, "gate undecided: SC1-b is 1.000, which may be on either *"),
    ("SC1-a=0.1", "confident-fail", 0, "gate undecided: SC1-a is 0.000, which may be on either *"),
    ("SC1-a=0.99", "confident-fail", 1, "GATE FAILED: SC1-a is 0.000, and surely below 0.99 (*"),
]


@pytest.mark.parametrize(("gate", "policy", "status", "line"), OUTCOMES)
def test_the_policy_decides_the_exit_status(
    walks: Project, gate: str, policy: str, status: int, line: str
) -> None:
    agent = walks.brain(ALWAYS_RIGHTWARDS)
    more = (f"--metaspace-fail-under={gate}", f"--metaspace-gate={policy}")
    result = walks.run(agent, "runs", *SELECTION, *more)
    assert result.ret == status
    result.stdout.fnmatch_lines([line])
    result.stdout.fnmatch_lines(["*95 % interval 0.*; 9 cases in 3 trajectories *"])
    assert ("! metaspace gate: SC1-" in result.stdout.str()) == (status == 1)


def test_gates_come_to_the_same_with_workers(walks: Project) -> None:
    agent = walks.brain(ALWAYS_RIGHTWARDS)
    gates = [f"--metaspace-fail-under={gate}" for gate in ("SC1-a=0.01", "SC1-b=0.9", "MR2=.1")]
    alone, shared = (
        run(agent, "runs", *SELECTION, *gates, "--metaspace-gate=confident-fail")
        for run in (walks.run, walks.run_workers)
    )
    assert alone.ret == shared.ret == 0
    told = [[line for line in one.outlines if "gate " in line] for one in (alone, shared)]
    assert told[0] == told[1]
    assert len(told[0]) == len(gates)


def test_gates_of_the_ini_file_are_on_any_part(walks: Project) -> None:
    gates = "metaspace_fail_under = MR2=0.9\n    household/SC1-b=0.5\n    arm=0.1"
    walks.write("pytest.ini", f"[pytest]\n{gates}\nmetaspace_gate = point\n")
    result = walks.run(TRUTH, "runs", *SELECTION)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "gate passed: MR2 is 1.000, at least 0.9 (*18 cases in 3 trajectories *",
            "gate passed: household/SC1-b is 1.000, at least 0.5 (*; 9 cases in 3 trajectories *",
            "GATE FAILED: arm has no score, since no case of it was decided (0 cases)",
        ]
    )


def test_a_gate_on_nothing_known_is_wrong_use(walks: Project) -> None:
    result = walks.run(TRUTH, "runs", "--metaspace-fail-under=MR22=0.5")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*gate 'MR22' is not known. Did you mean 'MR2'?*"])


# ------------------------------------------------------------------- runs that are not whole

PART = "runs/walk-1/trajectory.json::SC1-a"
FIRST = "::MR2::s000-s001-"


@pytest.mark.parametrize(
    ("left_out", "gone"),
    [
        (("-kSC1-a",), THREE),
        (("-mSC1-a",), THREE),
        (("--deselect=runs/walk-1/trajectory.json",), 6),
        ((PART, "runs/walk-2/trajectory.json"), 3),
    ],
)
def test_a_gate_cannot_pass_on_a_part_of_its_cases(
    walks: Project, left_out: tuple[str, ...], gone: int
) -> None:
    paths = () if PART in left_out else ("runs",)
    command = (TRUTH, *paths, *left_out, *SELECTION, "--metaspace-fail-under=0.5")
    refused = walks.run(*command)
    assert refused.ret == 1
    refused.stdout.fnmatch_lines(
        [
            (
                f"GATE FAILED: total cannot pass on a part: {gone} cases of it did not run; run all "
                "of it, or add --metaspace-allow deselected (*"
            ),
            "*! metaspace gate: total cannot pass on a part: *",
        ]
    )
    assert walks.run(*command, "--metaspace-allow=deselected").ret == 0


def test_a_gate_whose_cases_all_ran_does_not_mind_those_that_did_not(walks: Project) -> None:
    gates = [f"--metaspace-fail-under={name}=0.5" for name in ("SC1-a", "SC1-a/MR2", "SC1-b")]
    result = walks.run(TRUTH, "runs", "-kSC1-a", *SELECTION, *gates)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "gate passed: SC1-a is 1.000, at least 0.5 (*",
            "gate passed: SC1-a/MR2 is 1.000, at least 0.5 (*",
            "GATE FAILED: SC1-b has no score, *; cannot pass on a part: 9 cases of it did not run*",
        ]
    )


def skip_one(walks: Project) -> None:
    walks.write(
        "conftest.py",
        "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n"
        "    items[0].add_marker(pytest.mark.skip(reason='not this one'))\n",
    )


def test_what_did_not_run_is_known_with_workers_too(walks: Project) -> None:
    skip_one(walks)
    gates = ("--metaspace-fail-under=0.5", "--metaspace-fail-under=SC1-a=0.5")
    result = walks.run_workers(TRUTH, "runs", "-kSC1-a", *SELECTION, *gates)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "GATE FAILED: total cannot pass on a part: 9 cases of it did not run*",
            "gate passed: SC1-a is 1.000, at least 0.5 (*; 8 cases in 3 trajectories *",
        ]
    )


def test_cases_that_a_mark_skips_are_not_missed(walks: Project) -> None:
    skip_one(walks)
    result = walks.run(TRUTH, "runs", *SELECTION, "--metaspace-fail-under=0.5")
    assert result.ret == 0
    result.assert_outcomes(passed=2 * THREE - 1, skipped=1)


def test_the_files_that_last_failed_leaves_out_are_missed(walks: Project) -> None:
    """``--lf`` passes over whole files without calling them deselected."""
    agent = walks.brain(ALWAYS_RIGHTWARDS)
    options = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    first = walks.run(agent, "runs/walk-1", *options)
    assert first.parseoutcomes() == {"violated": 3}
    again = walks.run(agent, "runs", *options, "--lf", "--metaspace-fail-under=0")
    assert again.ret == 1
    again.stdout.fnmatch_lines(["GATE FAILED: total cannot pass on a part: 6 cases of it did*"])


def test_a_sample_passes_no_gate_unless_allowed(walks: Project) -> None:
    command = (TRUTH, "runs", *SELECTION, "--metaspace-sample=0.5", "--metaspace-fail-under=0")
    refused = walks.run(*command)
    assert refused.ret == 1
    refused.stdout.fnmatch_lines(
        ["GATE FAILED: total cannot pass on a sample of 0.5 of the cases*"]
    )
    assert walks.run(*command, "--metaspace-allow=sampled").ret == 0


def test_a_run_that_stops_at_a_failure_passes_no_gate(walks: Project) -> None:
    agent = walks.brain(ALWAYS_RIGHTWARDS)
    command = (agent, "runs", *SELECTION, "-x", "--metaspace-violations=fail")
    result = walks.run(*command, "--metaspace-fail-under=0")
    assert result.ret == 1
    told = "GATE FAILED: total cannot pass on a part: the run was stopped before * cases of it; *"
    result.stdout.fnmatch_lines([told])
    result.stdout.no_fnmatch_line("*gate passed*")


def test_a_run_that_is_interrupted_passes_no_gate(walks: Project) -> None:
    walks.write(
        "conftest.py",
        "def pytest_runtest_logreport(report):\n"
        "    if report.when == 'call' and 'walk-2' in report.nodeid:\n"
        "        raise KeyboardInterrupt\n",
    )
    result = walks.run_apart(TRUTH, "runs", *SELECTION, "--metaspace-fail-under=0")
    assert result.ret == 2
    told = "GATE FAILED: total cannot pass on a part: the run was stopped before * cases of it; *"
    result.stdout.fnmatch_lines([told])
    result.stdout.no_fnmatch_line("*gate passed*")
