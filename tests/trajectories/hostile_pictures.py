"""Pictures and videos of a few bytes that say that they are enormous, or that are."""

from __future__ import annotations

import io
import struct
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from tests.trajectories.writers.videos import greys, write_video

if TYPE_CHECKING:
    from collections.abc import Callable


def _chunk(kind: bytes, content: bytes) -> bytes:
    size, check = len(content), zlib.crc32(kind + content)
    return struct.pack(">I", size) + kind + content + struct.pack(">I", check)


def png(width: int, height: int, *more: bytes) -> bytes:
    """Return a PNG with little behind its head."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = _chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + b"".join(more) + data + _chunk(b"IEND", b"")
    )


def packed_text() -> bytes:
    """Return a PNG with a text that unpacks to more than any text of a picture."""
    return png(8, 8, _chunk(b"zTXt", b"a\0\0" + zlib.compress(b"\0" * (2 << 20))))


def gif() -> bytes:
    screen = b"GIF89a" + struct.pack("<HH", 65535, 65535) + b"\x80\0\0" + b"\0" * 6
    return screen + b"," + struct.pack("<HHHH", 0, 0, 65535, 65535) + b"\0\x02\x02L\x01\0;"


def jpeg() -> bytes:
    """Return a picture whose head was changed to the largest that there can be."""
    made = io.BytesIO()
    Image.new("RGB", (16, 16)).save(made, "JPEG")
    content = bytearray(made.getvalue())
    at = content.index(b"\xff\xc0") + 5
    content[at : at + 4] = struct.pack(">HH", 65500, 65500)
    return bytes(content)


def webp() -> bytes:
    made = io.BytesIO()
    Image.new("RGBA", (16, 16), (1, 2, 3, 4)).save(made, "WEBP", lossless=True)
    content = bytearray(made.getvalue())
    at = content.index(b"VP8L") + 9
    bits = int.from_bytes(content[at : at + 4], "little") & ~(2**28 - 1) | 16382 | 16382 << 14
    content[at : at + 4] = bits.to_bytes(4, "little")
    return bytes(content)


def bmp() -> bytes:
    head = struct.pack("<IiiHHIIiiII", 40, 60000, 60000, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + head


@cache
def large() -> bytes:
    """Return a picture as large as any that is decoded, of a few hundred kilobytes."""
    made = io.BytesIO()
    Image.new("RGBA", (8000, 8000)).save(made, "PNG", compress_level=1)
    return made.getvalue()


PICTURES: dict[str, Callable[[], bytes]] = {
    "png": lambda: png(30000, 30000), "gif": gif, "jpeg": jpeg, "webp": webp, "bmp": bmp,
    "ppm": lambda: b"P6 99999 99999 255\n\0\0\0",
    "eps": lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n(x) run\n",
    "packed-text": packed_text, "large": large,
}  # fmt: skip


# ------------------------------------------------------------------------------------ videos


def changed(video: Path, box: bytes, at: int, new: bytes, *, last: bool = False) -> Path:
    """Overwrite bytes of an mp4, so many after the name of a box."""
    content = bytearray(video.read_bytes())
    place = (content.rindex(box) if last else content.index(box)) + 4 + at
    content[place : place + len(new)] = new
    video.write_bytes(content)
    return video


_ALL = b"\x7f\xff\xff\xff"
LIES: dict[str, Callable[[Path], object]] = {
    "longer": lambda video: [
        changed(video, b"mvhd", 16, _ALL), changed(video, b"mdhd", 16, _ALL),
        changed(video, b"stts", 12, _ALL),
    ],
    "more-pictures": lambda video: [
        changed(video, b"stts", 8, _ALL), changed(video, b"stsz", 8, _ALL),
    ],
    "larger-pictures": lambda video: changed(video, b"avc1", 24, b"\x75\x30\x75\x30"),
    "a-huge-picture": lambda video: changed(video, b"stsz", 12, _ALL),
    "many-tables": lambda video: changed(video, b"stsc", 4, _ALL),
    "slow": lambda video: changed(video, b"mdhd", 12, b"\0\0\0\1"),
}  # fmt: skip


@cache
def _film() -> bytes:
    with TemporaryDirectory() as folder:
        return write_video(Path(folder) / "a.mp4", greys(12)).read_bytes()


def film(path: Path, lie: str = "") -> Path:
    """Write a video of 12 pictures, made once; then let it lie."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_film())
    if lie:
        LIES[lie](path)
    return path


def wide(path: Path) -> Path:
    """Write a video of nine pictures of 16 million pixels each."""
    return write_video(path, [np.full((4096, 4096, 3), 25 * n, np.uint8) for n in range(9)])
