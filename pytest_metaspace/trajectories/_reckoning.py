"""Where an agent of AI2-THOR was, from its start, its actions and the distances that it logged.

The simulator snaps the agent to a grid of 0.1 m after each move, so that a move of 0.25 m is one of
0.2 or 0.3 m, and which one hangs on the last bit of a float. Each step logs how far the target is:
of the paths that are possible, the one that fits all these distances is the agent's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Pose
from pytest_metaspace.trajectories._thor import EYES_M

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Action
    from pytest_metaspace.trajectories._thor import Skill, Start

    Point = tuple[float, float]
    Path = tuple[Point, ...]

_GRID_M = 0.1
_FITS_M = 0.003
_TIE = 0.02
_MOST_PATHS = 256


@dataclass(frozen=True, slots=True)
class Logged:
    """One action as the log has it.

    Attributes:
        skill: what it does; None where that is not known.
        succeeded: whether it was done; None where that is not known.
        distance_m: to the target afterwards; None where it is not logged.
    """

    skill: Skill | None
    succeeded: bool | None
    distance_m: float | None


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A path that fits everything logged.

    Attributes:
        poses: of the camera, one more than there are actions.
        moves: metres forward and right that each action really moved.
        snapped: whether the agent was on the grid.
    """

    poses: tuple[Pose, ...]
    moves: tuple[Point, ...]
    snapped: bool


def reckoned(start: Start, actions: Sequence[Logged]) -> Reckoned | str:
    """Return where the agent was at each state, or why that is not known.

    Args:
        start: where it stood before the first action.
        actions: all of them, in order.
    """
    if any(one.skill is None or one.succeeded is None for one in actions):
        return "an action, or whether it succeeded, is not known"
    headings = _headings(start, actions)
    for grid in (None, _GRID_M):
        paths = _paths(start, actions, headings, grid)
        if paths is None or len(paths) > 1:
            return "the distances to the target that are logged do not tell which way it went"
        if paths:
            return _made(start, actions, headings, paths[0], snapped=grid is not None)
    return (
        "no path from the start of the task fits the distances to the target that are logged; "
        "another task, or something else moved the agent"
    )


def _headings(start: Start, actions: Sequence[Logged]) -> list[float]:
    """Return the heading before each action and after the last, degrees clockwise from +z."""
    found = [start.rotation_deg]
    for one in actions:
        assert one.skill is not None
        found.append(found[-1] + (one.skill.action.turn_deg if one.succeeded else 0.0))
    return found


def _paths(
    start: Start, actions: Sequence[Logged], headings: Sequence[float], grid: float | None
) -> list[Path] | None:
    """Return the paths that fit; None where they are too many to tell apart."""
    paths: list[Path] = [((start.x, start.z),)]
    for one, heading in zip(actions, headings):
        assert one.skill is not None
        moves = bool(one.succeeded) and one.skill.action.translates
        if moves and one.distance_m is None:
            return None
        paths = [
            (*path, place)
            for path in paths
            for place in (_ends(path[-1], one.skill.action, heading, grid) if moves else path[-1:])
            if one.distance_m is None
            or abs(math.dist(place, start.target) - one.distance_m) <= _FITS_M
        ]
        if len(paths) > _MOST_PATHS:
            return None
    return paths


def _ends(place: Point, action: Action, heading: float, grid: float | None) -> list[Point]:
    """Return where a move may end."""
    ahead, aside, _ = action.move_m
    sin, cos = _sin_cos(heading)
    x, z = place[0] + ahead * sin + aside * cos, place[1] + ahead * cos - aside * sin
    if grid is None:
        return [(round(x, 5), round(z, 5))]
    return [(i, j) for i in _snapped(x, grid) for j in _snapped(z, grid)]


def _snapped(value: float, grid: float) -> list[float]:
    """Return the nearest point of the grid, both where it lies midway."""
    cells = value / grid
    low = math.floor(cells)
    midway = abs(cells - low - 0.5) < _TIE
    places = (low, low + 1) if midway else (round(cells),)
    return [round(place * grid, 5) for place in places]


def _sin_cos(degrees: float) -> Point:
    """Return sine and cosine, exact at right angles."""
    quarters = degrees / 90
    if quarters == round(quarters):
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[round(quarters) % 4]
    return math.sin(math.radians(degrees)), math.cos(math.radians(degrees))


def _made(
    start: Start,
    actions: Sequence[Logged],
    headings: Sequence[float],
    path: Path,
    *,
    snapped: bool,
) -> Reckoned:
    pitch = -start.horizon_deg
    poses = []
    moves = []
    for place, ((x, z), heading) in enumerate(zip(path, headings)):
        poses.append(
            Pose(
                position=(z, 0.0 - x, round(start.y + EYES_M, 5)),
                yaw_deg=180 - (heading + 180) % 360,
                pitch_deg=pitch + 0.0,
            )
        )
        if place < len(actions):
            one = actions[place]
            assert one.skill is not None
            pitch += one.skill.tilt_deg if one.succeeded else 0.0
            sin, cos = _sin_cos(heading)
            dx, dz = path[place + 1][0] - x, path[place + 1][1] - z
            moves.append((round(dx * sin + dz * cos, 5) + 0.0, round(dx * cos - dz * sin, 5) + 0.0))
    return Reckoned(tuple(poses), tuple(moves), snapped)
