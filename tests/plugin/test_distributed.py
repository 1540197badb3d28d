"""Whatever -n and --dist are, and even if a worker dies: the same calls, verdicts and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import COUNTING, MOODY
from tests.plugin.test_settle import QUESTIONS, SELECTED, calls, table, verdicts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

#  The worker that runs this case dies, once.
DEADLY = """
import os, pathlib
def pytest_runtest_logstart(nodeid):
    if 's001-s002-b3' in nodeid and 'PYTEST_XDIST_WORKER' in os.environ:
        if not pathlib.Path('dead').exists():
            pathlib.Path('dead').touch()
            os._exit(9)
"""


@pytest.mark.parametrize(
    "how",
    [
        ("-n2", "--dist=load"),
        ("-n2", "--dist=loadscope"),
        ("-n2", "--dist=loadfile"),
        ("-n2", "--dist=loadgroup"),
        ("-n2", "--dist=worksteal"),
        ("-n2", "--dist=no"),
        ("-n4",),
    ],
    ids=" ".join,
)
def test_calls_verdicts_and_scores_are_those_of_a_serial_run(
    project: Project, walk: Path, how: tuple[str, ...]
) -> None:
    agent = project.brain(COUNTING + MOODY)
    run = project.run_apart if "--dist=load" in how else project.run  # as a user's run, once
    spread = run("-p", "xdist", *how, agent, *SELECTED, "-v")
    asked = sorted(calls(project))
    assert len(asked) == len(set(asked)) == QUESTIONS
    (project.path / "calls.txt").unlink()
    serial = project.run(agent, *SELECTED, "-v", "--metaspace-answers=refresh")
    assert sorted(calls(project)) == asked
    assert verdicts(spread) == verdicts(serial)
    assert table(spread) == table(serial)
    assert spread.parseoutcomes() == serial.parseoutcomes()
    assert spread.ret == serial.ret == 1


def test_a_killed_worker_costs_no_question_and_only_its_own_case(
    project: Project, walk: Path
) -> None:
    """A case whose report never came is an error; with the worker gone the others still run."""
    project.write("conftest.py", DEADLY)
    agent = project.brain(COUNTING + MOODY)
    spread = project.run_workers(agent, *SELECTED, "-v")
    asked = sorted(calls(project))
    assert len(asked) == len(set(asked)) == QUESTIONS
    spread.stdout.fnmatch_lines(["error: 1 case: the process that ran this case died before *"])
    serial = project.run(agent, *SELECTED, "-v")
    assert len(calls(project)) == QUESTIONS
    lost = set(verdicts(serial).items()) - set(verdicts(spread).items())
    assert len(lost) <= 1
    assert sum(spread.parseoutcomes().values()) >= 8
