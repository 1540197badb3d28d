"""``--metaspace-max-invalid``: questions that came to no value, by kind, as gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import failures
from tests.plugin.made import MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

USAGE = pytest.ExitCode.USAGE_ERROR
TRUTH = "--metaspace-agent=truth"
SELECT = ("runs", "--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR2")
#  Two of twelve questions refused, one unreadable, one timed out.
MIXED = """
from pytest_metaspace.domain import Reply
from pytest_metaspace.errors import AgentError
if "whole number" in prompt:
    return "2"
if "frame 0 was taken to the place of frame 1" in prompt:
    raise AgentError("no answer within 1 s", kind="timed out")
if "frame 1 was taken to the place of frame 2" in prompt:
    return "Sorry, I cannot tell."
if "frame 2 was taken to the place of frame 1" in prompt:
    return "I cannot tell"
return "wherever"
"""


def text(result: pytest.RunResult) -> str:
    return result.stdout.str() + result.stderr.str()


def test_each_kind_has_its_row_with_count_share_and_next_step(project: Project, walk: Path) -> None:
    result = project.run(project.brain(MIXED), *SELECT)
    result.stdout.fnmatch_lines(
        [
            "*= metaspace: answers that could not be judged =*",
            "case is * question * questions * share * next step",
            "invalid * unreadable * 3 * 25.0 % * metaspace explain CASE shows the words",
            "invalid * refused * 2 * 16.7 % * metaspace explain CASE shows its words",
            "error * timed out * 1 * 8.3 % * run again: only these are asked; raise *timeout",
            "6 of 12 distinct questions came to no value (50.0 %); no such question is ever *",
            "*: 1 case: *no answer within 1 s*",
        ]
    )


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ("50%", "gate passed: invalid: 5 of 12 questions (41.7 %), at most 50 %"),
        (
            "0.4",
            "GATE FAILED: invalid: 5 of 12 questions (41.7 %), above 40 % (*-v and metaspace *",
        ),
        ("refused=20%", "gate passed: refused: 2 of 12 questions (16.7 %), at most 20 %"),
        ("refused=0.1", "GATE FAILED: refused: 2 of 12 questions (16.7 %), above 10 % *"),
        ("timed-out=0", "GATE FAILED: timed out: 1 of 12 questions (8.33 %), above 0 % *"),
        ("error=8%", "GATE FAILED: error: 1 of 12 questions (8.33 %), above 8 % *"),
        ("tied=0", "gate passed: tied: 0 of 12 questions (0 %), at most 0 %"),
    ],
)
def test_a_gate_says_count_share_and_limit(
    project: Project, walk: Path, limit: str, told: str
) -> None:
    result = project.run(project.brain(MIXED), *SELECT, f"--metaspace-max-invalid={limit}")
    assert result.ret == 1  # a case in error fails the run, whatever the gates say
    result.stdout.fnmatch_lines([told])


@pytest.mark.parametrize("workers", [False, True], ids=["serial", "workers"])
@pytest.mark.parametrize(("limit", "status"), [("20%", 0), ("15%", 1)])
def test_a_gate_decides_the_exit_status(
    project: Project, walk: Path, limit: str, status: int, workers: bool
) -> None:
    """Two of twelve questions cannot be read; with a gate, cases are only reported."""
    run = project.run_workers if workers else project.run
    result = run(project.brain(MOODY), *SELECT, f"--metaspace-max-invalid={limit}")
    assert result.ret == status
    result.stdout.fnmatch_lines(["*invalid: 2 of 12 questions (16.7 %)*"])
    assert "failed" not in result.parseoutcomes()


def test_several_gates_are_decided_each(project: Project, walk: Path) -> None:
    result = project.run(
        project.brain(MOODY),
        *SELECT,
        "--metaspace-max-invalid=30%,refused=0",
        "--metaspace-max-invalid=unreadable=1%",
        "--metaspace-fail-under=0.1",
    )
    assert result.ret == 1
    gates = [line.split(":")[0] for line in result.outlines if line.lower().startswith("gate ")]
    assert gates == ["gate passed", "gate passed", "gate passed", "GATE FAILED"]
    result.stdout.fnmatch_lines(["capability * score * threshold", "total * 0.1"])


def test_the_table_has_no_thresholds_for_gates_on_questions(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, *SELECT, "--metaspace-max-invalid=2%")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*score * threshold*")
    result.stdout.fnmatch_lines(["gate passed: invalid: 0 of 12 questions (0 %), at most 2 %"])


def test_the_ini_file_can_hold_gates(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    ini = "[pytest]\npythonpath = .\nmetaspace_max_invalid =\n    30%\n    unreadable=1%\n"
    project.write("pytest.ini", ini)
    result = project.run(agent, *SELECT)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["gate passed: invalid: *", "GATE FAILED: unreadable: *"])
    project.write("tests/test_other.py", "def test_other(): pass\n")
    assert project.run(agent, "tests").ret == 0
    assert project.run("tests", "-q").ret == 0


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("2", "--metaspace-max-invalid 2: expected a share between 0 and 1 or in percent"),
        ("few", "--metaspace-max-invalid few: expected a share"),
        ("refuse=1%", "kind of failure 'refuse' is not known. Did you mean 'refused'"),
    ],
)
def test_wrong_values_end_with_what_was_expected(
    project: Project, walk: Path, value: str, told: str
) -> None:
    result = project.run(TRUTH, *SELECT, f"--metaspace-max-invalid={value}")
    assert result.ret == USAGE
    assert told in text(result)


def test_a_gate_that_is_typed_needs_something_to_decide_on(project: Project, walk: Path) -> None:
    project.write("tests/test_other.py", "def test_other(): pass\n")
    gate = "--metaspace-max-invalid=2%"
    lacking = {
        "nothing to go by without an agent": project.run("tests", gate),
        "nothing to decide on": project.run(TRUTH, "tests", gate),
    }
    for told, result in lacking.items():
        assert result.ret == USAGE
        assert f"--metaspace-max-invalid has {told}" in text(result)


def test_no_kind_is_told_when_everything_has_a_value(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, *SELECT)
    result.stdout.no_fnmatch_line("*could not be judged*")
    result.stdout.no_fnmatch_line("*came to no value*")


def test_a_kind_of_an_agent_of_your_own_is_told_by_its_name(project: Project, walk: Path) -> None:
    body = "from pytest_metaspace.errors import AgentError\nraise AgentError('x', kind='flat \\x1b[2J')"
    result = project.run(project.brain(body), *SELECT, "--metaspace-max-invalid=error=0")
    result.stdout.fnmatch_lines(["error * flat ?[[]2J * 12 * 100.0 % * the agent's"])
    assert "\x1b" not in result.stdout.str()
    result.stdout.fnmatch_lines(["GATE FAILED: error: 12 of 12 questions (100 %), above 0 % *"])


def test_every_kind_is_explained_in_the_docs(request: pytest.FixtureRequest) -> None:
    page = (request.config.rootpath / "docs" / "concepts.md").read_text(encoding="utf-8")
    for kind in failures.KINDS.values():
        row = f"| `{kind.word}` | {kind.outcome.value} | {kind.meaning}"
        assert row in page, row
