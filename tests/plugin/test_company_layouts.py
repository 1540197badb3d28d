"""In repositories of every shape: test paths, root folders, ini files, and tests of others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.plugin.company import COUNTS, SELECTION, TESTS, agrees, scores, verdicts
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

BY_HAND = {"violated": 1, "invalid": 1, "passed": 2}
NATIVE = """
pythonpath = ["."]
metaspace_agent = "python:brain:answer"
metaspace_sc = ["SC1-a"]
metaspace_mr = ["MR2"]
metaspace_trajectories = ["runs"]
"""
needs_native = pytest.mark.skipif(
    pytest.version_tuple < (9,), reason="pytest 9 brought native TOML options"
)


def ini(project: Project, *lines: str, without: str = "") -> None:
    """Write the suite's ini file with more lines, and without some."""
    kept = [line for line in SELECTION.splitlines() if not (without and without in line)]
    project.write("pytest.ini", "\n".join(["[pytest]", "pythonpath = .", *kept, *lines, ""]))


@pytest.mark.parametrize(
    ("paths", "without", "counts"),
    [
        ("tests", "", COUNTS),
        ("tests", "trajectories", BY_HAND),
        ("runs tests", "trajectories", COUNTS),
        ("tests runs/walk", "trajectories", COUNTS),
        ("runs tests", "", COUNTS),
        ("te*", "", COUNTS),
    ],
)
def test_testpaths(suite: Project, paths: str, without: str, counts: dict[str, int]) -> None:
    """What ``metaspace_trajectories`` names is added, and never taken twice."""
    ini(suite, f"testpaths = {paths}", without=without)
    result = suite.run()
    assert (result.ret, result.parseoutcomes()) == (1, counts)


@pytest.mark.parametrize(("version", "arguments"), [((8, 4, 2), 1), ((9, 2, 0), 2)])
def test_trajectories_do_not_crowd_out_the_tests_around_them(
    suite: Project, monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], arguments: int
) -> None:
    """Of two folders of which one holds the other, pytest 8 collects only the inner one."""
    monkeypatch.setattr(pytest, "version_tuple", version)
    header = "def pytest_report_header(config): return f'arguments: {len(config.args)}'\n"
    suite.write("conftest.py", header)
    result = suite.run()
    agrees(result)
    result.stdout.fnmatch_lines([f"arguments: {arguments}"])


def test_a_root_folder_and_an_ini_file_elsewhere(
    suite: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    """A mark names folders relative to the root folder, so here it names a whole path."""
    (suite.path / "pytest.ini").rename(suite.path / "of-robot.ini")
    suite.write("tests/test_it.py", TESTS.replace('"runs"', repr(str(suite.path / "runs"))))
    result = suite.run("-c", "of-robot.ini", "--rootdir", elsewhere, "-v", "runs", "tests")
    agrees(result)
    assert not (suite.path / ".metaspace_cache").exists(), "the store is in the root folder"
    assert (elsewhere / ".metaspace_cache").exists()


def test_a_run_that_starts_in_a_folder_below(
    suite: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = verdicts(suite.run("-v"))
    monkeypatch.chdir(suite.path / "tests")
    agrees(suite.run("..", "--metaspace-answers=offline"))
    below = suite.run("-v", "../runs", "../tests")
    agrees(below)
    assert len(verdicts(below)) == len(here) == 7
    agrees(suite.run())  # no arguments: this folder, and the trajectories of the ini file


@pytest.mark.parametrize("mode", ["prepend", "append", "importlib"])
def test_import_modes(suite: Project, mode: str) -> None:
    suite.write("tests/conftest.py", "")
    agrees(suite.run(f"--import-mode={mode}", "--confcutdir=tests"))


def test_trajectories_outside_of_the_root_folder(
    suite: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Named on the command line, in a mark, and in the ini file."""
    outside = tmp_path_factory.mktemp("outside")
    Walk(id="far").write(outside / "far")
    ini(suite, f"metaspace_trajectories = {outside}", without="trajectories")
    suite.write("tests/test_it.py", TESTS.replace('"runs"', repr(str(outside))))
    agrees(suite.run("--ignore=runs"))
    agrees(suite.run("tests", outside, "-c", "pytest.ini"))


@needs_native
@pytest.mark.parametrize(
    ("file", "table"), [("pytest.toml", "[pytest]"), ("pyproject.toml", "[tool.pytest]")]
)
def test_native_toml_options(suite: Project, file: str, table: str) -> None:
    (suite.path / "pytest.ini").unlink()
    suite.write(file, table + NATIVE)
    agrees(suite.run())
    gates = 'metaspace_fail_under = ["0.3", "SC1-a=0.3"]\nmetaspace_explain = true\n'
    numbers = 'metaspace_epsilon = "0.2"\nmetaspace_seed = "3"\n'
    suite.write(file, table + NATIVE + gates + numbers)
    gated = suite.run()
    assert (gated.ret, gated.parseoutcomes()) == (0, COUNTS)
    gated.stdout.fnmatch_lines(["gate passed: *", "gate passed: SC1-a *"])


@needs_native
def test_a_native_option_of_another_type_is_told_without_a_traceback(suite: Project) -> None:
    (suite.path / "pytest.ini").unlink()
    suite.write("pytest.toml", "[pytest]" + NATIVE + "metaspace_seed = 3\n")
    result = suite.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "metaspace_seed" in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


@pytest.mark.parametrize("agent", [(), ("--metaspace-agent=truth",)], ids=["", "with-agent"])
def test_forty_tests_of_others_do_not_notice_us(
    project: Project, walk: Path, agent: tuple[str, ...]
) -> None:
    """Same lines but for one in the header, same report, same exit status."""
    project.write(
        "tests/test_other.py",
        "import pytest\n"
        "@pytest.fixture(params=range(10))\n"
        "def n(request): return request.param\n"
        "@pytest.mark.parametrize('m', ['a', 'b', 'c'])\n"
        "def test_many(n, m): assert (n, m) != (7, 'b')\n"
        "class TestThem:\n"
        "    def test_it(self, n): print(n)\n",
    )
    options = ("tests", "-v", "-rA", "-p", "no:cacheprovider", "--junitxml=report.xml")
    told, reports = [], []
    for run, more in ((project.run, agent), (project.pytester.runpytest_inprocess, ())):
        result = run(*options, *more)
        result.assert_outcomes(passed=39, failed=1)
        assert result.ret == 1
        ours = ("plugins: ", "metaspace: agent truth")
        lines = [line for line in result.outlines if not line.startswith(ours)]
        told.append([re.sub(r"in \d\.\d+s|0x\w+", "", line) for line in lines])
        report = (project.path / "report.xml").read_text()
        reports.append(re.sub(r'(time|timestamp)="[^"]*"|0x\w+', "", report))
    assert told[0] == told[1]
    assert reports[0] == reports[1]


def test_tests_of_others_in_the_folder_of_a_trajectory(suite: Project) -> None:
    """What they set up for their folder is torn down when the run leaves it, and told if broken."""
    suite.write(
        "runs/walk/conftest.py",
        "import pytest\n"
        "@pytest.fixture(scope='package')\n"
        "def robot():\n"
        "    yield\n"
        "    assert 0, 'the robot fell'\n",
    )
    suite.write("runs/walk/a_test.py", "def test_near(robot): pass\n")
    suite.write("runs/walk/__init__.py", "")
    suite.write("runs/walk/data.json", "{}")
    suite.write("runs/walk/frames/more/readme.txt", "not a test")
    result = suite.run("-v")
    agrees(result, passed=4, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at teardown of SC1-a MR2 s002-s003-723bd55d*",
            "E * AssertionError: the robot fell",
        ]
    )


def test_a_package_of_tests_beside_a_trajectory(suite: Project) -> None:
    """``__init__.py`` in the folders makes packages, and our files stand in them."""
    for folder in ("runs", "runs/walk"):
        suite.write(f"{folder}/__init__.py", "")
    result = suite.run("-v")
    agrees(result)
    assert "runs/walk/trajectory.json::SC1-a::MR2::s000-s001-ae845cfc" in verdicts(result)
    assert scores(result)
