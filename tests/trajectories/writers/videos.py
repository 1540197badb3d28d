"""Videos whose pictures tell their own number."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import av
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

WIDTH, HEIGHT = 64, 48


def grey(number: int) -> NDArray[np.uint8]:
    """Return a picture of one grey, by which ``number_of`` knows it again; up to 50."""
    return np.full((HEIGHT, WIDTH, 3), 5 * number, dtype=np.uint8)


def number_of(path: Path) -> int:
    from PIL import Image

    with Image.open(path) as picture:
        return round(float(np.asarray(picture).mean()) / 5)


def write_video(
    path: Path,
    pictures: Sequence[NDArray[np.uint8]],
    *,
    fps: int = 10,
    gop: int = 5,
    turn: int = 0,
) -> Path:
    """Write a video that decodes to nearly the pictures given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(
            "libx264", rate=fps, options={"crf": "12", "preset": "ultrafast"}
        )
        stream.pix_fmt, stream.gop_size = "yuv420p", gop
        stream.height, stream.width = pictures[0].shape[:2]
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    if turn:
        _hold(path, turn)
    return path


def _hold(path: Path, turn: int) -> None:
    """Write into the head of an mp4 how a telephone was held: -90 or 90 degrees."""
    content = bytearray(path.read_bytes())
    matrix = content.index(b"tkhd") + 44
    side = -turn // 90 << 16
    content[matrix : matrix + 36] = struct.pack(">9i", 0, side, 0, -side, 0, 0, 0, 0, 1 << 30)
    path.write_bytes(content)


def greys(count: int) -> list[NDArray[np.uint8]]:
    return [grey(number) for number in range(count)]
