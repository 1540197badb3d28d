"""The file of moves beside a walk of the benchmark, and whether the names of pictures say the same.

The names hold. Where they lack moves the file tells them.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.rem._seen import Move
from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.trajectories._moments import Findings

MOVES: Final = "trajectory_moves.txt"
_TURN: Final = re.compile(r"turn (left|right) (\d{1,3}(?:\.\d{1,9})?)(?: degrees?)?")
_ONE_TURN: Final = 15.0
_MOST_BYTES: Final = 1 << 20
_SMALL: Final = 1e-6


def turn(side: str, degrees: float) -> Move:
    """Return a turn to the left or right."""
    return Move(f"turn_{side}", turn_deg=degrees if side == "right" else -degrees)


def listed(path: Path) -> list[Move]:
    """Return the moves of a file, turns in parts of 15 degrees; none where it cannot be read."""
    return [] if (lines := _lines(path)) is None else _moves(lines)[0]


def _lines(path: Path) -> list[tuple[int, str]] | None:
    """Return the lines of a file that hold something, with their numbers; None without a file."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return None
    told = enumerate((one.strip() for one in text.splitlines()), start=1)
    return [(number, line) for number, line in told if line]


def _moves(lines: Sequence[tuple[int, str]]) -> tuple[list[Move], tuple[int, str] | None]:
    """Return moves, and the first line that is none; then there are none."""
    found: list[Move] = []
    for number, line in lines:
        match = _TURN.fullmatch(line.lower())
        if line.lower().split()[0] == "straight":
            found.append(Move("move_forward", forward_m=1.0))
        elif match is not None:
            found += _parts(turn(match[1], float(match[2])))
        else:
            return [], (number, line)
    return found, None


def _parts(move: Move) -> list[Move]:
    """Return a move in parts: turns of 15 degrees, and what is left."""
    whole, rest = divmod(abs(move.turn_deg), _ONE_TURN)
    if not move.turn_deg:
        return [move]
    side = "right" if move.turn_deg > 0 else "left"
    return [turn(side, _ONE_TURN)] * int(whole) + ([turn(side, rest)] if rest else [])


def compare(path: Path, moves: Sequence[Move], findings: Findings) -> None:
    """Say where a file of moves tells of others than the names of the pictures.

    Args:
        path: the file; there may be none.
        moves: by the names.
        findings: takes what is wrong.
    """
    lines = _lines(path)
    if lines is None or not moves:  # of one picture nothing is told by either
        return
    told, junk = _moves(lines)
    line = None
    if junk is not None:
        line, what = junk[0], f"is {brief(junk[1])}, expected straight or turn left 15 degrees."
    else:
        what = _difference(told, [part for move in moves for part in _parts(move)]) or ""
    if what:
        findings.add(
            "",
            f"{what} The names of the pictures hold.",
            "Look at what wrote them and the file.",
            line=line,
            file=path,
        )


def _difference(told: Sequence[Move], named: Sequence[Move]) -> str | None:
    """Return how moves differ, told by numbers from 1; None where they do not."""
    for number, (one, other) in enumerate(zip_longest(told, named), start=1):
        if one is None or other is None:
            return f"has {len(told)} moves, and the names of the pictures have {len(named)}."
        if not _alike(one, other):
            return (
                f"has {_words(one)} as move {number}, and the names of the pictures have "
                f"{_words(other)}."
            )
    return None


def _alike(one: Move, other: Move) -> bool:
    """Whether both are the same turn, or both lead ahead: the file does not say how far."""
    if not other.turn_deg:
        return not one.turn_deg and other.forward_m > 0
    return abs(one.turn_deg - other.turn_deg) < _SMALL


def _words(move: Move) -> str:
    if move.turn_deg:
        return f"turn {'right' if move.turn_deg > 0 else 'left'} {abs(move.turn_deg):g} degrees"
    return "straight" if move.forward_m > 0 else f"backward {-move.forward_m:g} m"
