"""EmbodiedBench's trajectory datasets: many episodes in one JSON list.

``eb-nav_dataset_…_step.json`` and ``eb-man_dataset_…_step.json``, with the pictures in an archive
that has to be unpacked (docs/logs-embodiedbench-datasets.md).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._damaged import ruined
from pytest_metaspace.trajectories._listed import ListedFormat

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.trajectories._listed import ItemReader

NAME = "embodiedbench-dataset"
_HEAD = 1 << 16
_KEYS = (b'"model_name"', b'"eval_set"', b'"episode_id"')
_NAMED = re.compile(r"eb[-_](nav|man)", re.IGNORECASE)
_PUBLISHED = re.compile(r"eb[-_](nav|man)\w*[-_]dataset", re.IGNORECASE)
_PROMPTS = (b"Move forward by 0.25", b"Franka Panda")
"""What the prompts of the two environments say, and those of the others do not."""


def matches(path: Path) -> bool:
    """Whether a file is a list of episodes of EB-Navigation or EB-Manipulation.

    One that is damaged counts where it has the name of a published dataset.
    """
    if path.suffix != ".json":
        return False
    try:
        with path.open("rb") as file:
            if file.read(16).lstrip()[:1] != b"[":
                return _PUBLISHED.match(path.name) is not None and ruined(path) is not None
            file.seek(0)
            head = file.read(_HEAD)
    except OSError:
        return False
    ours = _NAMED.match(path.name) is not None or any(words in head for words in _PROMPTS)
    return ours and all(key in head for key in _KEYS)


def _imported() -> ItemReader:
    from pytest_metaspace.trajectories import _dataset

    return _dataset


FORMAT = ListedFormat(
    name=NAME,
    matches=matches,
    reader=_imported,
    summary="a trajectory dataset of EmbodiedBench: eb-nav_dataset_…, eb-man_dataset_….json",
)
EMBODIEDBENCH_DATASETS = FORMAT.configured(Reading())
