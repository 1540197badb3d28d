"""How many frames, things and duplicates a walk has: as ordered, or in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.suites.rem._names import BOUNDS
from pytest_metaspace.suites.rem._path import ROUND
from pytest_metaspace.suites.rem._scene import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.suites.rem._seen import Kind

VARIED: Final = "varied"
"""What stands for one after the other of the numbers below."""
FRAMES: Final = (8, 16, 4, 24, 2, 32, 64)
OBJECTS: Final = (16, 24, 36, 8, 48)
DUPLICATES: Final = (4, 0, 12, 46)
"""More or fewer where so many are impossible; with no common factor of lengths, all meet."""
FRAME_OBJECTS: Final = (32, 24, 40, 48, 55)
FRAME_DUPLICATES: Final = (5, 0, 10, 20)
TURN_OBJECTS: Final = 24
_KINDS_LEAST: Final = 2

Chosen = dict[str, int]
"""Frames, objects and duplicates, by name."""


def chosen(kind: Kind, number: int, options: Mapping[str, int | str]) -> Chosen:
    """Return what the walk of a number has.

    Args:
        kind: of the walk.
        number: in turn, from 0.
        options: ``frames``, ``objects`` and ``duplicates``: a number, or ``varied``.

    Raises:
        UsageProblem: no walk is like that.
    """
    if kind == "rotation":
        return {"frames": ROUND, "objects": TURN_OBJECTS}
    single = kind == "frame"
    frames, objects, duplicates = (_given(options, name) for name in BOUNDS)
    many = _in_turn(_fitting(objects, duplicates, FRAME_OBJECTS if single else OBJECTS), number)
    drawn = _in_turn(FRAME_DUPLICATES if single else DUPLICATES, number)
    least, most = _bounds(many)
    return {
        "frames": 1 if single else frames or _in_turn(FRAMES, number),
        "objects": many,
        "duplicates": min(max(drawn, least), most) if duplicates is None else duplicates,
    }


def _given(options: Mapping[str, int | str], name: str) -> int | None:
    """Return an option; None where it is varied."""
    value = options.get(name, VARIED)
    if value == VARIED:
        return None
    least, most = BOUNDS[name]
    if not least <= int(value) <= most:
        raise UsageProblem(f"metaspace: --{name} {value}: expected {least} to {most}, or varied.")
    return int(value)


def _fitting(objects: int | None, duplicates: int | None, all_of: Sequence[int]) -> Sequence[int]:
    """Return numbers of things of which so many can be duplicates."""
    offered = all_of if objects is None else (objects,)
    if duplicates is None:
        return offered
    fitting = [one for one in offered if _bounds(one)[0] <= duplicates <= _bounds(one)[1]]
    if not fitting and objects is None:
        raise UsageProblem(
            f"metaspace: --duplicates {duplicates}: the most things drawn in turn are "
            f"{max(all_of)}. Give --objects, too."
        )
    if not fitting:
        least, most = _bounds(offered[0])
        raise UsageProblem(
            f"metaspace: --duplicates {duplicates}: of {objects} objects {least} to {most} can be "
            f"duplicates, as there are {len(KINDS)} kinds and {_KINDS_LEAST} are the least."
        )
    return fitting


def _bounds(objects: int) -> tuple[int, int]:
    """Return how few and how many of some things can be duplicates."""
    return max(0, objects - len(KINDS)), objects - _KINDS_LEAST


def _in_turn(values: Sequence[int], number: int) -> int:
    return values[number % len(values)]
