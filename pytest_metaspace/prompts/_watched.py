"""How questions speak of a mover that is not the camera: a gripper, seen by one that stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts import words

if TYPE_CHECKING:
    from pytest_metaspace.domain import Query, Trajectory

FRAME_OF_REFERENCE = (
    "The camera stays where it is and looks the same way in all frames. Directions are told as it "
    "looks (how far up or down it looks does not count), and are the same for all places: farther "
    "is the way the camera looks, nearer is the opposite way, left and right are at right angles "
    "to that, as in the image."
)
_PLACES = {
    "gripper": "the point midway between the tips of its two fingers, be it open or closed",
}


def name(trajectory: Trajectory) -> str:
    """Return how a question calls what moves."""
    return f"the {words.one_line(trajectory.mover)}"


def moments(query: Query, trajectory: Trajectory) -> tuple[str, str]:
    """Return how a question speaks of two states."""
    return f"the place of {name(trajectory)} in frame {query.a}", f"its place in frame {query.b}"


def place(query: Query, trajectory: Trajectory) -> list[str]:
    """Say what counts as the place of the mover, where a question is about its movement."""
    if isinstance(query.a, str):
        return []
    return [f"The place of {name(trajectory)} is {_PLACES.get(trajectory.mover, 'its middle')}."]
