"""Our own protocol gives what pytest's default gives, and pytest's own options keep working."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import BROKEN, EVASIVE, MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
ONE_PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
COUNTS = {"violated": 1, "invalid": 1, "passed": 1}
TELLTALE = """
told = []
def pytest_runtest_logreport(report):
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    told.append((report.nodeid, report.when, report.outcome, getattr(report, "metaspace", None),
                 report.user_properties, text))
def pytest_sessionfinish():
    with open("told.txt", "w") as file:
        file.writelines(repr(entry) + "\\n" for entry in told)
"""


def told(project: Project, *arguments: str) -> tuple[pytest.RunResult, list[str]]:
    """Run; return the result and what was reported, one line a report."""
    result = project.run("-p", "no:cacheprovider", *arguments)
    return result, (project.path / "told.txt").read_text().splitlines()


@pytest.mark.parametrize("fail", ["fail", "report"])
@pytest.mark.parametrize(
    ("body", "select"),
    [
        (MOODY, ONE_PAIR),
        (BROKEN, ONE_PAIR),
        (EVASIVE, ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR1")),
    ],
    ids=["moody", "broken", "evasive"],
)
def test_our_protocol_reports_what_the_default_one_reports(
    project: Project, walk: Path, body: str, select: tuple[str, ...], fail: str
) -> None:
    project.write("conftest.py", TELLTALE)
    arguments = (project.brain(body), *select, f"--metaspace-violations={fail}")
    ours, our_reports = told(project, *arguments)
    default, default_reports = told(project, *arguments, "--setup-show")
    assert our_reports == default_reports
    assert ours.parseoutcomes() == default.parseoutcomes()
    assert ours.ret == default.ret
    scores = [line for line in ours.outlines if line.startswith(("SC", "total"))]
    assert scores == [line for line in default.outlines if line.startswith(("SC", "total"))]


def test_hooks_of_others_see_each_case_start_and_finish(project: Project, walk: Path) -> None:
    project.write(
        "conftest.py",
        "def pytest_runtest_logstart(nodeid, location):\n    print('START', nodeid, location[2])\n"
        "def pytest_runtest_logfinish(nodeid, location):\n    print('FINISH', nodeid)\n"
        "def pytest_collection_modifyitems(items):\n"
        "    for item in items:\n"
        "        assert item.function and item.obj is None and item.cls is None\n"
        "        assert not item.fixturenames\n",
    )
    result = project.run(TRUTH, *ONE_PAIR, "-s")
    result.assert_outcomes(passed=3)
    text = result.stdout.str()
    assert (text.count("START"), text.count("FINISH")) == (3, 3)


@pytest.mark.parametrize(
    "options",
    [
        ["-q"],
        ["-qq"],
        ["-vv"],
        ["--tb=no"],
        ["--tb=long"],
        ["--color=no"],
        ["-s"],
        ["--durations=3", "-vv"],
        ["--no-header", "--no-summary"],
        ["-p", "no:cacheprovider"],
        ["-p", "no:randomly"],
        ["-p", "no:xdist"],
        ["-p", "no:logging", "-p", "no:capture"],
        ["-W", "error"],
        ["--strict-markers", "--strict-config"],
        ["--import-mode=importlib"],
        ["--assert=plain"],
    ],
    ids=" ".join,
)
def test_options_of_pytest_keep_status_and_counts(
    project: Project, walk: Path, options: list[str]
) -> None:
    result = project.run(project.brain(MOODY), *ONE_PAIR, *options)
    assert result.ret == 1, result.stdout.str()
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    if "--no-summary" not in options and "-qq" not in options:
        assert result.parseoutcomes() == COUNTS


@pytest.mark.parametrize("option", ["--setup-plan", "--setup-only"])
def test_nobody_is_asked_when_items_are_only_shown(
    project: Project, walk: Path, option: str
) -> None:
    agent = project.brain("open('asked', 'w').close()\nreturn 'left'")
    result = project.run(agent, *ONE_PAIR, option, "--metaspace-fail-under=0.5")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["* runs/walk/trajectory.json::SC1-a::MR2::s000-s001-ae845cfc"])
    assert not (project.path / "asked").exists()


def test_it_works_without_a_terminal(project: Project, walk: Path) -> None:
    result = project.run(project.brain(MOODY), *ONE_PAIR, "-p", "no:terminal")
    assert result.ret == 1
    assert result.outlines == []


def test_the_debugger_opens_on_a_violation(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on a terminal here; what matters is that it is called and the run goes on."""
    project.write(
        "debugger.py",
        "class Pdb:\n"
        "    def __init__(self, *a, **k): pass\n"
        "    quitting = False\n"
        "    def reset(self): pass\n"
        "    def interaction(self, frame, trace): print('PDB HERE')\n",
    )
    monkeypatch.syspath_prepend(project.path)
    agent = project.brain(MOODY)
    result = project.run(agent, *ONE_PAIR, "--pdb", "--pdbcls=debugger:Pdb")
    assert result.ret == 1
    assert result.parseoutcomes() == COUNTS
    assert result.stdout.str().count("PDB HERE") == 2


def test_last_failed_runs_only_what_was_violated(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    project.run(agent, *ONE_PAIR)
    again = project.run(agent, *ONE_PAIR, "--lf")
    assert again.parseoutcomes() == {"violated": 1, "invalid": 1, "deselected": 1}
    again.stdout.fnmatch_lines(["SC1-a * 2 * 1 * 1 *"])


def test_failed_first_runs_the_violated_ones_first(project: Project, walk: Path) -> None:
    agent = project.brain(
        MOODY.replace('("right", "I would rather not say", "none")', '("none", "none", "right")')
    )
    project.run(agent, *ONE_PAIR).stdout.fnmatch_lines(["*trajectory.json ..V *"])
    project.run(agent, *ONE_PAIR, "--ff").stdout.fnmatch_lines(["*trajectory.json V.. *"])


def test_stepwise_goes_on_where_it_stopped(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    assert project.run(agent, *ONE_PAIR, "--sw").parseoutcomes() == {"violated": 1}
    skipping = project.run(agent, *ONE_PAIR, "--sw-skip")
    assert skipping.ret == 2
    assert skipping.parseoutcomes()["invalid"] == 1


def test_deselected_cases_are_neither_asked_nor_scored(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    nodeid = "runs/walk/trajectory.json::SC1-a::MR2::s000-s001-ae845cfc"
    result = project.run(agent, *ONE_PAIR, f"--deselect={nodeid}")
    assert result.parseoutcomes() == {"invalid": 1, "passed": 1, "deselected": 1}
    result.stdout.fnmatch_lines(["SC1-a * 2 * 0 * 1 *", "4 distinct questions *"])


def test_markers_of_a_conftest_can_skip_what_is_collected(project: Project, walk: Path) -> None:
    """A mark put on a case by ``pytest_collection_modifyitems`` deselects with ``-m``."""
    project.write(
        "conftest.py",
        "import pytest\n"
        "def pytest_collection_modifyitems(items):\n"
        "    items[0].add_marker(pytest.mark.slow)\n",
    )
    project.write("pytest.ini", "[pytest]\nmarkers = slow\n")
    result = project.run(TRUTH, *ONE_PAIR, "-m", "not slow")
    assert result.parseoutcomes() == {"passed": 2, "deselected": 1}
