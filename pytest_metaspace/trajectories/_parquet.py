"""Rows of Parquet files, read by row groups, so that memory does not grow with the file."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import require

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_BATCH = 4096
_MOST_ROWS = 200_000
_MOST_VALUES = 50_000_000


def matching(
    path: Path, columns: Sequence[str], key: str, value: int, *, batch: int = _BATCH
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file in which a column has a value, in order.

    Only row groups are read that can hold some, and of these only the columns asked for.

    Args:
        path: the file.
        columns: those wanted; ``row`` is added, the place of the row in the file.
        key: a column of whole numbers.
        value: what it must be.
        batch: rows that are held at once.

    Raises:
        TrajectoryError: it is no Parquet, lacks a column, holds absurdly many values, or pyarrow
            is missing.
    """
    with opened(path) as file:
        _require(path, file, [key, *columns])
        found = 0
        for start, group in _groups(file.metadata, key, value):
            _check_size(path, file.metadata.row_group(group))
            at = start
            for part in file.iter_batches(batch, row_groups=[group], columns=[key, *columns]):
                keys = part.column(key).to_pylist()
                wanted = [index for index, one in enumerate(keys) if one == value]
                found += len(wanted)
                if found > _MOST_ROWS:
                    raise TrajectoryError(
                        f"{path}: field {key}: more than {_MOST_ROWS} rows have {value}. Split "
                        "the episode."
                    )
                for index in wanted:
                    yield {name: part.column(name)[index].as_py() for name in columns} | {
                        "row": at + index
                    }
                at += part.num_rows


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
    with opened(path) as file:
        _require(path, file, [column])
        for group in range(file.metadata.num_row_groups):
            _check_size(path, file.metadata.row_group(group))
            for part in file.iter_batches(_BATCH, row_groups=[group], columns=[column]):
                texts = part.column(column).to_pylist()
                found.update(one for one in texts if isinstance(one, str) and len(one) <= longest)
                if len(found) > most:
                    raise TrajectoryError(f"{path}: field {column}: has more than {most} values.")
    return found


def columns_of(path: Path) -> list[str]:
    """Return the names of a file's columns.

    Raises:
        TrajectoryError: as ``matching``.
    """
    with opened(path) as file:
        return list(file.schema_arrow.names)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open a Parquet file; what goes wrong with it meanwhile is told as its fault.

    Raises:
        TrajectoryError: as ``matching``.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise TrajectoryError(
            f"{path}: reading it needs pyarrow, which is not installed. Type "
            'pip install "pytest-metaspace[lerobot]".'
        ) from None
    require(path)
    try:
        stamp = path.stat()
        head = _metadata(path, stamp.st_mtime_ns, stamp.st_size)
        with parquet.ParquetFile(path, metadata=head, pre_buffer=False) as file:
            yield file
    except FileNotFoundError:
        raise TrajectoryError(f"{path}: there is no such file. Fetch it.") from None
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as problem:
        told = (str(problem).splitlines() or [type(problem).__name__])[0]
        reason = ascii(told)[1:-1][:200]
        raise TrajectoryError(
            f"{path}: cannot be read as Parquet ({reason}). Where it was cut off, fetch it again."
        ) from None


@lru_cache(maxsize=4)
def _metadata(path: Path, changed_ns: int, size: int) -> Any:  # noqa: ARG001 - what it is kept by
    from pyarrow import parquet

    return parquet.read_metadata(path)


def _require(path: Path, file: Any, columns: Sequence[str]) -> None:
    there = file.schema_arrow.names
    for name in columns:
        if there.count(name) != 1:
            raise TrajectoryError(
                f"{path}: has {'no' if name not in there else 'several'} column {name!a}; it has "
                f"{', '.join(map(ascii, there[:12]))}."
            )


def _groups(head: Any, key: str, value: int) -> Iterator[tuple[int, int]]:
    """Yield row groups that can hold a value, each after the number of rows before it."""
    start = 0
    for number in range(head.num_row_groups):
        group = head.row_group(number)
        if _can_hold(group, key, value):
            yield start, number
        start += group.num_rows


def _can_hold(group: Any, key: str, value: int) -> bool:
    for number in range(group.num_columns):
        column = group.column(number)
        if column.path_in_schema == key:
            known = column.statistics
            if known is None or not known.has_min_max or not isinstance(known.min, int):
                return True
            return bool(known.min <= value <= known.max)
    return True


def _check_size(path: Path, group: Any) -> None:
    most = max((group.column(i).num_values for i in range(group.num_columns)), default=0)
    if most > _MOST_VALUES:
        raise TrajectoryError(
            f"{path}: a row group says that it holds {most} values in a column; at most "
            f"{_MOST_VALUES} are read."
        )
