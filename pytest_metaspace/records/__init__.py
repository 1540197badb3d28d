"""Files of what runs found: baselines to be committed, and run files to be merged."""

from pytest_metaspace.records._baseline import read as read_baseline
from pytest_metaspace.records._baseline import require_baseline
from pytest_metaspace.records._baseline import write as write_baseline
from pytest_metaspace.records._files import told
from pytest_metaspace.records._keeping import ACROSS, Across, Update, differences, notes, updated

__all__ = [
    "ACROSS",
    "Across",
    "Update",
    "differences",
    "notes",
    "read_baseline",
    "require_baseline",
    "told",
    "updated",
    "write_baseline",
]
