"""What EB-Manipulation's actions do: seven numbers that say where the gripper is to be.

x, y, z count cells of 1 cm from the corner of the workspace; x comes nearer to the front camera, y
goes right in its picture, z up. Roll, pitch and yaw count turns of 3 degrees; the last number is 1
for an open gripper. Where the gripper starts is not in any log.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Action

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.domain import Vector

    Numbers = tuple[float, ...]

CELL_M = 0.01
CORNER_M = (-0.3, -0.5, 0.6)
_COUNT = 7
_LONGEST = 20_000
_FARTHEST = 10_000
_STEP_M = 0.05


@dataclass(frozen=True, slots=True)
class Done:
    """One action that was executed.

    Attributes:
        numbers: the seven of it; None where they are not known.
        succeeded: whether it was executed; None where that is not known.
        certain: whether the gripper is where the numbers say.
    """

    numbers: Numbers | None
    succeeded: bool | None
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Move:
    """What is known of an action."""

    action: Action | None
    succeeded: bool | None
    changes: bool


def numbers_of(given: Any) -> Numbers | None:
    """Return the seven numbers of an action, also of one that is text like a list, or None."""
    if isinstance(given, str):
        given = literal(given)
    if not isinstance(given, (list, tuple)) or len(given) != _COUNT:
        return None
    if any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in given):
        return None
    if not all(abs(one) < _FARTHEST for one in given):
        return None
    return tuple(given)


def literal(text: str) -> Any:
    """Return the value that a text writes down, as Python or JSON do; None where it is none."""
    if len(text) > _LONGEST:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def place_of(numbers: Numbers) -> Vector:
    """Return where an action puts the gripper, metres in the world of the simulator."""
    x, y, z = (
        round(corner + CELL_M * cell + CELL_M / 2, 6) for corner, cell in zip(CORNER_M, numbers[:3])
    )
    return (x, y, z)


def moves(done: Iterable[Done]) -> list[Move]:
    """Return the actions as the front camera stands: away from it, right and up.

    The pictures of a failed action are those before it, so that it moved nothing that is seen.
    """
    here: Vector | None = None
    held: float | None = None
    made = []
    for one in done:
        if one.succeeded is False:
            made.append(Move(Action(name="refused"), succeeded=False, changes=False))
            continue
        if one.succeeded is None or one.numbers is None:
            here, held = None, None
            made.append(Move(None, None, changes=False))
            continue
        there = place_of(one.numbers) if one.certain else None
        if here is None or there is None:
            made.append(Move(None, None, changes=False))
        else:
            x, y, z = (round(b - a, 6) + 0.0 for a, b in zip(here, there))
            action = Action(name=_name((x, y, z), held, one.numbers[6]), move_m=(0.0 - x, y, z))
            made.append(Move(action, succeeded=True, changes=action.translates))
        here, held = there, one.numbers[6]
    return made


def _name(move: Vector, before: float | None, after: float) -> str:
    if before is not None and before != after:
        return "open_gripper" if after else "close_gripper"
    return "move" if math.hypot(*move) > CELL_M / 2 else "turn_gripper"


def step_length_m(found: Sequence[Move]) -> float:
    """Return 5 cm, or the shortest executed move where that is shorter, in whole centimetres."""
    lengths = [one.action.length_m for one in found if one.action and one.succeeded and one.changes]
    shortest = min([_STEP_M, *lengths])
    return max(math.floor(shortest / CELL_M + 1e-6), 1) * CELL_M
