"""From frames to tracked objects: look into the store, detect what is missing, say what is one."""

from __future__ import annotations

import math
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Box
from pytest_metaspace.errors import MetaspaceError, TrackerError
from pytest_metaspace.tracking._kinds import Detection, Tracker
from pytest_metaspace.tracking._store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Camera, Trajectory
    from pytest_metaspace.tracking._kinds import Detector

_LONGEST_LABEL: Final = 200
_LEAST_PX: Final = 1.0


class Following:
    """Completes trajectories with tracked objects.

    Args:
        name: as on the command line, for messages.
        source: finds objects.
        folder: where detections are stored.
        confidence: detections under it are left out; they stay in the store.
        retrack: whether objects that are recorded are replaced, too.
        batch_size: so many frames are handed to a detector together.
        progress: called with what is done, how much of it, and of how much.
    """

    def __init__(
        self,
        name: str,
        source: Detector | Tracker,
        folder: Path,
        *,
        confidence: float = 0.6,
        retrack: bool = False,
        batch_size: int = 8,
        progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
    ) -> None:
        self.name = name
        self.progress = progress
        self._source = source
        self._store = Store(folder)
        self.confidence = confidence
        self._retrack = retrack
        self._batch_size = batch_size
        self._open = ExitStack()
        self._is_open = False

    def completed(self, trajectory: Trajectory) -> Trajectory:
        """Return a trajectory with tracked objects where none are recorded.

        Truth, where it is there, then speaks of the tracked objects (``matching``).

        Raises:
            TrackerError: they cannot be found.
        """
        if trajectory.objects and not self._retrack:
            return trajectory
        from pytest_metaspace.tracking import identities, matching

        found = self.detections(trajectory)
        objects = identities.identify(found, trajectory, confidence=self.confidence)
        return matching.retold(trajectory, objects)

    def detections(self, trajectory: Trajectory) -> list[list[Detection]]:
        """Return what each frame shows, at any confidence; out of the store where it is there.

        Raises:
            TrackerError: it cannot be found.
        """
        frames = [state.frame for state in trajectory.states]
        if isinstance(self._source, Tracker):
            return self._followed(self._source, trajectory, frames)
        identity = self._source.identity
        known = self._known(frames, identity)
        if None in known.values():
            self._open_source()  # another process may have found them while we waited
            known = self._known(frames, identity)
            missing = [frame for frame, found in known.items() if found is None]
            for first in range(0, len(missing), self._batch_size):
                batch = missing[first : first + self._batch_size]
                self.progress(f"frames of {trajectory.id} searched:", first, len(missing))
                for frame, found in zip(batch, self._detected(self._source, batch, trajectory)):
                    self._store.put([frame], identity, [found])
                    known[frame] = found
        return [known[frame] or [] for frame in frames]

    def _known(self, frames: Iterable[Path], identity: str) -> dict[Path, list[Detection] | None]:
        stored = ((frame, self._store.get([frame], identity)) for frame in frames)
        return {frame: None if found is None else found[0] for frame, found in stored}

    def at_confidence(self, confidence: float) -> Following:
        """Return one that uses detections from another confidence on; this one is let go."""
        self.finish()
        made = copy(self)
        made.confidence = confidence
        return made

    def finish(self) -> None:
        """Give the detector's memory back, and let other processes detect."""
        self._is_open = False
        self._open.close()

    def _open_source(self) -> None:
        """Keep other processes from loading the same model beside us; ``finish`` lets them go."""
        if self._is_open:
            return
        with ExitStack() as opening:
            opening.enter_context(self._store.alone())
            if hasattr(self._source, "__enter__"):
                source: Any = self._source
                opening.enter_context(source)
            self._open = opening.pop_all()
        self._is_open = True

    def _followed(
        self, source: Tracker, trajectory: Trajectory, frames: Sequence[Path]
    ) -> list[list[Detection]]:
        found = self._store.get(frames, source.identity)
        if found is None:
            self._open_source()
            found = self._store.get(frames, source.identity)
        if found is None:
            self.progress(f"frames of {trajectory.id} searched:", 0, len(frames))
            told = self._guarded(lambda: source.follow(trajectory))
            found = self._checked(told, frames, trajectory.camera)
            self._store.put(frames, source.identity, found)
        return found

    def _detected(
        self, source: Detector, frames: Sequence[Path], trajectory: Trajectory
    ) -> list[list[Detection]]:
        told = self._guarded(lambda: source.detect(frames))
        return self._checked(told, frames, trajectory.camera)

    def _guarded(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except MetaspaceError:
            raise
        except Exception as problem:
            what = " ".join(str(problem).split())[:300]
            raise TrackerError(
                f"metaspace: tracker {self.name!a} failed: {type(problem).__name__}: {what}"
            ) from problem

    def _checked(
        self, told: Iterable[Iterable[Detection]], frames: Sequence[Path], camera: Camera
    ) -> list[list[Detection]]:
        """Return detections in the frame, each with an appearance.

        Raises:
            TrackerError: they are not what a detector may return.
        """
        from pytest_metaspace.tracking import appearance

        found = [list(frame) for frame in told]
        if len(found) != len(frames):
            raise TrackerError(
                f"metaspace: tracker {self.name!a} was given {len(frames)} frames and returned "
                f"detections of {len(found)}; expected one list for each frame, in order."
            )
        inside = [
            [one for one in (self._inside(one, camera) for one in frame) if one is not None]
            for frame in found
        ]
        return [appearance.described(path, frame) for path, frame in zip(frames, inside)]

    def _inside(self, one: Detection, camera: Camera) -> Detection | None:
        """Return a detection cut to the image, with a label of one line; None if nothing is left.

        Raises:
            TrackerError: it is no detection.
        """
        label = " ".join(one.label.split())[:_LONGEST_LABEL] if isinstance(one.label, str) else ""
        edges = (one.box.x1, one.box.y1, one.box.x2, one.box.y2)
        if not label or not all(map(math.isfinite, edges)) or not 0 <= one.confidence <= 1:
            raise TrackerError(
                f"metaspace: tracker {self.name!a} returned {ascii(one)[:200]}; expected a label, "
                "a box of finite numbers and a confidence from 0 to 1."
            )
        box = Box(
            max(edges[0], 0.0),
            max(edges[1], 0.0),
            min(edges[2], float(camera.width)),
            min(edges[3], float(camera.height)),
        )
        if box.width < _LEAST_PX or box.height < _LEAST_PX:
            return None
        return replace(one, label=label, box=box)
