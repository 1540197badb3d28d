"""EB-Manipulation: what an EmbodiedBench run wrote (docs/logs-eb-manipulation.md).

``results/episode_E_res.json`` says how many actions were executed and which of them succeeded;
what they were stands in the planner's output beside it, and the pictures in ``images/episode_E/``.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pytest_metaspace.trajectories import Reading, TrajectoryFormat
from pytest_metaspace.trajectories._damaged import lost

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

NAME = "eb-manipulation"
_FILE = re.compile(r"episode_\d{1,6}_res\.json")
_HEAD = 1 << 16


def matches(path: Path) -> bool:
    """Whether a file is named as an episode's result is, and says which actions succeeded."""
    if not _FILE.fullmatch(path.name):
        return False
    try:
        with path.open("rb") as file:
            if b'"action_success"' in file.read(_HEAD):
                return True
    except OSError:
        return False
    return lost(path) is not None


def load(path: Path, reading: Reading = Reading()) -> Trajectory:  # noqa: B008 - it is frozen
    """Load one episode.

    Raises:
        TrajectoryError: nothing can be used; the text names the file, the field and the reason.
    """
    from pytest_metaspace.trajectories import _manipulation

    return _manipulation.load(path, reading)


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return TrajectoryFormat(
        name=NAME,
        matches=matches,
        load=partial(load, reading=reading),
        configured=configured,
        summary="an EB-Manipulation run of EmbodiedBench: results/episode_E_res.json with pictures",
    )


EB_MANIPULATION: TrajectoryFormat = configured(Reading())
