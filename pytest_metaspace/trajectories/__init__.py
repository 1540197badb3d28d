"""Trajectories on disk, one format a file; each is registered as a stranger's would be."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory


MAIN_FILE = "trajectory.json"
_LARGEST = 16 << 20
"""A file in which the format does not come first is looked into up to so many bytes."""
FRAMES = "frames"
"""The folder with the pictures of a native trajectory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a run says about logs that do not say it themselves.

    Attributes:
        camera: name of the camera whose pictures are looked at, where there are several.
        tasks: file or folder of the tasks that were run, for poses that the log lacks.
        images: file or folder that holds pictures the log only names.
        frames: folder in which pictures taken out of videos and archives are kept.
    """

    camera: str | None = None
    tasks: Path | None = None
    images: Path | None = None
    frames: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryFormat:
    """A way to store trajectories.

    Attributes:
        name: what messages call it.
        matches: whether a file is the main file of such a trajectory, or of several; called for
            many files, so it must be cheap and must not raise.
        load: reads it; raises ``TrajectoryError``. Of a file with several episodes it gets the
            file with the name of one behind it, ``meta/info.json/episode-12``.
        episodes: the names of the episodes of a main file that can hold several, in order, each
            the same whenever it is asked; cheap, for there may be a million. Raises
            ``TrajectoryError``. None where each main file is one trajectory.
        configured: returns the format as a run wants to have it read.
        summary: what it is, in one line.
    """

    name: str
    matches: Callable[[Path], bool]
    load: Callable[[Path], Trajectory]
    episodes: Callable[[Path], Sequence[str]] | None = None
    configured: Callable[[Reading], TrajectoryFormat] | None = None
    summary: str = ""


def is_native(path: Path) -> bool:
    """Whether a file is a ``trajectory.json`` that names our format.

    One that is damaged counts as ours when it lies where ours would, beside ``frames/`` or
    ``objects.json``: loading it then says what is wrong, instead of nobody noticing.
    """
    if path.name != MAIN_FILE:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(4096)
        if re.search(rb'"format"\s*:\s*"metaspace-trajectory"', head):
            return True
        if path.stat().st_size > _LARGEST:
            return _has_company(path)
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return _has_company(path)
    named = content.get("format") if isinstance(content, dict) else None
    return named == "metaspace-trajectory" or (_nearly_ours(named) and _has_company(path))


def _nearly_ours(named: object) -> bool:
    return named is None or (isinstance(named, str) and named.lower().startswith("metaspace"))


def _has_company(path: Path) -> bool:
    return (path.parent / "frames").is_dir() or (path.parent / "objects.json").is_file()


def load_native(path: Path) -> Trajectory:
    """Load the native format; imports the validator on first use."""
    from pytest_metaspace.trajectories import native

    return native.load(path)


NATIVE = TrajectoryFormat(name="metaspace-trajectory", matches=is_native, load=load_native)
_SUFFIXES = frozenset({".json", ".jsonl", ".csv", ".parquet", ".mp4"})


def is_log(path: Path) -> bool:
    """Whether a path is the main file of a format that the package brings along."""
    if path.suffix.lower() not in _SUFFIXES or not path.is_file():
        return False
    from pytest_metaspace.trajectories.built_in import BUILT_IN

    return any(form.matches(path) for form in BUILT_IN)
