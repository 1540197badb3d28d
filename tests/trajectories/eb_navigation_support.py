"""What the tests of EB-Navigation's reader share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories.eb_navigation import configured
from tests.trajectories.writers import eb_navigation as writer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

SAMPLE = [
    ("move_forward", None),
    ("move_forward", None),
    ("turn_right", True),
    ("move_forward", None),
    ("move_left", False),
    ("move_right", None),
    ("look_down", True),
    ("move_backward", None),
]
"""What ``writer.sample`` does, as far as the log alone tells."""


def with_tasks(tmp_path: Path, *tasks: dict[str, Any]) -> Callable[[Path], Trajectory]:
    """Return what loads a log with its task known."""
    return configured(
        Reading(tasks=writer.write_tasks(tmp_path / "datasets", tasks or [writer.task()]))
    ).load
