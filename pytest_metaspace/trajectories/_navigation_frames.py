"""The pictures of an EB-Navigation episode: by step, of the run that counts."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_metaspace.trajectories._defects import Unusable, file_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_metaspace.trajectories._moments import Findings
    from pytest_metaspace.trajectories._navigation_steps import Log

_PICTURE = re.compile(
    r"(?:episode_(?P<episode>\d{1,6})_)?step_(?P<step>\d{1,6})_(?P<time>\d{8}_\d{6})_"
    r"(?P<view>front|front_bb)\.(?:png|jpg|jpeg|webp)"
)


@dataclass(frozen=True, slots=True)
class _Picture:
    """One picture; ordered as they were taken."""

    time: str
    step: int
    boxed: bool
    path: Path


@dataclass(slots=True)
class _Run:
    """The pictures of one run: by step, those without boxes before those with."""

    started: str
    pictures: dict[int, _Picture] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """Its last step."""
        return max(self.pictures)


def of(path: Path, episode: int, log: Log, findings: Findings) -> dict[int, Path]:
    """Return the picture of each step of the run that counts.

    Args:
        path: the log; pictures lie beside it, or in ``images/episode_E`` there.
        episode: its number.
        log: its steps.
        findings: what is odd is added to them.
    """
    runs = _runs(sorted(_pictures(path, episode), key=lambda one: (one.time, one.step, one.boxed)))
    if not runs:
        return {}
    chosen = _chosen(runs, log)
    if len(runs) > 1:
        findings.add(
            "",
            f"pictures of {len(runs)} runs of episode {episode} lie together; those from "
            f"{chosen.started} on are used.",
            "Give each run a folder of its own.",
        )
    if any(one.boxed for one in chosen.pictures.values()):
        findings.notes.append(
            "boxes and names are drawn into its pictures (front_bb), and agents are shown them; "
            "run with detection_box=0 for pictures as they are."
        )
    return {step: one.path for step, one in chosen.pictures.items()}


def _pictures(path: Path, episode: int) -> Iterator[_Picture]:
    beside = path.parent
    for folder, prefixed in ((beside, True), (beside / "images" / f"episode_{episode}", False)):
        for name in _names(folder):
            match = _PICTURE.fullmatch(name)
            if match is None or (match["episode"] is not None) != prefixed:
                continue
            if prefixed and int(match["episode"]) != episode:
                continue
            try:
                here = file_in(beside, str((folder / name).relative_to(beside)))
            except Unusable:  # a link that leads out of the folder
                continue
            yield _Picture(match["time"], int(match["step"]), match["view"] == "front_bb", here)


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names alone, of thousands
    except OSError:
        return []


def _runs(pictures: Sequence[_Picture]) -> list[_Run]:
    """Split pictures where the counter of steps restarts."""
    runs: list[_Run] = []
    last = -1
    for one in pictures:
        if not runs or one.step < last or (one.step == last and _again(runs[-1], one)):
            runs.append(_Run(one.time))
        kept = runs[-1].pictures.get(one.step)
        if kept is None or (kept.boxed and not one.boxed):
            runs[-1].pictures[one.step] = one
        last = one.step
    return runs


def _again(run: _Run, one: _Picture) -> bool:
    """Whether a step was seen already, and not only with boxes drawn in."""
    kept = run.pictures.get(one.step)
    return kept is not None and kept.boxed == one.boxed


def _chosen(runs: Sequence[_Run], log: Log) -> _Run:
    """Return the pictures of the run that counts: of as many runs, or as long, or the last."""
    if len(runs) == log.runs:
        return runs[log.counts]
    as_long = [run for run in runs if run.last == len(log.steps)]
    return (as_long or list(runs))[-1]
