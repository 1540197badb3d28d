"""How the picture moved between two frames, where no log says how the camera did.

ORB features, ratio test and a homography by RANSAC, as trackers of video compensate the motion
of a camera (BoT-SORT, arXiv 2206.14651, section 3.2).
"""

from __future__ import annotations

from importlib import util
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.tracking._sight import Floats

_FEATURES: Final = 2000
_RATIO: Final = 0.75
_PIXELS: Final = 4.0
_ENOUGH: Final = 20
_SHARE: Final = 0.4


def homography(before: Path, after: Path) -> Floats | None:
    """Return where points of one picture are in another, or None where that cannot be told."""
    if util.find_spec("cv2") is None:
        return None
    import cv2

    found = [_features(cv2, path) for path in (before, after)]
    if any(descriptors is None or len(descriptors) < _ENOUGH for _, descriptors in found):
        return None
    (points, one), (others, two) = found
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(one, two, k=2)
    good = [p[0] for p in pairs if len(p) > 1 and p[0].distance < _RATIO * p[1].distance]
    if len(good) < _ENOUGH:
        return None
    source = np.array([points[match.queryIdx].pt for match in good])
    target = np.array([others[match.trainIdx].pt for match in good])
    cv2.setRNGSeed(0)
    matrix, inliers = cv2.findHomography(source, target, cv2.RANSAC, _PIXELS)
    if matrix is None or int(inliers.sum()) < max(_ENOUGH, _SHARE * len(good)):
        return None
    return np.asarray(matrix, dtype=np.float64)


def _features(cv2: Any, path: Path) -> tuple[Any, Any]:
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        return (), None
    return cv2.ORB_create(_FEATURES).detectAndCompute(picture, None)  # type: ignore[no-any-return]
