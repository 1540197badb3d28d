"""EB-Navigation: what an EmbodiedBench run wrote, an episode a file (docs/logs-eb-navigation.md).

``episode_E_step_S.json`` holds one object a step, its pictures beside it; older writers and forks
append to ``episode_E.json`` and keep pictures in ``images/episode_E/``.
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

NAME = "eb-navigation"
_FILE = re.compile(r"episode_\d{1,6}(_step_\d{1,6})?\.json")
_HEAD = 1 << 16
_SPECIAL = re.compile(rb'"action_id"\s*:\s*"?-')
_OF_OTHERS = (b'"task_progress"', b'"subgoal_reward"')
"""Fields of the other environments of EmbodiedBench, which name their files alike."""


def matches(path: Path) -> bool:
    """Whether a file is named as an episode is, and starts with a step of this environment.

    One of which nothing is here counts where its name tells a step.
    """
    if not _FILE.fullmatch(path.name):
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    if any(word in head for word in _OF_OTHERS):
        return False
    if b'"distance"' in head or _SPECIAL.search(head) is not None:
        return True
    return "_step_" in path.name and lost(path) is not None


def load(path: Path, reading: Reading = Reading()) -> Trajectory:  # noqa: B008 - it is frozen
    """Load one episode.

    Raises:
        TrajectoryError: nothing can be used; the text names the file, the field and the reason.
    """
    from pytest_metaspace.trajectories import _navigation

    return _navigation.load(path, reading)


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return TrajectoryFormat(
        name=NAME,
        matches=matches,
        load=partial(load, reading=reading),
        configured=configured,
        summary="an EB-Navigation run of EmbodiedBench: episode_E_step_S.json with its pictures",
    )


EB_NAVIGATION: TrajectoryFormat = configured(Reading())
