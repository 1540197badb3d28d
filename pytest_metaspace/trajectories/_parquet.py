"""Rows of Parquet files, read by row groups, so that memory does not grow with the file."""

from __future__ import annotations

from array import array
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import require
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._parquet_footer import Footer, walked
from pytest_metaspace.trajectories._parquet_pages import LARGEST, MOST_VALUES, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_BATCH = 4096
_MOST_ROWS = 200_000
_LONGEST = 10_000
_MOST_BYTES = 8 << 30
_BUFFER = 1 << 20
_TOGETHER = 16
_ANY = -(2**63), 2**63 - 1


def matching(
    path: Path,
    columns: Sequence[str],
    key: str,
    value: int,
    *,
    batch: int = _BATCH,
    pictures: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file in which a column has a value, in order.

    Only row groups are read that can hold some, and of these only the columns asked for.

    Args:
        path: the file.
        columns: those wanted; ``row`` is added, the place of the row in the file.
        key: a column of whole numbers.
        value: what it must be.
        batch: rows that are held at once.
        pictures: whether the columns wanted hold pictures, and not numbers or lists of them.

    Raises:
        TrajectoryError: it is no Parquet, lacks a column of this kind, holds absurdly many values,
            or pyarrow is missing.
    """
    with opened(path) as table:
        table.require([key, *columns])
        table.require_numbers([key] if pictures else [key, *columns])
        found = 0
        for start, group in table.holding(key, value):
            at = start
            for part in table.parts(group, [key, *columns], batch):
                keys = part.column(key).to_numpy(zero_copy_only=False)
                wanted = (keys == value).nonzero()[0].tolist()
                found += len(wanted)
                if found > _MOST_ROWS:
                    raise TrajectoryError(
                        f"{path}: field {key}: more than {_MOST_ROWS} rows have {value}. Split "
                        "the episode."
                    )
                for index in wanted:
                    yield {name: _value(part.column(name)[index]) for name in columns} | {
                        "row": at + index
                    }
                at += part.num_rows


def _value(told: Any) -> Any:
    """Return a value of Arrow as one of Python.

    Raises:
        ValueError: it is an absurdly long list.
    """
    import pyarrow as pa

    if isinstance(told, pa.ListScalar) and told.is_valid and len(told) > _LONGEST:
        raise ValueError(f"a row holds {len(told)} numbers in one column, more than {_LONGEST}")
    return told.as_py()


def distinct(path: Path, column: str, *, most: int, longest: int) -> set[str]:
    """Return the different texts in a column.

    Args:
        path: the file.
        column: of texts; those that are none are passed over.
        most: how many there may be.
        longest: characters that one may have; longer ones are passed over.

    Raises:
        TrajectoryError: as ``matching``, or there are more.
    """
    found: set[str] = set()
    with opened(path) as table:
        table.require([column])
        for group in range(table.groups):
            for part in table.texts(group, column):
                for one in part:
                    text = one.as_py()
                    if isinstance(text, str) and len(text) <= longest:
                        found.add(text)
                if len(found) > most:
                    raise TrajectoryError(f"{path}: field {column}: has more than {most} values.")
    return found


def columns_of(path: Path) -> list[str]:
    """Return the names of a file's columns.

    Raises:
        TrajectoryError: as ``matching``.
    """
    with opened(path) as table:
        return list(table.names)


class Table:
    """A file of which one row group at a time is looked at."""

    def __init__(self, path: Path) -> None:
        stamp = path.stat()
        self._path = path
        self._of = (path, stamp.st_mtime_ns, stamp.st_size)
        self._footer = _footer(*self._of)
        self._schema = self._footer.of().schema.to_arrow_schema()
        self.names: list[str] = self._schema.names
        self.groups = len(self._footer.starts)

    def require(self, columns: Sequence[str]) -> None:
        """Make sure that there is one of each of some columns.

        Raises:
            TrajectoryError: there is not.
        """
        for name in columns:
            if self.names.count(name) != 1:
                raise TrajectoryError(
                    f"{self._path}: has {'no' if name not in self.names else 'several'} column "
                    f"{name!a}; it has {', '.join(map(brief, self.names[:12]))}."
                )

    def require_numbers(self, columns: Sequence[str]) -> None:
        """Make sure that some columns hold numbers or lists of them.

        Raises:
            TrajectoryError: one does not.
        """
        for name in columns:
            kind = self._schema.field(name).type
            if not _is_of_numbers(kind):
                raise TrajectoryError(
                    f"{self._path}: field {name}: is of type {brief(str(kind))}; expected numbers."
                )

    def holding(self, key: str, value: int) -> Iterator[tuple[int, int]]:
        """Yield row groups that can hold a value, each after the number of rows before it.

        Raises:
            TrajectoryError: the column holds no whole numbers.
        """
        import pyarrow as pa

        kind = self._schema.field(key).type
        if not pa.types.is_integer(kind):
            raise TrajectoryError(
                f"{self._path}: field {key}: is of type {brief(str(kind))}; expected whole numbers."
            )
        for number, (start, least, most) in enumerate(_spans(*self._of, key)):
            if least <= value <= most:
                yield start, number

    def parts(self, group: int, columns: Sequence[str], batch: int) -> Iterator[Any]:
        """Yield so many rows at a time of one row group; fewer where they hold large texts.

        Raises:
            ValueError: it unpacks to absurdly much.
        """
        head = self._footer.of(group, group + 1)
        known = pages(self._path, head.row_group(0), columns)
        if not all(_is_of_numbers(self._schema.field(name).type) for name in columns):
            batch = max(1, min(batch, LARGEST // known.largest))
        unpacked = 0
        for part in self._batches(head, columns, batch):
            unpacked += part.nbytes
            if unpacked > _MOST_BYTES:
                raise ValueError(f"a row group unpacks to more than {_MOST_BYTES} bytes")
            yield part

    def texts(self, group: int, column: str) -> Iterator[Any]:
        """Yield arrays with all different texts of a column in one row group; raises as ``parts``.

        Each is unpacked once, however many rows have it.
        """
        import pyarrow as pa

        kind = self._schema.field(column).type
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            return
        head = self._footer.of(group, group + 1)
        known = pages(self._path, head.row_group(0), [column])
        if known.all > LARGEST:
            raise ValueError(f"column {brief(column)} unpacks to {known.all} bytes of texts")
        for part in self._batches(head, [column], MOST_VALUES, read_dictionary=[column]):
            yield part.column(column).dictionary

    def _batches(self, head: Any, columns: Sequence[str], batch: int, **how: Any) -> Iterator[Any]:
        from pyarrow import parquet

        how |= {"pre_buffer": False, "buffer_size": _BUFFER}
        with parquet.ParquetFile(self._path, metadata=head, **how) as file:
            yield from file.iter_batches(batch, row_groups=[0], columns=list(columns))


def _is_of_numbers(kind: Any) -> bool:
    import pyarrow as pa

    while pa.types.is_nested(kind) and kind.num_fields == 1:
        kind = kind.field(0).type
    return bool(pa.types.is_primitive(kind))


@contextmanager
def opened(path: Path) -> Iterator[Table]:
    """Open a Parquet file; what goes wrong with it meanwhile is told as its fault.

    Raises:
        TrajectoryError: as ``matching``.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise TrajectoryError(
            f"{path}: reading it needs pyarrow, which is not installed. Type "
            'pip install "pytest-metaspace[lerobot]".'
        ) from None
    require(path)
    try:
        yield Table(path)
    except FileNotFoundError:
        raise TrajectoryError(f"{path}: there is no such file. Fetch it.") from None
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as problem:
        told = (str(problem).splitlines() or [type(problem).__name__])[0]
        reason = ascii(told)[1:-1][:200]
        raise TrajectoryError(
            f"{path}: cannot be read as Parquet ({reason}). Where it was cut off, fetch it again."
        ) from None


@lru_cache(maxsize=64)
def _footer(path: Path, changed_ns: int, size: int) -> Footer:  # noqa: ARG001 - what it is kept by
    return walked(path)


class _Spans:
    """For each row group how many rows lie before it, and between which numbers a column lies."""

    def __init__(self) -> None:
        self._starts, self._least, self._most = array("q"), array("q"), array("q")

    def add(self, start: int, least: int, most: int) -> None:
        for known, value in zip((self._starts, self._least, self._most), (start, least, most)):
            known.append(value)

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return zip(self._starts, self._least, self._most)


@lru_cache(maxsize=64)
def _spans(path: Path, changed_ns: int, size: int, key: str) -> _Spans:
    footer = _footer(path, changed_ns, size)
    found, start = _Spans(), 0
    count = len(footer.starts)
    for first in range(0, count, _TOGETHER):
        head = footer.of(first, min(first + _TOGETHER, count))
        for number in range(head.num_row_groups):
            group = head.row_group(number)
            found.add(start, *_span(group, key))
            start += group.num_rows
    return found


def _span(group: Any, key: str) -> tuple[int, int]:
    """Return between which numbers a column of a row group lies, as far as that is told."""
    columns = (group.column(number) for number in range(group.num_columns))
    known = next((one.statistics for one in columns if one.path_in_schema == key), None)
    if known is None or not known.has_min_max or not isinstance(known.min, int):
        return _ANY
    return known.min, known.max
