"""How much the pages of a Parquet file unpack to, before any is unpacked.

Footers can lie, and a page of a few bytes can unpack to gigabytes. Each page has a head that says
to how much: no library unpacks more into it than that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_metaspace.trajectories._parquet_footer import fields, number_at, struct_end

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

LARGEST = 256 << 20
"""Bytes that a page may unpack to."""
MOST_VALUES = 25_000_000
_PIECE = 1 << 12
_LARGEST_HEAD = 16 << 20
_UNPACKED, _PACKED = 2, 3
_ABOUT = (5, 7, 8)
"""Fields of a page's head that tell of data, of a dictionary, and of data of version 2."""
_VALUES = 1


class Pages(NamedTuple):
    """To how many bytes pages unpack.

    Attributes:
        largest: one of them.
        all: together.
    """

    largest: int
    all: int


def pages(path: Path, group: Any, columns: Sequence[str]) -> Pages:
    """Return how much the pages of some columns of a row group unpack to.

    Args:
        path: the file.
        group: what pyarrow knows of the row group.
        columns: their names.

    Raises:
        OSError: the file cannot be read.
        ValueError: a page is absurdly large, or a column holds absurdly many values.
    """
    most = total = 1
    with path.open("rb") as file:
        for number in range(group.num_columns):
            column = group.column(number)
            name = column.path_in_schema
            if any(name == one or name.startswith(f"{one}.") for one in columns):
                for unpacked in _of_column(file, column, name):
                    most, total = max(most, unpacked), total + unpacked
    return Pages(most, total)


def _of_column(file: BinaryIO, column: Any, name: str) -> Iterator[int]:
    at = column.data_page_offset
    if column.has_dictionary_page and 0 < (column.dictionary_page_offset or 0) < at:
        at = column.dictionary_page_offset
    end, values, held = at + column.total_compressed_size, column.num_values, 0
    while at < end and held < values:
        unpacked, packed, count, head = _head(file, at)
        held += count
        if unpacked > LARGEST:
            raise ValueError(
                f"a page of column {name!a} unpacks to {unpacked} bytes; at most {LARGEST} are read"
            )
        at += head + packed
        yield unpacked
    if max(held, values) > MOST_VALUES:
        raise ValueError(
            f"a row group says that it holds {max(held, values)} values in column {name!a}; at "
            f"most {MOST_VALUES} are read"
        )


def _head(file: BinaryIO, at: int) -> tuple[int, int, int, int]:
    """Return bytes unpacked and packed, values, and bytes of the head of a page."""
    size = _PIECE
    while True:
        file.seek(at)
        data = file.read(size)
        try:
            told = {number: place for number, _, place in fields(data, 0)}
            about = next((told[one] for one in _ABOUT if one in told), None)
            inner = {} if about is None else {n: place for n, _, place in fields(data, about)}
            # What a dictionary holds are not values of rows.
            rows = _VALUES in inner and _ABOUT[1] not in told
            count = number_at(data, inner[_VALUES]) if rows else 0
            unpacked, packed = (number_at(data, told[one]) for one in (_UNPACKED, _PACKED))
            return unpacked, packed, count, struct_end(data, 0)
        except IndexError:
            if len(data) < size or size > _LARGEST_HEAD:
                raise ValueError("the head of a page is cut off") from None
            size *= 16
        except KeyError:
            raise ValueError("the head of a page does not say how large it is") from None
