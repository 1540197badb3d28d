"""A walk of the benchmark: its frames, the moves between them, and what each one shows.

All of it comes from ``annotations.csv`` and from the names of the pictures, which are not opened.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NoReturn

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites.rem import _own_moves
from pytest_metaspace.suites.rem._own_tables import PAGE, rows
from pytest_metaspace.suites.rem._seen import Move, Sight, Thing, Walk
from pytest_metaspace.trajectories._defects import Unusable, brief, file_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.suites.rem._own_tables import Row
    from pytest_metaspace.suites.rem._seen import Kind
    from pytest_metaspace.trajectories._moments import Findings

COLUMNS: Final = ("image_filename", "annotation", "visible_objects")
CLEAR_PERCENT: Final = 0.1
"""A thing that has so much of a picture is taken to be seen clearly: 45 x 45 of 1920 x 1080 pixels.

Twice of what is asked of walks of ours, as nothing tells how high a thing is seen.
"""
MOST_FRAMES: Final = 256
MOST_THINGS: Final = 256
_PICTURE: Final = re.compile(
    r"image_(?P<number>\d{1,9})"
    r"(?:_(?:(?P<init>init)"
    r"|move_(?P<way>forward|backward)_(?P<metres>\d{1,4}(?:\.\d{1,9})?)m"
    r"|rotate_(?P<side>left|right)_(?P<degrees>\d{1,3}(?:\.\d{1,9})?)))?"
    r"\.(?:png|jpe?g|webp)",
    re.IGNORECASE | re.ASCII,
)
#  No shape is called "object": "red objects" are red ones of any shape.
_THING: Final = re.compile(
    r"(?:(?:small|medium|large)_)?(?P<colour>[a-z]{1,30})_(?!object_)(?P<shape>[a-z]{1,30})"
    r"_(?P<number>\d{1,9})"
)
_ENTRY: Final = re.compile(r"(?P<name>[^()]{1,200}?) *\( *(?P<percent>[^()]{1,30}?) *%? *\)")
_GROUND: Final = "groundplane"
_ALL: Final = 100.0
_ROUNDING: Final = 0.5
_CIRCLE: Final = 360.0
_SMALL: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Sight):
    """What an annotation tells of a thing in a frame.

    Attributes:
        percent: of the picture's pixels, rounded to two decimals.
    """

    percent: float

    @property
    def clear(self) -> bool:
        """Whether nobody overlooks it."""
        return self.percent >= CLEAR_PERCENT


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWalk:
    """A walk of the benchmark.

    Attributes:
        walk: as questions take it; its things are those that are seen.
        orders: of each frame, the ids of its things from left to right, with their places.
        annotations: the sentence about each frame.
        lines: of ``annotations.csv``, where each frame stands.
        whole: whether all that is seen could be read.
    """

    walk: Walk
    orders: tuple[Mapping[str, int], ...]
    annotations: tuple[str, ...]
    lines: tuple[int, ...]
    whole: bool


def read(path: Path, name: str, kept: Path, findings: Findings) -> OwnWalk:
    """Return the walk of an ``annotations.csv``.

    Args:
        path: the file.
        name: of the walk, for its draws.
        kept: the folder in which changed pictures are kept.
        findings: takes what is wrong.

    Raises:
        TrajectoryError: its pictures are not known in their order; the text names row and field.
    """
    reader = _Reader(path, findings)
    told = reader.numbered(rows(path, COLUMNS, findings))
    moves = reader.moves(told)
    seen = [reader.seen(row) for _, row, _ in told]
    ids = sorted({one for frame in seen for one in frame})
    reader.limited([row for _, row, _ in told], ids)
    things = tuple(_thing(one) for one in ids)
    walk = Walk(
        seed=0,
        number=int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big"),
        kind=kind_of(moves),
        things=things,
        frames=tuple(dict(sorted(frame.items())) for frame in seen),
        moves=moves,
        pictures=tuple(picture for picture, _, _ in told),
        kept=kept,
    )
    return OwnWalk(
        walk=walk,
        orders=tuple({one: place for place, one in enumerate(frame)} for frame in seen),
        annotations=tuple(row.cells["annotation"] for _, row, _ in told),
        lines=tuple(row.line for _, row, _ in told),
        whole=reader.whole,
    )


def kind_of(moves: Sequence[Move]) -> Kind:
    """Return what a walk is: one picture, a whole turn on the spot, or a walk through the scene."""
    if not moves:
        return "frame"
    turns = [move.turn_deg for move in moves]
    on_the_spot = not any(move.forward_m for move in moves)
    one_side = all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)
    if on_the_spot and one_side:
        widest = max(map(abs, turns))
        if abs(sum(turns)) + widest >= _CIRCLE - _SMALL:
            return "rotation"
    return "walk"


def _thing(name: str) -> Thing:
    match = _THING.fullmatch(name)
    assert match is not None
    return Thing(id=name, colour=match["colour"], shape=match["shape"], number=int(match["number"]))


class _Reader:
    """Checks rows, field by field."""

    def __init__(self, path: Path, findings: Findings) -> None:
        self._path = path
        self._findings = findings
        self._files = _files_in(path.parent)
        self._doubted: set[int] = set()

    @property
    def whole(self) -> bool:
        """Whether all that is seen could be read so far."""
        return not self._doubted

    def numbered(self, told: Sequence[Row]) -> list[tuple[Path, Row, re.Match[str]]]:
        """Return rows by the numbers of their pictures, with those.

        Raises:
            TrajectoryError: one has no picture, or a number is missing or occurs twice.
        """
        if not told:
            raise self._findings.nothing_left(f"holds no frame. {PAGE}")
        if len(told) > MOST_FRAMES:
            raise self._findings.nothing_left(f"has more than {MOST_FRAMES} frames. {PAGE}")
        found: dict[int, tuple[Path, Row, re.Match[str]]] = {}
        for row in told:
            given = row.cells["image_filename"]
            match = _PICTURE.fullmatch(given)
            if match is None:
                self._refuse(
                    row, f"is {brief(given)}, expected a name as image_0001_rotate_left_15.png."
                )
            number = int(match["number"])
            if number in found:
                self._refuse(row, f"has the number of line {found[number][1].line} again.")
            found[number] = (self._picture(row, given), row, match)
        ordered = [found[number] for number in sorted(found)]
        for one, (before, number) in zip(ordered[1:], pairwise(sorted(found))):
            if number != before + 1:
                self._refuse(one[1], f"has the number {number}, and the one before is {before}.")
        return ordered

    def _refuse(self, row: Row, what: str) -> NoReturn:
        raise TrajectoryError(f"{self._path}:{row.line}: field image_filename: {what} {PAGE}")

    def _picture(self, row: Row, given: str) -> Path:
        """Return the file of a picture; folders are listed once and pictures not opened."""
        if given in self._files:
            return self._path.parent / given
        try:
            return file_in(self._path.parent, given)
        except Unusable as problem:
            self._refuse(row, str(problem))

    def moves(self, told: Sequence[tuple[Path, Row, re.Match[str]]]) -> tuple[Move, ...]:
        """Return what is done between the frames: by the names, else by the file of moves.

        Raises:
            TrajectoryError: neither says.
        """
        named = [_move_of(match) for _, _, match in told[1:]]
        path = self._path.parent.parent / _own_moves.MOVES
        if None in named:
            place = named.index(None) + 1
            listed = _own_moves.listed(path)
            if len(listed) != len(named):
                self._refuse(
                    told[place][1],
                    f"does not say what was done before, and {path.name} tells of {len(listed)} "
                    f"moves for {len(told)} frames.",
                )
            named = [one or other for one, other in zip(named, listed)]
        moves = tuple(move for move in named if move is not None)
        _own_moves.compare(path, moves, self._findings)
        return moves

    def seen(self, row: Row) -> dict[str, Told]:
        """Return what a frame shows of each thing, from left to right."""
        found: dict[str, Told] = {}
        cell = row.cells["visible_objects"]
        total = 0.0
        for place, part in enumerate(filter(None, map(str.strip, cell.split(",")))):
            match = _ENTRY.fullmatch(part)
            percent = None if match is None else _percent(match["percent"])
            name = part if match is None else match["name"]
            if percent is None:
                self._doubt(row, f"has {brief(part)}, expected a name and a percentage, 0 to 100.")
                continue
            total += percent
            if name.casefold() == _GROUND:
                continue
            if _THING.fullmatch(name) is None:
                self._doubt(row, f"names {brief(name)}, no colour_shape_number.")
            elif name in found:
                self._doubt(row, f"names {brief(name)} twice.")
            else:
                found[name] = _sight(place, percent)
        if total > _ALL + _ROUNDING:
            self._doubt(row, f"shares out {total:.2f} % of the picture.")
        return found

    def limited(self, told: Sequence[Row], ids: Sequence[str]) -> None:
        """Doubt what shows more things than a scene has."""
        if len(ids) > MOST_THINGS:
            self._doubt(told[-1], f"makes them {len(ids)} things; at most {MOST_THINGS} are known.")

    def _doubt(self, row: Row, what: str) -> None:
        """Tell what is wrong in a row, of all that is the first."""
        if row.line in self._doubted:
            return
        self._doubted.add(row.line)
        self._findings.add(
            "visible_objects",
            f"{what} Questions about this walk carry no relations, and their answers are not "
            "checked.",
            "Copy the file again.",
            line=row.line,
        )


def _sight(place: int, percent: float) -> Told:
    """Return a sight without a place; only which is left of which is known (``_own_places``)."""
    return Told(
        pixels=1,
        height_px=0.0,
        centre_x=float(place),
        pixels_x=float(place),
        spread_px=float("inf"),
        percent=percent,
    )


def _percent(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= _ALL else None


def _files_in(folder: Path) -> frozenset[str]:
    """Return the names of the files of a folder that are no links."""
    try:
        with os.scandir(folder) as entries:
            return frozenset(one.name for one in entries if one.is_file(follow_symlinks=False))
    except OSError:
        return frozenset()


def _move_of(match: re.Match[str]) -> Move | None:
    """Return the move that the name of a picture tells of."""
    if match["way"]:
        way = match["way"].lower()
        metres = float(match["metres"])
        return Move(f"move_{way}", forward_m=metres if way == "forward" else -metres)
    if match["side"]:
        return _own_moves.turn(match["side"].lower(), float(match["degrees"]))
    return None


def seen_names(walk: Walk) -> Mapping[str, tuple[str, ...]]:
    """Return the things of each name."""
    found: dict[str, tuple[str, ...]] = {}
    for thing in walk.things:
        found[thing.name] = (*found.get(thing.name, ()), thing.id)
    return found
