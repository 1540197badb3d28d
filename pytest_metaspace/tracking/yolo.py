"""``yolo:FILE.pt``: Ultralytics YOLO, in this process and without the network.

Ultralytics is licensed under AGPL-3.0, so it is an extra that this package never brings along by
itself.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import contextmanager
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Box
from pytest_metaspace.errors import TrackerError, UsageProblem
from pytest_metaspace.tracking._kinds import Detection, TrackerKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.tracking._kinds import TrackerContext

FLOOR: Final = 0.05
"""Detections under this confidence are not even stored."""
_ZIP: Final = b"PK\x03\x04"
_USAGE: Final = "yolo:FILE.pt"
_WHERE: Final = (
    "Write --metaspace-tracker=yolo:FILE.pt with weights of your own, or with yolo11n.pt from "
    "https://github.com/ultralytics/assets/releases (AGPL-3.0; docs/tracking.md)"
)
#  Read by ultralytics when it is imported: no network, no installing, no pickled code.
_QUIET: Final = {
    "YOLO_OFFLINE": "1",
    "YOLO_AUTOINSTALL": "0",
    "YOLO_VERBOSE": "0",
    "ULTRALYTICS_SAFE_LOAD": "1",
}


class Yolo:
    """A YOLO model as a detector; loaded when the first frame is looked at."""

    def __init__(self, weights: Path, device: str) -> None:
        self._weights = weights
        self._device = device
        self._model: Any = None
        digest = hashlib.sha256(weights.read_bytes()).hexdigest()
        self.identity = f"yolo {metadata.version('ultralytics')} {digest} from {FLOOR:g}"

    def __enter__(self) -> Yolo:  # noqa: PYI034 - Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self._model = None

    def detect(self, frames: Sequence[Path]) -> list[list[Detection]]:
        """Return what frames show; they are searched as one batch.

        Raises:
            TrackerError: the weights cannot be loaded.
        """
        from PIL import Image

        if self._model is None:
            self._model = _loaded(self._weights)
        pictures = []
        for frame in frames:
            with Image.open(frame) as opened:
                pictures.append(opened.convert("RGB"))
        results = self._model.predict(
            pictures,
            conf=FLOOR,
            device=None if self._device == "auto" else self._device,
            batch=len(pictures),
            save=False,
            verbose=False,
        )
        return [_detections(result) for result in results]


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


def _loaded(weights: Path) -> Any:
    with _alone():
        from ultralytics import YOLO
        from ultralytics.utils import SETTINGS

    dict.update(SETTINGS, sync=False)  # on the object alone: nothing is written
    try:
        model = YOLO(str(weights))
    except Exception as problem:
        what = " ".join(str(problem).split())[:300]
        raise TrackerError(
            f"metaspace: {weights}: cannot be loaded as weights of YOLO ({what}). {_WHERE}."
        ) from problem
    if model.task != "detect":
        raise TrackerError(
            f"metaspace: {weights}: these weights are for the task {model.task!r}, and objects "
            f"are found by weights for detect. {_WHERE}."
        )
    return model


@contextmanager
def _alone() -> Iterator[None]:
    """Let ultralytics be imported with a folder of its own and without the network."""
    folder = tempfile.mkdtemp(prefix="metaspace-yolo-")
    wanted = {**_QUIET, "YOLO_CONFIG_DIR": folder}
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


def _build(argument: str, context: TrackerContext) -> Yolo:
    weights = context.root / Path(argument).expanduser()
    if not argument:
        raise UsageProblem(f"metaspace: tracker yolo names no weights. {_WHERE}.")
    if not weights.is_file():
        raise UsageProblem(f"metaspace: tracker yolo: there is no file {weights}. {_WHERE}.")
    with weights.open("rb") as file:
        if file.read(4) != _ZIP:
            raise UsageProblem(
                f"metaspace: tracker yolo: {weights} is no file of PyTorch weights. {_WHERE}."
            )
    if util.find_spec("ultralytics") is None:
        raise UsageProblem(
            "metaspace: tracker yolo needs ultralytics, which is not installed and is licensed "
            "under AGPL-3.0. Type: pip install 'pytest-metaspace[yolo]'"
        )
    return Yolo(weights, context.device)


KIND = TrackerKind(
    name="yolo",
    usage=_USAGE,
    summary="Ultralytics YOLO (AGPL-3.0; extra yolo)",
    build=_build,
)
