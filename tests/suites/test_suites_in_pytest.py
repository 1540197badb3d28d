"""Items of a suite as tests of pytest: node ids, marks, a gate, the tables and the reports."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest_metaspace.oracle
import pytest_metaspace.session
from pytest_metaspace import cli

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

pytest_plugins = ("pytester",)
#  Imported before an inner run in this process: what that imports first is dropped after it.
_IMPORTED = (cli, pytest_metaspace.oracle, pytest_metaspace.session)
OURS = ("-p", "metaspace", "-p", "no:asyncio")
ALL = "--metaspace-episodes=all"


def place(pytester: pytest.Pytester, built: Path) -> None:
    shutil.copytree(built.parent, pytester.path / "items")


def test_items_run_like_trajectories(pytester: pytest.Pytester, built: Path) -> None:
    place(pytester, built)
    gate = "--metaspace-fail-under=EMB-ACC=0.9"
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=truth", ALL, gate, "items", "--metaspace-sc=EMB-far"
    )
    found.stdout.fnmatch_lines(
        [
            "suite *cases*score*",
            "EMB-ACC *accuracy; 0.25 by guessing * 4 *1.000*",
            "  EMB-far *far * 4 *1.000*",
            "EMB-ENDS *nearest is not farthest *1.000*",
        ]
    )
    found.stdout.no_fnmatch_line("total *")
    assert found.ret == 0


def test_what_is_violated_is_told_and_reported(pytester: pytest.Pytester, built: Path) -> None:
    place(pytester, built)
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=mutant:first-option:truth", ALL, "items",
        "-m", "EMB-ORDER", "--metaspace-report=json", "--metaspace-report=html",
        "--metaspace-report=junit", "--metaspace-report=markdown",
    )  # fmt: skip
    found.stdout.fnmatch_lines(
        [
            "*These answers cannot all be true: when reordered, the answer had to be *",
            "*(laws/mapped.pl:*)*",
        ]
    )
    told = json.loads((pytester.path / "metaspace-report.json").read_text())
    assert "EMB-ORDER" in json.dumps(told)
    assert (pytester.path / "metaspace-report.html").is_file()


def test_a_plan_tells_how_many_questions_relations_add(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["plan", str(built), "--episodes=all", "--mr=EMB-ACC,EMB-ORDER"]) == 0
    told = capsys.readouterr().out
    assert "items of suites: 24 questions as written, 24 more for relations" in told
