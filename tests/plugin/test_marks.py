"""Each capability and relation is a mark, so that -m selects cases as people say them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
#  A relation under a name that is a mark of pytest, and one under a name that no mark can have.
RELATIONS = """
import dataclasses
from pytest_metaspace.mrs import BUILT_IN

def named(name):
    def instances(grounds, capability):
        for case in BUILT_IN[1].instances(grounds, capability):
            yield dataclasses.replace(case, relation=name, id=f"{name}-{case.id}")
    return dataclasses.replace(BUILT_IN[1], name=name, instances=instances)

def pytest_metaspace_register_relations(register):
    for name in ("skip", "2-ways", "THERE-AND-BACK"):
        register(named(name))
"""


def selected(project: Project, expression: str, *arguments: str) -> list[str]:
    """Return capability and relation of what an expression selects, once each."""
    found = project.run(TRUTH, "--collect-only", "-q", "-m", expression, *(arguments or ["runs"]))
    levels = [line.split("::")[1:3] for line in found.outlines if ".json::" in line]
    return sorted({" ".join(level) for level in levels})


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("SC2-a and MR1", ["SC2-a MR1"]),
        ("MR4 and not SC1-b", ["SC2-b MR4", "SC4-b MR4"]),
        ("SC3-a or SC3-b", ["SC3-a MR6", "SC3-b MR5"]),
    ],
)
def test_marks_select_capabilities_and_relations(
    project: Project, walk: Path, expression: str, found: list[str]
) -> None:
    assert selected(project, expression) == found


def test_what_is_not_selected_is_not_asked(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, "runs", "-m", "SC1-a and MR2", "--strict-markers", "-W", "error")
    result.assert_outcomes(passed=3, deselected=211)
    result.stdout.fnmatch_lines(["6 distinct questions *"])


def test_marks_are_told_of_in_words(project: Project) -> None:
    text = project.run(TRUTH, "--markers").stdout.str()
    assert "@pytest.mark.SC2-a: cases of object direction (metaspace)" in text
    assert "@pytest.mark.MR1: cases of the relation transitivity (metaspace)" in text
    assert "@pytest.mark.MR1" not in project.run("--markers").stdout.str()


def test_relations_of_users_have_marks_but_take_none_away(project: Project, walk: Path) -> None:
    """A relation called ``skip`` must not skip its cases."""
    project.write("conftest.py", RELATIONS)
    assert selected(project, "THERE-AND-BACK and SC1-a") == ["SC1-a THERE-AND-BACK"]
    result = project.run(TRUTH, "runs", "--metaspace-mr=skip,2-ways", "--metaspace-sc=SC1-a")
    result.assert_outcomes(passed=6)
    assert "mark.2-ways" not in project.run(TRUTH, "--markers").stdout.str()


def test_hand_written_tests_have_the_marks_of_their_cases(project: Project, walk: Path) -> None:
    project.write(
        "test_it.py",
        "import pytest\n"
        "@pytest.mark.metaspace(trajectories='runs')\n"
        "def test_it(metaspace_case): metaspace_case.check()\n",
    )
    result = project.run(TRUTH, "test_it.py", "-m", "SC2-a and MR1", "--strict-markers")
    result.assert_outcomes(passed=12, deselected=202)
