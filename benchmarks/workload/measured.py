"""CPU and memory of a process and all that it starts.

CPU seconds, user and system, are what is compared: they move less than wall time where the
machine is shared. Even so, take the least of several rounds.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#  A plugin for the measured run: what its children, the engine first of all, took.
_SPENT = """
import atexit, json, resource

@atexit.register
def tell():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open("spent.json", "w") as file:
        json.dump(spent.ru_utime + spent.ru_stime, file)
"""
_NOT_OF_USERS = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
_OURS = ("-p", "metaspace", "--metaspace-agent=python:brain:answer", "runs")


@dataclass(frozen=True)
class Run:
    """What one run of pytest took.

    Attributes:
        cpu_s: seconds, of the whole process tree.
        engine_s: those of its children.
        peak_mb: resident memory of the largest process.
        status: exit status.
        output: standard output.
    """

    cpu_s: float
    engine_s: float
    peak_mb: float
    status: int
    output: str

    @property
    def cases(self) -> int:
        """How many cases there were, by the last line."""
        told = re.findall(r"(\d+) (?!deselected|warning)[a-z]", self.output.splitlines()[-1])
        return sum(map(int, told))

    @property
    def violated(self) -> int:
        """How many were violated, by the last line."""
        found = re.search(r"(\d+) violated", self.output.splitlines()[-1])
        return int(found[1]) if found else 0


def run(folder: Path, *arguments: str, python: str = sys.executable) -> Run:
    """Run pytest in a folder, without plugins that are not named, as somebody's shell does.

    What a machine of CI may set for Python is not handed on: modules are compiled once.
    """
    (folder / "spent.py").write_text(_SPENT, encoding="utf-8")
    command = [python, "-m", "pytest", "-q", "-p", "spent", *arguments]
    environment = {
        **{name: value for name, value in os.environ.items() if name not in _NOT_OF_USERS},
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
    }
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, env=environment
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{text[-2000:]}")
    return Run(
        cpu_s=used.ru_utime + used.ru_stime,
        engine_s=float(json.loads((folder / "spent.json").read_text(encoding="utf-8"))),
        peak_mb=used.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024),
        status=process.returncode,
        output=text,
    )


def ours(folder: Path, *arguments: str) -> Run:
    """Run the cases of a project."""
    return run(folder, *_OURS, *arguments)


def least(runs: Sequence[Run]) -> Run:
    """Return the run that took the least CPU."""
    return min(runs, key=lambda one: one.cpu_s)


def bare(folder: Path, cases: int) -> Path:
    """Write a file with so many tests that do nothing; return its folder."""
    folder.mkdir(exist_ok=True)
    text = (
        "import pytest\n\n\n"
        f"@pytest.mark.parametrize('n', range({cases}))\n"
        "def test_it(n):\n    pass\n"
    )
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return folder
