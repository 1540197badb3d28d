"""Pictures as a recorder is given them: arrays, Pillow images or files, to bytes of a file."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

Picture = Union["NDArray[np.uint8]", "Image.Image", str, "os.PathLike[str]"]
Lossless = Literal["webp", "png"]

# Fast rather than small: of all settings these cost least (benchmarks/recorder.py).
_SAVED: dict[str, dict[str, Any]] = {
    "webp": {"format": "WEBP", "lossless": True, "method": 0, "quality": 0},
    "png": {"format": "PNG", "compress_level": 1},
}
_MODES = ("RGB", "L")
# Files are copied as they are, so what counts is that each pixel has eight bits a colour.
_DEEP = re.compile("I|F")
_COLOURS = 3


class Encoded(NamedTuple):
    """A picture as it will lie on disk."""

    content: bytes
    suffix: str
    size: tuple[int, int]
    """Width and height in pixels."""


def encoded(image: Picture, form: Lossless) -> Encoded:
    """Turn a picture into the bytes of a file; a file keeps its own.

    Raises:
        UsageProblem: it is no picture, or one of a kind that would have to be guessed at.
    """
    from PIL import Image

    if isinstance(image, str | os.PathLike):
        return _copied(Path(image))
    picture = image if isinstance(image, Image.Image) else _from_array(image)
    if picture.mode not in _MODES:
        raise UsageProblem(
            f"metaspace: image is a Pillow image of mode {picture.mode!r}; expected 'RGB' or 'L'. "
            "Give image.convert('RGB')."
        )
    file = io.BytesIO()
    try:
        picture.save(file, **_SAVED[form])
    except (OSError, ValueError) as problem:  # a truncated file behind it, or absurdly large
        raise UsageProblem(f"metaspace: image cannot be written as {form} ({problem}).") from None
    return Encoded(file.getvalue(), f".{form}", picture.size)


def _copied(path: Path) -> Encoded:
    from PIL import Image

    try:
        content = path.read_bytes()
        with Image.open(io.BytesIO(content)) as picture:
            size, kind, mode = picture.size, str(picture.format), picture.mode
    except OSError as problem:  # Pillow's UnidentifiedImageError is one
        reason = problem.strerror or "it is no picture that Pillow knows"
        raise UsageProblem(f"metaspace: image {str(path)!a} cannot be used: {reason}.") from None
    except (ValueError, Image.DecompressionBombError) as problem:
        raise UsageProblem(f"metaspace: image {str(path)!a} cannot be used: {problem}.") from None
    if _DEEP.match(mode):
        raise UsageProblem(
            f"metaspace: image {str(path)!a} cannot be used: its pixels are of mode {mode!r}, with "
            "more than eight bits a colour, and what white is would have to be guessed at. Write "
            "it with eight bits."
        )
    return Encoded(content, f".{kind.lower()}", size)


def _from_array(image: Any) -> Image.Image:
    import numpy as np
    from PIL import Image

    if not isinstance(image, np.ndarray):
        raise UsageProblem(
            f"metaspace: image is of type {type(image).__name__}; expected a numpy array, a Pillow "
            "image, or the path of a picture."
        )
    problem = _array_problem(image.shape, image.dtype)
    if problem is not None:
        raise UsageProblem(
            f"metaspace: image is an array of shape {image.shape} and type {image.dtype}; expected "
            f"height x width x 3 (RGB) or height x width (grey) of uint8. {problem}"
        )
    return Image.fromarray(image)


def _array_problem(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str | None:
    """Say what to do about an array that is no picture of ours, or None."""
    if len(shape) not in (_COLOURS - 1, _COLOURS) or 0 in shape:
        return "Give one picture with pixels."
    if len(shape) == _COLOURS and shape[2] != _COLOURS:
        if shape[2] == 1:
            return "Give image[..., 0]."
        if shape[2] == _COLOURS + 1:
            return "Drop the alpha channel: image[..., :3]."
        if shape[0] == _COLOURS:
            return "Put the colours last: image.transpose(1, 2, 0)."
        return "Give three colours."
    if dtype.kind == "f":
        return (
            "Convert it, from 0..1 by (image * 255).round().astype('uint8'), "
            "from 0..255 by image.astype('uint8')."
        )
    return None if dtype == "uint8" else "Convert it to uint8."
