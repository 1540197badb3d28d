"""Cognitive map: place what is asked about on a grid seen from above, then answer.

The grid has 11 x 11 cells with the agent in the middle. Up is ahead (north, on maps). The map is
a help to the agent: it stays in the raw answer, and nothing judges it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pytest_metaspace.prompts import _watched, parts
from pytest_metaspace.prompts._strategy import Strategy
from pytest_metaspace.prompts.manners import MANNERS

if TYPE_CHECKING:
    from pytest_metaspace.domain import Query, Trajectory

SIZE = 11
"""Cells along each side; odd, so that one is in the middle."""
#  Metres to a cell where objects are placed: a grid of 11 then holds a room, a table, a street.
#  All objects of the shipped households are within 5.5 m of the first camera.
_CELL_M = {"household": 1.0, "arm": 0.2, "drone": 10.0}

_REASON = (
    "After the map, reason in at most 150 words; where the map is too coarse, go by the pictures."
)


def write(query: Query, trajectory: Trajectory) -> str:
    """Return the text of a question.

    Args:
        query: what is asked.
        trajectory: where it is asked about; its actions and its truth are not read.
    """
    return (
        "\n\n".join(
            [
                *parts.opening(query, trajectory),
                _grid(query, trajectory),
                _marks(query, trajectory),
                _REASON,
                parts.last_line(query, trajectory),
            ]
        )
        + "\n"
    )


def cell_steps(query: Query, trajectory: Trajectory) -> int:
    """Return how many steps a cell is wide: one for movements, about a metre for a room."""
    if isinstance(query.a, int):
        return 1
    steps = _CELL_M[trajectory.scenario] / trajectory.step_length_m
    return max(1, math.floor(steps + 0.5))


def _grid(query: Query, trajectory: Trajectory) -> str:
    steps = cell_steps(query, trajectory)
    metres = steps * trajectory.step_length_m
    wide = "1 step" if steps == 1 else f"{steps} steps"
    middle = SIZE // 2 + 1
    mapped = MANNERS[trajectory.scenario].mapped
    return (
        f"Before you answer, draw a map of {mapped} seen from above, as a grid of {SIZE} rows "
        f"of {SIZE} cells. A cell is {wide} ({metres:g} m) wide and deep. "
        f"{_place(query, trajectory)} is the cell in the middle, row {middle} from the top and "
        f"column {middle} from the left. {_up(query, trajectory)}"
    )


def _place(query: Query, trajectory: Trajectory) -> str:
    """Say what is in the middle: the agent, at the state that the question is told from."""
    if isinstance(query.a, int) and trajectory.watched:
        return f"The place of {_watched.name(trajectory)} in frame {query.reference}"
    return f"The place where frame {_origin(query)} was taken"


def _origin(query: Query) -> int:
    return 0 if query.reference is None else query.reference


def _up(query: Query, trajectory: Trajectory) -> str:
    top = MANNERS[trajectory.scenario].map_top
    if query.capability.about_map:
        return f"{top} is north, right is east."
    ahead = f"the way the camera faced in frame {_origin(query)}"
    return f"{top} is {ahead}, right is to the right of that."


def _marks(query: Query, trajectory: Trajectory) -> str:
    if isinstance(query.a, int):
        hand = f"where {_watched.name(trajectory)} was in it"
        where = hand if trajectory.watched else "where it was taken"
        what = f"the number of each frame shown {where}"
    else:
        what = "A" if query.b is None else "A and B"
        what = f"{what} where the centre of the object is"
    shared = "@,A" if isinstance(query.a, str) else f"@,{_origin(query)}"
    return (
        "Write each row on a line of its own, its cells parted by spaces: @ in the middle, "
        f"{what}, and . in every other cell. What shares a cell is written there with commas "
        f"between, as in {shared}. What lies beyond the grid goes to the cell at its edge that "
        "lies in its direction from the middle."
    )


STRATEGY = Strategy(
    name="map",
    summary=f"a map of {SIZE} x {SIZE} cells, reasoning, then the answer",
    write=write,
    reasoned=True,
)
