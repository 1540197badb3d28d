"""The report as one page that opens from disk: scores, cases with their evidence, trajectories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.reports import writing
from pytest_metaspace.reports.formats import ReportFormat

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Report


_MADE_BY: Final = b'<meta name="generator" content="pytest-metaspace">'
_HEAD: Final = 8192


def _write(report: Report, path: Path) -> list[str]:
    from pytest_metaspace.reports.html import _page

    return _page.write(report, path)


def _is_ours(path: Path) -> bool:
    return writing.begins(path, b"<!doctype html>") and writing.begins(path, _MADE_BY, among=_HEAD)


HTML: Final = ReportFormat(
    name="html",
    summary="one page for people: scores, frames, questions, answers and derivations",
    default="metaspace-report.html",
    write=_write,
    ours=_is_ours,
)

__all__ = ["HTML"]
