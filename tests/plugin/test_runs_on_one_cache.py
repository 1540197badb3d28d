"""Whole runs that share a cache: at the same time, or one after the other was killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.agents.endpoint import Endpoint, Reply, serving, text_of
from tests.asking.test_killed import asked_after_stored, lines_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.plugin.conftest import Project

pytest.importorskip("openai")
FEW = ("--metaspace-agent=openai:blind", "--metaspace-sc=SC1-a,SC1-b", "-p", "no:cacheprovider")
LOGGED = """
import os
from pytest_metaspace.asking.store import AnswerStore

put = AnswerStore.put

def logged(self, key, reply, *, asked, **more):
    counts = put(self, key, reply, asked=asked, **more)
    note("stored", asked.text)
    return counts

def note(what, text):
    file = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, f"{os.environ['RUN']} {what} {text!r}\\n".encode())
    os.close(file)

AnswerStore.put = logged
"""
SLOW = """
import asyncio, conftest
conftest.note("asked", prompt)
await asyncio.sleep(0.03)
return "2"
"""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-0123456789abcdef")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def started(project: Project, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "metaspace", *arguments],
        cwd=project.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def together(project: Project, endpoint: Endpoint, *more: str) -> list[str]:
    """Run two runs at the same time; return what they say."""
    walk, url = str(project.walk()), f"--metaspace-base-url={endpoint.url}"
    runs = [started(project, walk, *FEW, url, *more) for _ in range(2)]
    outputs = [run.communicate(timeout=60)[0] for run in runs]
    assert [run.returncode for run in runs] == [1, 1], outputs
    return outputs


def says(number: str) -> Callable[[dict[str, Any], int], Reply]:
    """Return a script that answers late, and with something else each time."""
    return lambda _, call: Reply.saying(number if call % 2 else "forward", stall_s=0.05)


def test_two_runs_at_once_pay_for_each_question_once_and_agree(project: Project) -> None:
    with serving(says("2")) as endpoint:
        outputs = together(project, endpoint)
        paid = Counter(text_of(request) for request in endpoint.requests)
        assert max(paid.values()) == 1
        third = project.run_apart(
            project.path / "runs", *FEW, f"--metaspace-base-url={endpoint.url}"
        )
        assert len(endpoint.requests) == len(paid)
    tables = [
        [line for line in output.splitlines() if line.startswith(("SC1", "total"))]
        for output in (*outputs, third.stdout.str())
    ]
    assert tables[0] == tables[1] == tables[2]
    assert len(tables[0]) > 2


def test_refresh_pays_in_each_run(project: Project) -> None:
    with serving(says("2")) as endpoint:
        together(project, endpoint, "--metaspace-answers=refresh")
        paid = Counter(text_of(request) for request in endpoint.requests)
    assert set(paid.values()) == {2}


def test_whole_runs_that_are_killed_ask_only_the_rest(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk = str(project.walk())
    project.write("conftest.py", LOGGED)
    name = project.brain(SLOW)
    brain = project.path / "brain.py"
    brain.write_text("async " + brain.read_text())
    arguments = (walk, name, *FEW[1:])
    log, chance = project.path / "log", random.Random(7)
    for number in range(4):
        monkeypatch.setenv("RUN", str(number))
        run = started(project, *arguments)
        while not (log.exists() and f"{number} asked" in log.read_text()):
            assert run.poll() is None, run.communicate()[0]
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.05))
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert run.returncode == -signal.SIGKILL
    monkeypatch.setenv("RUN", "4")
    last = project.run_apart(*arguments)
    lines = lines_of(log)
    assert asked_after_stored(lines) == []
    times = Counter(text for _, what, text in lines if what == "asked")
    stored = {text for _, what, text in lines if what == "stored"}
    assert len(times) - len(stored) <= 4, "killed between storing one and noting it"
    assert 0 < sum(times.values()) - len(times) <= 4 * 8, "eight are in flight at a time"
    last.stdout.fnmatch_lines([f"{len(times)} distinct questions in *"])
