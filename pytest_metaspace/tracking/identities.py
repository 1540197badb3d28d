"""Which detections of different frames are one object.

Frames of a robot are few and far apart, so nothing is followed as in a video. An object is looked
for where the log of actions says that it must be by now: its box is carried over for every depth
that it may have, and all that was seen of it before decides which depth. Detections are assigned
class by class, so a class never changes within a track. Where two assignments are about as good,
none is made: two ids for one object are a loss, one id for two objects is a lie.

Truth is never read here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from pytest_metaspace.domain import TrackedObject
from pytest_metaspace.tracking._assignment import assign
from pytest_metaspace.tracking._sight import Sight

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.tracking._kinds import Detection
    from pytest_metaspace.tracking._sight import Floats

NEVER: Final = 1e6
GATE: Final = 3.0
"""The most that an assignment may cost: the mean square of how far off edges are, in tolerances."""
MARGIN: Final = 1.5
"""How much dearer the next best assignment has to be."""
_PIXELS: Final = 4.0
_ACROSS: Final = 0.16
_DOWN: Final = 0.10
_LIKE: Final = 0.35
"""A distance of appearances that costs as much as one tolerance."""
_UNLIKE: Final = 0.85
_REFERENCES: Final = 3
_WITNESSES: Final = 8
_SAME_THING: Final = 0.8


@dataclass(frozen=True, slots=True)
class Sighting:
    """A detection with its frame, and its edges as numbers."""

    frame: int
    found: Detection
    edges: Floats
    closed: npt.NDArray[np.bool_]
    appearance: Floats


@dataclass(slots=True, eq=False)
class Track:
    """Sightings of one object, one a frame."""

    label: str
    sightings: list[Sighting] = field(default_factory=list)
    ended: bool = False

    @property
    def frames(self) -> set[int]:
        """Where it was seen."""
        return {sighting.frame for sighting in self.sightings}


def identify(
    found: Sequence[Sequence[Detection]], trajectory: Trajectory, *, confidence: float = 0.0
) -> tuple[TrackedObject, ...]:
    """Return the objects that detections are of.

    Args:
        found: what each frame shows, in order.
        trajectory: whose frames these are; read are its actions and its camera.
        confidence: detections under it are left out.
    """
    sight = Sight(trajectory)
    tracks: list[Track] = []
    for frame, detections in enumerate(found):
        by_label: dict[str, list[Sighting]] = defaultdict(list)
        for detection in _distinct(detections, confidence):
            by_label[detection.label].append(_sighting(frame, detection, sight))
        for label, sightings in by_label.items():
            alike = [track for track in tracks if track.label == label and not track.ended]
            tracks += _extend(alike, sightings, sight)
    return tuple(_named(_joined(tracks, sight)))


def _distinct(detections: Iterable[Detection], confidence: float) -> Iterator[Detection]:
    """Yield what is sure enough, in an order of its own; of two boxes of one thing, the surer."""
    kept: list[Detection] = []
    for one in sorted(detections, key=_rank):
        if one.confidence < confidence:
            continue
        if not any(one.label == other.label and _iou(one, other) > _SAME_THING for other in kept):
            kept.append(one)
    kept.sort(key=_place)
    yield from kept


def _rank(one: Detection) -> tuple[float, tuple[object, ...]]:
    return -one.confidence, _place(one)


def _place(one: Detection) -> tuple[object, ...]:
    box = one.box
    return one.label, box.x1, box.y1, box.x2, box.y2, one.confidence, one.appearance


def _iou(one: Detection, other: Detection) -> float:
    a, b = one.box, other.box
    common = a.overlap(b) * a.width * a.height
    return common / (a.width * a.height + b.width * b.height - common)


def _sighting(frame: int, found: Detection, sight: Sight) -> Sighting:
    box = found.box
    return Sighting(
        frame,
        found,
        np.array([box.x1, box.x2, box.y1, box.y2]),
        sight.closed(box),
        np.array(found.appearance),
    )


# ------------------------------------------------------------------------------ assignment


def _extend(tracks: Sequence[Track], sightings: Sequence[Sighting], sight: Sight) -> list[Track]:
    """Give each sighting to the track that it safely belongs to; return tracks for the rest."""
    costs = [[_cost(track, sighting, sight) for track in tracks] for sighting in sightings]
    fresh = []
    for row, (sighting, choice) in enumerate(zip(sightings, _choices(costs))):
        if choice is None:
            fresh.append(Track(sighting.found.label, [sighting]))
        elif _is_safe(costs, row, choice):
            tracks[choice].sightings.append(sighting)
        else:
            tracks[choice].ended = True
            fresh.append(Track(sighting.found.label, [sighting]))
    return fresh


def _choices(costs: Sequence[Sequence[float]]) -> list[int | None]:
    """Return the column that each row gets; None where nothing within the gate is left."""
    if not costs:
        return []
    columns = len(costs[0])
    padded = [[min(cost, NEVER) for cost in row] + [GATE] * len(costs) for row in costs]
    return [column if column < columns else None for column in assign(padded)]


def _total(costs: Sequence[Sequence[float]]) -> float:
    choices = _choices(costs)
    return sum(GATE if c is None else row[c] for row, c in zip(costs, choices))


def _is_safe(costs: Sequence[Sequence[float]], row: int, column: int) -> bool:
    """Whether all would cost clearly more if this row could not have this column.

    A sighting that would then be of a new object is no rival: that is always possible.
    """
    rivals = [
        [cost for other, cost in enumerate(costs[row]) if other != column],
        [line[column] for other, line in enumerate(costs) if other != row],
    ]
    if min((cost for line in rivals for cost in line), default=NEVER) > GATE + MARGIN:
        return True
    barred = [list(line) for line in costs]
    barred[row][column] = NEVER
    return _total(barred) - _total(costs) >= MARGIN


# ------------------------------------------------------------------------------------ cost


def _cost(track: Track, sighting: Sighting, sight: Sight) -> float:
    """Return how badly a sighting fits a track: 0 perfectly, ``GATE`` just so."""
    seen = [one for one in track.sightings if sight.related(one.frame, sighting.frame)]
    if sighting.frame in track.frames or not seen:
        return NEVER
    unlike = _unlikeness(track, sighting)
    if unlike > _UNLIKE:
        return NEVER
    references = sorted(seen, key=lambda one: (-int(one.closed.sum()), -one.frame))
    fits = [_fit(one, sighting, seen[-_WITNESSES:], sight) for one in references[:_REFERENCES]]
    return min(fits) + (unlike / _LIKE) ** 2


def _fit(
    reference: Sighting, sighting: Sighting, witnesses: Sequence[Sighting], sight: Sight
) -> float:
    """Return how far off a sighting is at the depth that it and all others agree on best."""
    own = _misfits(reference, sighting, sight)
    told = np.zeros_like(own)
    for other in witnesses:
        if other is not reference:
            told += np.minimum(_misfits(reference, other, sight), GATE)
    best = int(np.argmin(own + 0.5 * told))
    return float(own[best])


def _misfits(reference: Sighting, other: Sighting, sight: Sight) -> Floats:
    """Return how far off a sighting is from another one carried over, for each depth."""
    carried = sight.carried(reference.edges, reference.frame, other.frame)
    lost = np.isnan(carried).any(axis=1)
    carried = np.where(lost[:, None], 0.0, carried)
    width = np.abs(carried[:, 1] - carried[:, 0])
    height = np.abs(carried[:, 3] - carried[:, 2])
    slack = _PIXELS * sight.width / 640 + sight.drift_px(reference.frame, other.frame)
    across, down = slack + _ACROSS * width, slack + _DOWN * height
    tolerance = np.column_stack([across, across, down, down])
    off = carried - other.edges
    edge = np.array([1.0, -1.0, 1.0, -1.0])
    # An edge that is cut off by the image lies beyond it; it is wrong only where it would be seen.
    off = np.where(other.closed, off, np.maximum(off * edge, 0.0))
    known = reference.closed
    if not (known[0] or known[1]) or not (known[2] or known[3]):
        return np.full(len(off), NEVER)
    squares = np.where(known, (off / tolerance) ** 2, 0.0)
    misfit = squares.sum(axis=1) / known.sum()
    return np.where(lost, NEVER, misfit)


def _unlikeness(track: Track, sighting: Sighting) -> float:
    """Return how different a sighting looks from the most similar one of a track, 0 to 1."""
    if not sighting.appearance.size:
        return 0.0
    alike = [one for one in track.sightings if one.appearance.size == sighting.appearance.size]
    return min((distance(one.appearance, sighting.appearance) for one in alike), default=0.0)


def distance(one: Floats, other: Floats) -> float:
    """Return how different two appearances are: 0 to 1, from the angle between them."""
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return 1.0 - float(one @ other) / length if length else 0.0


# ----------------------------------------------------------------------------------- joins


def _joined(tracks: Sequence[Track], sight: Sight) -> list[Track]:
    """Join tracks that are safely of one object, the surest first."""
    kept = list(tracks)
    while True:
        pairs = [
            (cost, i, j)
            for i in range(len(kept))
            for j in range(i + 1, len(kept))
            if (cost := _joint_cost(kept[i], kept[j], sight)) < GATE
        ]
        for cost, i, j in sorted(pairs):
            rivals = [c for c, a, b in pairs if {a, b} & {i, j} and {a, b} != {i, j}]
            if not any(c < cost + MARGIN for c in rivals):
                kept[i].sightings += kept[j].sightings
                kept[i].sightings.sort(key=lambda one: one.frame)
                del kept[j]
                break
        else:
            return kept


def _joint_cost(one: Track, other: Track, sight: Sight) -> float:
    if one.label != other.label or one.frames & other.frames:
        return NEVER
    costs = [_cost(one, sighting, sight) for sighting in other.sightings]
    costs += [_cost(other, sighting, sight) for sighting in one.sightings]
    return float(np.mean(costs))


def _named(tracks: Sequence[Track]) -> Iterator[TrackedObject]:
    """Yield objects, numbered within their class by where they are seen first."""
    numbers: dict[str, int] = defaultdict(int)
    for track in sorted(
        tracks, key=lambda one: (one.sightings[0].frame, _place(one.sightings[0].found))
    ):
        stem = re.sub(r"[^a-z0-9]+", "_", track.label.lower()).strip("_") or "object"
        numbers[stem] += 1
        yield TrackedObject(
            id=f"{stem}-{numbers[stem]}",
            label=track.label,
            boxes={one.frame: one.found.box for one in track.sightings},
            confidences={one.frame: one.found.confidence for one in track.sightings},
        )
