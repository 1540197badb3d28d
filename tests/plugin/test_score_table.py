"""What a run prints at its end, word for word; change it with METASPACE_UPDATE_GOLDENS=1."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import MOODY

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

SELECTED = ("runs", "--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR1,MR2")
GOLDENS = Path(__file__).with_name("goldens")
GATES = ("--metaspace-fail-under=0.6", "--metaspace-fail-under=SC1-a=0.9")


def closing(result: pytest.RunResult) -> str:
    """Return what is printed from our first section on, without durations and Prolog lines."""
    start = next(i for i, line in enumerate(result.outlines) if "= metaspace: " in line)
    text = "\n".join(line.rstrip() for line in result.outlines[start:]) + "\n"
    text = re.sub(r"=+ (.*) in [0-9.]+s =+|^(.*) in [0-9.]+s$", r"\1\2", text, flags=re.MULTILINE)
    return re.sub(r"in line \d+", "in line N", re.sub(r"\.pl:\d+", ".pl:N", text))


@pytest.mark.parametrize(
    ("name", "options"),
    [("plain", ()), ("verbose", ("-v",)), ("quiet", ("-q",)), ("gated", GATES)],
)
def test_the_closing_of_a_run_is_this_text(
    project: Project, walk: Path, name: str, options: tuple[str, ...]
) -> None:
    found = closing(project.run(project.brain(MOODY), *SELECTED, *options))
    golden = GOLDENS / f"closing-{name}.txt"
    if os.environ.get("METASPACE_UPDATE_GOLDENS"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_verbose_adds_relations_and_reference_agents(project: Project, walk: Path) -> None:
    result = project.run("--metaspace-agent=truth", "runs", "--metaspace-sc=SC1-a", "-v")
    result.stdout.fnmatch_lines(
        [
            "SC1-a * movement direction * 14 *",
            "  MR1 * transitivity * 2 *",
            "  MR2 * symmetry * 3 *",
            "  MR3 * contradiction * 9 *",
            "agent * SC1-a * total",
            "truth * 1.000 * 1.000",
            "random *",
            "collapsed *",
        ]
    )


def test_reference_agents_are_not_asked_unless_they_are_shown(project: Project, walk: Path) -> None:
    result = project.run("--metaspace-agent=truth", "runs", "--metaspace-sc=SC1-a")
    result.stdout.no_fnmatch_line("random *")
    result.stdout.no_fnmatch_line("  MR1 *")


def test_what_could_not_be_asked_is_counted_with_the_reason(project: Project) -> None:
    project.walk(with_objects=False)
    result = project.run("--metaspace-agent=replay:none.jsonl", "runs", "--co")
    assert result.ret == 4
    project.write("none.jsonl", "")
    result = project.run("--metaspace-agent=replay:none.jsonl", "runs")
    result.stdout.fnmatch_lines(
        [
            "14 relations could not be asked: no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some"
        ]
    )
    assert result.parseoutcomes() == {"errored": 28}


def test_what_the_filters_left_out_is_counted_and_told_at_verbose(project: Project) -> None:
    walk = project.walk()
    objects = walk.with_name("objects.json")
    objects.write_text(objects.read_text().replace('"confidence": 0.9', '"confidence": 0.1', 3))
    select = ("--metaspace-agent=truth", "runs", "--metaspace-sc=SC3-a")
    project.run(*select).stdout.fnmatch_lines(
        ["* candidates left out by the filters (-v tells why)"]
    )
    project.run(*select, "-v").stdout.fnmatch_lines(
        ["left out: 1 x objects seen in fewer than two frames"]
    )


def test_the_same_run_prints_the_same_bytes(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    first = closing(project.run(agent, *SELECTED, "-v"))
    again = closing(project.run(agent, *SELECTED, "-v", "--metaspace-answers=refresh"))
    assert first == again


def test_the_header_is_one_line_with_what_decides_results(project: Project, walk: Path) -> None:
    result = project.run(project.brain(MOODY), *SELECTED)
    header = [line for line in result.outlines if line.startswith("metaspace: ")]
    assert header == [
        (
            "metaspace: agent python:brain:answer, semantics sound, capabilities SC1-a,SC1-b, "
            "relations MR1,MR2"
        )
    ]
