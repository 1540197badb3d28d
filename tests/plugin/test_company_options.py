"""With each of pytest's own options: exit status, counts, and nothing strange in the output."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.plugin.company import COUNTS, SCORES, scores

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

FIRST = "runs/walk/trajectory.json::SC1-a::MR2::s000-s001-ae845cfc"
BY_HAND = "tests/test_it.py::test_way_back[SC1-a-MR2-s000-s001-ae845cfc]"
COLLECTED = {"violated": 1, "invalid": 1, "passed": 1}
STRANGE = ("Traceback", "INTERNALERROR", "Warning", "warning")


def well_behaved(result: pytest.RunResult) -> None:
    text = result.stdout.str() + result.stderr.str()
    assert not [word for word in STRANGE if word in text], text


@pytest.mark.parametrize(
    ("options", "status", "counts"),
    [
        ("-k s000-s001", 1, {"violated": 2, "deselected": 5}),
        ("-k MR2 runs", 1, COLLECTED),
        ("-k plain", 0, {"passed": 1, "deselected": 6}),
        ("-k nothing_of_that_name", 5, {"deselected": 7}),
        ("-m SC1-a", 1, {**COUNTS, "passed": 2, "deselected": 1}),
        ("-m MR2 runs", 1, COLLECTED),
        ("-m not(SC1-a)", 0, {"passed": 1, "deselected": 6}),
        ("-m metaspace", 1, {**COLLECTED, "deselected": 4}),
        ("-x", 1, {"violated": 1}),
        ("--maxfail=2", 1, {"violated": 1, "invalid": 1}),
        ("--sw", 2, {"violated": 1}),
        (f"--deselect={FIRST}", 1, {**COUNTS, "violated": 1, "deselected": 1}),
        (f"--deselect={BY_HAND}", 1, {**COUNTS, "violated": 1, "deselected": 1}),
        ("--deselect=runs", 1, {**COLLECTED, "passed": 2, "deselected": 3}),
        (f"{FIRST} {BY_HAND}", 1, {"violated": 2}),
        ("--ignore=runs", 1, {**COLLECTED, "passed": 2}),
        ("--ignore-glob=*.json", 1, {**COLLECTED, "passed": 2}),
    ],
)
def test_options_that_select_or_stop(
    suite: Project, options: str, status: int, counts: dict[str, int]
) -> None:
    result = suite.run(*options.split(" "))
    well_behaved(result)
    assert (result.ret, result.parseoutcomes()) == (status, counts)


@pytest.mark.parametrize(
    "options",
    [
        "-q",
        "-v",
        "-vv",
        "-s",
        "-l",
        "-rA",
        "-ra -q",
        "--tb=no",
        "--tb=line",
        "--color=no",
        "--durations=0 -vv",
        "--no-header",
        "--strict-markers --strict-config",
        "--strict-markers -W error",
        "-p no:cacheprovider",
        "-p no:stepwise -p no:junitxml",
        "--runxfail",
        "--ff",
        "--nf",
        "--show-capture=no",
        "--import-mode=importlib",
        "--log-cli-level=DEBUG",
        "-o console_output_style=count",
        "-o junit_family=xunit1 --junitxml=report.xml",
        "--rootdir=.",
        "--continue-on-collection-errors",
    ],
)
def test_options_that_change_neither_status_nor_counts(suite: Project, options: str) -> None:
    result = suite.run(*options.split(" "))
    well_behaved(result)
    assert (result.ret, result.parseoutcomes()) == (1, COUNTS)
    assert scores(result)[-1] == SCORES[-1]


def test_quieter_than_quiet_leaves_the_scores(suite: Project) -> None:
    result = suite.run("-qq")
    well_behaved(result)
    assert (result.ret, scores(result)) == (1, SCORES)


def test_no_summary_keeps_the_counts(suite: Project) -> None:
    """Whether plugins may sum up then depends on the version of pytest."""
    result = suite.run("--no-summary")
    well_behaved(result)
    assert (result.ret, result.parseoutcomes()) == (1, COUNTS)


def test_without_a_terminal_nothing_is_printed(suite: Project) -> None:
    result = suite.run("-p", "no:terminal")
    assert (result.ret, result.outlines, result.errlines) == (1, [], [])


@pytest.mark.parametrize("options", ["--collect-only -q", "--co -q", "--co -qq"])
def test_collect_only_names_each_test(suite: Project, options: str) -> None:
    result = suite.run(*options.split(" "))
    well_behaved(result)
    assert result.ret == 0
    assert (suite.path / ".metaspace_cache").exists() is False
    text = result.stdout.str()
    assert ("trajectory.json: 3" if "-qq" in options else FIRST) in text
    assert ("test_it.py: 4" if "-qq" in options else BY_HAND) in text


def test_last_failed_goes_on_from_a_run(suite: Project) -> None:
    failed = {"violated": 2, "invalid": 2, "deselected": 1}
    suite.run()
    again = suite.run("--lf")
    well_behaved(again)
    assert (again.ret, again.parseoutcomes()) == (1, failed)
    healed = suite.run("--lf", "--metaspace-agent=truth")
    assert (healed.ret, healed.parseoutcomes()) == (0, {"passed": 4, "deselected": 1})
    assert suite.run("--lf", "--lfnf=none").ret == 5


def test_junit_lists_every_test_once(suite: Project) -> None:
    result = suite.run("--junitxml=report.xml")
    well_behaved(result)
    (counts,) = ET.parse(suite.path / "report.xml").iter("testsuite")
    told = {name: counts.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert told == {"tests": "7", "failures": "4", "errors": "0", "skipped": "0"}
    names = [
        (case.attrib["classname"], case.attrib["name"])
        for case in ET.parse(suite.path / "report.xml").iter("testcase")
    ]
    assert len(set(names)) == 7


def test_cases_have_a_mark_for_their_capability_and_their_relation(suite: Project) -> None:
    select = ("--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR1,MR2", "--metaspace-agent=truth")
    for expression, count in (("SC1-b", 3), ("MR1", 2), ("SC1-a and MR1", 2), ("not MR1", 6)):
        result = suite.run("--strict-markers", "-m", expression, "runs", *select)
        well_behaved(result)
        assert result.parseoutcomes()["passed"] == count, expression
    listed = suite.run("--markers", *select).stdout
    listed.fnmatch_lines("@pytest.mark.SC1-a: *movement direction*")
    listed.fnmatch_lines("@pytest.mark.MR2: *")
