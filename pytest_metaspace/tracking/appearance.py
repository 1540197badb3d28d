"""What things look like, as numbers: how often which colours occur in a box."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.tracking._pictures import picture_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.tracking._kinds import Detection

_SIDE: Final = 32
_HUES: Final = 12
_INNER: Final = 0.1
_DIGITS: Final = 4
#  Of 255: what is darker is black, what is less saturated grey, and what is more so a full colour.
_BLACK, _GREY, _FULL = 32, 40, 120


def described(frame: Path, found: Sequence[Detection]) -> list[Detection]:
    """Give an appearance to each detection of a frame that has none.

    The inner part of a box is sampled on a grid and its pixels are counted by hue, saturation
    and brightness; the square roots of the shares are kept, so that the cosine between two of
    them is the Bhattacharyya coefficient.

    Raises:
        TrackerError: the frame cannot be read as a picture.
    """
    if all(one.appearance for one in found):
        return list(found)
    picture = picture_of(frame)
    return [
        one if one.appearance else replace(one, appearance=_colours(picture, one)) for one in found
    ]


def _colours(picture: object, found: Detection) -> tuple[float, ...]:
    import numpy as np
    from PIL import Image

    assert isinstance(picture, Image.Image)
    box = found.box
    across, down = box.width * _INNER, box.height * _INNER
    inner = (
        max(box.x1 + across, 0.0),
        max(box.y1 + down, 0.0),
        min(box.x2 - across, float(picture.width)),
        min(box.y2 - down, float(picture.height)),
    )
    if inner[2] - inner[0] < 1 or inner[3] - inner[1] < 1:
        return ()
    patch = picture.resize((_SIDE, _SIDE), Image.Resampling.BILINEAR, box=inner).convert("HSV")
    hue, saturation, value = np.asarray(patch, dtype=np.float64).reshape(-1, 3).T
    bins = (hue * _HUES / 256).astype(int) * 2 + (saturation > _FULL)
    grey = saturation < _GREY
    bins = np.where(grey, 2 * _HUES + (value / 64).astype(int), bins)
    bins = np.where(value < _BLACK, 2 * _HUES, bins)
    shares = np.bincount(bins, minlength=2 * _HUES + 4) / len(bins)
    return tuple(round(float(x), _DIGITS) for x in np.sqrt(shares))
