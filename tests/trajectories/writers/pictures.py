"""Pictures that differ from one another, each a few hundred bytes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from pathlib import Path


def paint(path: Path, number: int, size: tuple[int, int] = (40, 40)) -> Path:
    """Write a picture; another number is another picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = random.Random(number)
    small = Image.frombytes("RGB", (8, 8), noise.randbytes(8 * 8 * 3))
    small.resize(size, Image.Resampling.NEAREST).save(path)
    return path
