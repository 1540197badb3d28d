"""What the tests of the recorder share: small pictures, a recorder, and what it wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pytest_metaspace import Action, TrajectoryRecorder
from pytest_metaspace.trajectories import native

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from pytest_metaspace.domain import Trajectory

WIDTH, HEIGHT = 16, 12
AHEAD = Action(name="move_forward", move_m=(0.25, 0.0, 0.0))


def image(number: int) -> NDArray[np.uint8]:
    """Return a picture that no other number gives."""
    rows, columns = np.indices((HEIGHT, WIDTH))
    return np.stack([rows * 7, columns * 5, np.full_like(rows, number)], axis=-1).astype(np.uint8)


def chair(**fields: Any) -> dict[str, Any]:
    return {"id": "c1", "label": "chair", "xyxy": (1, 2, 9, 10), "confidence": 0.75, **fields}


def recorder(folder: Path, **options: Any) -> TrajectoryRecorder:
    return TrajectoryRecorder(folder, **{"scenario": "household", "step_length_m": 0.25, **options})


def loaded(folder: Path) -> Trajectory:
    return native.load(folder / "trajectory.json")
