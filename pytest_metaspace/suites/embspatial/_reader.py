"""Reads items of EmbSpatial-Bench, one at a time, out of a file of any size.

Boxes are x, y, width and height. What is wrong with an item is said with its record and field; an
item that cannot be asked is refused, one whose boxes cannot be used goes on without what rests on
them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_metaspace import files
from pytest_metaspace.domain import Box, Defect, TrackedObject
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites.embspatial import TASKS
from pytest_metaspace.suites.embspatial._posings import Record, posed
from pytest_metaspace.trajectories import _json_index
from pytest_metaspace.trajectories._defects import Unusable, brief, size_of
from pytest_metaspace.trajectories._listed import looked_up, with_item
from pytest_metaspace.trajectories._stills import default_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._json_index import Index

SOURCES = ("mp3d", "ai2thor", "scannet", "metaspace")
"""Where pictures of the benchmark are from, and where ours are."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 80
_LONGEST_LABEL = 200
_LONGEST_QUESTION = 2000
_LONGEST_OPTION = 600
_LEAST_OPTIONS = 2
_MOST_OPTIONS = 26
_CORNERS = 4
_KINDS = {b"\xff\xd8\xff": ".jpg", b"\x89PNG": ".png"}
_QUOTES = "\"'\u201c\u201d\u2018\u2019` \t\r\n"
_AGAIN = "Download the file again, or take the record out."


def _index_of(path: Path) -> Index:
    """Return where the items of a file lie; walked over once in a process.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    try:
        return _json_index.index_of(path, _name)
    except TrajectoryError as problem:
        raise TrajectoryError(f"{problem} Download the file again.") from problem


def _name(place: int, record: Any) -> str:
    given = record.get("question_id") if isinstance(record, dict) else None
    told = str(given) if isinstance(given, (str, int)) else ""
    return _UNSAFE.sub("_", told).strip("._-")[:_LONGEST_NAME] or f"item-{place}"


def names_of(path: Path) -> Sequence[str]:
    """Return the names of the items, their ``question_id`` where it can be a name, in order.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    return _index_of(path).names


def load(path: Path, reading: Reading) -> Trajectory:
    """Load one item.

    Args:
        path: the file, with the name of the item behind it.
        reading: where its picture is kept.

    Raises:
        TrajectoryError: it cannot be asked; the text names the record, the field and why.
    """
    main = path.parent
    index = _index_of(main)
    number = looked_up(path, index.names)
    reader = _Reader(main, number, index.read(number))
    record, size = reader.record(path.name, reading.frames or default_folder())
    if index.problem:
        reader.defect("", index.problem, "Download the file again.")
    return with_item(
        path,
        posed(record),
        (record.picture,),
        size,
        objects=tuple(_tracked(record)),
        defects=tuple(reader.defects),
    )


def _tracked(record: Record) -> Iterator[TrackedObject]:
    for place, (name, box) in enumerate(record.things):
        yield TrackedObject(
            id=f"{place + 1} {name}", label=name, boxes={0: box}, confidences={0: 1.0}
        )


class _Reader:
    """Checks one record, field by field."""

    def __init__(self, main: Path, number: int, content: Any) -> None:
        self._main = main
        self._number = number
        self._content = content
        self.defects: list[Defect] = []

    def defect(self, field: str, what: str, next_step: str) -> None:
        """Note what is wrong and can be done without."""
        self.defects.append(Defect(self._main, field, None, what, next_step))

    def record(self, name: str, folder: Path) -> tuple[Record, tuple[int, int]]:
        """Return the record, and width and height of its picture.

        Raises:
            TrajectoryError: it cannot be asked.
        """
        if not isinstance(self._content, dict):
            self._refuse("", f"is {brief(self._content)}, expected an object.")
        relation = self._content.get("relation")
        if relation not in TASKS:
            self._refuse("relation", f"is {brief(relation)}, expected one of {', '.join(TASKS)}.")
        self._source()
        options = self._options()
        picture, size = self._picture(folder)
        record = Record(
            name=name,
            relation=str(relation),
            question=self._text("question"),
            options=options,
            answer=options[self._answer(options)],
            things=tuple(self._things(size)),
            picture=picture,
            depths=self._depths(len(options)),
        )
        return record, size

    def _field(self, field: str) -> str:
        return f"{self._number}.{field}".rstrip(".")

    def _refuse(self, field: str, what: str) -> NoReturn:
        raise TrajectoryError(f"{self._main}: field {self._field(field)}: {what} {_AGAIN}")

    def _source(self) -> None:
        given = self._content.get("data_source")
        if given not in SOURCES:
            self.defect(
                self._field("data_source"),
                f"is {brief(given)}, which is none of {', '.join(SOURCES)}; the item is asked all "
                "the same.",
                "Look at where it is from.",
            )

    def _text(self, field: str) -> str:
        """Return a text without quotes that stand around it and pair with nothing."""
        given = self._content.get(field)
        if isinstance(given, list) and given:  # the variant for fine-tuning
            given = given[0]
        if not isinstance(given, str) or not given.strip(_QUOTES):
            self._refuse(field, f"is {brief(given)}, expected a text.")
        self._short(field, given, _LONGEST_QUESTION)
        return _unquoted(given)

    def _short(self, field: str, text: str, most: int) -> None:
        if len(text) > most:
            self._refuse(field, f"has {len(text)} characters, more than {most}.")

    def _options(self) -> tuple[str, ...]:
        given = self._content.get("answer_options")
        if not isinstance(given, list) or not _LEAST_OPTIONS <= len(given) <= _MOST_OPTIONS:
            self._refuse("answer_options", f"is {brief(given)}, expected a list of 2 to 26 texts.")
        for place, one in enumerate(given):
            if not isinstance(one, str) or not one.strip(_QUOTES):
                self._refuse(f"answer_options.{place}", f"is {brief(one)}, expected a text.")
            self._short(f"answer_options.{place}", one, _LONGEST_OPTION)
        options = tuple(_unquoted(one) for one in given)
        if len({one.casefold() for one in options}) < len(options):
            self._refuse("answer_options", f"has equal options: {brief(given)}.")
        return options

    def _answer(self, options: tuple[str, ...]) -> int:
        """Return the place of the true option; the variant for fine-tuning has its text."""
        given, count = self._content.get("answer"), len(options)
        if isinstance(given, str) and _unquoted(given) in options:
            return options.index(_unquoted(given))
        if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < count:
            self._refuse(
                "answer", f"is {brief(given)}, expected the place of an option, 0 to {count - 1}."
            )
        return given

    def _picture(self, folder: Path) -> tuple[Path, tuple[int, int]]:
        given = self._content.get("image")
        if not isinstance(given, str):
            self._refuse("image", f"is {brief(given)}, expected a picture in base64.")
        try:
            content = base64.b64decode(given.rpartition("base64,")[2], validate=True)
        except (binascii.Error, ValueError) as problem:
            self._refuse("image", f"is no base64 ({problem}).")
        suffix = next((_KINDS[start] for start in _KINDS if content.startswith(start)), None)
        if suffix is None:
            self._refuse("image", "is base64 of neither a JPEG nor a PNG.")
        path = folder / f"{hashlib.sha256(content).hexdigest()[:32]}{suffix}"
        if not path.exists():
            files.put(path, content)
        try:
            return path, size_of(path)
        except Unusable as problem:
            path.unlink(missing_ok=True)
            self._refuse("image", f"is no picture: {problem}")

    def _things(self, size: tuple[int, int]) -> Iterator[tuple[str, Box]]:
        given = self._content.get("objects")
        for place, one in enumerate(given if isinstance(given, list) else ()):
            field = self._field(f"objects.{place}")
            name = one.get("name") if isinstance(one, dict) else None
            box = _box(one.get("bbox") if isinstance(one, dict) else None, size)
            if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST_LABEL:
                self.defect(f"{field}.name", f"is {brief(name)}; left out.", "Look at the record.")
            elif box is None:
                self.defect(
                    f"{field}.bbox",
                    f"is {brief(one.get('bbox'))}, no x, y, width and height inside of "
                    f"{size[0]} x {size[1]} pixels; the object is left out.",
                    "Boxes of corners have to be written as x, y, width, height.",
                )
            else:
                yield " ".join(name.split()), box

    def _depths(self, count: int) -> tuple[float, ...] | None:
        """Return what files of ours say beyond those of the benchmark."""
        given = self._content.get("depths_m")
        if given is None:
            return None
        numbers = given if isinstance(given, list) else []
        fine = [one for one in numbers if type(one) in (int, float) and one > 0]
        if len(fine) != count or len(numbers) != count:
            self._refuse("depths_m", f"is {brief(given)}, expected a depth for each option.")
        return tuple(map(float, fine))


def _unquoted(text: str) -> str:
    """Return text without quotes that stand around it or without a partner in it."""
    told = " ".join(text.split()).strip(_QUOTES)
    return told.replace('"', "") if told.count('"') % 2 else told


def _box(given: Any, size: tuple[int, int]) -> Box | None:
    """Return a box of x, y, width, height, cut at the border; None where it is none."""
    if not isinstance(given, list) or len(given) != _CORNERS:
        return None
    if any(type(one) not in (int, float) or not abs(one) < 1e6 for one in given):  # noqa: PLR2004
        return None
    x, y, width, height = given
    box = Box(max(0, x), max(0, y), min(size[0], x + width), min(size[1], y + height))
    lies_inside = x + width <= size[0] + 1 and y + height <= size[1] + 1
    return box if lies_inside and box.width > 0 and box.height > 0 else None
