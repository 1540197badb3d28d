"""Files of what runs found: baselines to be committed, and run files to be merged."""

from pathlib import Path

from pytest_metaspace.domain import Record
from pytest_metaspace.records._baseline import read as read_baseline
from pytest_metaspace.records._baseline import require_baseline
from pytest_metaspace.records._baseline import write as write_baseline
from pytest_metaspace.records._files import told
from pytest_metaspace.records._keeping import ACROSS, Across, Update, differences, notes, updated


def read(path: Path) -> Record:
    """Read a baseline or a run file.

    Raises:
        UsageProblem: it cannot be read, or is neither.
    """
    return read_baseline(path)


__all__ = [
    "ACROSS",
    "Across",
    "Update",
    "differences",
    "notes",
    "read",
    "read_baseline",
    "require_baseline",
    "told",
    "updated",
    "write_baseline",
]
