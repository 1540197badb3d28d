"""Faults of robots cannot be asked about items: said before a run of nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_metaspace.agents.faults import FAULTS
from pytest_metaspace.pipeline import Registries
from tests.suites.test_suites_in_pytest import ALL, OURS, place

PAGES = Path(__file__).resolve().parents[2] / "docs"
OF_ITEMS = ("random", "yes-sayer", "no-sayer", "first-option")
REFUSED = "no case of this run can be answered: the fault {} is one of runs of robots"


@pytest.mark.parametrize("agent", ["mutant:mirrored:truth", "collapsed"])
@pytest.mark.parametrize("how", [[], ["-x"], ["-pxdist", "-n2"]], ids="".join)
def test_a_run_of_items_alone_is_refused(
    pytester: pytest.Pytester, built: Path, agent: str, how: list[str]
) -> None:
    place(pytester, built)
    found = pytester.runpytest_inprocess(
        *OURS, f"--metaspace-agent={agent}", ALL, "items", "--metaspace-sc=EMB-far", *how
    )
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    told = found.stderr.str() + found.stdout.str()
    assert REFUSED.format(agent.split(":")[-2] if ":" in agent else agent) in told
    assert "ask mutant:first-option:truth or random about those." in told
    found.stdout.no_fnmatch_line("*errored*")


def test_beside_runs_of_robots_its_cases_are_errors_and_the_reason_is_said_once(
    pytester: pytest.Pytester, built: Path
) -> None:
    place(pytester, built)
    walk = Path(__file__).resolve().parents[2] / "fixtures" / "household"
    shutil.copytree(next(one.parent for one in sorted(walk.rglob("trajectory.json"))), "walk")
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=mutant:mirrored:truth", ALL, "items", "walk",
        "--metaspace-sc=EMB-far,SC1-a", "--metaspace-mr=EMB-ACC,MR2",
    )  # fmt: skip
    found.stdout.fnmatch_lines(["error: 4 cases: the fault mirrored is one of runs of robots*"])
    assert found.stdout.str().count("is one of runs of robots") == 1


def test_the_pages_name_the_faults_that_items_have() -> None:
    registries = Registries.built_in()
    mutants = {name: registries.agent(f"mutant:{name}:truth", Path()) for name in FAULTS}
    able = [name for name, one in mutants.items() if not vars(one)["no_items"]]
    assert tuple(able) == OF_ITEMS
    for page in ("suites.md", "mutants.md"):
        text = (PAGES / page).read_text(encoding="utf-8")
        (line,) = [one for one in text.splitlines() if "a run of items alone is refused" in one]
        assert all(f"`{name}`" in line for name in OF_ITEMS)
