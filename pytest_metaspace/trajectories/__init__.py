"""Trajectories on disk, one format a file; each is registered as a stranger's would be."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryFormat:
    """A way to store trajectories.

    Attributes:
        name: what messages call it.
        matches: whether a file is the main file of such a trajectory; called for many files,
            so it must be cheap and must not raise.
        load: reads it; raises ``TrajectoryError``.
    """

    name: str
    matches: Callable[[Path], bool]
    load: Callable[[Path], Trajectory]


def is_native(path: Path) -> bool:
    """Whether a file is a ``trajectory.json`` that names our format."""
    if path.name != "trajectory.json":
        return False
    try:
        with path.open("rb") as file:
            head = file.read(4096)
        if re.search(rb'"format"\s*:\s*"metaspace-trajectory"', head):
            return True
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and content.get("format") == "metaspace-trajectory"


def load_native(path: Path) -> Trajectory:
    """Load the native format; imports the validator on first use."""
    from pytest_metaspace.trajectories import native

    return native.load(path)


NATIVE = TrajectoryFormat(name="metaspace-trajectory", matches=is_native, load=load_native)
BUILT_IN = (NATIVE,)
