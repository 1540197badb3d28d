"""What the tests of the loader share: how a refusal reads, and a lamp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import native

if TYPE_CHECKING:
    from pathlib import Path


def refused(path: Path) -> str:
    """Load a trajectory that must be refused; return the text without the folder."""
    with pytest.raises(TrajectoryError) as caught:
        native.load(path)
    return str(caught.value).replace(str(path.parent), "HERE")


def lamp(**fields: Any) -> dict[str, Any]:
    boxes = [{"frame": 0, "xyxy": [10, 20, 30, 60], "confidence": 0.8}]
    return {"id": "lamp", "label": "floor lamp", "boxes": boxes, **fields}


def true_lamp(**fields: Any) -> dict[str, Any]:
    return {
        "id": "lamp",
        "label": "floor lamp",
        "center": [1, 2, 0.5],
        "extent": [0.3, 0.3, 1.0],
        **fields,
    }
