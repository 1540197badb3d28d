"""``yolo:FILE.pt`` and ``botsort:FILE.pt``: Ultralytics YOLO, here and without the network.

``yolo`` detects, and our own identity step says what is one object. ``botsort`` lets BoT-SORT
(arXiv 2206.14651) follow them, with compensation of the camera's motion; its tracks know no
classes and were made for video, so they are taken apart and joined again by the same step.

Ultralytics is licensed under AGPL-3.0, so it is an extra that this package never brings along by
itself.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.canonical import file_digest
from pytest_metaspace.domain import Box
from pytest_metaspace.errors import TrackerError, UsageProblem
from pytest_metaspace.tracking import _device
from pytest_metaspace.tracking._kinds import Detection, TrackerKind
from pytest_metaspace.tracking._pictures import picture_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.tracking._kinds import TrackerContext

FLOOR: Final = 0.05
"""Detections under this confidence are not even stored."""
_ZIP: Final = b"PK\x03\x04"
#  Read by ultralytics when it is imported: no network, no installing, no pickled code.
_QUIET: Final = {
    "YOLO_OFFLINE": "1",
    "YOLO_AUTOINSTALL": "0",
    "YOLO_VERBOSE": "0",
    "ULTRALYTICS_SAFE_LOAD": "1",
}


class Yolo:
    """A YOLO model as a detector; loaded when the first frame is looked at."""

    def __init__(self, weights: Path, device: str, kind: str = "yolo") -> None:
        self._weights = weights
        self._kind = kind
        self._device = device
        self._model: Any = None
        version = metadata.version("ultralytics")
        self.identity = f"yolo {version} {file_digest(weights)} from {FLOOR:g}"

    def __enter__(self) -> Yolo:  # noqa: PYI034 - Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self._model = None

    def detect(self, frames: Sequence[Path]) -> list[list[Detection]]:
        """Return what frames show; they are searched as one batch.

        Raises:
            TrackerError: the weights cannot be loaded.
        """
        if self._model is None:
            self._model = _loaded(self._weights, self._kind)
            self._device = _device.chosen(self._device)
        results = self._model.predict(
            [picture_of(frame) for frame in frames],
            conf=FLOOR,
            device=self._device,
            batch=len(frames),
            save=False,
            verbose=False,
        )
        return [_detections(result) for result in results]


class BotSort:
    """YOLO, with the tracks that BoT-SORT makes of its detections."""

    def __init__(self, detector: Yolo) -> None:
        self._detector = detector
        self.identity = f"botsort {detector.identity}"

    def __enter__(self) -> BotSort:  # noqa: PYI034 - Self needs Python 3.11
        self._detector.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._detector.__exit__()

    def follow(self, trajectory: Trajectory) -> list[list[Detection]]:
        """Return what each frame shows; what BoT-SORT has not confirmed has no track.

        Raises:
            TrackerError: the weights cannot be loaded.
        """
        found = []
        for state in trajectory.states:
            found += self._detector.detect([state.frame])
        frames = [state.frame for state in trajectory.states]
        return with_tracks(found, frames)


def with_tracks(
    found: Sequence[Sequence[Detection]], frames: Sequence[Path], name: str = "botsort"
) -> list[list[Detection]]:
    """Return detections with the tracks that a tracker of ultralytics puts them on.

    Args:
        found: what each frame shows.
        frames: the pictures.
        name: the tracker; it runs by its own default settings.
    """
    import numpy as np

    with _alone():
        from ultralytics.engine.results import Boxes
        from ultralytics.trackers.track import TRACKER_MAP
        from ultralytics.utils import ROOT, YAML, IterableSimpleNamespace

    settings = YAML.load(ROOT / "cfg" / "trackers" / f"{name}.yaml")
    tracker = TRACKER_MAP[name](args=IterableSimpleNamespace(**{**settings, "device": "cpu"}))
    labels = sorted({one.label for some in found for one in some})
    told = []
    for frame, some in zip(frames, found):
        picture = np.asarray(picture_of(frame))[:, :, ::-1].copy()
        rows = [
            [b.x1, b.y1, b.x2, b.y2, one.confidence, labels.index(one.label)]
            for one in some
            for b in [one.box]
        ]
        boxes = Boxes(np.array(rows, dtype=np.float32).reshape(-1, 6), picture.shape[:2])
        followed = {int(row[-1]): int(row[4]) for row in tracker.update(boxes, picture)}
        told.append([replace(one, track=followed.get(i)) for i, one in enumerate(some)])
    return told


def _detections(result: Any) -> list[Detection]:
    boxes = result.boxes
    return [
        Detection(
            label=result.names[int(kind)],
            box=Box(*(round(float(edge), 2) for edge in edges)),
            confidence=round(float(confidence), 4),
        )
        for edges, confidence, kind in zip(boxes.xyxy, boxes.conf, boxes.cls)
    ]


def _loaded(weights: Path, kind: str) -> Any:
    with _alone():
        from ultralytics import YOLO
        from ultralytics.utils import SETTINGS

    dict.update(SETTINGS, sync=False)  # on the object alone: nothing is written
    try:
        model = YOLO(str(weights))
    except Exception as problem:
        what = " ".join(str(problem).split())[:300]
        raise TrackerError(
            f"metaspace: {weights}: cannot be loaded as weights of YOLO ({what}). {_where(kind)}."
        ) from problem
    if model.task != "detect":
        raise TrackerError(
            f"metaspace: {weights}: these weights are for the task {model.task!r}, and objects "
            f"are found by weights for detect. {_where(kind)}."
        )
    return model


@contextmanager
def _alone() -> Iterator[None]:
    """Let ultralytics be imported with a folder of its own and without the network."""
    wanted = {**_QUIET, "YOLO_CONFIG_DIR": _own_folder()}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@lru_cache(maxsize=1)
def _own_folder() -> str:
    """Make the folder that ultralytics keeps its settings in while this process lives."""
    folder = tempfile.mkdtemp(prefix="metaspace-yolo-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _where(kind: str) -> str:
    return (
        f"Write --metaspace-tracker={kind}:FILE.pt with weights of your own, or with yolo11n.pt "
        "from https://github.com/ultralytics/assets/releases (AGPL-3.0; docs/tracking.md)"
    )


def _build(argument: str, context: TrackerContext, kind: str = "yolo") -> Yolo:
    weights = context.root / Path(argument).expanduser()
    if not argument:
        raise UsageProblem(f"metaspace: this tracker names no weights. {_where(kind)}.")
    if weights.is_dir():
        raise UsageProblem(
            f"metaspace: {weights} is a folder, and weights are a file. {_where(kind)}."
        )
    if not weights.is_file():
        raise UsageProblem(f"metaspace: there is no file of weights {weights}. {_where(kind)}.")
    with weights.open("rb") as file:
        if file.read(4) != _ZIP:
            raise UsageProblem(
                f"metaspace: {weights} is no file of PyTorch weights. {_where(kind)}."
            )
    if util.find_spec("ultralytics") is None:
        raise UsageProblem(
            "metaspace: trackers yolo and botsort need ultralytics, which is not installed and is "
            "licensed under AGPL-3.0. Type: pip install 'pytest-metaspace[yolo]'"
        )
    return Yolo(weights, context.device, kind)


KIND = TrackerKind(
    name="yolo",
    usage="yolo:FILE.pt",
    summary="Ultralytics YOLO (AGPL-3.0; extra yolo), identities by the log of actions",
    build=_build,
)
BOTSORT_KIND = TrackerKind(
    name="botsort",
    usage="botsort:FILE.pt",
    summary="Ultralytics YOLO and BoT-SORT (AGPL-3.0; extra yolo)",
    build=lambda argument, context: BotSort(_build(argument, context, "botsort")),
)
