"""What the tests of the geometric agent share: a camera, and boxes of things in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.agents._ground import Eye
from pytest_metaspace.domain import (
    Box,
    Camera,
)

if TYPE_CHECKING:
    from pytest_metaspace.agents._sizes import Usual

cv2 = pytest.importorskip("cv2")

CAMERA = Camera(
    width=640, height=480, fx=420.0, fy=420.0, cx=320.0, cy=240.0, pitch_deg=-20.0, height_m=1.2
)
EYE = Eye(fx=420.0, fy=420.0, cx=320.0, cy=240.0, pitch_deg=-20.0, height_m=1.2)


def box_of(eye: Eye, *, ahead: float, aside: float, low: float, size: Usual) -> Box:
    """Return the box of a cuboid that faces the camera; ``low`` is where it starts."""
    corners = [
        eye.pixel(ahead + i * size.depth / 2, aside + j * size.width / 2, up - eye.height_m)
        for i in (-1, 1)
        for j in (-1, 1)
        for up in (low, low + size.height)
    ]
    columns, rows = zip(*corners)
    return Box(min(columns), min(rows), max(columns), max(rows))
