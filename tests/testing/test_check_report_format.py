"""The check of report formats: passes ours, and is seen to fail on broken ones."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import files, testing
from pytest_metaspace.reports.built_in import BUILT_IN
from pytest_metaspace.reports.formats import ReportFormat
from tests.reports.samples import sample

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Report

_COUNT = itertools.count()


def plain(report: Report, path: Path) -> list[str]:
    files.put(path, report.run.agent.encode("utf-8", "replace"))
    return []


def form(write: Callable[[Report, Path], Any] = plain, **fields: Any) -> ReportFormat:
    return ReportFormat(
        **{"name": "ours", "summary": "ours", "default": "ours.txt", **fields}, write=write
    )


@pytest.mark.parametrize("ours", BUILT_IN, ids=[one.name for one in BUILT_IN])
def test_our_own_formats_pass(ours: ReportFormat) -> None:
    testing.check_report_format(ours)


def test_a_sound_format_passes_with_reports_of_ones_own() -> None:
    seen = []

    def write(report: Report, path: Path) -> list[str]:
        seen.append(report)
        return plain(report, path)

    report = sample()
    testing.check_report_format(form(write), more=[report])
    assert report in seen


def direct(report: Report, path: Path) -> list[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(report.run.agent.encode("utf-8", "replace"))
    return []


def strict(report: Report, path: Path) -> list[str]:
    files.put(path, report.run.agent.encode("utf-8"))
    return []


def counting(report: Report, path: Path) -> list[str]:
    files.put(path, f"{next(_COUNT)}")
    return []


def littering(report: Report, path: Path) -> list[str]:
    plain(report, path)
    path.with_name("report.tmp").touch()
    return []


def silent(report: Report, path: Path) -> list[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    return []


def needing(report: Report, path: Path) -> list[str]:
    files.put(path, str(max(len(case.address) for case in report.cases)))
    return []


def quiet(report: Report, path: Path) -> list[str]:
    if not path.parent.parent.is_file() and not path.parent.is_file():
        plain(report, path)
    return []


def nothing(report: Report, path: Path) -> Any:
    plain(report, path)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (form(name="a b"), r"report format 'a b': field name: expected 1 to 80 ASCII letters"),
        (form(summary="two\nlines"), r"field summary: expected one line"),
        (form(default=""), r"field default: expected the name of a file"),
        (form(default="/tmp/ours.txt"), r"field default: expected the name of a file"),
        (form(default="../ours.txt"), r"field default: expected the name of a file"),
        (form(direct), r"a path that cannot be written raised (NotADirectory|FileExists)Error"),
        (form(quiet), r"a path that cannot be written raised nothing"),
        (form(strict), r"a run with hostile texts: write raised UnicodeEncodeError \(test_check_report_format.py:"),
        (form(counting), r"a run of nothing: writing it twice gives other bytes"),
        (form(littering), r"a run of nothing: write left \['report.tmp'\] behind"),
        (form(silent), r"a run of nothing: write wrote nothing to the path that it was given"),
        (form(needing), r"a run of nothing: write raised ValueError"),
        (form(nothing), r"a run of nothing: write returned None\. Return a list of lines"),
    ],
)  # fmt: skip
def test_a_broken_format_is_told_what_and_where(broken: ReportFormat, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        testing.check_report_format(broken)
