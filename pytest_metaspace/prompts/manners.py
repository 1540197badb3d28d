"""How questions of a scenario speak, where the same words would not do for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """The phrases of one scenario."""

    role: str
    """Whose eyes the pictures are from."""
    level: str = ""
    """Said after the way a camera looks, where it may look up or down."""
    none_apart: str = "apart on the ground"
    """How near two places are whose direction is none."""
    up_and_down: str = ""
    """What up and down mean; said where they are asked for."""
    above_and_below: str = ""
    """What above and below mean, of A and B; said where they are asked for."""
    being: str = "standing"
    """How one is at a place where a picture was taken."""
    way: str = "walk"
    """How one gets from a place where a picture was taken to another."""
    map_top: str = "Up"
    """What the top of a map is called."""
    mapped: str = "the ground"
    """What a map shows."""


_HOUSEHOLD = Manner(
    role="You are a household robot. The pictures are from the camera in your head."
)
_ARM = Manner(
    role="You watch a robot arm at a table through a fixed camera.",
    level=" (how far up or down it looks does not count)",
    none_apart="apart as seen from straight above, however far one is above the other",
    up_and_down=(
        "The movement is up when it ends higher over the table than it begins, wherever the two "
        "are in the image."
    ),
    above_and_below=(
        "B is above A when its centre is higher over the table than that of A, wherever the two "
        "are in the image."
    ),
    map_top="The top of the map",
    mapped="the table",
)
_DRONE = Manner(
    role="You are a drone. The pictures are from the camera on your nose.",
    level=" (how far up or down it looks does not count)",
    none_apart="apart as seen from straight above, however far one is above the other",
    up_and_down=(
        "The movement is up when it ends higher over the ground than it begins, whichever way "
        "the camera looks."
    ),
    above_and_below=(
        "B is above A when its centre is higher over the ground than that of A, wherever the two "
        "are in the image."
    ),
    being="hovering",
    way="flight",
    map_top="The top of the map",
)
MANNERS: Mapping[str, Manner] = {"household": _HOUSEHOLD, "arm": _ARM, "drone": _DRONE}
"""By what ``trajectory.json`` calls its scenario."""
