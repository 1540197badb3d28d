"""Frames as pictures, for whoever looks for objects in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.errors import TrackerError

if TYPE_CHECKING:
    from pathlib import Path

    from PIL import Image


def picture_of(frame: Path) -> Image.Image:
    """Return a frame in RGB.

    Whatever goes wrong is told as what it is: a library that changes how Pillow opens files may
    raise errors about itself.

    Raises:
        TrackerError: the frame cannot be read as a picture.
    """
    from PIL import Image

    try:
        with Image.open(frame) as opened:
            picture: Image.Image = opened.convert("RGB")
    except Exception as problem:
        raise TrackerError(
            f"metaspace: {frame}: cannot be read as a picture. Put the right file there; "
            "metaspace check PATH names every such frame."
        ) from problem
    return picture
