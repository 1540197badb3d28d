"""The CSV files of the benchmark: strictly read, each row with its line."""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import lost
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_text import bytes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.trajectories._moments import Findings

_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LARGEST: Final = 16 << 20
_LONGEST: Final = 20_000
"""A cell has at most so many characters."""
_MOST_ROWS: Final = 2_000
PAGE: Final = "See docs/suite-rem.md."


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: the line that it begins on, and the cells of the columns asked for."""

    line: int
    cells: Mapping[str, str]


def rows(path: Path, columns: Sequence[str], findings: Findings) -> list[Row]:
    """Return the rows of a table that have a cell in each of some columns.

    Others are left out and said; further columns are passed over, as models put theirs there.

    Raises:
        TrajectoryError: the file cannot be read, is UTF-16 or has other columns.
    """
    gone = lost(path, needed=True)
    if gone is not None:
        raise TrajectoryError(f"{path}: {gone}")
    content = bytes_of(path, "table of REM", _LARGEST)
    if content[:2].count(0) == 1 or content.startswith(_UTF_16):  # half of what is ASCII is NUL
        raise TrajectoryError(f"{path}: is UTF-16, expected UTF-8. Save it as UTF-8.")
    text = content.decode("utf-8-sig", "replace")
    told = _lines(text, path, findings)
    head = next(told, (1, []))[1]
    names = [name.strip().casefold() for name in head]
    missing = [name for name in columns if name not in names]
    if missing:
        raise TrajectoryError(
            f"{path}:1: field {missing[0]}: the first line names no such column; it is "
            f"{brief(','.join(head))}. {PAGE}"
        )
    places = {name: names.index(name) for name in columns}
    return list(_fitting(path, told, places, findings))


def _lines(text: str, path: Path, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row; what follows a quote without an end is left out."""
    reader = csv.reader(io.StringIO(text.replace("\0", "\ufffd"), newline=""), strict=True)
    line = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as problem:
            findings.add(
                "",
                f"is no CSV from here on ({problem}); the rest is left out.",
                "Copy the whole file.",
                line=line,
                file=path,
            )
            return
        if cells is None:
            return
        yield line, cells
        line = reader.line_num + 1


def _fitting(
    path: Path,
    told: Iterator[tuple[int, list[str]]],
    places: Mapping[str, int],
    findings: Findings,
) -> Iterator[Row]:
    """Yield the rows that can be used."""
    count = 0
    for line, cells in told:
        if not any(cell.strip() for cell in cells):
            continue
        count += 1
        if count > _MOST_ROWS:
            findings.add(
                "",
                f"has more than {_MOST_ROWS:,} rows; the rest is left out.",
                "Look at what wrote it.",
                line=line,
                file=path,
            )
            return
        wrong = _wrong(cells, places)
        if wrong is None:
            yield Row(line, {name: cells[place].strip() for name, place in places.items()})
        else:
            findings.add(
                wrong[0],
                f"{wrong[1]}; the row is left out.",
                "Copy the whole file.",
                line=line,
                file=path,
            )


def _wrong(cells: Sequence[str], places: Mapping[str, int]) -> tuple[str, str] | None:
    """Return column and reason of a row that cannot be used."""
    for name, place in places.items():
        if place >= len(cells):
            return name, f"is missing, as the row has {len(cells)} cells"
        if len(cells[place]) > _LONGEST:
            return name, f"has {len(cells[place]):,} characters, more than {_LONGEST:,}"
    return None
