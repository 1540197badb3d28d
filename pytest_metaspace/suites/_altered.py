"""Pictures of items, changed: mirrored or made smaller when somebody looks at them.

A changed picture is named by the bytes that it is made of and by what is done to it, so that it is
made once, and what stands for it in the key of an answer is known without making it.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, Literal

from pytest_metaspace import files
from pytest_metaspace.canonical import file_digest, sha256
from pytest_metaspace.domain import DrawnPictures
from pytest_metaspace.errors import AgentError

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.Image import Image

Change = Literal["mirrored", "halved"]
VERSION: Final = 1
"""Of the changes; another number where they come out otherwise, and answers are asked for anew."""


def altered(picture: Path, change: Change) -> DrawnPictures:
    """Return a picture, changed; lossless, beside the one that it is made of.

    Args:
        picture: a file.
        change: what is done to it.
    """
    return DrawnPictures(
        lambda _: _made(picture, change), lambda _: _digest(picture, change), count=1
    )


def _digest(picture: Path, change: Change) -> str:
    return sha256({"altered": VERSION, "change": change, "picture": file_digest(picture)})


def _made(picture: Path, change: Change) -> Path:
    path = picture.with_name(f"{change}-{_digest(picture, change)[:32]}.png")
    if not path.exists():
        files.put(path, _changed(picture, change))
    return path


def _changed(picture: Path, change: Change) -> bytes:
    from PIL import Image as Pictures
    from PIL import ImageOps

    try:
        with Pictures.open(picture) as opened:
            image: Image = opened.convert("RGB")
    except (OSError, ValueError) as problem:
        raise AgentError(f"{picture.name} cannot be {change} ({problem})") from problem
    if change == "mirrored":
        image = ImageOps.mirror(image)
    else:
        half = (max(1, image.width // 2), max(1, image.height // 2))
        image = image.resize(half, Pictures.Resampling.LANCZOS)
    file = io.BytesIO()
    image.save(file, format="PNG")
    return file.getvalue()
