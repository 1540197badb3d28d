"""The report as one page that opens from disk: scores, cases with their evidence, trajectories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.reports.formats import ReportFormat

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Report


def _write(report: Report, path: Path) -> list[str]:
    from pytest_metaspace.reports.html import _page

    return _page.write(report, path)


HTML: Final = ReportFormat(
    name="html",
    summary="one page for people: scores, frames, questions, answers and derivations",
    default="metaspace-report.html",
    write=_write,
)

__all__ = ["HTML"]
