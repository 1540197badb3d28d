"""How something moved in front of a camera that stays, told from two frames alone.

What differs between the frames is matched; what moves as one without turning is seen shifted and
scaled. The scale tells how much nearer or farther it went, in shares of its own depth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_metaspace.agents import _features

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.agents._ground import Eye, Floats

LEAST_CONTRAST = 0.006
"""A seventh of OpenCV's default: a gripper is white all over."""
MOST_ALIKE = 0.85
LEAST_DIFFERENT = 10
"""Grey levels by which a pixel of what moved differs."""
MOVED_PX = 4.0
LEAST_SHIFT_PX = 6.0
CLOSE_PX = 2.5
LEAST_APART_PX = 20.0
LEAST_AGREEING = 10
MOST_SCALE = 1.35
SAMPLES = 1500


@dataclass(frozen=True, slots=True)
class Drift:
    """A motion along the axes of the camera, in depths before it.

    Attributes:
        right: along the rows of the picture.
        down: along its columns.
        away: along the optical axis.
    """

    right: float = 0.0
    down: float = 0.0
    away: float = 0.0

    def then(self, after: Drift) -> Drift:
        """Return this motion and another one after it as one."""
        depth = 1 + self.away
        return Drift(
            self.right + after.right * depth,
            self.down + after.down * depth,
            self.away + after.away * depth,
        )

    @property
    def back(self) -> Drift:
        """The motion that undoes this one."""
        depth = 1 + self.away
        return Drift(-self.right / depth, -self.down / depth, -self.away / depth)


class Watcher:
    """Measures motions between frames; each pair of frames once.

    Args:
        eye: the camera that took the frames.
    """

    def __init__(self, eye: Eye) -> None:
        self._eye = eye
        self._drifts: dict[tuple[Path, Path], Drift | None] = {}

    def between(self, a: Path, b: Path) -> Drift | None:
        """Return the motion from one frame to another, or None where it cannot be told."""
        if b < a:  # one measurement for both ways, whichever is asked first
            backward = self.between(b, a)
            return backward and backward.back
        if (a, b) not in self._drifts:
            self._drifts[a, b] = drift(self._eye, *changed(a, b))
        return self._drifts[a, b]


def changed(one: Path, other: Path) -> tuple[Floats, Floats]:
    """Return the pixels (N x 2 each) of what two frames show in different places.

    Raises:
        AgentError: a file is no picture.
    """
    import numpy as np

    cv2 = _features.opencv()
    a, b = _features.picture(one), _features.picture(other)
    blurred = (cv2.GaussianBlur(picture, (5, 5), 0) for picture in (a, b))
    differs = cv2.absdiff(*blurred) > LEAST_DIFFERENT
    mask = cv2.dilate(differs.astype(np.uint8), np.ones((9, 9)))
    sift = cv2.SIFT_create(contrastThreshold=LEAST_CONTRAST, enable_precise_upscale=True)
    first, last = (_features.found(sift, picture, mask) for picture in (a, b))
    before, after = _features.matched(first, last, MOST_ALIKE)
    moved = np.hypot(*(after - before).T) > MOVED_PX
    return before[moved], after[moved]


def drift(eye: Eye, a: Floats, b: Floats) -> Drift | None:
    """Return the motion that most of what changed agrees with; None where too little does.

    Args:
        eye: the camera.
        a: pixels (N x 2) of what is elsewhere in the other frame.
        b: the pixels of the same things in that frame.
    """
    import numpy as np

    if len(a) < LEAST_AGREEING:
        return Drift()
    axis = np.array([eye.cx, eye.cy])
    a, b = a - axis, b - axis
    scale, shift = _guesses(a, b)
    if not len(scale):
        return None
    off = np.linalg.norm(b - scale[:, None, None] * a - shift[:, None], axis=2)
    best = int((off < CLOSE_PX).sum(1).argmax())
    agreeing = off[best] < CLOSE_PX
    if agreeing.sum() < LEAST_AGREEING:
        return None
    scaled, shifted = _fitted(a[agreeing], b[agreeing])
    right, down = shifted / scaled / (eye.fx, eye.fy)
    return Drift(float(right), float(down), 1 / scaled - 1)


def _guesses(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Guess scales (K) and shifts (K x 2) from two matches each; none of them stands still."""
    import numpy as np

    rng = np.random.default_rng(0)  # the same for every pair: same frames, same answer
    i, j = rng.integers(0, len(a), (2, SAMPLES))
    before, after = a[i] - a[j], b[i] - b[j]
    squared = (before**2).sum(1)
    apart = squared > LEAST_APART_PX**2
    i, j = i[apart], j[apart]
    scale = (before * after).sum(1)[apart] / squared[apart]
    shift = (b[i] + b[j] - scale[:, None] * (a[i] + a[j])) / 2
    # The mean square of how far all of a goes, without a look at each.
    goes = ((shift + (scale[:, None] - 1) * a.mean(0)) ** 2).sum(1)
    goes += (scale - 1) ** 2 * a.var(0).sum()
    able = (goes > LEAST_SHIFT_PX**2) & (scale < MOST_SCALE) & (scale > 1 / MOST_SCALE)
    return scale[able], shift[able]


def _fitted(a: Floats, b: Floats) -> tuple[float, Floats]:
    """Return the scale and the shift that carry pixels into each other with the least error."""
    middle, other = a.mean(0), b.mean(0)
    scale = float(((a - middle) * (b - other)).sum() / ((a - middle) ** 2).sum())
    return scale, other - scale * middle
