"""`./dev` where no system package may be installed: WebAssembly judges, or it says what to type."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("bash", "cat", "cksum", "dirname", "sed")
FORBIDDEN = "echo not allowed >&2\nexit 100"
#  Stands for Python in .venv: an engine runs when the file `engine` is there.
PYTHON = """
echo "$@" >>"{home}/calls"
case "$*" in
    *doctor) [ -e "{home}/engine" ] ;;
    tools/fetch_wasm.py) {fetch} ;;
esac
"""


class Machine:
    """A checkout with a made-up Python, and nothing on PATH but what is named."""

    def __init__(self, home: Path) -> None:
        self.home = home
        for name in ("dev", "pyproject.toml", ".ci/packages.txt"):
            target = home / name
            target.parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, target)
        (home / "example_project").mkdir()
        (home / "bin").mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (home / "bin" / tool).symlink_to(found)

    def program(self, name: str, body: str) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def dev(self, *arguments: str, fetch: str = "true") -> subprocess.CompletedProcess[str]:
        self.program(".venv/bin/python", PYTHON.format(home=self.home, fetch=fetch))
        return subprocess.run(
            [self.home / "dev", *arguments],
            env={"PATH": str(self.home / "bin")},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )

    def calls(self) -> list[str]:
        return (self.home / "calls").read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_demo_brings_webassembly_where_there_is_no_apt(machine: Machine) -> None:
    done = machine.dev("demo", fetch=f": >'{machine.home}/engine'")
    assert done.returncode == 0, done.stderr
    assert "this system has no apt-get" in done.stdout
    assert "Bringing it as WebAssembly" in done.stdout
    calls = machine.calls()
    assert "-m pip install --quiet --no-compile --editable .[wasm]" in calls
    assert calls.index("tools/fetch_wasm.py") < calls.index("-m pytest")


@pytest.mark.parametrize("helper", ["", "sudo"])
def test_the_demo_brings_webassembly_where_apt_is_not_allowed(
    machine: Machine, helper: str
) -> None:
    for name in filter(None, ("apt-get", helper)):
        machine.program(f"bin/{name}", FORBIDDEN)
    done = machine.dev("demo", fetch=f": >'{machine.home}/engine'")
    assert done.returncode == 0, done.stderr
    assert "going on without python3-venv swi-prolog-nox" in done.stdout
    assert "sudo apt-get install" in done.stdout
    assert "-m pytest" in machine.calls()


def test_where_an_engine_runs_nothing_else_is_brought(machine: Machine) -> None:
    (machine.home / "engine").touch()
    done = machine.dev("demo")
    assert done.returncode == 0, done.stderr
    assert "WebAssembly" not in done.stdout
    assert not any("wasm" in call for call in machine.calls())


@pytest.mark.parametrize("fetch", ["exit 1", "true"])
def test_where_neither_works_it_says_what_to_type_and_is_not_ready(
    machine: Machine, fetch: str
) -> None:
    done = machine.dev("demo", fetch=fetch)
    assert done.returncode == 1
    assert "sudo apt-get install --no-install-recommends swi-prolog-nox" in done.stderr
    assert "npm" in done.stderr
    assert "-m pytest" not in machine.calls()
    assert not (machine.home / ".venv" / "ready-for-demo").exists()


def test_lint_says_that_it_needs_swipl(machine: Machine) -> None:
    (machine.home / "engine").touch()
    done = machine.dev("lint")
    assert done.returncode == 1
    assert "FAILED  prolog\ndev: this check needs swipl" in done.stdout
