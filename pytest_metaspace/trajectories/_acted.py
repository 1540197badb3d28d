"""The rows of ``NAME.actions.csv`` and ``NAME.actions.json``, checked one by one."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_metaspace.domain import Action, Defect, Pose
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._action_words import Lengths, spoken
from pytest_metaspace.trajectories._damaged import require
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_text import json_of
from pytest_metaspace.trajectories._schema import Finite, Positive, complaints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MOST_ROWS = 300
_LARGEST = 16 * 2**20
_KNOWN = (
    *("time", "action", "forward_m", "right_m", "up_m", "turn_deg", "succeeded"),
    *("x", "y", "z", "yaw_deg"),
)
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Head(BaseModel):
    """What is said of all rows."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    video: Optional[str] = None
    id: Optional[str] = Field(default=None, min_length=1, max_length=200)
    scenario: Literal["household", "arm", "drone"] = "household"
    step_length_m: Optional[Positive] = None
    rotation_deg: Optional[Positive] = None
    fx: Optional[Positive] = None
    fy: Optional[Positive] = None
    cx: Optional[Finite] = None
    cy: Optional[Finite] = None


class Row(NamedTuple):
    """One row, as far as it can be read.

    Attributes:
        line: its line in a CSV; None of JSON.
        time: seconds from the first picture of the video.
        action: what began then; None where that is not known.
        succeeded: whether it was executed in full; None where that is not said.
        pose: of the camera then.
    """

    line: int | None
    time: float
    action: Action | None
    succeeded: bool | None
    pose: Pose | None


class Acted(NamedTuple):
    """What a file of actions says."""

    head: Head
    rows: tuple[Row, ...]
    defects: tuple[Defect, ...]


def read(path: Path) -> Acted:
    """Read a file of actions.

    Raises:
        TrajectoryError: it cannot be read, or has no rows.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise TrajectoryError(f"{path}: has more than {_LARGEST} bytes.")
        require(path)
        said, raw = _json(path) if path.suffix.lower() == ".json" else _csv(path)
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from None
    try:
        head = Head.model_validate(said)
    except ValidationError as problem:
        where, what = next(complaints(problem))
        raise TrajectoryError(f"{path}: field {where}: {what}. See docs/logs-video.md.") from None
    if len(raw) > MOST_ROWS:
        raise TrajectoryError(
            f"{path}: has more than {MOST_ROWS} rows. Write one row for each action, not for each "
            "picture, and split a longer run."
        )
    return _Reader(path, head).read(raw)


def _csv(path: Path) -> tuple[dict[str, Any], list[tuple[int | None, Mapping[str, Any]]]]:
    """Return what lines like ``# scenario: drone`` say, and the rows with their lines."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise TrajectoryError(f"{path}: is not in UTF-8 ({problem}).") from None
    lines = text.splitlines(keepends=True)
    notes = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    said = {}
    for line in lines[:notes]:
        key, colon, value = line.lstrip("# \t").partition(":")
        if colon:
            said[key.strip()] = value.strip()
    reader = csv.DictReader(io.StringIO("".join(lines[notes:]), newline=""), skipinitialspace=True)
    rows: list[tuple[int | None, Mapping[str, Any]]] = []
    try:
        names = [name.strip() for name in reader.fieldnames or ()]
        _require(path, names)
        reader.fieldnames = names
        for row in reader:
            rows.append((notes + reader.line_num, row))
            if len(rows) > MOST_ROWS:
                break
    except csv.Error as problem:
        raise TrajectoryError(f"{path}: is no CSV ({problem}).") from None
    return said, rows


def _require(path: Path, names: list[str]) -> None:
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        raise TrajectoryError(
            f"{path}:1: has one column, {brief(names[0])}; are its columns separated by something "
            "else than commas? Write commas, and points in numbers."
        )
    numbered = any(name in names for name in _KNOWN[2:6])
    for name in ("time",) if numbered and "action" not in names else ("time", "action"):
        if names.count(name) != 1:
            raise TrajectoryError(
                f"{path}:1: field {name}: is {'missing' if name not in names else 'there twice'} "
                f"among the columns; expected time, action and, if known, {', '.join(_KNOWN[2:])}."
            )


def _json(path: Path) -> tuple[dict[str, Any], list[tuple[int | None, Mapping[str, Any]]]]:
    content = json_of(path)
    rows = content.get("actions") if isinstance(content, dict) else content
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TrajectoryError(
            f"{path}: field actions: is {brief(rows)}; expected a list of objects with time and "
            "action. See docs/logs-video.md."
        )
    said = content if isinstance(content, dict) else {}
    return said, [(None, row) for row in rows[: MOST_ROWS + 1]]


class _Reader:
    """Reads rows one by one, and collects what is wrong with them."""

    def __init__(self, path: Path, head: Head) -> None:
        self._path, self._head = path, head
        self._defects: list[Defect] = []

    def read(self, raw: list[tuple[int | None, Mapping[str, Any]]]) -> Acted:
        """Return what the rows say."""
        rows: list[Row] = []
        for place, (line, content) in enumerate(raw):
            row = self._row(place, line, content, rows[-1].time if rows else None)
            if row is None:
                break
            rows.append(row)
        return Acted(self._head, tuple(self._all_posed(rows)), tuple(self._defects))

    def _defect(self, place: int, line: int | None, field: str, what: str, cure: str = "") -> None:
        name = field if line is not None else f"actions.{place}.{field}"
        self._defects.append(Defect(self._path, name, line, what, cure))

    def _row(
        self, place: int, line: int | None, content: Mapping[str, Any], before: float | None
    ) -> Row | None:
        time = number(content.get("time"))
        if time is None or time < 0 or (before is not None and time <= before):
            what = "no time in seconds" if time is None or time < 0 else f"not after {before:g}"
            self._defect(
                place,
                line,
                "time",
                f"is {brief(content.get('time'))}, {what}; this row and what follows are left out.",
                "Order the rows by time, and split runs.",
            )
            return None
        return Row(
            line,
            time,
            self._action(place, line, content),
            self._succeeded(place, line, content),
            self._pose(place, line, content),
        )

    def _action(self, place: int, line: int | None, content: Mapping[str, Any]) -> Action | None:
        words = content.get("action")
        told = {name: content.get(name) for name in _KNOWN[2:6]}
        if all(value in (None, "") for value in told.values()):
            if words in (None, ""):
                return None
            try:
                return spoken(
                    str(words)[:200], Lengths(self._head.step_length_m, self._head.rotation_deg)
                )
            except ValueError as problem:
                self._defect(
                    place, line, "action", f"{brief(words)} {problem}; it counts as unknown."
                )
                return None
        numbers = {
            name: 0.0 if value in (None, "") else number(value) for name, value in told.items()
        }
        wrong = next((name for name, value in numbers.items() if value is None), None)
        if wrong is not None:
            self._defect(
                place,
                line,
                wrong,
                f"is {brief(told[wrong])}, no finite number; the action counts as unknown.",
                "Write metres and degrees.",
            )
            return None
        forward, right, up, turn = (value or 0.0 for value in numbers.values())
        return Action(name=str(words or "move")[:200], move_m=(forward, right, up), turn_deg=turn)

    def _succeeded(self, place: int, line: int | None, content: Mapping[str, Any]) -> bool | None:
        given = content.get("succeeded")
        if given in (None, ""):
            return None
        found = _FLAGS.get(str(given).strip().lower())
        if found is None:
            self._defect(
                place,
                line,
                "succeeded",
                f"is {brief(given)}; expected true or false. It counts as unknown.",
            )
        return found

    def _pose(self, place: int, line: int | None, content: Mapping[str, Any]) -> Pose | None:
        told = [content.get(name) for name in ("x", "y", "z", "yaw_deg")]
        if told[0] in (None, "") or told[1] in (None, "") or told[3] in (None, ""):
            return None
        x, y, z, yaw = (number(value) if value not in (None, "") else 0.0 for value in told)
        if x is None or y is None or z is None or yaw is None:
            self._defect(
                place,
                line,
                "x, y, z, yaw_deg",
                f"are {brief(told)}; expected finite numbers.",
                "Write metres and degrees.",
            )
            return None
        return Pose(position=(x, y, z), yaw_deg=yaw)

    def _all_posed(self, rows: list[Row]) -> Iterator[Row]:
        """Yield the rows; without poses where not all have one."""
        unsaid = next((place for place, row in enumerate(rows) if row.pose is None), None)
        some = unsaid is not None and any(row.pose is not None for row in rows)
        if some and unsaid is not None:
            self._defect(
                unsaid,
                rows[unsaid].line,
                "x, y, yaw_deg",
                "are missing though other rows have a pose; no pose is used.",
                "Write the pose in each row.",
            )
        for row in rows:
            yield row._replace(pose=None) if some else row


def number(value: object) -> float | None:
    """Return a finite number below a million, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) and abs(found) < 1e6 else None  # noqa: PLR2004 - metres
