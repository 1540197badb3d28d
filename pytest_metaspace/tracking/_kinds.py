"""What finds objects in frames, and how a name on the command line becomes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Box, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """An object that was found in one frame.

    Attributes:
        label: what it is, as in ``"chair"``.
        box: where, in the pixels of the frame.
        confidence: 0 to 1.
        appearance: what it looks like, numbers that are alike for like things; where a detector
            gives none, colours are counted.
        track: for a provider that brings its own tracks, which of them this belongs to.
    """

    label: str
    box: Box
    confidence: float
    appearance: tuple[float, ...] = ()
    track: int | None = None


@runtime_checkable
class Detector(Protocol):
    """Something that finds objects in single frames; which of them are one, we say.

    A detector may be a context manager, entered before the first frame and left after the last.
    """

    @property
    def identity(self) -> str:
        """What its detections depend on beside the frame: provider, version, weights, settings.

        Part of the key under which detections are stored. A plain attribute will do.
        """
        ...

    def detect(self, frames: Sequence[Path]) -> Sequence[Sequence[Detection]]:
        """Return what each of a few frames shows, down to a low confidence.

        Raises:
            TrackerError: it cannot.
        """
        ...


@runtime_checkable
class Tracker(Protocol):
    """Something that follows objects through all frames of a trajectory itself.

    Its tracks are taken apart where a class changes or the camera turns far, and joined again
    where it is safe, as our own are.
    """

    @property
    def identity(self) -> str:
        """As a detector's."""
        ...

    def follow(self, trajectory: Trajectory) -> Sequence[Sequence[Detection]]:
        """Return what each frame shows, in order, every detection with its ``track``.

        Raises:
            TrackerError: it cannot.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerContext:
    """What a builder may use.

    Attributes:
        root: folder to which relative paths belong.
        device: where to compute: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
    """

    root: Path
    device: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerKind:
    """A family of detectors or trackers.

    Attributes:
        name: the part of ``--metaspace-tracker`` before the first colon.
        usage: how the full name is written, as in ``yolo:FILE.pt``.
        summary: one line for lists.
        build: makes it; gets what stands behind the first colon, maybe empty. It raises
            ``UsageProblem`` where weights are missing, and loads nothing heavy.
    """

    name: str
    usage: str
    summary: str
    build: Callable[[str, TrackerContext], Detector | Tracker]
