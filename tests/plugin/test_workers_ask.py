"""Under xdist one process asks what tests think of, each distinct question once."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import BROKEN, COUNTING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

TESTS = """
import pathlib, threading, time
import pytest

def together(worker_id, count=2):
    pathlib.Path(f"here-{worker_id}").touch()
    for _ in range(600):
        if len(list(pathlib.Path().glob("here-*"))) >= count:
            return
        time.sleep(0.05)
    raise RuntimeError("the other worker never came")

@pytest.mark.parametrize("n", range(2))
def test_it(metaspace_agent, worker_id, n):
    together(worker_id)
    assert metaspace_agent.ask("Where is the door?") == "left"
"""
WHO = (
    COUNTING
    + "with open('who.txt', 'a') as file:\n"
    + "    file.write(f'{os.getppid()} {os.getpid()}\\n')\nreturn 'left'"
)


def calls(project: Project) -> list[str]:
    path = project.path / "calls.txt"
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.parametrize("dist", ["load", "each", "worksteal"])
def test_two_workers_ask_the_same_question_and_it_is_asked_once(
    project: Project, dist: str
) -> None:
    project.write("test_it.py", TESTS)
    result = project.run_workers("test_it.py", project.brain(WHO), "--dist", dist)
    result.assert_outcomes(passed=4 if dist == "each" else 2)
    assert len(list(project.path.glob("here-*"))) == 2
    assert len(calls(project)) == 1


def test_an_answer_that_cannot_be_stored_twice_is_asked_for_once_all_the_same(
    project: Project,
) -> None:
    """An agent without an identity has nothing stored; within a run it is asked once."""
    project.write("test_it.py", TESTS)
    project.write(
        "conftest.py",
        "from pytest_metaspace.agents import AgentKind\n"
        "class Ours:\n"
        "    identity = None\n"
        "    def ask(self, question):\n"
        "        with open('calls.txt', 'a') as file:\n"
        "            file.write('called\\n')\n"
        "        return 'left'\n"
        "def pytest_metaspace_register_agents(register):\n"
        "    register(AgentKind(name='ours', usage='ours', summary='ours',\n"
        "                       build=lambda argument, context: Ours()))\n",
    )
    result = project.run_workers("test_it.py", "--metaspace-agent=ours")
    result.assert_outcomes(passed=2)
    assert calls(project) == ["called"]


def test_spatial_questions_of_workers_are_those_of_a_serial_run(
    project: Project, walk: Path
) -> None:
    project.write(
        "test_it.py",
        "import pytest\n"
        "@pytest.mark.metaspace(trajectories='runs')\n"
        "@pytest.mark.parametrize('n', range(4))\n"
        "def test_it(metaspace_agent, metaspace_trajectory, n):\n"
        "    from pytest_metaspace.domain import Claim\n"
        "    ask = metaspace_agent.ask_about\n"
        "    assert ask('SC2-a', 'chair-1', 'lamp-1', frame=n).value.planar == 'right'\n"
        "    assert ask('SC1-b', 0, 1, claim=Claim(at_least=1)).value.holds\n",
    )
    truth = "--metaspace-agent=truth"
    project.run("test_it.py", truth).assert_outcomes(passed=4)
    project.run_workers("test_it.py", truth).assert_outcomes(passed=4)


def test_an_error_of_the_agent_is_clear_in_the_test(project: Project) -> None:
    project.write("test_it.py", TESTS)
    result = project.run_workers("test_it.py", project.brain(BROKEN))
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            (
                "E *AgentError: metaspace: there is no answer to 'Where is the door?': the agent "
                "raised RuntimeError (brain.py:2): the battery is empty."
            )
        ]
    )
    assert not any("pytest_metaspace/" in line for line in result.outlines)


def test_a_worker_that_is_killed_while_it_asks_harms_nobody(project: Project) -> None:
    """Its answer is stored; its replacement asks nothing again."""
    project.write(
        "test_it.py",
        "import os, pathlib, signal, threading, time\n"
        "def die():\n"
        "    while not pathlib.Path('asked.txt').exists():\n"
        "        time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "def test_dies(metaspace_agent):\n"
        "    threading.Thread(target=die).start()\n"
        "    metaspace_agent.ask('Where is the door?')\n"
        "def test_lives(metaspace_agent):\n"
        "    assert metaspace_agent.ask('Where is the door?') == 'left'\n"
        "def test_lives_too(metaspace_agent):\n"
        "    assert metaspace_agent.ask('Where is the window?') == 'left'\n",
    )
    slow = "import time\nopen('asked.txt', 'a').close()\ntime.sleep(1)\nreturn 'left'"
    agent = project.brain(COUNTING + slow)
    result = project.run_workers("test_it.py", agent)
    result.assert_outcomes(passed=2, failed=1)
    assert sorted(calls(project)) == ["Where is the door?[]", "Where is the window?[]"]
    again = project.run("test_it.py", agent, "--metaspace-answers=offline", "-k", "lives")
    again.assert_outcomes(passed=2)


def test_a_run_with_workers_leaves_no_socket_and_no_folder(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as folder:  # a socket's name is short
        monkeypatch.setenv("TMPDIR", folder)
        project.write("test_it.py", TESTS)
        project.run_workers("test_it.py", project.brain(WHO)).assert_outcomes(passed=2)
        assert list(Path(folder).glob("*metaspace*")) == []


def test_scores_are_there_in_workers_too(project: Project, walk: Path) -> None:
    project.write(
        "tests/test_it.py",
        "import json, pytest\n"
        "@pytest.mark.parametrize('n', range(2))\n"
        "def test_it(metaspace_scores, n):\n"
        "    found = {name: metaspace_scores[name].value for name in metaspace_scores}\n"
        "    print(json.dumps([found, metaspace_scores.total]))\n",
    )
    agent = project.brain("return 'left' if 'In which direction is' in prompt else '1'")
    select = ("runs", "tests", agent, "--metaspace-sc=SC1-a,SC1-b", "--metaspace-violations=report")

    def told(result: pytest.RunResult) -> set[str]:
        result.assert_outcomes(passed=result.parseoutcomes()["passed"], skipped=0)
        return {line for line in result.outlines if line.startswith("[{")}

    serial, workers = told(project.run(*select, "-rP")), told(project.run_workers(*select, "-rP"))
    assert serial == workers
    (line,) = serial
    found, total = json.loads(line)
    assert found["SC1-b MR2"] == 1.0
    assert total == pytest.approx((found["SC1-a"] + found["SC1-b"]) / 2)


def test_the_ini_file_names_trajectories_for_workers_too(project: Project, walk: Path) -> None:
    """Both those that are collected and those that hand-written tests take."""
    project.write(
        "test_it.py",
        "import pytest\n"
        "@pytest.mark.metaspace(sc='SC1-a', mr='MR2')\n"
        "def test_it(metaspace_case):\n"
        "    metaspace_case.check()\n"
        "def test_that(metaspace_trajectory):\n"
        "    assert metaspace_trajectory.id == 'walk'\n",
    )
    project.write("pytest.ini", "[pytest]\nmetaspace_trajectories = runs\ntestpaths = test_it.py\n")
    select = ("--metaspace-agent=truth", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    for result in (project.run(*select), project.run_workers(*select)):
        result.assert_outcomes(passed=3 + 3 + 1)
        result.stdout.fnmatch_lines(["total * 3 * 0 * 0 * 0 * 0 * 1.000"])
