"""On a terminal, derivations have lines between their steps; in a log they have none."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

PYTEST = ("-m", "pytest", "-p", "metaspace", "--color=no")
ONE_PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
BRANCH = "├─ right is the direction from state 0 to state 1   ← answer 1"
PLAIN = "right is the direction from state 0 to state 1   <- answer 1"


def shown(folder: Path, locale: str, *arguments: str) -> str:
    """Run Python on a terminal of its own and return what the terminal shows."""
    ours, theirs = pty.openpty()
    environ = {**os.environ, "LC_ALL": locale, "COLUMNS": "200", "TERM": "dumb"}
    with subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=environ, stdin=theirs, stdout=theirs
    ) as process:
        os.close(theirs)
        text = b""
        try:
            while block := os.read(ours, 4096):
                text += block
        except OSError:
            pass  # how a terminal says that nobody writes to it any more
        process.wait(60)
    os.close(ours)
    return text.decode()


@pytest.mark.parametrize(
    ("locale", "wanted", "unwanted"), [("C.UTF-8", BRANCH, PLAIN), ("C", PLAIN, BRANCH)]
)
def test_a_terminal_that_has_lines_gets_them(
    project: Project, walk: Path, locale: str, wanted: str, unwanted: str
) -> None:
    agent = project.brain(MOODY)
    told = shown(project.path, locale, *PYTEST, agent, *ONE_PAIR)
    assert wanted in told
    assert unwanted not in told
    (case,) = {word.strip() for word in told.split() if word.startswith("walk::SC1-a::MR2::")}
    told = shown(project.path, locale, "-m", "pytest_metaspace", "explain", case)
    assert wanted in told
    assert unwanted not in told


def test_a_log_is_plain(project: Project, walk: Path) -> None:
    result = project.run(project.brain(MOODY), *ONE_PAIR)
    result.stdout.fnmatch_lines([f"*  {PLAIN}"])
    result.stdout.no_fnmatch_line("*├*")
