"""What the tests of readers of logs share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.errors import TrajectoryError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.trajectories import TrajectoryFormat


def wrong(found: Trajectory, folder: Path) -> list[str]:
    """The texts of what is wrong in a log, without the folder."""
    return [str(one).replace(str(folder), "HERE") for one in found.defects]


def refused(form: TrajectoryFormat, path: Path, folder: Path) -> str:
    """Load a log that must be refused; return the text without the folder."""
    with pytest.raises(TrajectoryError) as caught:
        form.load(path)
    return str(caught.value).replace(str(folder), "HERE")


def edit(path: Path, change: Callable[[Any], Any]) -> Path:
    """Change the JSON of a file in place."""
    content = json.loads(path.read_text(encoding="utf-8"))
    changed = change(content)
    path.write_text(json.dumps(content if changed is None else changed), encoding="utf-8")
    return path


def actions(found: Trajectory) -> list[tuple[str, bool | None] | None]:
    """Name and success of each action but that of the last state, which has none."""
    return [
        None if one.action is None else (one.action.name, one.succeeded)
        for one in found.states[:-1]
    ]
