"""Reports as files: what a format of them is, ours and other people's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFormat:
    """A way to tell what a run found.

    Attributes:
        name: as in ``--metaspace-report=NAME``.
        summary: what it is good for, in one line.
        default: where it is written when no path is given, from the folder of the call.
        write: writes it, whole or not at all, with the same bytes for the same report; raises
            ``UsageProblem`` where it cannot. Returns lines to print: what was left out, say.
        verbatim: whether those lines are printed as they are, each at the beginning of a line:
            they are commands to a service that reads the output of its jobs.
        ours: whether a file that is there and not empty may be written over, as it is a report of
            this format. Without it, those that end as ``default`` does may.
    """

    name: str
    summary: str
    default: str
    write: Callable[[Report, Path], list[str]]
    verbatim: bool = False
    ours: Callable[[Path], bool] | None = None
