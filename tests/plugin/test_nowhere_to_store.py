"""A run whose answers cannot be stored: it goes on, and says where they are and what to type."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli
from pytest_metaspace.asking import mounts

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.plugin.conftest import Project

FEW = ("--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
TWO = """
with open("calls.txt", "a") as calls:
    calls.write("x")
return "2"
"""
OWN_WORDS = """
def test_it(metaspace_agent):
    assert metaspace_agent.ask("How many doors?") == "2"
"""


def unkept() -> AbstractContextManager[object]:
    """What a run found cannot be kept for ``metaspace explain`` either, which ends no run."""
    return pytest.warns(UserWarning, match="cannot be kept")


def calls(project: Project) -> int:
    path = project.path / "calls.txt"
    return len(path.read_text()) if path.exists() else 0


def files(project: Project) -> list[Path]:
    return list(project.path.glob("answers-*.jsonl"))


def test_the_run_goes_on_and_its_answers_are_imported_with_what_it_says(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    walk, agent = str(project.walk()), project.brain(TWO)
    blocked = project.write(".metaspace_cache", "I am a file")
    with unkept():
        first = project.run(walk, agent, *FEW)
    asked = calls(project)
    assert first.ret == 0
    assert asked > 3
    (file,) = files(project)
    (said,) = [line for line in first.outlines if "could not be stored in" in line]
    assert said.startswith(f"metaspace: {asked} answers could not be stored in {blocked} (")
    blocked.unlink()
    command = shlex.split(said.partition("type: ")[2])
    assert command[0] == "metaspace"
    assert cli.main(command[1:]) == 0
    assert f"{asked} new" in capsys.readouterr().out
    file.unlink()
    second = project.run(walk, agent, *FEW)
    assert calls(project) == asked
    assert second.parseoutcomes() == first.parseoutcomes()
    second.stdout.no_fnmatch_line("*could not be stored*")


def test_waves_of_a_run_that_may_stop_share_one_file(project: Project) -> None:
    walk, agent = str(project.walk()), project.brain(TWO)
    project.write(".metaspace_cache", "I am a file")
    with unkept():
        result = project.run(walk, agent, *FEW, "--maxfail=99", "--metaspace-lookahead=1")
    assert result.ret == 0
    (file,) = files(project)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == len({line["key"] for line in lines}) == calls(project)


def test_questions_of_a_test_of_ones_own_say_it_too(project: Project) -> None:
    agent = project.brain(TWO)
    project.write(".metaspace_cache", "I am a file")
    project.write("test_it.py", OWN_WORDS)
    result = project.run("test_it.py", agent)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["metaspace: 1 answer could not be stored in *"])


def test_what_is_written_nowhere_is_counted(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    walk, agent = str(project.walk()), project.brain(TWO)
    project.write(".metaspace_cache", "I am a file")
    monkeypatch.setattr("pytest_metaspace.asking.spare._write", full)
    with unkept():
        result = project.run(walk, agent, *FEW)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "*Nothing more is asked. Free the disk and run again.*",
            "metaspace: 1 answer that this run received could be written nowhere *",
        ]
    )
    assert files(project) == []


def test_answers_that_are_there_and_cannot_be_read_are_not_paid_for_again(project: Project) -> None:
    walk, agent = str(project.walk()), project.brain(TWO)
    project.write(".metaspace_cache/answers/cache.db", "no database at all" * 1000)
    result = project.run(walk, agent, *FEW)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*the answers in * cannot be opened *"])
    assert calls(project) == 0


def test_a_network_file_system_is_told_once(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = project.write("mounts", f"server:/x {project.path} nfs4 rw 0 0\n")
    monkeypatch.setattr(mounts, "_TABLE", table)
    walk, agent = str(project.walk()), project.brain(TWO)
    result = project.run(walk, agent, *FEW, "--maxfail=99", "--metaspace-lookahead=1")
    assert result.ret == 0
    told = [line for line in result.outlines if "network file system" in line]
    assert len(told) == 1
    assert f"(nfs4 at {project.path})" in told[0]
    free = project.run(walk, "--metaspace-agent=truth", *FEW)
    free.stdout.no_fnmatch_line("*network file system*")


def test_nothing_is_said_where_all_is_well(project: Project) -> None:
    result = project.run(str(project.walk()), project.brain(TWO), *FEW)
    assert result.ret == 0
    assert [line for line in result.outlines if line.startswith("metaspace: ")][1:] == []
    assert files(project) == []
