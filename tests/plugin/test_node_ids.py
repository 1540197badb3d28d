"""Node ids nest, so that each level can be named; they are plain, stable and unambiguous."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import Thing, Walk

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
FILE = "runs/walk/trajectory.json"


def collected(project: Project, *arguments: str) -> list[str]:
    """Return the node ids that a run would report."""
    result = project.run(TRUTH, "--collect-only", "-q", *arguments)
    return [line for line in result.outlines if "::" in line]


@pytest.mark.parametrize(
    ("level", "count"),
    [("", 214), ("::SC2-a", 60), ("::SC2-a::MR1", 12), ("::SC1-a::MR2::s000-s001-ae845cfc", 1)],
    ids=["file", "capability", "relation", "case"],
)
def test_each_level_can_be_named(project: Project, walk: Path, level: str, count: int) -> None:
    project.run(TRUTH, f"{FILE}{level}").assert_outcomes(passed=count)


def test_two_levels_can_be_named_together(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, f"{FILE}::SC1-a::MR1", f"{FILE}::SC4-b::MR4")
    result.assert_outcomes(passed=2 + 3)


def test_a_level_that_is_not_there_is_wrong_use(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, f"{FILE}::SC1-a::MR6")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: not found: *{FILE}::SC1-a::MR6"])


@pytest.mark.parametrize(
    ("expression", "count"),
    [("MR1", 17), ("SC2-a and MR1", 12), ("lamp1 and MR5", 6), ("walk and SC3-b", 18)],
)
def test_keywords_select_at_each_level(
    project: Project, walk: Path, expression: str, count: int
) -> None:
    assert len(collected(project, "runs", "-k", expression)) == count


def test_collect_only_shows_the_tree_and_asks_nobody(project: Project, walk: Path) -> None:
    agent = project.brain("raise SystemExit(7)")
    result = project.run(agent, "--collect-only", f"{FILE}::SC1-a::MR2")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "*<TrajectoryFile trajectory.json>",
            "*  <CapabilityNode SC1-a>",
            "*    <RelationNode MR2>",
            "*      <CaseItem s000-s001-ae845cfc>",
            "*= 3 tests collected in *",
        ]
    )
    result.stdout.no_fnmatch_line("*scores*")
    assert not (project.path / ".metaspace_cache").exists()


def test_ids_are_unique_plain_and_short_whatever_objects_are_called(project: Project) -> None:
    strange = (
        Thing("a::b [x] / \u202ed\x1b[31m", "\u6905\u5b50", (4.0, 1.0, 1.0)),
        Thing("../../etc" + "x" * 150, "long", (5.0, -1.5, 1.0)),
        Thing("\u6905\u5b50", "chair", (6.0, 0.5, 1.0), (0.4, 0.6, 1.0)),
    )
    project.walk(things=strange)
    found = collected(project, "runs")
    assert len(found) == len(set(found)) == 214
    for nodeid in found:
        path, *parts = nodeid.split("::")
        assert path == FILE
        assert len(parts) == 3
        assert all(re.fullmatch(r"[A-Za-z0-9.\-_]{1,80}", part) for part in parts)
    result = project.run(TRUTH, found[100])
    result.assert_outcomes(passed=1)


def test_the_order_is_the_same_twice_and_with_trajectories_in_any_order_of_writing(
    project: Project,
) -> None:
    for name in ("b", "a", "c"):
        project.walk(f"runs/{name}", id=name)
    first = collected(project, "runs")
    assert first == collected(project, "runs")
    assert [nodeid.split("/")[1] for nodeid in first[::214]] == ["a", "b", "c"]


def test_capabilities_and_relations_come_in_the_order_of_the_paper(
    project: Project, walk: Path
) -> None:
    levels = [tuple(nodeid.split("::")[1:3]) for nodeid in collected(project, "runs")]
    assert levels == sorted(levels)


def test_ids_do_not_depend_on_what_else_is_in_the_run(project: Project, walk: Path) -> None:
    project.walk("runs/other", id="other")
    alone = collected(project, "runs/walk", "--metaspace-sc=SC2-b")
    assert alone
    assert set(alone) <= set(collected(project, "runs"))


def test_trajectories_outside_of_the_root_folder_get_ids_that_tell_them_apart(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    for name in ("one", "two"):
        Walk(id=name).write(outside / name)
    project.write("pytest.ini", "[pytest]\n")
    select = ("--rootdir", str(project.path), "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    found = collected(project, *select, str(outside))
    assert len(found) == len(set(found)) == 6
    places = [os.path.relpath(outside / name, project.path) for name in ("one", "two")]
    assert [nodeid.partition("::")[0] for nodeid in found[::3]] == [
        f"{place}/trajectory.json" for place in places
    ]


def test_a_trajectory_outside_of_the_root_folder_runs_with_workers(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    Walk().write(outside / "walk")
    project.write("pytest.ini", "[pytest]\n")
    select = ("--rootdir", str(project.path), "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    result = project.run_workers(TRUTH, *select, outside)
    result.assert_outcomes(passed=3)
    assert result.ret == 0
