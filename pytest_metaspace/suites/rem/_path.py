"""Ways through a scene: straight on, and around at the edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._scene import STEP_M, TURN_DEG, Pose, rounded
from pytest_metaspace.suites.rem._seen import Move

if TYPE_CHECKING:
    import random

Path = tuple[tuple[Pose, ...], tuple[Move, ...]]
"""A pose for each frame, and what was done between one and the next."""
FORWARD: Final = Move("move_forward", forward_m=STEP_M)
LEFT: Final = Move("turn_left", turn_deg=-TURN_DEG)
RIGHT: Final = Move("turn_right", turn_deg=TURN_DEG)
EDGE_M: Final = 6.0
ROUND: Final = 24
"""Turns that make a whole one."""
_TURNS: Final = (8, 16)
"""At the edge: 120 to 240 degrees."""
_SIDE_M: Final = 3.0
_SKIPPED: Final = 48


def walk(chance: random.Random, frames: int) -> Path:
    """Return a part of an endless way, which turns where the next step would leave the square.

    It begins anywhere on that way: one that began along +x each time would be over before its
    first turn where there are few frames.
    """
    pose = Pose(
        x=-EDGE_M + STEP_M, y=rounded(round(chance.uniform(-_SIDE_M, _SIDE_M), 2)), yaw_deg=0.0
    )
    skipped = chance.randint(0, _SKIPPED)
    start = pose
    moves: list[Move] = []
    while len(moves) < skipped + frames - 1:
        ahead = pose.after(FORWARD)
        inside = max(abs(ahead.x), abs(ahead.y)) <= EDGE_M
        todo = [FORWARD] if inside else [chance.choice((LEFT, RIGHT))] * chance.randint(*_TURNS)
        for move in todo:
            pose = pose.after(move)
        moves += todo
    for move in moves[:skipped]:
        start = start.after(move)
    return _along(start, moves[skipped : skipped + frames - 1])


def spot(chance: random.Random) -> Path:
    """Return a whole turn on the spot, to one side; the last turn is left out."""
    return _along(Pose(x=0.0, y=0.0, yaw_deg=0.0), [chance.choice((LEFT, RIGHT))] * (ROUND - 1))


def still() -> Path:
    """Return where one picture is taken."""
    return _along(Pose(x=0.0, y=0.0, yaw_deg=0.0), [])


def _along(start: Pose, moves: list[Move]) -> Path:
    poses = [start]
    for move in moves:
        poses.append(poses[-1].after(move))
    return tuple(poses), tuple(moves)
