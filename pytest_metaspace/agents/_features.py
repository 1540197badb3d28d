"""What two frames have in common: SIFT features and their matches, by OpenCV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import AgentError, UsageProblem

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from pytest_metaspace.agents._ground import Floats

MOST_FEATURES = 1500
LEAST_CONTRAST = 0.02
"""Half of OpenCV's default: floors are pale."""
MOST_ALIKE = 0.8
"""A match counts when the second best is farther off than this share of it (Lowe's ratio)."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The features of one frame: pixels (N x 2) and what each looks like (N x 128)."""

    pixels: Floats
    looks: Any


def opencv() -> ModuleType:
    """Return OpenCV.

    Raises:
        UsageProblem: it is not installed; the text tells how to install it.
    """
    try:
        import cv2
    except ImportError as problem:
        raise UsageProblem(
            "metaspace: the agent 'geometric' needs OpenCV, which cannot be imported "
            f"({problem}). Type: pip install pytest-metaspace[vision]"
        ) from problem
    return cv2


def picture(frame: Path) -> Any:
    """Return a picture file in grey.

    Raises:
        AgentError: the file is no picture.
    """
    import numpy as np

    cv2 = opencv()
    # Not cv2.imread: on Windows it cannot open names outside the code page.
    grey = cv2.imdecode(np.fromfile(frame, np.uint8), cv2.IMREAD_GRAYSCALE)
    if grey is None:
        raise AgentError(f"{frame} cannot be read as a picture.")
    return grey


def features(frame: Path) -> Features:
    """Return the features of a picture file; the same picture gives the same features.

    Raises:
        AgentError: the file is no picture.
    """
    grey = picture(frame)
    sift = opencv().SIFT_create(
        nfeatures=MOST_FEATURES, contrastThreshold=LEAST_CONTRAST, enable_precise_upscale=True
    )
    return found(sift, grey)


def found(sift: Any, grey: Any, mask: Any = None) -> Features:
    """Return the features that a detector finds in a picture, where a mask is not 0."""
    import numpy as np

    points, looks = sift.detectAndCompute(grey, mask)
    pixels = np.array([point.pt for point in points], dtype=np.float64).reshape(-1, 2)
    # OpenCV puts the centre of the first pixel at 0; boxes and cameras put its corner there.
    return Features(pixels + 0.5, looks)


def matched(a: Features, b: Features, alike: float = MOST_ALIKE) -> tuple[Floats, Floats]:
    """Return the pixels (N x 2 each) of what two frames both show, row by row.

    Args:
        a: the features of one frame.
        b: those of the other.
        alike: how near the second best match may come, as in ``MOST_ALIKE``.
    """
    import numpy as np

    if min(len(a.pixels), len(b.pixels)) < 2:  # noqa: PLR2004 - the ratio needs a second best
        return np.empty((0, 2)), np.empty((0, 2))
    cv2 = opencv()
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(a.looks, b.looks, k=2)
    kept = [first for first, second in pairs if first.distance < alike * second.distance]
    return a.pixels[[m.queryIdx for m in kept]], b.pixels[[m.trainIdx for m in kept]]
