"""Who does not use us does not notice us: nothing collected, printed, imported or started."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pytest_metaspace

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

HEAVY = (
    "cv2",
    "diskcache",
    "mujoco",
    "numpy",
    "openai",
    "PIL",
    "pydantic",
    "pyswip",
    "scipy",
    "sqlite3",
    "tabulate",
    "torch",
    "transformers",
    "ultralytics",
)
# Of our own package, what a run without an agent may import.
LIGHT = {
    "pytest_metaspace",
    "pytest_metaspace.domain",
    "pytest_metaspace.domain._accuracy",
    "pytest_metaspace.domain._cases",
    "pytest_metaspace.domain._facts",
    "pytest_metaspace.domain._labels",
    "pytest_metaspace.domain._records",
    "pytest_metaspace.domain._reports",
    "pytest_metaspace.domain._scores",
    "pytest_metaspace.domain._verdicts",
    "pytest_metaspace.domain._world",
    "pytest_metaspace.errors",
    "pytest_metaspace.failures",
    "pytest_metaspace.fixtures",
    "pytest_metaspace.gates",
    "pytest_metaspace.gates._failures",
    "pytest_metaspace.gates._scores",
    "pytest_metaspace.gates._thresholds",
    "pytest_metaspace.hookspecs",
    "pytest_metaspace.log_options",
    "pytest_metaspace.model_options",
    "pytest_metaspace.option",
    "pytest_metaspace.options",
    "pytest_metaspace.plugin",
    "pytest_metaspace.prices",
    "pytest_metaspace.record_options",
    "pytest_metaspace.report_options",
    "pytest_metaspace.resolving",
    "pytest_metaspace.tracker_options",
    "pytest_metaspace.trajectories",
}
SPY = """
import atexit, json, sys

started, opened = [], []

def hear(name, arguments):
    if name in ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"):
        started.append(name)
    if name == "open" and not isinstance(arguments[0], int):
        opened.append(str(arguments[0]))

sys.addaudithook(hear)

def tell():
    seen = {"modules": sorted(sys.modules), "started": started, "opened": list(opened)}
    with open("spied.json", "w") as file:
        json.dump(seen, file)

atexit.register(tell)
"""


def spied(project: Project, *arguments: str) -> tuple[int, set[str], list[str]]:
    """Run pytest apart; return its status, what it imported and what it started."""
    project.write("spy.py", SPY)
    result = project.pytester.runpytest_subprocess("-p", "spy", "-p", "metaspace", *arguments)
    seen = json.loads((project.path / "spied.json").read_text())
    return int(result.ret), set(seen["modules"]), seen["started"]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--version", "--version"], 0),
        (["--co", "-q", "empty"], 5),
        (["tests"], 0),
        (["tests", "-v", "runs"], 0),
    ],
    ids=["version", "collect-only", "other-tests", "a-folder-with-trajectories"],
)
def test_nothing_heavy_is_imported_and_nothing_is_started(
    project: Project, walk: Path, arguments: list[str], status: int
) -> None:
    project.pytester.mkdir("empty")
    project.write("tests/test_other.py", "def test_other(): pass\n")
    returned, modules, started = spied(project, *arguments)
    assert returned == status
    assert not modules.intersection(HEAVY)
    ours = {name for name in modules if name.split(".")[0] == "pytest_metaspace"}
    assert ours <= LIGHT
    assert not started


def test_an_empty_folder_costs_a_list_of_modules_and_no_file(project: Project) -> None:
    """For strangers: what `pytest --co` loads and reads because we are installed, and no more."""

    def seen(*arguments: str) -> dict[str, set[str]]:
        project.write("spy.py", SPY)
        project.pytester.runpytest_subprocess("-p", "spy", *arguments, "--co", "-q")
        told = json.loads((project.path / "spied.json").read_text())
        return {name: set(entries) for name, entries in told.items()}

    without, with_us = seen(), seen("-p", "metaspace")
    assert with_us["modules"] - without["modules"] <= LIGHT
    assert not with_us["started"]
    ours = str(Path(pytest_metaspace.__file__).parent)
    read = {path for path in with_us["opened"] if path.startswith(ours)}
    assert {path for path in read if not path.endswith((".py", ".pyc"))} == set()
    elsewhere = {path for path in with_us["opened"] - without["opened"] if ours not in path}
    assert not {path for path in elsewhere if "metaspace" in path and "dist-info" not in path}


def test_the_spy_would_have_seen_it(project: Project, walk: Path) -> None:
    """With an agent all of it is there; so the test above looks at the right things."""
    returned, modules, started = spied(project, "runs", "--metaspace-agent=truth")
    assert returned == 0
    assert {"pydantic", "tabulate", "pytest_metaspace.pipeline"} <= modules
    assert started


def test_version_imports_nothing_heavy_through_our_entry_point(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    result = project.pytester.run(sys.executable, "-X", "importtime", "-m", "pytest", "--version")
    assert result.ret == 0
    imported = {line.rpartition("|")[2].strip() for line in result.errlines}
    assert "_pytest.config" in imported
    assert not imported.intersection(HEAVY)


def test_importing_the_plugin_is_cheap(project: Project) -> None:
    """Beyond pytest it imports little: measured in modules, which no slow machine changes."""
    script = (
        "import sys, pytest\n"
        "before = set(sys.modules)\n"
        "import pytest_metaspace.plugin\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    result = project.pytester.run(sys.executable, "-c", script)
    added = set(result.stdout.str().split())
    assert {name for name in added if name.startswith("pytest_metaspace")} <= LIGHT
    assert len(added) <= 28, sorted(added)


def test_trajectories_are_not_collected_and_nothing_is_printed(
    project: Project, walk: Path
) -> None:
    project.write("runs/test_other.py", "def test_other(): pass\n")
    result = project.run("runs", "-v")
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    assert "metaspace:" not in result.stdout.str() + result.stderr.str()
    assert "trajectory.json" not in result.stdout.str()


def test_forty_other_tests_do_not_notice_us(project: Project, walk: Path) -> None:
    """Same lines, same status, with the plugin and without it."""
    body = (
        "import pytest\n@pytest.mark.parametrize('n', range(40))\ndef test_it(n): assert n != 7\n"
    )
    project.write("tests/test_other.py", body)

    def lines(result: pytest.RunResult) -> list[str]:
        installed = "plugins: "  # pytest's own list of what is installed
        kept = (line for line in result.outlines if not line.startswith(installed))
        return [line for line in kept if not re.search(r" in \d+\.\d\ds", line)]

    with_us = project.run("tests", "-v", "-p", "no:cacheprovider")
    without = project.pytester.runpytest_inprocess("tests", "-v", "-p", "no:cacheprovider")
    with_us.assert_outcomes(passed=39, failed=1)
    assert with_us.ret == without.ret == 1
    assert lines(with_us) == lines(without)


def test_other_tests_pass_beside_an_agent(project: Project, walk: Path) -> None:
    project.write("tests/test_other.py", "def test_other(): pass\n")
    result = project.run("tests", "--metaspace-agent=truth")
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*metaspace: spatial cognition scores*")


def test_pictures_are_never_collected_from(project: Project, walk: Path) -> None:
    walk.with_name("frames").joinpath("test_hidden.py").write_text("def test_hidden(): pass\n")
    assert project.run("runs").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_other_folders_called_frames_are_collected_from(project: Project) -> None:
    project.write("frames/test_seen.py", "def test_seen(): pass\n")
    project.run("frames").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "content",
    ["", "[", '"metaspace-trajectory"', '{"format": "other"}', "\udcff", "[" * 100_000],
    ids=["empty", "broken", "text", "other-format", "not-utf-8", "deep"],
)
def test_other_peoples_json_files_are_left_alone(project: Project, content: str) -> None:
    path = project.path / "runs" / "trajectory.json"
    path.parent.mkdir()
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    result = project.run("runs", "--metaspace-agent=truth")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_mark_and_the_options_are_documented(project: Project) -> None:
    assert (
        "@pytest.mark.metaspace(sc=None, mr=None, trajectories=None)"
        in project.run("--markers").stdout.str()
    )
    options = project.run("--help").stdout.str()
    assert "--metaspace-agent=NAME" in options
    assert "metaspace_trajectories" in options
