"""A suite that has everything: cases that are collected, cases checked by hand, and other tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

SCORES = [
    "SC1-a movement direction 3 1 1 0 0 67 % 0.333",
    "total mean over capabilities 3 1 1 0 0 67 % 0.333",
]
COUNTS = {"violated": 2, "invalid": 2, "passed": 3}
"""Of three cases that are collected, the same ones checked by hand, and a plain test."""
SELECTION = """
metaspace_agent = python:brain:answer
metaspace_sc = SC1-a
metaspace_mr = MR2
metaspace_trajectories = runs
"""
TESTS = """
import pytest

@pytest.mark.metaspace(sc="SC1-a", mr="MR2", trajectories="runs")
def test_way_back(metaspace_case):
    metaspace_case.check()

def test_plain(): pass
"""


def scores(result: pytest.RunResult) -> list[str]:
    """Return the rows of the score table, with single spaces."""
    rows = (re.sub(r"\s+", " ", line).strip() for line in result.outlines)
    return [row for row in rows if re.match(r"(SC\d-[ab]|total) [a-z][\D]+\d+ \d", row)]


def verdicts(result: pytest.RunResult) -> dict[str, str]:
    """Return the word that ``-v`` prints for each test, in their order."""
    lines = [line.split() for line in result.outlines if "::" in line and "%]" in line]
    return {line[0]: line[1] for line in lines}


def agrees(result: pytest.RunResult, **more: int) -> None:
    """Assert that nothing but what is named differs from a run without company."""
    assert scores(result) == SCORES
    assert result.parseoutcomes() == {**COUNTS, **more}
    assert result.ret == 1
