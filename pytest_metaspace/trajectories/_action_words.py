"""What words like ``turn left 30`` mean: metres forward, right and up, degrees clockwise."""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_metaspace.domain import Action

_WORDS = re.compile(
    r"(?:(?P<verb>move|go|step|drive|walk|fly|strafe|slide|turn|rotate|yaw)\s+)?"
    r"(?P<way>forwards?|ahead|backwards?|back|left|right|upwards?|up|downwards?|down|farther|nearer)"
    r"(?:\s+(?:by\s+)?(?P<number>\d{1,6}(?:\.\d{1,6})?)\s*"
    r"(?P<unit>cm|mm|m|met(?:er|re)s?|deg|degrees?|°)?)?"
)
_STANDS = frozenset({"stop", "stay", "wait", "stand", "noop", "no op", "none", "end"})
_TURNS = frozenset({"turn", "rotate", "yaw"})
_WAYS = {
    **dict.fromkeys(("forward", "forwards", "ahead", "farther"), (1, 0, 0)),
    **dict.fromkeys(("backward", "backwards", "back", "nearer"), (-1, 0, 0)),
    "right": (0, 1, 0),
    "left": (0, -1, 0),
    **dict.fromkeys(("up", "upward", "upwards"), (0, 0, 1)),
    **dict.fromkeys(("down", "downward", "downwards"), (0, 0, -1)),
}
_METRES = {"cm": 0.01, "mm": 0.001}


class Lengths(NamedTuple):
    """How far a move and a turn go that say no number; None where that is not known."""

    move_m: float | None
    turn_deg: float | None


def spoken(text: str, lengths: Lengths) -> Action:
    """Return the action that words tell of; its name is the words.

    Args:
        text: ``forward 0.25 m``, ``move_left 30 cm``, ``turn right 90``, ``up 2``, ``stop``.
        lengths: for words without a number.

    Raises:
        ValueError: they tell of no motion that is known; the text says what would.
    """
    plain = re.sub(r"[_\s]+|(?<=[a-z])-(?=[a-z])", " ", text.lower()).strip()
    if plain in _STANDS:
        return Action(name=text)
    found = _WORDS.fullmatch(plain)
    if found is None:
        raise ValueError(
            "is no motion that is known; expected words as in 'forward 0.5 m', 'turn left 30 deg', "
            "'up 2 m' or 'stop', or its metres and degrees in columns of their own"
        )
    way, unit = found["way"], found["unit"] or ""
    turning = found["verb"] in _TURNS or unit.startswith(("deg", "°"))
    if turning and way not in ("left", "right"):
        raise ValueError("turns neither left nor right")
    if turning and unit and not unit.startswith(("deg", "°")):
        raise ValueError("turns by metres")
    given = None if found["number"] is None else float(found["number"])
    amount = given if given is not None else lengths.turn_deg if turning else lengths.move_m
    if amount is None:
        what = "turn (rotation_deg)" if turning else "move (step_length_m)"
        raise ValueError(f"has no number, and how far one {what} goes is not said")
    if turning:
        return Action(name=text, turn_deg=amount if way == "right" else -amount)
    metres = amount * _METRES.get(unit, 1.0)
    forward, right, up = (metres * part for part in _WAYS[way])
    return Action(name=text, move_m=(forward, right, up))
