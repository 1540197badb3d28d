"""A video and the actions that were taken in it: ``NAME.actions.csv`` beside ``NAME.mp4``.

Each row is a state: what the video shows at its time, and the action that began then
(docs/logs-video.md). The same may stand in ``NAME.actions.json``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.trajectories import Reading, TrajectoryFormat

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

ENDINGS = (".actions.csv", ".actions.json")
VIDEOS = (".mp4", ".mkv", ".webm", ".mov", ".avi", ".m4v")
_HEAD = 4096


def matches(path: Path) -> bool:
    """Whether a file tells the actions of a video: one that it names, or one of its own name."""
    stem = stem_of(path)
    if stem is None:
        return False
    try:
        if any(path.with_name(stem + ending).is_file() for ending in VIDEOS):
            return True
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return b'"video"' in head or b"# video:" in head


def stem_of(path: Path) -> str | None:
    """Return the name that the video shares, or None where the file is none of ours."""
    ending = next((one for one in ENDINGS if path.name.lower().endswith(one)), "")
    return path.name[: -len(ending)] or None if ending else None


def load(path: Path, reading: Reading | None = None) -> Trajectory:
    """Load one video with its actions.

    Raises:
        TrajectoryError: nothing of it can be used; the text names the file and the field.
    """
    from pytest_metaspace.trajectories import _filmed

    return _filmed.load(path, reading or Reading())


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return replace(VIDEO, load=lambda path: load(path, reading))


VIDEO = TrajectoryFormat(
    name="video",
    matches=matches,
    load=load,
    configured=configured,
    summary="a video and its actions (NAME.actions.csv beside NAME.mp4)",
)
