"""From a log of many poses a second to states with whole moves between them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pytest_metaspace.domain import Action, Pose

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_STATES = 20
"""States that are kept of an episode, unless it has no more pictures than that anyway."""
_SAME_HEADING_DEG = 1.0
_STANDS_M = 0.01
_SAMPLED = 20_000
_LARGER, _TRIES = 1.25, 60


class Stride(NamedTuple):
    """How much must have moved before another state is kept."""

    move_m: float
    turn_deg: float


STRIDES = {
    "household": Stride(0.25, 15.0),
    "arm": Stride(0.05, math.inf),
    "drone": Stride(2.0, 15.0),
}


def evenly(count: int, most: int = MOST_STATES) -> list[int]:
    """Return every k-th of some indices, with the least k that gives no more than ``most``."""
    step = max(1, math.ceil(count / most))
    return list(range(0, count, step))


def thinned(poses: Sequence[Pose], stride: Stride) -> list[int]:
    """Return the indices of the poses that are kept as states.

    All of up to ``MOST_STATES``. Of more the first, and each that lies a stride from the one kept
    before it, straight or in its heading; where these are too many, the stride is enlarged until
    they are not. Of a robot that did not move so far, every k-th.
    """
    if len(poses) <= MOST_STATES:
        return list(range(len(poses)))
    sampled = evenly(len(poses), _SAMPLED)
    for _ in range(_TRIES):
        kept = [sampled[0]]
        for index in sampled:
            if _apart(poses[kept[-1]], poses[index], stride):
                kept.append(index)
        if len(kept) <= MOST_STATES:
            return kept if len(kept) > 1 else evenly(len(poses))
        stride = Stride(stride.move_m * _LARGER, stride.turn_deg * _LARGER)
    return evenly(len(poses))


def _apart(one: Pose, other: Pose, stride: Stride) -> bool:
    moved = math.dist(one.position, other.position) >= stride.move_m * (1 - 1e-6)
    return moved or abs(between(one.yaw_deg, other.yaw_deg)) >= stride.turn_deg * (1 - 1e-6)


def between(first_deg: float, second_deg: float) -> float:
    """Return how far one heading is counter-clockwise of another, from -180 to 180 degrees."""
    return (second_deg - first_deg + 180.0) % 360.0 - 180.0


def steadied(poses: Sequence[Pose]) -> tuple[Pose, ...]:
    """Return poses whose heading stays exactly while it drifts by less than a degree.

    The heading of a robot that drives straight is measured anew each time; taken at its word, no
    two pictures would share a frame of reference.
    """
    made: list[Pose] = []
    for pose in poses:
        yaw = round(pose.yaw_deg, 3)
        if made and abs(between(made[-1].yaw_deg, yaw)) < _SAME_HEADING_DEG:
            yaw = made[-1].yaw_deg
        made.append(replace(pose, yaw_deg=yaw))
    return tuple(made)


def action(start: Pose, end: Pose, *, watched: bool = False) -> Action:
    """Return what moved a robot from one pose to the next, told as it stood at the first.

    Less than a centimetre, and less than a degree in steadied poses, counts as standing.

    Args:
        start: the first; of a watched mover its place, with the heading of the camera.
        end: the second.
        watched: whether a camera that stays watches what moves.
    """
    heading = math.radians(start.yaw_deg)
    x, y, z = (b - a for a, b in zip(start.position, end.position))
    forward = x * math.cos(heading) + y * math.sin(heading)
    right = x * math.sin(heading) - y * math.cos(heading)
    turn = 0.0 if watched else round(-between(start.yaw_deg, end.yaw_deg), 2)
    move = (0.0, 0.0, 0.0)
    if math.hypot(x, y, z) >= _STANDS_M:
        move = (round(forward, 4) + 0.0, round(right, 4) + 0.0, round(z, 4) + 0.0)
    return Action(name=_named(move, turn, watched=watched), move_m=move, turn_deg=turn + 0.0)


def _named(move: tuple[float, float, float], turn: float, *, watched: bool) -> str:
    ahead = ("move_farther", "move_nearer") if watched else ("move_forward", "move_backward")
    words = (ahead, ("move_right", "move_left"), ("move_up", "move_down"))
    axis = max(range(3), key=lambda number: abs(move[number]))
    moved = words[axis][move[axis] < 0] if move[axis] else ""
    turned = ("turn_right" if turn > 0 else "turn_left") if turn else ""
    return "_and_".join(filter(None, (moved, turned))) or "stay"


def step_length(actions: Sequence[Action | None], default: float) -> float:
    """Return the length of the shortest move, in metres; the default where there is none."""
    shortest = min(
        (one.length_m for one in actions if one is not None and one.translates), default=default
    )
    rounded = round(shortest, 3)
    return rounded if 0 < rounded <= shortest * (1 + 1e-6) else math.floor(shortest * 1e4) / 1e4


def turn_angle(actions: Sequence[Action | None]) -> float | None:
    """Return the degrees of one turn, where all are alike to a degree, or None."""
    turns = [abs(one.turn_deg) for one in actions if one is not None and one.turns]
    alike = bool(turns) and all(abs(a - b) <= 1 for a, b in pairwise(turns))
    return float(round(turns[0])) or None if alike else None
