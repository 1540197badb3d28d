"""Reports that CI reads, as runs write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.plugin.made import MOODY
from tests.reports.reading import read

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.plugin.conftest import Project

ONE_PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")


def test_a_run_leaves_a_summary_annotations_and_a_file_for_the_test_tab(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.path / ".git").mkdir()
    summary = project.write("step_summary", "# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    result = project.run(
        project.brain(MOODY),
        *ONE_PAIR,
        "--metaspace-fail-under=SC1-a=0.9",
        "--metaspace-report=junit:out/metaspace.xml",
        f"--metaspace-report=markdown:{summary}",
        "--metaspace-report=github",
    )

    assert result.ret == 1
    annotations = [line for line in result.outlines if line.startswith("::")]
    assert [line.split("::")[1] for line in annotations] == [
        "error title=metaspace%3A SC1-a",
        "error file=runs/walk/trajectory.json,title=metaspace%3A walk",
    ]
    assert (
        "2 cases violated or invalid; SC1-a MR2: 1 violated and 1 invalid of 3 cases: These "
        in (annotations[1])
    )

    root = read(project.path / "out" / "metaspace.xml")
    gate, walked = root.iter("testcase")
    assert (gate.attrib["classname"], gate.attrib["name"]) == ("metaspace.gates", "SC1-a")
    assert (walked.attrib["classname"], walked.attrib["file"]) == (
        "SC1-a.MR2",
        "runs/walk/trajectory.json",
    )
    assert "(laws/symmetry.pl:" in str(walked.findtext("failure"))
    assert walked.findtext("system-out") == "[[ATTACHMENT|runs/walk/frames/000.png]]"

    told = summary.read_text(encoding="utf-8")
    assert told.startswith("# Before\n\n## ❌ metaspace: total 0.333")
    assert "<summary><b>SC1-a MR2</b> movement direction, symmetry: " in told


def test_a_run_that_passes_its_gate_warns_of_violations(project: Project, walk: Path) -> None:
    result = project.run(
        project.brain(MOODY), *ONE_PAIR, "--metaspace-fail-under=0", "--metaspace-report=github"
    )

    assert result.ret == 0
    result.stdout.fnmatch_lines(["::warning file=runs/walk/trajectory.json,title=metaspace%3A *"])
