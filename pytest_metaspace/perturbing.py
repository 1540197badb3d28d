"""What a detector and a tracker get wrong, done on purpose: seeded, at given rates.

The draws of a larger rate hold those of a smaller one, so that a curve over rates is one curve.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from pytest_metaspace.domain import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_metaspace.domain import Camera, TrackedObject, Trajectory

Kind = Literal["jitter", "drop", "swap-labels", "swap-identities"]
_LEAST_PX: Final = 1.0


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One thing that goes wrong in seeing, at a rate.

    Attributes:
        kind: what.
        rate: for ``jitter`` by how much of its size each edge of a box may move; for the others
            the share of boxes, or objects, that it happens to.
        seed: of the draws.
    """

    kind: Kind
    rate: float
    seed: int = 0

    @property
    def name(self) -> str:
        """How it is told."""
        return f"{self.kind} {100 * self.rate:g} %"

    def of(self, trajectory: Trajectory) -> Trajectory:
        """Return a trajectory with its tracked objects perturbed; all else stays as it is."""
        return replace(trajectory, objects=_KINDS[self.kind](self, trajectory))

    def chance(self, *what: object) -> random.Random:
        """Return a generator that is the same for the same thing, whatever else is perturbed."""
        text = json.dumps([self.kind, self.seed, *what])
        return random.Random(hashlib.sha256(text.encode()).digest())  # noqa: S311 - no secret


def _jittered(how: Perturbation, trajectory: Trajectory) -> tuple[TrackedObject, ...]:
    def moved(thing: TrackedObject, frame: int) -> Box:
        chance = how.chance(trajectory.id, thing.id, frame)
        return _moved(thing.boxes[frame], chance, how.rate, trajectory.camera)

    return tuple(
        replace(thing, boxes={frame: moved(thing, frame) for frame in thing.boxes})
        for thing in trajectory.objects
    )


def _moved(box: Box, chance: random.Random, rate: float, camera: Camera) -> Box:
    """Move each edge by up to a share of the box's size, within the picture."""
    dx1, dy1, dx2, dy2 = (rate * chance.uniform(-1, 1) for _ in range(4))
    x1 = min(max(box.x1 + dx1 * box.width, 0.0), camera.width - _LEAST_PX)
    y1 = min(max(box.y1 + dy1 * box.height, 0.0), camera.height - _LEAST_PX)
    x2 = min(box.x2 + dx2 * box.width, float(camera.width))
    y2 = min(box.y2 + dy2 * box.height, float(camera.height))
    return Box(x1, y1, max(x2, x1 + _LEAST_PX), max(y2, y1 + _LEAST_PX))


def _dropped(how: Perturbation, trajectory: Trajectory) -> tuple[TrackedObject, ...]:
    kept = []
    for thing in trajectory.objects:
        frames = [f for f in thing.boxes if not _hit(how, trajectory.id, thing.id, f)]
        if frames:
            boxes = {frame: thing.boxes[frame] for frame in frames}
            sure = {frame: thing.confidences[frame] for frame in frames}
            kept.append(replace(thing, boxes=boxes, confidences=sure))
    return tuple(kept)


def _relabelled(how: Perturbation, trajectory: Trajectory) -> tuple[TrackedObject, ...]:
    things = trajectory.objects
    hit = [thing.id for thing in things if _hit(how, trajectory.id, thing.id)]
    takes = _exchanged([thing.id for thing in things], hit)
    labels = {thing.id: thing.label for thing in things}
    return tuple(replace(thing, label=labels[takes.get(thing.id, thing.id)]) for thing in things)


def _exchanged_identities(how: Perturbation, trajectory: Trajectory) -> tuple[TrackedObject, ...]:
    """Give the boxes of a frame to each other's objects, as a tracker does that mixes them up."""
    frames = sorted({frame for thing in trajectory.objects for frame in thing.boxes})
    boxes: dict[str, dict[int, Box]] = defaultdict(dict)
    sure: dict[str, dict[int, float]] = defaultdict(dict)
    for frame in frames:
        shown = [thing for thing in trajectory.objects if frame in thing.boxes]
        hit = [one.id for one in shown if _hit(how, trajectory.id, one.id, frame)]
        takes = _exchanged([thing.id for thing in shown], hit)
        for thing in shown:
            source = trajectory.by_id[takes.get(thing.id, thing.id)]
            boxes[thing.id][frame] = source.boxes[frame]
            sure[thing.id][frame] = source.confidences[frame]
    return tuple(
        replace(thing, boxes=boxes[thing.id], confidences=sure[thing.id])
        for thing in trajectory.objects
    )


def _hit(how: Perturbation, *what: object) -> bool:
    return how.chance(*what).random() < how.rate


def _exchanged(names: Sequence[str], hit: Sequence[str]) -> Mapping[str, str]:
    """Return from whom each name takes: those hit from each other, one alone from the next."""
    if len(hit) == 1 and len(names) > 1:
        hit = [hit[0], names[(names.index(hit[0]) + 1) % len(names)]]
    return dict(zip(hit, [*hit[1:], *hit[:1]]))


_KINDS: Final[Mapping[Kind, Callable[[Perturbation, Trajectory], tuple[TrackedObject, ...]]]] = {
    "jitter": _jittered,
    "drop": _dropped,
    "swap-labels": _relabelled,
    "swap-identities": _exchanged_identities,
}
KINDS: Final = tuple(_KINDS)
