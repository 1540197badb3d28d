"""At -v a run tells which clauses of the laws fired, and which never did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
RELATION = """
from pathlib import Path
from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs import Relation

def instances(grounds, capability):
    for place, (a, b) in grounds.pairs(capability):
        yield grounds.case(relation="OURS", law="OURS", capability=capability, tag=place.tag,
                           subjects=(a, b), queries=[place.ask(capability, a, b)])

def pytest_metaspace_register_relations(register):
    register(Relation(name="OURS", title="far", instances=instances, prolog=Path("ours.pl"),
                      capabilities=(Capability.MOVEMENT_DISTANCE,)))
"""
LAW = """\
:- module(ours, []).
:- use_module(metaspace(facts)).
:- multifile metaspace:law/3.
metaspace:law('OURS', ours, [subjects(2)]).
lacks(_) :- fail.
violated(far) :- distance(_, _, Steps), far(Steps).
violated(odd) :- distance(_, _, Steps), Steps > 99.
satisfied(near) :- distance(_, _, Steps), \\+ far(Steps).
inconclusive(_) :- fail.
far(Steps) :- Steps >= 2.
far(Steps) :- Steps < 0.
"""
TOLD = [
    "rules of ours.pl: 1 of 6 fired",
    "  ours.pl:6 violated/1 NEVER",
    "  ours.pl:7 violated/1 NEVER",
    "  ours.pl:8 satisfied/1 in 3 cases",
    "  ours.pl:9 inconclusive/1 NEVER",
    "  ours.pl:10 far/1 NEVER",
    "  ours.pl:11 far/1 NEVER",
]


@pytest.fixture
def ours(project: Project, walk: Path) -> Project:
    project.write("conftest.py", RELATION)
    project.write("ours.pl", LAW)
    return project


def test_each_clause_of_a_law_of_ones_own_is_told(ours: Project) -> None:
    result = ours.run_apart(TRUTH, "runs", "--metaspace-mr=OURS", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(TOLD, consecutive=True)
    result.stdout.no_fnmatch_line("rules of laws/*")


def test_workers_tell_the_same(ours: Project) -> None:
    result = ours.run_workers(TRUTH, "runs", "--metaspace-mr=OURS", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(TOLD, consecutive=True)


def test_nobody_is_told_who_did_not_ask(ours: Project) -> None:
    result = ours.run(TRUTH, "runs", "--metaspace-mr=OURS")
    result.assert_outcomes(passed=3)
    result.stdout.no_fnmatch_line("rules of *")


def test_a_law_that_ships_takes_one_line_and_names_what_never_fired(
    project: Project, walk: Path
) -> None:
    result = project.run_apart(TRUTH, "runs", "--metaspace-mr=MR2", "--metaspace-sc=SC1-b", "-v")
    (line,) = (line for line in result.outlines if line.startswith("rules of "))
    match = re.fullmatch(r"rules of laws/symmetry\.pl: (\d+) of (\d+) fired; never (.*)", line)
    assert match is not None
    fired, total, never = match.groups()
    assert 0 < int(fired) < int(total)
    assert len(never.split(", ")) == int(total) - int(fired)
    assert re.search(r"violated/1 in line \d+", never)
