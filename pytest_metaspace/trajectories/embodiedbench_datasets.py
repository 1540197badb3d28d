"""EmbodiedBench's trajectory datasets: many episodes in one JSON list.

``eb-nav_dataset_…_step.json`` and ``eb-man_dataset_…_step.json``, with the pictures in an archive
that has to be unpacked (docs/logs-embodiedbench-datasets.md).
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pytest_metaspace.trajectories import Reading, TrajectoryFormat
from pytest_metaspace.trajectories._damaged import ruined

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

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


def episodes(path: Path) -> Sequence[str]:
    """Return the names of the episodes, each made of model, set and number, in order.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    from pytest_metaspace.trajectories import _dataset

    return _dataset.index_of(path).names


def load(path: Path, reading: Reading = Reading()) -> Trajectory:  # noqa: B008 - it is frozen
    """Load one episode.

    Args:
        path: the file, with the name of the episode behind it.
        reading: where the pictures and the tasks are.

    Raises:
        TrajectoryError: nothing can be used; the text names the file, the field and the reason.
    """
    from pytest_metaspace.trajectories import _dataset

    return _dataset.load(path, reading)


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return TrajectoryFormat(
        name=NAME,
        matches=matches,
        load=partial(load, reading=reading),
        episodes=episodes,
        configured=configured,
        summary="a trajectory dataset of EmbodiedBench: eb-nav_dataset_…, eb-man_dataset_….json",
    )


EMBODIEDBENCH_DATASETS: TrajectoryFormat = configured(Reading())
