"""Beside the plugins that people have: same verdicts, same table, and theirs keep working."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.plugin.company import COUNTS, SCORES, TESTS, agrees, scores, verdicts
from tests.plugin.made import COUNTING, MOODY

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

COMPANY = {
    "allure-pytest": "allure_pytest",
    "hypothesis": "hypothesispytest",
    "pytest-asyncio": "pytest_asyncio.plugin",
    "pytest-cov": "pytest_cov",
    "pytest-html": "pytest_html.plugin",
    "pytest-randomly": "randomly",
    "pytest-rerunfailures": "rerunfailures",
    "pytest-split": "pytest-split",
    "pytest-timeout": "timeout",
    "pytest-xdist": "xdist",
}
"""What loads a plugin, by the name under which it is installed."""
MORE = {
    "pytest-asyncio": ("-o", "asyncio_default_fixture_loop_scope=function"),
    "pytest-html": ("-p", "pytest_metadata.plugin"),
}
ROOT = Path(__file__).resolve().parent.parent.parent


def is_installed(plugin: str) -> bool:
    return find_spec(plugin.replace("-", "_").replace("pytest_xdist", "xdist")) is not None


def beside(plugin: str) -> list[str]:
    """Return the options that load a plugin, or skip where it is not installed."""
    if not is_installed(plugin):
        pytest.skip(f"{plugin} is not installed: ./dev setup, or pip install --group company")
    return [*MORE.get(plugin, ()), "-p", COMPANY[plugin]]


def test_every_plugin_of_the_group_company_is_installed() -> None:
    """Where one is missing the tests below skip; ``./dev setup`` installs all."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    group = text[text.index("\ncompany = [") : text.index("]", text.index("\ncompany = ["))]
    assert re.findall(r'"([\w-]+)', group) == sorted(COMPANY)
    assert [plugin for plugin in COMPANY if not is_installed(plugin)] == []


def test_alone_it_gives_what_company_must_not_change(suite: Project) -> None:
    agrees(suite.run())


@pytest.mark.parametrize(
    "plugin", ["allure-pytest", "pytest-html", "pytest-rerunfailures", "pytest-split"]
)
def test_a_plugin_that_is_only_loaded_changes_nothing(suite: Project, plugin: str) -> None:
    agrees(suite.run(*beside(plugin)))


def test_html_lists_each_case_with_its_derivation(suite: Project) -> None:
    agrees(suite.run(*beside("pytest-html"), "--html=report.html"))
    page = (suite.path / "report.html").read_text(encoding="utf-8")
    for case in ("s000-s001-ae845cfc", "s001-s002-b3bf2926", "s002-s003-723bd55d"):
        assert page.count(f"trajectory.json::SC1-a::MR2::{case}&#34;") >= 1
    assert "These answers cannot all be true: the way back from right is left" in page


def test_allure_gets_a_status_for_each_case(suite: Project) -> None:
    agrees(suite.run(*beside("allure-pytest"), "--alluredir=allure"))
    told = [json.loads(path.read_text()) for path in (suite.path / "allure").glob("*-result.json")]
    statuses = {found["fullName"]: found["status"] for found in told if "runs" in found["fullName"]}
    assert statuses == {
        "runs.walk.trajectory.SC1-a.MR2#s000-s001-ae845cfc": "failed",
        "runs.walk.trajectory.SC1-a.MR2#s001-s002-b3bf2926": "failed",
        "runs.walk.trajectory.SC1-a.MR2#s002-s003-723bd55d": "passed",
    }
    assert len(told) == 7
    assert sum("cannot all be true" in json.dumps(found) for found in told) == 2
    assert not any("Stand in" in json.dumps(found) for found in told)


def test_randomly_changes_the_order_and_nothing_else(suite: Project) -> None:
    orders, told = set(), []
    for seed in (1, 2, 3):
        result = suite.run(*beside("pytest-randomly"), f"--randomly-seed={seed}", "-v")
        agrees(result)
        orders.add(tuple(verdicts(result)))
        told.append(verdicts(result))
    assert len(orders) > 1
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("options", [("--metaspace-sample=0.3",), ()])
def test_seeds_of_randomly_are_not_ours(suite: Project, options: tuple[str, ...]) -> None:
    """Neither the sample nor the agent that guesses depends on the state of ``random``."""
    guessing = ("--metaspace-agent=random", "--metaspace-mr=MR1,MR2", "runs", *options)
    told = [
        scores(suite.run(*beside("pytest-randomly"), f"--randomly-seed={seed}", *guessing))
        for seed in (1, 2)
    ]
    assert told[0] == told[1] != []


def test_groups_of_split_share_out_cases_and_questions(suite: Project) -> None:
    """Each group asks what the same cases would ask if they were named, and no more."""
    agent = suite.brain(COUNTING + MOODY)
    calls = suite.path / "calls.txt"

    def run(*arguments: str) -> tuple[set[str], list[str]]:
        calls.unlink(missing_ok=True)
        fresh = ("--metaspace-answers=refresh", "-v", "--metaspace-mr=MR1,MR2")
        result = suite.run(agent, *fresh, "--metaspace-sc=SC1-a,SC1-b", *arguments)
        return set(verdicts(result)), sorted(calls.read_text().splitlines())

    everything, questions = run("runs")
    assert (len(everything), len(questions)) == (8, 14)
    split = (*beside("pytest-split"), "--splits=2", "runs")
    (one, asked_one), (two, asked_two) = (run(*split, f"--group={n}") for n in (1, 2))
    assert one | two == everything
    assert not one & two
    assert set(asked_one) | set(asked_two) == set(questions)
    assert len(asked_one) < 14
    assert (one, asked_one) == run(*one)


def test_durations_that_split_stores_are_usable(suite: Project) -> None:
    agrees(suite.run(*beside("pytest-split"), "--store-durations"))
    known = json.loads((suite.path / ".test_durations").read_text())
    assert len(known) == 7
    counts = [
        sum(
            suite.run(*beside("pytest-split"), "--splits=2", f"--group={n}")
            .parseoutcomes()
            .values()
        )
        for n in (1, 2)
    ]
    assert sum(counts) == 7 + 7  # each group counts what it deselected


@pytest.mark.parametrize("stopping", [(), ("-x",)], ids=["all", "exitfirst"])
def test_a_timeout_of_each_test_does_not_count_the_questions(
    suite: Project, stopping: tuple[str, ...]
) -> None:
    """Asking takes longer than one test may; it is nobody's test."""
    suite.brain("import time\ntime.sleep(0.25)\n" + MOODY)
    suite.write("pytest.ini", "[pytest]\npythonpath = .\nmetaspace_agent = python:brain:answer\n")
    select = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2", "--metaspace-violations=report")
    suite.write("tests/test_slow.py", "import time\ndef test_slow(): time.sleep(30)\n")
    result = suite.run(
        *beside("pytest-timeout"), "--timeout=1", *select, "runs", "tests", *stopping
    )
    assert result.parseoutcomes() == {**COUNTS, "failed": 1}
    result.stdout.fnmatch_lines(["*test_slow.py:2: Failed*", "*Timeout (>1.0s)*"])


FLAKY = """
import pathlib, pytest

def fails_first(name):
    path = pathlib.Path(name)
    seen = path.exists()
    path.touch()
    assert seen

def test_flaky(): fails_first("plain")

@pytest.mark.metaspace(sc="SC1-a", mr="MR2", trajectories="runs")
def test_flaky_case(metaspace_case):
    metaspace_case.check()
    fails_first("case")
"""


@pytest.mark.parametrize(
    ("workers", "hook"),
    [(False, ""), (False, "def pytest_runtest_setup(item): pass\n"), (True, "")],
    ids=["serial", "default-protocol", "workers"],
)
def test_violations_are_not_rerun_and_flaky_tests_are(
    suite: Project, workers: bool, hook: str
) -> None:
    suite.write("tests/test_flaky.py", FLAKY)
    suite.write("conftest.py", hook)
    run = suite.run_workers if workers else suite.run
    result = run(*beside("pytest-rerunfailures"), "--reruns=2")
    assert scores(result) == SCORES
    assert result.parseoutcomes() == {"violated": 3, "invalid": 3, "passed": 5, "rerun": 2}


def test_cov_measures_the_agent(suite: Project) -> None:
    result = suite.run_apart(*beside("pytest-cov"), "--cov=brain", "--cov-report=term")
    agrees(result)
    result.stdout.fnmatch_lines(["brain.py * 7 * 1 * 86%"])  # nobody asks for a number


def test_hypothesis_runs_its_tests_between_ours(suite: Project) -> None:
    suite.write(
        "tests/test_property.py",
        "from hypothesis import given, strategies as st\n"
        "@given(st.integers())\n"
        "def test_property(n): assert n + 0 == n\n",
    )
    agrees(suite.run(*beside("hypothesis"), "--hypothesis-seed=1"), passed=4)


@pytest.mark.parametrize("mode", ["auto", "strict"])
def test_async_tests_run_beside_ours_and_with_cases(suite: Project, mode: str) -> None:
    mark = "@pytest.mark.asyncio\n"
    body = TESTS.replace("def test", "async def test").replace("async", mark + "async", 1)
    body = body.replace("async def test_plain", mark + "async def test_plain")
    suite.write("tests/test_it.py", body if mode == "strict" else body.replace(mark, ""))
    agrees(suite.run(*beside("pytest-asyncio"), "-o", f"asyncio_mode={mode}"))


def test_all_of_them_together_with_workers(suite: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """As installed plugins are: loaded by themselves."""
    missing = [plugin for plugin in COMPANY if not is_installed(plugin)]
    if missing:
        pytest.skip(f"{', '.join(missing)}: not installed")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    suite.write("tests/test_flaky.py", FLAKY.partition("@")[0])
    options = "-n2 --html=r.html --alluredir=allure --reruns=1 --timeout=60"
    more = "--junitxml=r.xml --splits=1 --group=1 --randomly-seed=5 --hypothesis-seed=5"
    result = suite.pytester.runpytest_subprocess(*options.split(), *more.split(), timeout=120)
    agrees(result, passed=4, rerun=1)
    assert len(list((suite.path / "allure").glob("*-result.json"))) == 8 + 1
