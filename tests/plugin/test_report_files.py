"""Formats of reports that others add, and the files that reports may take the place of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.plugin.made import MOODY
from tests.plugin.report_support import EPOCH, FEW, JSON, TRUTH

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project


@pytest.fixture(autouse=True)
def _same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))


@pytest.fixture
def moody(project: Project, walk: Path) -> str:
    """An agent that is wrong at times."""
    return project.brain(MOODY)


OURS = """
from pytest_metaspace.reports.formats import ReportFormat

def write(report, path):
    BODY

def pytest_metaspace_register_reports(register):
    register(ReportFormat(name="NAME", summary="ours", default="ours.txt", write=write, MORE))
"""


def ours(project: Project, body: str, name: str = "ours", more: str = "") -> None:
    text = OURS.replace("BODY", body).replace("NAME", name).replace("MORE", more)
    project.write("conftest.py", text)


def test_a_format_of_a_conftest_is_written_as_ours_are(project: Project, walk: Path) -> None:
    ours(project, "path.write_text(report.run.agent); return ['nothing\\nleft out']")
    result = project.run(TRUTH, *FEW, "--metaspace-report=ours", JSON)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["metaspace: wrote the report ours to ours.txt", "metaspace: nothing left out"]
    )
    assert (project.path / "ours.txt").read_text() == "truth"


def test_lines_that_are_commands_are_printed_as_they_are(project: Project, walk: Path) -> None:
    ours(project, "return ['::warning::said']", more="verbatim=True")
    result = project.run(TRUTH, *FEW, "--metaspace-report=ours")
    assert "::warning::said" in result.outlines


def test_a_format_that_fails_is_told_and_nothing_else_is_lost(project: Project, walk: Path) -> None:
    ours(project, "raise ZeroDivisionError('by\\nzero')")
    result = project.run(TRUTH, *FEW, "--metaspace-report=ours", JSON)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "metaspace: wrote the report json to out/run.json",
            "metaspace: the report ours is missing: its format failed (ZeroDivisionError: by *",
        ]
    )


def test_a_name_that_is_taken_is_refused(project: Project, walk: Path) -> None:
    ours(project, "return []", name="html")
    result = project.run(TRUTH, *FEW)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            "ERROR: metaspace: report format 'html' is registered twice, by pytest-metaspace and by conftest. *"
        ]
    )


def test_nothing_is_gathered_where_no_report_is_wanted(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("pytest_metaspace.telling.Telling.enter", refuse)
    monkeypatch.setattr("pytest_metaspace.telling.Telling.__init__", refuse)
    assert project.run(TRUTH, *FEW).ret == 0
    assert json.dumps([path.name for path in project.path.glob("*.json")]) == "[]"


# ---------------------------------------------------------------- what is there already


@pytest.mark.parametrize("name", ["json", "html", "junit", "markdown", "github", "ours"])
@pytest.mark.parametrize("way", ["code", "trajectory", "link"])
def test_a_file_that_is_no_report_is_never_written_over(
    project: Project, moody: str, name: str, way: str
) -> None:
    ours(project, "path.write_text('ours'); return []")
    project.write("robot.py", "def go(): pass\n")
    (project.path / "linked.txt").symlink_to("robot.py")
    file = {
        "code": "robot.py",
        "trajectory": "runs/walk/trajectory.json",
        "link": "linked.txt",
    }[way]
    before = (project.path / file).read_bytes()
    result = project.run(moody, *FEW, f"--metaspace-report={name}:{file}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = f"ERROR: metaspace: --metaspace-report {name}:{file}: is there and is no report {name}, "
    result.stderr.fnmatch_lines([f"{told}so it is not overwritten. Name another file, or remove *"])
    assert (project.path / file).read_bytes() == before


def test_what_a_run_has_written_the_next_one_replaces(project: Project, moody: str) -> None:
    ours(project, "path.write_text('ours'); return []")
    names = ("json", "html", "junit", "markdown", "github", "ours")
    options = [f"--metaspace-report={name}:out.{name}" for name in names[:-1]]
    options.append("--metaspace-report=ours")
    files = [project.path / f"out.{name}" for name in names[:-1]]
    files[0].touch()
    assert project.run(moody, *FEW, *options).ret == pytest.ExitCode.TESTS_FAILED
    first = [file.read_bytes() for file in files]
    assert all(first)
    for file in files:
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert project.run(moody, *FEW, *options).ret == pytest.ExitCode.TESTS_FAILED
    assert [file.read_bytes() for file in files] == first
    assert project.run(TRUTH, *FEW, *options).ret == 0
    assert project.run(TRUTH, *FEW, *options).ret == 0


def test_the_summary_of_a_step_may_hold_whatever_it_does(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("summary.md", "# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path / "summary.md"))
    assert project.run(TRUTH, *FEW, "--metaspace-report=markdown:summary.md").ret == 0
    assert (project.path / "summary.md").read_text("utf-8").startswith("# Before\n\n## ")
