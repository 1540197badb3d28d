"""``detr:FOLDER``: an object detector of transformers, in this process, from a local folder.

RT-DETR, D-FINE, DETR, YOLOS and their like; transformers is licensed under Apache-2.0. Weights
are read as safetensors only, which hold no code, and none of the folder's own code is run.
"""

from __future__ import annotations

from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.canonical import file_digest, sha256
from pytest_metaspace.domain import Box
from pytest_metaspace.errors import TrackerError, UsageProblem
from pytest_metaspace.tracking import _device
from pytest_metaspace.tracking._kinds import Detection, TrackerKind
from pytest_metaspace.tracking._pictures import picture_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.tracking._kinds import TrackerContext

FLOOR: Final = 0.05
"""Detections under this confidence are not even stored."""
_LEAST_PX: Final = 1.0
_WHERE: Final = (
    "Write --metaspace-tracker=detr:FOLDER with a folder that holds config.json, "
    "preprocessor_config.json and model.safetensors, as  huggingface-cli download "
    "PekingU/rtdetr_v2_r18vd --local-dir FOLDER  makes one (docs/tracking.md)"
)


class Detr:
    """A model of transformers as a detector; loaded when the first frame is looked at."""

    def __init__(self, folder: Path, device: str) -> None:
        self._folder = folder
        self._device = device
        self._parts: tuple[Any, Any] | None = None
        files = sorted(p for p in folder.iterdir() if p.suffix in (".json", ".safetensors"))
        digest = sha256({path.name: file_digest(path) for path in files})
        self.identity = f"detr {metadata.version('transformers')} {digest} from {FLOOR:g}"

    def __enter__(self) -> Detr:  # noqa: PYI034 - Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self._parts = None

    def detect(self, frames: Sequence[Path]) -> list[list[Detection]]:
        """Return what frames show; they are searched as one batch.

        Raises:
            TrackerError: the weights cannot be loaded.
        """
        import torch

        if self._parts is None:
            self._device = _device.chosen(self._device)
            self._parts = _loaded(self._folder, self._device)
        processor, model = self._parts
        pictures = [picture_of(frame) for frame in frames]
        with torch.inference_mode():
            outputs = model(**processor(images=pictures, return_tensors="pt").to(self._device))
        sizes = [(picture.height, picture.width) for picture in pictures]
        results = processor.post_process_object_detection(
            outputs, threshold=FLOOR, target_sizes=sizes
        )
        return [_detections(result, model.config.id2label) for result in results]


def _detections(result: Any, names: dict[int, str]) -> list[Detection]:
    found = []
    for edges, confidence, kind in zip(result["boxes"], result["scores"], result["labels"]):
        x1, y1, x2, y2 = (round(float(edge), 2) for edge in edges)
        if x2 - x1 >= _LEAST_PX and y2 - y1 >= _LEAST_PX:
            box, sure = Box(x1, y1, x2, y2), min(round(float(confidence), 4), 1.0)
            found.append(Detection(label=names[int(kind)], box=box, confidence=sure))
    return found


def _loaded(folder: Path, device: str) -> tuple[Any, Any]:
    from transformers import AutoImageProcessor, AutoModelForObjectDetection

    here = {"local_files_only": True, "trust_remote_code": False}
    try:
        processor = AutoImageProcessor.from_pretrained(folder, **here)
        model = AutoModelForObjectDetection.from_pretrained(folder, use_safetensors=True, **here)
        return processor, model.to(device).eval()
    except Exception as problem:
        what = " ".join(str(problem).split())[:300]
        raise TrackerError(
            f"metaspace: {folder}: cannot be loaded as an object detector ({what}). {_WHERE}."
        ) from problem


def _build(argument: str, context: TrackerContext) -> Detr:
    folder = context.root / Path(argument).expanduser()
    if not argument:
        raise UsageProblem(f"metaspace: tracker detr names no folder. {_WHERE}.")
    if not (folder / "config.json").is_file():
        raise UsageProblem(f"metaspace: tracker detr: {folder} has no config.json. {_WHERE}.")
    missing = [name for name in ("torch", "transformers") if util.find_spec(name) is None]
    if missing:
        raise UsageProblem(
            f"metaspace: tracker detr needs {' and '.join(missing)}. Type: "
            "pip install 'pytest-metaspace[transformers]'"
        )
    return Detr(folder, context.device)


KIND = TrackerKind(
    name="detr",
    usage="detr:FOLDER",
    summary="an object detector of transformers (Apache-2.0; extra transformers)",
    build=_build,
)
