"""Everything is settled before the first item runs, and by one process, whatever -n is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking.spare import Spare
from pytest_metaspace.asking.store import AnswerStore, StoreError
from tests.plugin.made import COUNTING, MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Reply
    from tests.plugin.conftest import Project

SELECTED = ("runs", "--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR1,MR2")
QUESTIONS = 14  # six directions, six distances, and two directions over two moves


@pytest.fixture
def agent(project: Project) -> str:
    """An agent that writes down each call and is wrong about some."""
    return project.brain(COUNTING + MOODY)


def calls(project: Project) -> list[str]:
    path = project.path / "calls.txt"
    return path.read_text().splitlines() if path.exists() else []


def table(result: pytest.RunResult) -> list[str]:
    """Return the part of the output that tells scores."""
    start = next(i for i, line in enumerate(result.outlines) if line.startswith("capability"))
    end = next(i for i, line in enumerate(result.outlines) if line.startswith("total"))
    return result.outlines[start : end + 1]


def verdicts(result: pytest.RunResult) -> dict[str, str]:
    """Return the word that ``-v`` prints for each case, by case id."""
    words = {}
    for line in result.outlines:
        parts = line.split()
        nodeid = next((part for part in parts if "trajectory.json::" in part), None)
        word = next((part for part in parts if part.isupper() and part.isalpha()), None)
        if nodeid and word:
            words[nodeid.rpartition("::")[2]] = word
    return words


def test_each_distinct_question_is_asked_once(project: Project, walk: Path, agent: str) -> None:
    result = project.run(agent, *SELECTED)
    asked = calls(project)
    assert len(asked) == len(set(asked)) == QUESTIONS
    result.stdout.fnmatch_lines(
        [f"{QUESTIONS} distinct questions in 1 trajectory, {QUESTIONS} put to python:brain:answer"]
    )


def test_a_second_run_asks_nothing(project: Project, walk: Path, agent: str) -> None:
    first = project.run(agent, *SELECTED)
    second = project.run(agent, *SELECTED)
    assert len(calls(project)) == QUESTIONS
    second.stdout.fnmatch_lines([f"{QUESTIONS} distinct questions in 1 trajectory, 0 put to *"])
    assert table(first) == table(second)


def test_workers_make_the_same_calls_verdicts_and_scores(
    project: Project, walk: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process asks: the controller. What it was told, workers and later runs use."""
    temporary = project.pytester.mkdir("temporary")
    monkeypatch.setenv("TMPDIR", str(temporary))
    workers = project.run_workers(agent, *SELECTED, "-v")
    assert not list(temporary.glob("metaspace-*")), "what they shared is removed"
    asked = calls(project)
    assert len(asked) == len(set(asked)) == QUESTIONS
    serial = project.run(agent, *SELECTED, "-v")
    assert len(calls(project)) == QUESTIONS
    assert len(verdicts(serial)) == 8
    assert verdicts(workers) == verdicts(serial)
    assert table(workers) == table(serial)
    assert workers.parseoutcomes() == serial.parseoutcomes()
    assert workers.ret == serial.ret == 1


def test_one_process_asks_even_if_every_worker_runs_every_case(
    project: Project, walk: Path, agent: str
) -> None:
    result = project.run_workers(agent, *SELECTED, "--dist=each")
    assert result.ret == 1
    assert len(calls(project)) == QUESTIONS
    result.stdout.fnmatch_lines(["total * 8 * 1 * 3 * 0 * 0 *"])


def test_refresh_asks_again_and_offline_asks_nothing(
    project: Project, walk: Path, agent: str
) -> None:
    offline = project.run(agent, *SELECTED, "--metaspace-answers=offline")
    assert (offline.ret, calls(project)) == (1, [])
    assert offline.parseoutcomes() == {"errored": 8}
    offline.stdout.fnmatch_lines(["error: 8 cases: this question has no stored answer *offline*"])
    project.run(agent, *SELECTED)
    again = project.run(agent, *SELECTED, "--metaspace-answers=refresh")
    assert len(calls(project)) == 2 * QUESTIONS
    stored = project.run(agent, *SELECTED, "--metaspace-answers=offline")
    assert len(calls(project)) == 2 * QUESTIONS
    assert table(stored) == table(again)


def test_answers_are_asked_for_again_when_the_agent_changes(project: Project, walk: Path) -> None:
    project.run(project.brain(COUNTING + "return 'left'"), *SELECTED)
    project.run(project.brain(COUNTING + "return 'right'"), *SELECTED)
    assert len(calls(project)) == 2 * QUESTIONS


def test_only_what_is_selected_is_asked(project: Project, walk: Path, agent: str) -> None:
    project.run(agent, "runs/walk/trajectory.json::SC1-a::MR2::s000-s001-ae845cfc")
    assert len(calls(project)) == 2


def test_an_answer_that_failed_is_not_stored(project: Project, walk: Path) -> None:
    agent = project.brain(
        COUNTING
        + "if not pathlib.Path('charged').exists():\n    raise OSError('the battery is empty')\n"
        "return 'right'"
    )
    select = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    assert project.run(agent, *select).parseoutcomes() == {"errored": 3}
    project.write("charged", "")
    assert project.run(agent, *select).parseoutcomes() == {"violated": 3}
    assert len(calls(project)) == 12


def test_an_async_agent_answers_several_at_once(project: Project, walk: Path) -> None:
    agent = project.brain("")
    project.write(
        "brain.py",
        "import asyncio, pathlib\n"
        "flying, most = 0, 0\n"
        "async def answer(prompt, images):\n"
        "    global flying, most\n"
        "    flying += 1\n"
        "    most = max(most, flying)\n"
        "    pathlib.Path('most.txt').write_text(str(most))\n"
        "    await asyncio.sleep(0.01)\n"
        "    flying -= 1\n"
        "    return '3'\n",
    )
    result = project.run(agent, "runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
    result.assert_outcomes(passed=3)
    assert int((project.path / "most.txt").read_text()) > 1


def test_a_recording_replays_to_the_same_verdicts(project: Project, walk: Path, agent: str) -> None:
    recorded = project.run(agent, *SELECTED, "-v", "--metaspace-record=answers.jsonl")
    lines = (project.path / "answers.jsonl").read_text().splitlines()
    assert len(lines) == QUESTIONS
    first = json.loads(lines[0])
    assert set(first) >= {"question", "answer", "text", "images", "trajectory", "capability"}
    replayed = project.run("--metaspace-agent=replay:answers.jsonl", *SELECTED, "-v")
    assert verdicts(replayed) == verdicts(recorded)
    assert table(replayed) == table(recorded)
    assert len(calls(project)) == QUESTIONS


def test_a_recording_holds_one_run_only(project: Project, walk: Path, agent: str) -> None:
    for _ in range(2):
        project.run(agent, *SELECTED, "--metaspace-record=answers.jsonl")
    assert len((project.path / "answers.jsonl").read_text().splitlines()) == QUESTIONS


def test_a_question_that_was_not_recorded_is_an_error_that_says_how(
    project: Project, walk: Path, agent: str
) -> None:
    recorded = ("runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
    project.run(agent, *recorded, "--metaspace-record=answers.jsonl")
    result = project.run("--metaspace-agent=replay:answers.jsonl", *SELECTED)
    assert result.parseoutcomes() == {"passed": 3, "errored": 5}
    result.stdout.fnmatch_lines(["*answers.jsonl holds no answer to this question.*"])


def test_a_crashed_worker_makes_an_error_of_its_case(project: Project, walk: Path) -> None:
    """The crash has a line of its own, the case counts as an error, and the rest goes on."""
    project.write(
        "conftest.py",
        "import os\n"
        "def pytest_runtest_logstart(nodeid):\n"
        "    if 's001-s002' in nodeid and 'PYTEST_XDIST_WORKER' in os.environ:\n"
        "        os._exit(9)\n",
    )
    select = ("runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
    result = project.run_workers("--metaspace-agent=truth", *select)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "worker '*' crashed while running 'runs/walk/trajectory.json::SC1-b::MR2::s001-s002-*'",
            "error: 1 case: the process that ran this case died before it could report",
            "SC1-b * 3 * 0 * 0 * 0 * 1 * 67 % * 1.000",
        ]
    )


def test_the_last_answer_that_cannot_be_stored_is_told(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No question is left to carry the reason, so the run has to say it by itself."""
    kept = 0

    def put(self: AnswerStore, key: str, reply: Reply, **more: object) -> Reply:
        nonlocal kept
        kept += 1
        if kept == 6:
            raise StoreError("metaspace: the disk is full")
        return reply

    def full(*_: object) -> None:
        raise StoreError("metaspace: the disk is full")

    monkeypatch.setattr(AnswerStore, "put", put)
    monkeypatch.setattr(Spare, "put", full)
    select = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    result = project.run(project.brain("return 'right'"), *select)
    assert kept == 6
    assert result.parseoutcomes() == {"violated": 3}
    result.stdout.fnmatch_lines(["metaspace: the disk is full"])
