"""Formats of reports that others add."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.plugin.report_support import FEW, JSON, TRUTH, ours

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project


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
