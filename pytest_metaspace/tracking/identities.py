"""Which detections of different frames are one object.

Frames of a robot are few and far apart, so nothing is followed as in a video. An object is looked
for where the log of actions says that it must be by now: its box is carried over for every depth
that it may have, and all that was seen of it before decides which depth. Detections are assigned
class by class, so a class never changes within a track. Where two assignments are about as good,
none is made, and tracks are joined later where that is safe: two ids for one object are a loss,
one id for two objects is a lie.

Truth is never read here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from pytest_metaspace.domain import TrackedObject
from pytest_metaspace.tracking._assignment import assign
from pytest_metaspace.tracking._fitting import GATE, NEVER, cost
from pytest_metaspace.tracking._sight import Sight
from pytest_metaspace.tracking._tracks import Sighting, Track, place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.tracking._kinds import Detection

MARGIN: Final = 0.5
"""How much dearer the next best assignment has to be."""
_SAME_THING: Final = 0.8
"""Boxes of one class that share more than this are of one thing."""


def identify(
    found: Sequence[Sequence[Detection]], trajectory: Trajectory, *, confidence: float = 0.0
) -> tuple[TrackedObject, ...]:
    """Return the objects that detections are of.

    Args:
        found: what each frame shows, in order. Detections that bring a ``track`` stay on it as
            long as its class, the log and the pictures allow.
        trajectory: whose frames these are; read are its actions, its camera and its pictures.
        confidence: detections under it are left out.
    """
    sight = Sight(trajectory)
    tracks: list[Track] = []
    brought: dict[tuple[str, int], Track] = {}
    for frame, detections in enumerate(found):
        by_label: dict[str, list[Sighting]] = defaultdict(list)
        for detection in _distinct(detections, confidence):
            by_label[detection.label].append(Sighting.of(frame, detection, sight))
        for label, sightings in by_label.items():
            free = list(_kept(sightings, brought, sight))
            alike = [track for track in tracks if track.label == label and not track.ended]
            tracks += _extend(alike, free, sight, brought)
    return tuple(_named(_joined(tracks, sight)))


def _distinct(detections: Iterable[Detection], confidence: float) -> Iterator[Detection]:
    """Yield what is sure enough, in an order of its own; of two boxes of one thing, the surer."""
    kept: list[Detection] = []
    for one in sorted(detections, key=lambda one: (-one.confidence, place(one))):
        if one.confidence < confidence:
            continue
        if not any(one.label == other.label and _iou(one, other) > _SAME_THING for other in kept):
            kept.append(one)
    kept.sort(key=place)
    yield from kept


def _iou(one: Detection, other: Detection) -> float:
    a, b = one.box, other.box
    common = a.overlap(b) * a.width * a.height
    return common / (a.width * a.height + b.width * b.height - common)


# ------------------------------------------------------------------------------ assignment


def _kept(
    sightings: Iterable[Sighting], brought: Mapping[tuple[str, int], Track], sight: Sight
) -> Iterator[Sighting]:
    """Put sightings on the tracks that their provider gives, where they fit; yield the rest."""
    for sighting in sightings:
        number = sighting.found.track
        track = None if number is None else brought.get((sighting.found.label, number))
        if track is None or track.ended or cost(track, sighting, sight) >= GATE:
            yield sighting
        else:
            track.sightings.append(sighting)


def _extend(
    tracks: Sequence[Track],
    sightings: Sequence[Sighting],
    sight: Sight,
    brought: dict[tuple[str, int], Track],
) -> list[Track]:
    """Give each sighting to the track that it safely belongs to; return tracks for the rest."""
    costs = [[cost(track, sighting, sight) for track in tracks] for sighting in sightings]
    fresh = []
    for row, (sighting, choice) in enumerate(zip(sightings, _choices(costs))):
        if choice is not None and _is_safe(costs, row, choice, tracks):
            track = tracks[choice]
            track.sightings.append(sighting)
        else:
            if choice is not None:
                tracks[choice].ended = True
            track = Track(sighting.found.label, [sighting])
            fresh.append(track)
        if sighting.found.track is not None:
            brought[sighting.found.label, sighting.found.track] = track
    return fresh


def _choices(costs: Sequence[Sequence[float]]) -> list[int | None]:
    """Return the column that each row gets; None where nothing within the gate is left."""
    if not costs:
        return []
    columns = len(costs[0])
    padded = [[*row, *[GATE] * len(costs)] for row in costs]
    return [column if column < columns else None for column in assign(padded)]


def _total(costs: Sequence[Sequence[float]]) -> float:
    choices = _choices(costs)
    return sum(GATE if c is None else row[c] for row, c in zip(costs, choices))


def _is_safe(
    costs: Sequence[Sequence[float]], row: int, column: int, tracks: Sequence[Track]
) -> bool:
    """Whether all would cost clearly more if this row could not have this column.

    A track that was never seen beside the chosen one may be of the same object, and is no rival.
    """
    chosen = tracks[column].frames
    rivals = [c for c, track in enumerate(tracks) if c == column or chosen & track.frames]
    left = [[line[c] for c in rivals] for line in costs]
    barred = [list(line) for line in left]
    barred[row][rivals.index(column)] = NEVER
    return _total(barred) - _total(left) >= MARGIN


# ----------------------------------------------------------------------------------- joins


def _joined(tracks: Sequence[Track], sight: Sight) -> list[Track]:
    """Join tracks that are safely of one object, the surest first."""
    kept: list[Track] = []
    by_label: dict[str, list[Track]] = defaultdict(list)
    for track in tracks:
        by_label[track.label].append(track)
    for alike in by_label.values():
        kept += _joined_alike(alike, sight)
    return kept


def _joined_alike(kept: list[Track], sight: Sight) -> list[Track]:
    costs = {
        (one, other): _joint_cost(one, other, sight)
        for i, one in enumerate(kept)
        for other in kept[i + 1 :]
    }
    while True:
        pairs = [pair for pair, joint in costs.items() if joint < GATE]
        safe = [pair for pair in pairs if _has_no_rival(pair, pairs, costs)]
        if not safe:
            return kept
        one, other = min(safe, key=lambda pair: costs[pair])
        one.sightings = sorted([*one.sightings, *other.sightings], key=lambda s: s.frame)
        kept.remove(other)
        costs = {pair: joint for pair, joint in costs.items() if other not in pair}
        for pair in costs:
            if one in pair:
                costs[pair] = _joint_cost(*pair, sight)


def _has_no_rival(
    pair: tuple[Track, Track],
    pairs: Iterable[tuple[Track, Track]],
    costs: Mapping[tuple[Track, Track], float],
) -> bool:
    """Whether neither track fits a third one about as well that is surely another object."""
    one, other = pair
    for a, b in pairs:
        if (a, b) == pair or not {a, b} & {one, other}:
            continue
        third, replaced = (b, a) if a in (one, other) else (a, b)
        partner = other if replaced is one else one
        if third.frames & partner.frames and costs[a, b] < costs[pair] + MARGIN:
            return False
    return True


def _joint_cost(one: Track, other: Track, sight: Sight) -> float:
    if one.frames & other.frames:
        return NEVER
    costs = [cost(one, sighting, sight) for sighting in other.sightings]
    costs += [cost(other, sighting, sight) for sighting in one.sightings]
    return float(np.mean(costs))


def _named(tracks: Iterable[Track]) -> Iterator[TrackedObject]:
    """Yield objects, numbered within their class by where they are seen first."""
    numbers: dict[str, int] = defaultdict(int)
    for track in sorted(tracks, key=_first):
        stem = re.sub(r"[^a-z0-9]+", "_", track.label.lower()).strip("_") or "object"
        numbers[stem] += 1
        yield TrackedObject(
            id=f"{stem}-{numbers[stem]}",
            label=track.label,
            boxes={one.frame: one.found.box for one in track.sightings},
            confidences={one.frame: one.found.confidence for one in track.sightings},
        )


def _first(track: Track) -> tuple[int, tuple[object, ...]]:
    first = track.sightings[0]
    return first.frame, place(first.found)
