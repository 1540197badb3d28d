"""Where a thing in a box is: from the floor under it, else from how tall such things usually are.

The bottom of the box is the near edge of what stands there. Its top is the far edge where the
camera looks down on the thing, the near one where it looks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_metaspace.agents._ground import MIN_DIP

if TYPE_CHECKING:
    from pytest_metaspace.agents._ground import Eye
    from pytest_metaspace.agents._sizes import Usual
    from pytest_metaspace.domain import Box, Camera

ODD = 1.6
"""A height this many times the usual one, or less than its inverse, is not believed."""
NEAREST_M = 0.3
LEAST_SHARE = 0.08
"""What is less of the camera's height than this, with its own depth, tells nothing about it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a thing is seen from a camera.

    Attributes:
        place: its centre over the ground, metres forward + 1j * metres right of the camera.
        up: height of its centre over the floor, metres.
        height: its own height, metres.
    """

    place: complex
    up: float
    height: float


@dataclass(frozen=True, slots=True)
class _Look:
    """A box as slopes: what is seen per metre forward.

    Attributes:
        top: rise to its top edge.
        bottom: rise to its bottom edge.
        aside: offset of its middle to the right.
        width: its width.
    """

    top: float
    bottom: float
    aside: float
    width: float


def spot(eye: Eye, box: Box, usual: Usual, camera: Camera) -> Spot | None:
    """Return where a thing is, or None where its box does not tell.

    Args:
        eye: the camera.
        box: the thing in the image.
        usual: how large such things are.
        camera: tells where the image ends.
    """
    look = _look(eye, box)
    if look is None:
        return None
    cut_below = box.y2 > camera.height - 1
    if usual.stands and not cut_below and look.bottom < -MIN_DIP:
        standing = _on_floor(eye, look, usual)
        if box.y1 < 1 or 1 / ODD < standing.height / usual.height < ODD:
            return standing
    if cut_below or box.y1 < 1:
        return None
    return _by_height(eye, look, usual)


def _look(eye: Eye, box: Box) -> _Look | None:
    middle = (box.x1 + box.x2) / 2
    (ahead, _, rise), (near, _, fall) = eye.ray(middle, box.y1), eye.ray(middle, box.y2)
    forward, right, _ = eye.ray(middle, (box.y1 + box.y2) / 2)
    if min(ahead, near, forward) < 0.1:  # noqa: PLR2004 - seen almost straight above or below
        return None
    across = box.width / eye.fx
    return _Look(rise / ahead, fall / near, right / forward, across / forward)


def _along(width_m: float, usual: Usual) -> float:
    """Return how far a thing reaches along the view: the less the broader it shows itself."""
    least, most = sorted((usual.width, usual.depth))
    return min(max(least + most - width_m, least), most)


def _on_floor(eye: Eye, look: _Look, usual: Usual) -> Spot:
    near = eye.height_m / -look.bottom
    half = _along(look.width * near, usual) / 2
    middle = near + half
    top = eye.height_m + look.top * (middle + half if look.top < 0 else near)
    height = max(top, 0.01)
    return Spot(complex(middle, middle * look.aside), height / 2, height)


def _by_height(eye: Eye, look: _Look, usual: Usual) -> Spot:
    # height = top * (middle ± half) - bottom * (middle ± half), solved for the middle.
    rise = look.top - look.bottom
    half = _along(look.width * usual.height / rise, usual) / 2
    over = half if look.top < 0 else -half
    under = -half if look.bottom < 0 else half
    middle = (usual.height - look.top * over + look.bottom * under) / rise
    if look.bottom < 0:
        middle = min(middle, eye.height_m / -look.bottom + half)  # nothing is under the floor
    middle = max(middle, NEAREST_M)
    low = eye.height_m + look.bottom * (middle + under)
    up = max(low, 0.0) + usual.height / 2
    return Spot(complex(middle, middle * look.aside), up, usual.height)


def height_over(eye: Eye, box: Box, usual: Usual, camera: Camera) -> float | None:
    """Return how high a camera is over the ground by what stands there, or None, in metres.

    Whoever knows how tall a thing is sees it: the horizon cuts things as high as the camera is.

    Args:
        eye: the camera; its own height is not read.
        box: the thing in the image.
        usual: how large such things are.
        camera: tells where the image ends.
    """
    look = _look(eye, box)
    cut = box.y1 < 1 or box.y2 > camera.height - 1 or box.x1 < 1 or box.x2 > camera.width - 1
    if look is None or cut or not usual.stands or look.bottom > -MIN_DIP:
        return None
    share = 1 - look.top / look.bottom
    if share < LEAST_SHARE:
        return None
    # Its top is seen at the far edge from above, at the near one from below.
    deep = (usual.width + usual.depth) / 2 if look.top < 0 else 0.0
    return (usual.height - look.top * deep) / share
