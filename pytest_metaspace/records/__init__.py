"""Files of what runs found: baselines to be committed, and run files to be merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.records import _files, _run
from pytest_metaspace.records._baseline import read as read_baseline
from pytest_metaspace.records._baseline import require_baseline
from pytest_metaspace.records._baseline import write as write_baseline
from pytest_metaspace.records._files import require_plain, told
from pytest_metaspace.records._keeping import Update, differences, notes, updated
from pytest_metaspace.records._merging import merged
from pytest_metaspace.records._run import read as read_run
from pytest_metaspace.records._run import require_run
from pytest_metaspace.records._run import write as write_run

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Record


def read(path: Path) -> Record:
    """Read a baseline or a run file.

    Raises:
        UsageProblem: it cannot be read, or is neither.
    """
    text = _files.content(path)
    if text.startswith(_run.START):
        return _run.read(path, text).record
    return read_baseline(path, text)


__all__ = [
    "Update",
    "differences",
    "merged",
    "notes",
    "read",
    "read_baseline",
    "read_run",
    "require_baseline",
    "require_plain",
    "require_run",
    "told",
    "updated",
    "write_baseline",
    "write_run",
]
