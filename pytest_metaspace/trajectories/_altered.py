"""Pictures of items, changed when somebody looks at them: mirrored, turned, smaller, coarse.

A changed picture is named by the bytes that it is made of and by what is done to it, so that it is
made once, and what stands for it in the key of an answer is known without making it.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, Literal, Optional

from pytest_metaspace import files
from pytest_metaspace.canonical import file_digest, sha256
from pytest_metaspace.domain import DrawnPictures
from pytest_metaspace.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PIL.Image import Image

Change = Literal["mirrored", "turned", "halved", "padded", "recompressed"]
Shown = tuple["Path", Optional[Change]]
"""A file, and what is done to it; None for nothing."""
VERSION: Final = 1
"""Of the changes; another number where they come out otherwise, and answers are asked for anew."""
_BORDER: Final = 0.1
_GREY: Final = (127, 127, 127)
_COARSE: Final = 40


class Altered(DrawnPictures):
    """Pictures some of which are changed when somebody looks at them.

    Args:
        parts: what is shown, in order.
        folder: where those that are made are kept.
    """

    def __init__(self, parts: Sequence[Shown], folder: Path) -> None:
        self._shown = tuple(parts)
        self._folder = folder
        super().__init__(self._path, self._digest, parts)

    def __eq__(self, other: object) -> bool:
        """Whether the same is done to the same files: a file that is read again is no other one."""
        if not isinstance(other, Altered):
            return NotImplemented
        return (self._shown, self._folder) == (other._shown, other._folder)

    def __hash__(self) -> int:
        return hash((self._shown, self._folder))

    def _path(self, place: int) -> Path:
        picture, change = self._shown[place]
        return picture if change is None else _made(picture, change, self._folder)

    def _digest(self, place: int) -> str:
        picture, change = self._shown[place]
        return file_digest(picture) if change is None else _digest(picture, change)


def altered(picture: Path, change: Change) -> Altered:
    """Return a picture, changed; beside the one that it is made of."""
    return Altered([(picture, change)], picture.parent)


def shown(pictures: Sequence[Shown], folder: Path) -> Sequence[Path]:
    """Return pictures, some of them changed; files as they are where none is."""
    if any(change for _, change in pictures):
        return Altered(pictures, folder)
    return tuple(picture for picture, _ in pictures)


def _digest(picture: Path, change: Change) -> str:
    return sha256({"altered": VERSION, "change": change, "picture": file_digest(picture)})


def _made(picture: Path, change: Change, folder: Path) -> Path:
    ending = ".jpg" if change == "recompressed" else ".png"
    path = folder / f"{change}-{_digest(picture, change)[:32]}{ending}"
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
    file = io.BytesIO()
    if change == "recompressed":
        image.save(file, format="JPEG", quality=_COARSE)
        return file.getvalue()
    if change == "mirrored":
        image = ImageOps.mirror(image)
    elif change == "turned":
        image = image.transpose(Pictures.Transpose.ROTATE_90)
    elif change == "padded":
        image = ImageOps.expand(image, max(1, round(max(image.size) * _BORDER)), _GREY)
    else:
        half = (max(1, image.width // 2), max(1, image.height // 2))
        image = image.resize(half, Pictures.Resampling.LANCZOS)
    image.save(file, format="PNG")
    return file.getvalue()
