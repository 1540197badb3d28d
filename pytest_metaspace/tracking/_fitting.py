"""How badly a sighting fits a track: 0 perfectly, ``GATE`` just so, ``NEVER`` not at all.

The cost is the mean square of how far the edges of a box are from where they should be, each
measured in what is tolerable, and a little for looking different.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pytest_metaspace.tracking._sight import Floats, Sight
    from pytest_metaspace.tracking._tracks import Sighting, Track

NEVER: Final = 1e6
GATE: Final = 3.0
"""The most that an assignment may cost."""
SAFE: Final = 0.6
"""The same after a large turn, or when an object was not seen for long."""
LARGE_TURN_DEG: Final = 40.0
LONG: Final = 3
"""So many frames are long."""
#  What is tolerable: pixels in an image 640 wide, and shares of a box's width and height.
_PIXELS, _ACROSS, _DOWN = 4.0, 0.16, 0.10
#  An edge may be hidden, so none counts for more than this; but one across and one down must hold.
_EDGE_CAP, _HELD = 6.0, 2.0
_LIKE: Final = 0.35
"""A difference in appearance that costs as much as all edges off by what is tolerable."""
_UNLIKE: Final = 0.85
#  Depths that fit all that was seen within the one, spread over more than the other, tell nothing.
_DOUBT, _VAGUE = 0.5, 1.0
_REFERENCES: Final = 3
_WITNESSES: Final = 8
#  A thing that moves while the camera stands: how far in sizes, and how alike it stays.
_REACH, _RESIZED, _ALIKE, _MOVED_COST = 1.5, 1.3, 0.2, 1.0


def cost(track: Track, sighting: Sighting, sight: Sight) -> float:
    """Return how badly a sighting fits a track."""
    if sighting.frame in track.frames:
        return NEVER
    unlike = unlikeness(track, sighting)
    if unlike > _UNLIKE:
        return NEVER
    seen = [one for one in track.sightings if sight.related(one.frame, sighting.frame)]
    if seen:
        near = _is_near(seen, sighting.frame, sight)
        fit = _still(seen, sighting, sight, near=near)
        fit = min(fit, _moved(seen, sighting, sight, unlike))
        gate = GATE if near else SAFE
    else:
        fit, gate = _guessed(track, sighting, sight), GATE
    total = fit + (unlike / _LIKE) ** 2
    return total if total < gate else NEVER


def _is_near(seen: Sequence[Sighting], frame: int, sight: Sight) -> bool:
    """Whether an object was seen lately, and without a large turn since."""
    return any(
        abs(one.frame - frame) <= LONG and sight.turned_deg(one.frame, frame) <= LARGE_TURN_DEG
        for one in seen
    )


def _still(seen: Sequence[Sighting], sighting: Sighting, sight: Sight, *, near: bool) -> float:
    """Return how badly a sighting fits a thing that stays where it is, by the log."""
    references = sorted(seen, key=lambda one: (-int(one.closed.sum()), -one.frame))
    witnesses = seen[-_WITNESSES:]
    return min(_fit(one, sighting, witnesses, sight, near=near) for one in references[:_REFERENCES])


def _fit(
    reference: Sighting,
    sighting: Sighting,
    witnesses: Sequence[Sighting],
    sight: Sight,
    *,
    near: bool,
) -> float:
    """Return how much worse all that was seen fits together with a sighting than without it.

    After a large turn or a long time that counts only if it could have been wrong: where a thing
    may be at many depths, something of its class will be at one of them.
    """
    own = _misfits(reference, sighting, sight)
    told = np.zeros_like(own)
    for other in witnesses:
        if other is not reference:
            told += np.minimum(_misfits(reference, other, sight), 2 * GATE)
    if not near and _spread(reference, sighting, told, sight) > _VAGUE:
        return NEVER
    return float((own + told).min() - told.min())


def _spread(reference: Sighting, sighting: Sighting, told: Floats, sight: Sight) -> float:
    """Return over how many sizes of its box a thing may be, by all that was seen of it."""
    carried = sight.carried(reference.edges, reference.frame, sighting.frame)
    likely = carried[(told <= told.min() + _DOUBT) & ~np.isnan(carried).any(axis=1)]
    if not len(likely):
        return 0.0
    across, down = likely[:, :2].mean(axis=1), likely[:, 2:].mean(axis=1)
    size = _sizes(sighting).max()
    return float(max(np.ptp(across), np.ptp(down)) / size)


def _misfits(reference: Sighting, other: Sighting, sight: Sight) -> Floats:
    """Return how far off a sighting is from another one carried over, for each depth."""
    pair = reference, other
    if pair not in sight.misfits:
        carried = sight.carried(reference.edges, reference.frame, other.frame)
        drift_px = sight.drift_px(reference.frame, other.frame)
        sight.misfits[pair] = _off(carried, drift_px, reference, other, sight)
    return sight.misfits[pair]


def _off(
    carried: Floats, drift_px: Floats | float, reference: Sighting, other: Sighting, sight: Sight
) -> Floats:
    known, common = reference.closed, reference.closed & other.closed
    if not (common[0] or common[1]) or not (common[2] or common[3]):
        return np.full(len(carried), NEVER)  # no edge of both shows where or how large it is
    lost: npt.NDArray[np.bool_] = np.any(np.isnan(carried), axis=1)
    carried = np.where(lost[:, None], 0.0, carried)
    slack = _PIXELS * sight.width / 640 + drift_px
    across = slack + _ACROSS * np.abs(carried[:, 1] - carried[:, 0])
    down = slack + _DOWN * np.abs(carried[:, 3] - carried[:, 2])
    off = carried - other.edges
    # An edge that is cut off by the image lies beyond it; it is wrong only where it would be seen.
    inward = np.array([1.0, -1.0, 1.0, -1.0])
    off = np.where(other.closed, off, np.maximum(off * inward, 0.0))
    tolerable = np.column_stack([across, across, down, down])
    squares = (off / tolerable) ** 2
    held = np.where(common, squares, NEVER)
    lost |= np.maximum(held[:, :2].min(axis=1), held[:, 2:].min(axis=1)) > _HELD
    squares = np.where(known, np.minimum(squares, _EDGE_CAP), 0.0)
    return np.where(lost, NEVER, squares.sum(axis=1) / known.sum())


def _moved(seen: Sequence[Sighting], sighting: Sighting, sight: Sight, unlike: float) -> float:
    """Return how badly a sighting fits a thing that was moved before a camera that stands."""
    last = max(seen, key=lambda one: one.frame)
    if abs(sighting.frame - last.frame) != 1 or not sight.stood(last.frame, sighting.frame):
        return NEVER
    if unlike > _ALIKE or not (last.closed.all() and sighting.closed.all()):
        return NEVER
    was, now = _sizes(last), _sizes(sighting)
    resized = float(np.exp(np.abs(np.log(now / was)).max()))
    reach = float(np.linalg.norm(_middle(sighting) - _middle(last)) / was.max())
    if reach > _REACH or resized > _RESIZED:
        return NEVER
    return _MOVED_COST * (1 + reach / _REACH) / 2


def _guessed(track: Track, sighting: Sighting, sight: Sight) -> float:
    """Return how badly a sighting fits one of the frame before, by what the pictures show."""
    last = track.sightings[-1]
    if sighting.frame - last.frame != 1:
        return NEVER
    carried = sight.shifted(last.edges, last.frame)
    if carried is None:
        return NEVER
    drift_px = 0.02 * sight.width
    return float(_off(carried[None], drift_px, last, sighting, sight)[0])


def _middle(one: Sighting) -> Floats:
    return np.array([one.edges[:2].mean(), one.edges[2:].mean()])


def _sizes(one: Sighting) -> Floats:
    return np.array([one.edges[1] - one.edges[0], one.edges[3] - one.edges[2]])


def unlikeness(track: Track, sighting: Sighting) -> float:
    """Return how different a sighting looks from the most similar one of a track, 0 to 1."""
    if not sighting.appearance.size:
        return 0.0
    alike = [one for one in track.sightings if one.appearance.size == sighting.appearance.size]
    return min((distance(one.appearance, sighting.appearance) for one in alike), default=0.0)


def distance(one: Floats, other: Floats) -> float:
    """Return how different two appearances are: one minus the cosine of their angle."""
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return 1.0 - float(one @ other) / length if length else 0.0
