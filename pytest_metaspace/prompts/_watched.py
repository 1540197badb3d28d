"""How questions speak of a mover that is not the camera: a gripper in front of one that stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts import words

if TYPE_CHECKING:
    from pytest_metaspace.domain import Query, Trajectory

FRAME_OF_REFERENCE = (
    "The camera stays where it is and looks the same way in all frames. Directions are told as it "
    "looks, level with the ground, and are the same everywhere in the picture: farther is the way "
    "the camera looks, nearer is the opposite way, right is to the right of the way it looks, left "
    "is to the left of it."
)
_POINTS = {"gripper": "the point midway between the tips of its two fingers"}


def name(trajectory: Trajectory) -> str:
    """Return how a question calls what moves."""
    return f"the {words.one_line(trajectory.mover)}"


def moments(query: Query, trajectory: Trajectory) -> tuple[str, str]:
    """Return how a question speaks of two states."""
    mover = name(trajectory)
    return f"the place of {mover} in frame {query.a}", f"its place in frame {query.b}"


def point(query: Query, trajectory: Trajectory) -> list[str]:
    """Say what counts as the place of the mover, where a question is about its movement."""
    if isinstance(query.a, str):
        return []
    where = _POINTS.get(trajectory.mover, "its middle")
    return [f"The place of {name(trajectory)} is {where}, whether it is open or holds something."]
