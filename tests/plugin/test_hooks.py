"""A conftest adds relations, agents and formats through our hooks, as the built-in ones are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
RELATION = """
from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs import Relation

def instances(grounds, capability):
    for place, (a, b) in grounds.pairs(capability):
        yield grounds.case(relation="NAME", law="MR2", capability=capability, tag=place.tag,
                           subjects=(a, b),
                           queries=[place.ask(capability, a, b), place.ask(capability, b, a)])

OURS = Relation(name="NAME", title="there and back", instances=instances,
                capabilities=(Capability.OBJECT_DISTANCE,))

def pytest_metaspace_register_relations(register):
    register(OURS)
"""
AGENT = """
from pytest_metaspace.agents import AgentKind

class Ours:
    identity = None
    def __init__(self, argument):
        self.argument = argument
    def ask(self, question):
        return self.argument

def pytest_metaspace_register_agents(register):
    register(AgentKind(name="NAME", usage="NAME:ANSWER", summary="says one thing",
                       build=lambda argument, context: Ours(argument)))
"""
FORMAT = """
from pytest_metaspace.trajectories import TrajectoryFormat, load_native

def pytest_metaspace_register_trajectory_formats(register):
    register(TrajectoryFormat(name="NAME", matches=lambda path: path.suffix == ".walk",
                              load=load_native))
"""


def test_a_relation_of_a_conftest_is_collected_scored_and_titled(
    project: Project, walk: Path
) -> None:
    project.write("conftest.py", RELATION.replace("NAME", "OURS"))
    result = project.run(TRUTH, "runs", "--metaspace-mr=OURS", "-v")
    result.assert_outcomes(passed=12)
    result.stdout.fnmatch_lines(
        ["*trajectory.json::SC2-b::OURS::f000-chair1-lamp1-* PASSED *", "  OURS * there and back *"]
    )


@pytest.mark.parametrize("workers", [False, True])
def test_a_law_that_no_file_has_is_told_before_anybody_is_asked(
    project: Project, walk: Path, *, workers: bool
) -> None:
    project.write("conftest.py", RELATION.replace("NAME", "OURS").replace("MR2", "MR22"))
    project.write("agent.py", "def ask(prompt, images):\n    open('asked', 'a').close()\n")
    run = project.run_workers if workers else project.run
    result = run("--metaspace-agent=python:agent:ask", "runs", "--metaspace-mr=OURS")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = result.stdout.str() + result.stderr.str()
    assert "relation 'OURS' names the law 'MR22', which no file of laws has; there are: MR1" in told
    assert not (project.path / "asked").exists()


def test_a_relation_of_a_conftest_works_with_workers(project: Project, walk: Path) -> None:
    project.write("conftest.py", RELATION.replace("NAME", "OURS"))
    result = project.run_workers(TRUTH, "runs", "--metaspace-mr=OURS")
    result.assert_outcomes(passed=12)


def test_an_agent_of_a_conftest_is_asked(project: Project, walk: Path) -> None:
    project.write("conftest.py", AGENT.replace("NAME", "parrot"))
    select = ("runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
    project.run("--metaspace-agent=parrot:2", *select).assert_outcomes(passed=3)
    assert project.run("--metaspace-agent=parrot:lots", *select).parseoutcomes() == {"invalid": 3}
    wrapped = project.run("--metaspace-agent=mutant:constant:parrot:2", *select)
    assert wrapped.parseoutcomes() == {"passed": 3}


def test_a_format_of_a_conftest_is_collected(project: Project, walk: Path) -> None:
    project.write("conftest.py", FORMAT.replace("NAME", "walks"))
    walk.rename(walk.with_name("k3.walk"))
    result = project.run(TRUTH, "runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["runs/walk/k3.walk::SC1-b::MR2::s000-s001-6262e356 PASSED *"])


@pytest.mark.parametrize(
    ("body", "kind", "name"),
    [
        (RELATION, "relation", "MR2"),
        (AGENT, "agent", "truth"),
        (FORMAT, "trajectory format", "metaspace-trajectory"),
    ],
    ids=["relation", "agent", "format"],
)
def test_a_name_that_is_taken_names_both_origins(
    project: Project, walk: Path, body: str, kind: str, name: str
) -> None:
    project.write("conftest.py", body.replace("NAME", name))
    result = project.run(TRUTH, "runs")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            (
                f"ERROR: metaspace: {kind} '{name}' is registered twice, by pytest-metaspace and by "
                "*conftest*. Rename one of them."
            )
        ]
    )


def test_a_relation_whose_name_has_blanks_is_refused_where_it_is_registered(
    project: Project, walk: Path
) -> None:
    project.write("conftest.py", RELATION.replace("NAME", "there and back"))
    result = project.run(TRUTH, "runs")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: metaspace: relation 'there and back', registered by *conftest*, has a name that *"]
    )


def test_hooks_are_not_called_without_an_agent(project: Project) -> None:
    project.write(
        "conftest.py",
        "def pytest_metaspace_register_agents(register): raise ValueError('called')\n",
    )
    project.write("test_other.py", "def test_other(): pass\n")
    project.run().assert_outcomes(passed=1)


def test_a_hook_with_an_argument_that_does_not_exist_is_refused_by_name(project: Project) -> None:
    project.write("conftest.py", "def pytest_metaspace_register_agents(registry): pass\n")
    result = project.run_apart(TRUTH)
    assert result.ret != 0
    assert "'registry'" in result.stderr.str() + result.stdout.str()
