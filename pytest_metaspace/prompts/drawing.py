"""Boxes with numbered tags, drawn on frames as an agent is to see them.

A drawn picture is named by what it is made of: the bytes of its frame, the boxes with their
numbers, and how they are drawn. So it is made once, and what stands for it in the key of an
answer can be told without making it.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.canonical import file_digest, sha256
from pytest_metaspace.errors import AgentError
from pytest_metaspace.prompts.placing import places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from pytest_metaspace.domain import Box, Camera
    from pytest_metaspace.prompts.placing import Rect, Size

LOOK: Final = 1
"""Of the drawings; another number for another look, and answers to it are asked for anew."""
#  Far apart in hue and lightness, also to those who do not see red and green apart.
_COLOURS: Final = (
    (255, 221, 0), (0, 170, 255), (255, 105, 180), (0, 220, 130), (255, 140, 0), (190, 150, 255),
)  # fmt: skip
_DARK: Final = (0, 0, 0)
_LEAST_TEXT_PX: Final = 11
_MOST_TEXT_PX: Final = 64
_TEXT_SHARE: Final = 1 / 20
_LINE_SHARE: Final = 1 / 240
_ROOMY_LINES: Final = 20

Marks = tuple[tuple[int, "Box"], ...]


def digest(frame: Path, marks: Marks, camera: Camera) -> str:
    """Return what stands for a drawn picture in keys; of an unmarked one, that of its bytes."""
    return sha256(_recipe(frame, marks, camera)) if marks else file_digest(frame)


def _recipe(frame: Path, marks: Marks, camera: Camera) -> dict[str, Any]:
    boxes = [[n, *(round(at, 2) for at in (b.x1, b.y1, b.x2, b.y2))] for n, b in marks]
    return {
        "drawn": LOOK,
        "frame": file_digest(frame),
        "camera": [camera.width, camera.height],
        "boxes": boxes,
    }


def drawn(frame: Path, marks: Marks, camera: Camera, folder: Path | None) -> Path:
    """Return a picture of a frame with its boxes; the frame itself where there are none.

    Args:
        frame: the picture as it was taken.
        marks: numbers and boxes in pixels of the camera.
        camera: of the frame, whose file may have another size.
        folder: where drawn pictures are kept; where it cannot be written, and for None, a folder
            of this process.

    Raises:
        AgentError: the frame cannot be read as a picture.
        FileNotFoundError: it is not there.
    """
    if not marks:
        return frame
    import PIL

    #  The library is in the name: another version may draw the same numbers otherwise.
    made = sha256({**_recipe(frame, marks, camera), "by": PIL.__version__})
    name = f"{frame.stem}-{made[:20]}.png"
    if folder is not None:
        try:
            return _kept(folder / name, frame, marks, camera)
        except OSError:
            if not frame.exists():
                raise
    return _kept(_own_folder() / name, frame, marks, camera)


def _kept(path: Path, frame: Path, marks: Marks, camera: Camera) -> Path:
    """Return a drawn picture, made unless it is there; whole or not at all."""
    if path.exists():
        return path
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / ".gitignore").write_text("*\n", encoding="ascii")
    aside = path.with_name(f"{path.name}.{threading.get_ident()}.{time.monotonic_ns()}.tmp")
    try:
        picture = picture_of(frame, marks, camera)
        picture.save(aside, format="PNG")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return path


@lru_cache(maxsize=1)
def _own_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="metaspace-drawn-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


# ------------------------------------------------------------------------------- the picture


def picture_of(frame: Path, marks: Marks, camera: Camera) -> Image:
    """Return a frame with boxes and tags; the same pixels each time."""
    from PIL import Image as Pictures
    from PIL import ImageDraw as Drawing

    try:
        with Pictures.open(frame) as opened:
            picture: Image = opened.convert("RGB")
    except FileNotFoundError:
        raise
    except Exception as problem:  # Pillow's readers raise whatever they meet
        raise AgentError(
            f"no boxes can be drawn on {frame.name}, which cannot be read as a picture "
            f"({type(problem).__name__}); metaspace check says more"
        ) from problem
    pen = Drawing.Draw(picture)
    rects = [_rect(box, camera, picture.size) for _, box in marks]
    line = max(1, round(min(picture.size) * _LINE_SHARE))
    for (number, _), rect in zip(marks, rects):
        _outline(pen, rect, _colour(number), line)
    _tags(pen, [number for number, _ in marks], rects, picture.size)
    return picture


def _rect(box: Box, camera: Camera, size: Size) -> Rect:
    """Return a box in whole pixels of the picture, at least one wide and high, inside of it."""
    across, down = size[0] / camera.width, size[1] / camera.height
    left, top = (min(max(round(a), 0), room - 1) for a, room in
                 zip((box.x1 * across, box.y1 * down), size))  # fmt: skip
    right = min(max(round(box.x2 * across), left + 1), size[0])
    bottom = min(max(round(box.y2 * down), top + 1), size[1])
    return left, top, right, bottom


def _colour(number: int) -> tuple[int, int, int]:
    return _COLOURS[(number - 1) % len(_COLOURS)]


def _outline(pen: ImageDraw, rect: Rect, colour: tuple[int, int, int], line: int) -> None:
    """Draw a box in its colour, with dark lines beside it, so that it shows on any ground.

    A small box has no line on its inner side, which would hide what is in it.
    """
    left, top, right, bottom = rect
    roomy = min(right - left, bottom - top) >= _ROOMY_LINES * line
    dark = line * 3 if roomy else line * 2
    for grown, wide, ink in ((line, dark, _DARK), (0, line, colour)):
        corners = (left - grown, top - grown, right - 1 + grown, bottom - 1 + grown)
        pen.rectangle(corners, outline=ink, width=wide)


def _tags(pen: ImageDraw, numbers: Sequence[int], rects: Sequence[Rect], size: Size) -> None:
    wanted = round(min(size) * _TEXT_SHARE)
    text = max(_LEAST_TEXT_PX, min(wanted, _MOST_TEXT_PX))
    while True:
        font = _font(text)
        tag = tag_size(numbers, font)
        found = places(rects, tag, size)
        if found is not None or text <= _LEAST_TEXT_PX // 2:
            break
        text -= 1
    for number, place in zip(numbers, found or [rect[:2] for rect in rects]):
        _tag(pen, number, place, tag, font)


def _tag(pen: ImageDraw, number: int, place: Sequence[int], tag: Size, font: Any) -> None:
    x, y = place
    corners = (x, y, x + tag[0] - 1, y + tag[1] - 1)
    pen.rectangle(corners, fill=_colour(number), outline=_DARK)
    left, top, right, bottom = font.getbbox(str(number))
    at = x + (tag[0] - (right - left)) / 2 - left, y + (tag[1] - (bottom - top)) / 2 - top
    pen.text((round(at[0]), round(at[1])), str(number), fill=_DARK, font=font)


def tag_size(numbers: Sequence[int], font: Any) -> Size:
    """Return the size of a tag that holds the widest of some numbers, a margin and its frame."""
    bounds = [font.getbbox(str(number)) for number in numbers]
    margin = max(2, round(max(bottom - top for _, top, _, bottom in bounds) / 5))
    wide = max(right - left for left, _, right, _ in bounds) + 2 * margin
    high = max(bottom - top for _, top, _, bottom in bounds) + 2 * margin
    return round(max(wide, high * 0.8)), round(high)


@lru_cache(maxsize=16)
def _font(pixels: int) -> Any:
    """Return Pillow's own font, as large as its version can make it."""
    from PIL import ImageFont

    try:
        return ImageFont.load_default(size=pixels)
    except TypeError:  # before Pillow 10.1 it has one size
        return ImageFont.load_default()
