"""Beside a conftest.py: its hooks see our cases as they see tests, and its marks count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.company import COUNTS, SCORES, agrees, scores, verdicts

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
MARKING = """
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        if "{where}" in item.nodeid:
            item.add_marker(pytest.mark.{mark})
"""
CURIOUS = """
import json
import pytest

def pytest_itemcollected(item):
    item.user_properties.append(("team", "robots"))

def pytest_collection_modifyitems(session, config, items):
    for item in items:
        path, *names = item.nodeid.split("::")
        file, line, domain = item.location
        assert file == path and (line is None or line >= 0) and domain
        assert callable(item.function), item
        assert item.function.__name__
        assert item.obj is None or callable(item.obj)
        assert item.cls is None
        assert getattr(item, "module", None) is None or item.module.__name__
        assert "nowhere" not in item.fixturenames
        assert list(item.iter_markers("nowhere")) == []
        assert item.get_closest_marker("nowhere") is None
        assert item.originalname if hasattr(item, "originalname") else item.name
        item.add_marker("seen")
        item.add_marker(pytest.mark.owner("ann"), append=False)
        assert item.get_closest_marker("owner").args == ("ann",)
        assert "seen" in item.keywords
        item.extra_keyword_matches.add("special")
    items.sort(key=lambda item: item.nodeid, reverse=True)
"""
WATCHING = """
import pytest

told = []

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    setattr(item, "rep_" + report.when, report)
    told.append(f"{item.name} {report.when} {report.outcome} {call.excinfo is not None}")
    return report

def pytest_runtest_setup(item):
    told.append(f"{item.name} setup")

def pytest_runtest_call(item):
    told.append(f"{item.name} call")

def pytest_runtest_teardown(item, nextitem):
    told.append(f"{item.name} teardown {item.rep_call.outcome}")

def pytest_sessionfinish():
    with open("told.txt", "w") as file:
        file.writelines(line + "\\n" for line in told)
"""


def told(project: Project) -> list[str]:
    return (project.path / "told.txt").read_text().splitlines()


def test_items_have_what_hooks_look_at(suite: Project) -> None:
    suite.write("conftest.py", CURIOUS)
    ini = (suite.path / "pytest.ini").read_text()
    suite.write("pytest.ini", ini + "markers =\n    seen\n    owner(name)\n")
    result = suite.run("--strict-markers", "-v", "-W", "error", "--junitxml=report.xml")
    agrees(result)
    assert list(verdicts(result)) == sorted(verdicts(result), reverse=True)
    report = (suite.path / "report.xml").read_text()
    assert report.count('name="team" value="robots"') == 7
    assert suite.run("-m", "owner and seen", "-k", "special").parseoutcomes() == COUNTS


def test_hooks_of_each_phase_are_called_for_each_case(suite: Project) -> None:
    suite.write("conftest.py", WATCHING)
    agrees(suite.run())
    first, second, third = (
        [line.partition(" ")[2] for line in told(suite) if line.startswith(name)]
        for name in ("s000-s001", "s001-s002", "s002-s003")
    )
    failed = ["call", "call failed True", "teardown failed", "teardown passed False"]
    assert first == second == ["setup", "setup passed False", *failed]
    passed = ["call", "call passed False", "teardown passed", "teardown passed False"]
    assert third == ["setup", "setup passed False", *passed]


def test_hooks_of_a_local_plugin_are_called_for_each_case_by_workers_too(suite: Project) -> None:
    note = "open('seen-' + item.name.split('[')[0], 'w').close()"
    suite.write("noting.py", f"def pytest_runtest_setup(item): {note}\n")
    suite.write("conftest.py", "pytest_plugins = ['noting']\n")
    agrees(suite.run_workers())
    assert len(list(suite.path.glob("seen-s00*"))) == 3


def test_logreport_sees_three_reports_of_each_case(suite: Project) -> None:
    suite.write(
        "conftest.py",
        "def pytest_runtest_logreport(report):\n"
        "    with open('told.txt', 'a') as file:\n"
        "        print(report.nodeid, report.when, report.outcome, report.duration >= 0,\n"
        "              len(report.sections), report.longreprtext.count('\\n') > 0, file=file)\n",
    )
    agrees(suite.run())
    first = [line.split()[1:] for line in told(suite) if "json::SC1-a::MR2::s000-s001" in line]
    assert first == [
        ["setup", "passed", "True", "0", "False"],
        ["call", "failed", "True", "0", "True"],
        ["teardown", "passed", "True", "0", "False"],
    ]


def test_autouse_fixtures_are_for_functions(suite: Project) -> None:
    fixture = (
        "import pytest\n@pytest.fixture(autouse=True)\ndef loud(request): print(request.function)\n"
    )
    suite.write("conftest.py", fixture)
    agrees(suite.run())


@pytest.mark.parametrize("where", ["json::", "test_way_back"], ids=["collected", "by-hand"])
@pytest.mark.parametrize("mark", ["skip(reason='later')", "skipif(True, reason='later')", "skip"])
def test_a_case_that_a_mark_skips_is_skipped_and_not_asked(
    suite: Project, where: str, mark: str
) -> None:
    suite.write("conftest.py", MARKING.format(where=where, mark=mark))
    others, plain = ("tests", {}) if where == "json::" else ("runs", {"passed": 1})
    result = suite.run(f"--ignore={others}", "-rs")
    assert (result.ret, result.parseoutcomes()) == (0, {"skipped": 3, **plain})
    assert not (suite.path / ".metaspace_cache").exists(), "nobody was asked"
    result.stdout.fnmatch_lines(["SKIPPED *"])


def test_a_skipped_case_is_not_scored(suite: Project) -> None:
    suite.write("conftest.py", MARKING.format(where="s000-s001", mark="skip"))
    result = suite.run()
    assert result.parseoutcomes() == {"invalid": 2, "passed": 3, "skipped": 2}
    assert scores(result)[0] == "SC1-a movement direction 2 0 1 0 0 50 % 0.500"


def test_a_condition_that_does_not_hold_changes_nothing(suite: Project) -> None:
    mark = "skipif(False, reason='never')"
    suite.write("conftest.py", MARKING.format(where="SC1-a", mark=mark))
    agrees(suite.run())


@pytest.mark.parametrize("violations", ["fail", "report"])
@pytest.mark.parametrize("where", ["json::", "test_way_back"], ids=["collected", "by-hand"])
@pytest.mark.parametrize("strict", [False, True], ids=["", "strict"])
def test_an_expected_violation_is_an_expected_failure_and_is_scored(
    suite: Project, where: str, violations: str, strict: bool
) -> None:
    """Also where violations are only reported: a mark that is strict must not turn on it."""
    mark = f"xfail(reason='known', strict={strict})"
    suite.write("conftest.py", MARKING.format(where=where, mark=mark))
    others, plain = ("tests", {}) if where == "json::" else ("runs", {"passed": 1})
    result = suite.run(f"--metaspace-violations={violations}", f"--ignore={others}")
    assert scores(result) == SCORES
    better = {"failed": 1} if strict else {"xpassed": 1}
    assert result.parseoutcomes() == {"xfailed": 2, **better, **plain}
    assert result.ret == (1 if strict else 0)


def test_an_expected_violation_counts_for_the_gate(suite: Project) -> None:
    suite.write("conftest.py", MARKING.format(where="SC1-a", mark="xfail"))
    result = suite.run("--metaspace-fail-under=0.5", "--runxfail")
    assert (result.ret, result.parseoutcomes()) == (1, COUNTS)
    gated = suite.run("--metaspace-fail-under=0.5")
    assert gated.parseoutcomes() == {"xfailed": 4, "xpassed": 2, "passed": 1}
    gated.stdout.fnmatch_lines(["GATE FAILED: total is 0.333, below 0.5 (*"])
    assert gated.ret == 1


@pytest.mark.parametrize("violations", ["fail", "report"])
def test_a_failure_of_the_test_itself_is_not_hidden_by_its_case(
    suite: Project, violations: str
) -> None:
    body = "    metaspace_case.check()\n    assert metaspace_case.outcome == 'else', 'of my own'\n"
    test = (suite.path / "tests" / "test_it.py").read_text()
    suite.write("tests/test_it.py", test.replace("    metaspace_case.check()\n", body))
    result = suite.run("tests", f"--metaspace-violations={violations}", TRUTH)
    assert (result.ret, result.parseoutcomes()) == (1, {"failed": 3, "passed": 1})
    result.stdout.fnmatch_lines(["E * AssertionError: of my own"])
    moody = suite.run("tests", f"--metaspace-violations={violations}")
    own = {"fail": {"violated": 1, "invalid": 1, "failed": 1}, "report": {"failed": 3}}
    assert (moody.ret, moody.parseoutcomes()) == (1, {**own[violations], "passed": 1})


def test_a_fixture_that_fails_before_a_case_is_an_error_of_that_test(suite: Project) -> None:
    fixture = "import pytest\n@pytest.fixture(autouse=True)\ndef broken(): assert 0, 'no'\n"
    suite.write("tests/conftest.py", fixture)
    result = suite.run()
    assert (result.ret, result.parseoutcomes()) == (
        1,
        {"violated": 1, "invalid": 1, "passed": 1, "errors": 4},
    )
