"""What was found in frames, kept on disk: one JSON file for each frame and detector.

A file's name is a hash of what it depends on: the bytes of the frame and the identity of the
detector. It is written aside and renamed, so that a run that is killed leaves whole files only,
and the next one goes on where it ended. Nothing in it is code; a damaged one counts as missing.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.canonical import file_digest, sha256
from pytest_metaspace.domain import Box
from pytest_metaspace.errors import warn
from pytest_metaspace.tracking._kinds import Detection

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: runs there do not wait for one another
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FOLDER: Final = "tracks"
_FORMAT: Final = "metaspace-detections"
_VERSION: Final = 1


class Store:
    """Detections by frames and detector.

    Args:
        folder: where; made when missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._told = False

    def get(self, frames: Sequence[Path], identity: str) -> list[list[Detection]] | None:
        """Return what was found in frames that were looked at together, or None."""
        try:
            content = json.loads(self._path(frames, identity).read_text(encoding="utf-8"))
            if content["format"] != _FORMAT or content["version"] != _VERSION:
                return None
            found = [[_read(one) for one in frame] for frame in content["frames"]]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return found if len(found) == len(frames) else None

    def put(
        self, frames: Sequence[Path], identity: str, found: Sequence[Sequence[Detection]]
    ) -> None:
        """Keep what was found; a store that cannot be written is told once and done without."""
        path = self._path(frames, identity)
        content = {
            "format": _FORMAT,
            "version": _VERSION,
            "tracker": identity,
            "sha256": [file_digest(frame) for frame in frames],
            "frames": [[_written(one) for one in frame] for frame in found],
        }
        aside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_text(json.dumps(content) + "\n", encoding="utf-8")
            aside.replace(path)
        except OSError as problem:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            if not self._told:
                self._told = True
                warn(
                    f"metaspace: detections cannot be stored in {self._folder} "
                    f"({problem.strerror}); the next run finds them again"
                )
        except BaseException:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until no other process detects into this store, and keep others waiting.

        The operating system drops the lock of a process that ends, however it ends. Where files
        cannot be locked, two processes may find the same, and nothing else is lost.
        """
        lock = None
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if lock is not None:
                os.close(lock)

    def _path(self, frames: Sequence[Path], identity: str) -> Path:
        key = sha256({"tracker": identity, "frames": [file_digest(frame) for frame in frames]})
        return self._folder / key[:2] / f"{key}.json"


def _written(one: Detection) -> dict[str, Any]:
    box = one.box
    written: dict[str, Any] = {
        "label": one.label,
        "xyxy": [box.x1, box.y1, box.x2, box.y2],
        "confidence": one.confidence,
        "appearance": list(one.appearance),
    }
    return written if one.track is None else {**written, "track": one.track}


def _read(one: dict[str, Any]) -> Detection:
    x1, y1, x2, y2 = (float(edge) for edge in one["xyxy"])
    return Detection(
        label=str(one["label"]),
        box=Box(x1, y1, x2, y2),
        confidence=float(one["confidence"]),
        appearance=tuple(float(number) for number in one["appearance"]),
        track=one.get("track"),
    )
