"""Answers held against the world: chosen by name, scored apart, gated on their own."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

MIRRORED = "--metaspace-agent=mutant:mirrored:truth"
TRUTH = "--metaspace-agent=truth"
MOVED = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")


def table(result: pytest.RunResult) -> dict[str, list[str]]:
    """Return the rows of the tables by their first word."""
    start = next(i for i, line in enumerate(result.outlines) if "cognition scores" in line)
    rows = [line.split() for line in result.outlines[start + 1 :] if line.strip()]
    return {row[0]: row for row in reversed(rows)}


def test_they_run_only_where_they_are_named(project: Project, walk: Path) -> None:
    plain = project.run(TRUTH, *MOVED)
    assert "A2" not in plain.stdout.str()
    assert "answers held against the world" not in plain.stdout.str()
    assert "anchors" not in plain.stdout.str()
    none = project.run(TRUTH, *MOVED, "--metaspace-anchors=none")
    assert none.parseoutcomes() == plain.parseoutcomes()
    result = project.run(TRUTH, *MOVED, "--metaspace-anchors=A2")
    result.assert_outcomes(passed=9)
    result.stdout.fnmatch_lines(
        ["metaspace: agent truth, *relations MR2, anchors A2*", "answers held against the world*"]
    )
    assert table(result)["A2"][:3] == ["A2", "odometry", "6"]


def test_the_mirror_is_caught_and_no_score_of_a_capability_falls(
    project: Project, walk: Path
) -> None:
    arguments = (MIRRORED, "runs", "--metaspace-sc=SC1-a,SC2-a", "--metaspace-anchors=all")
    result = project.run(*arguments, "-v")
    rows = table(result)
    assert [rows[code][-1] for code in ("SC1-a", "SC2-a", "total")] == ["1.000"] * 3
    assert (rows["A1"][-1], rows["A1"][1]) == ("0.000", "projection")
    assert float(rows["A2"][-1]) < 1
    assert rows["A3"][1] == "accuracy"
    listed = result.stdout.str()
    assert re.search(r"^  SC1-a +accuracy against ground truth", listed, re.MULTILINE)
    assert not re.search(r"^  A\d +\w+ +\d", listed, re.MULTILINE)
    assert "::SC2-a::A1::f000-" in listed
    assert "This answer cannot be true: " in listed
    assert re.search(r"random +\d\.\d+ +\d\.\d+ +\d\.\d+$", listed, re.MULTILINE)


def test_the_derivation_names_the_actions_and_where_they_are_from(
    project: Project, walk: Path
) -> None:
    project.run(MIRRORED, "runs", "--metaspace-mr=A2", "--metaspace-explain")
    result = project.run(MIRRORED, "runs", "--metaspace-mr=A2", "--metaspace-sc=SC1-a")
    result.stdout.fnmatch_lines(
        [
            "  A2 violated: walk::SC1-a::A2::*",
            "    This answer cannot be true: from state * the executed actions lead *, so it*",
            "*0.5 m right   <- executed",
            "*a step is 0.5 m   <- as asked",
            "    answer 1: *In which direction is the movement from the place *",
        ]
    )
    rows = table(result)
    assert "total" not in rows  # no capability has a case
    assert rows["A2"][1] == "odometry"


@pytest.mark.parametrize(
    ("gate", "status", "line"),
    [
        ("A2=0.9", 1, "GATE FAILED: A2 is 0.*, below 0.9 (*"),
        ("A2=0.1", 0, "gate passed: A2 is 0.*, at least 0.1 (*"),
        ("0.9", 0, "gate passed: total is 1.000, at least 0.9 (*"),
        ("SC1-a=1", 0, "gate passed: SC1-a is 1.000, at least 1 (*"),
    ],
)
def test_a_gate_is_on_what_it_names(
    project: Project, walk: Path, gate: str, status: int, line: str
) -> None:
    result = project.run(
        MIRRORED, *MOVED, "--metaspace-anchors=A2", f"--metaspace-fail-under={gate}"
    )
    assert result.ret == status
    result.stdout.fnmatch_lines([line])
    if gate.startswith("A2"):
        assert table(result)["A2"][-1] == gate.removeprefix("A2=")


def test_a_gate_without_its_relation_is_wrong_use(project: Project, walk: Path) -> None:
    result = project.run(TRUTH, *MOVED, "--metaspace-fail-under=A2=0.9")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "Add --metaspace-anchors=A2" in result.stderr.str()
    result = project.run(TRUTH, *MOVED, "--metaspace-anchors=A4")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "anchored relation 'A4' is not known" in result.stderr.str()


def test_the_ini_file_and_marks_know_them(project: Project, walk: Path) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_anchors = A2\n")
    result = project.run(TRUTH, *MOVED, "-m", "A2")
    result.assert_outcomes(passed=6, deselected=3)
    project.run(TRUTH, *MOVED, "--metaspace-anchors=none").assert_outcomes(passed=3)


def test_junit_tells_the_relation(project: Project, walk: Path) -> None:
    project.run(MIRRORED, *MOVED, "--metaspace-anchors=A2", "--junitxml=report.xml")
    cases = ET.parse(project.path / "report.xml").getroot().iter("testcase")
    found = {
        (case.get("classname", "").rsplit(".", 1)[-1], prop.get("value"))
        for case in cases
        for prop in case.iter("property")
        if prop.get("name") == "relation"
    }
    assert {relation for _, relation in found} == {"A2"}


def test_workers_come_to_the_same(project: Project, walk: Path) -> None:
    arguments = (MIRRORED, *MOVED, "--metaspace-anchors=all")
    alone, shared = project.run(*arguments), project.run_workers(*arguments)
    assert table(shared)["A2"] == table(alone)["A2"]
    assert table(shared)["A3"] == table(alone)["A3"]
    assert shared.parseoutcomes()["violated"] == alone.parseoutcomes()["violated"]


def test_scores_of_a_test_have_them_by_name(project: Project, walk: Path) -> None:
    project.write(
        "test_it.py",
        "def test_it(metaspace_scores):\n"
        "    assert metaspace_scores.total == metaspace_scores['SC1-a'].value == 1\n"
        "    assert metaspace_scores['A2'].value < 1\n"
        "    assert metaspace_scores['SC1-a A2'].cases == 6\n",
    )
    result = project.run(MIRRORED, *MOVED, "--metaspace-anchors=A2", "test_it.py")
    assert result.parseoutcomes()["passed"] >= 4


def test_what_was_left_out_is_derived_with_the_anchor_named(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_metaspace import last_run, settle

    monkeypatch.setattr(settle, "TOLD_PER_GROUP", 0)
    monkeypatch.setattr(settle, "SHOWN_PER_GROUP", 0)
    project.run(MIRRORED, *MOVED, "--metaspace-anchors=A2")
    text = (project.path / ".metaspace_cache" / last_run.NAME).read_text(encoding="utf-8")
    records = map(json.loads, text.splitlines())
    address = next(record["address"] for record in records if record.get("untold"))
    lines = last_run.explained(address, project.path / ".metaspace_cache")
    assert any("--metaspace-anchors=A2" in line for line in lines)


def test_a_plan_counts_their_cases_and_no_more_questions(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pytest_metaspace import cli

    def planned(*more: str) -> tuple[str, str]:
        assert cli.main(["plan", str(walk), "--sc=SC1-a", *more]) == 0
        out = capsys.readouterr().out
        return out, out.split("total")[1].split("\n")[0]

    _, plain = planned()
    out, total = planned("--anchors=all")
    assert re.search(r"A2 +11 ", out)
    assert re.search(r"A3 +17 ", out)
    assert plain.split()[2] == total.split()[2] == "17"
    assert int(total.split()[0]) == int(plain.split()[0]) + 28
