"""The footer of a Parquet file, a row group at a time.

A footer tells of each column in each row group: of a data set with ten thousand episodes that is
more memory than all else takes. Here it is walked over in pieces, and only where each row group is
told is kept. A footer that tells of one of them is then as good as the whole one.

Footers are Thrift's compact protocol (https://github.com/apache/thrift,
doc/specs/thrift-compact-protocol.md); field numbers are those of parquet.thrift.
"""

from __future__ import annotations

import io
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

_MAGIC = b"PAR1"
_END = 8
_ROW_GROUPS = 4
"""The field of the row groups."""
_PIECE = 1 << 16
_LARGEST = 128 << 20
_LARGEST_PART = 16 << 20
_MOST_GROUPS = 1 << 20
_DEEPEST = 20

_STOP, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 0, 7, 8, 9, 10, 11, 12
_BOOLS, _BYTE, _WHOLE = (1, 2), 3, (4, 5, 6)
_LONG = 15


@dataclass(frozen=True)
class Footer:
    """Where a footer tells of what.

    Attributes:
        path: the file.
        before: its bytes up to the row groups.
        after: its bytes behind them.
        starts: the byte of the file from which on each row group is told.
        ends: the byte after each.
    """

    path: Path
    before: bytes
    after: bytes
    starts: array[int]
    ends: array[int]

    def of(self, first: int = 0, after: int = 0) -> Any:
        """Return what pyarrow makes of a footer that tells of some row groups alone.

        Args:
            first: the first of them.
            after: the one after the last.

        Raises:
            OSError: the file cannot be read.
            ArrowException: it is not as it should be.
        """
        from pyarrow import parquet

        told = b""
        if after > first:
            with self.path.open("rb") as file:
                file.seek(self.starts[first])
                told = file.read(self.ends[after - 1] - self.starts[first])
        count = bytes([_LONG << 4 | _STRUCT]) + _written(after - first)
        content = self.before + count + told + self.after
        size = len(content).to_bytes(4, "little")
        return parquet.read_metadata(io.BytesIO(_MAGIC + content + size + _MAGIC))


def walked(path: Path) -> Footer:
    """Walk over the footer of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no footer, or absurdly large; the text says what is wrong.
    """
    with path.open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(0, size - _END))
        end = file.read(_END)
        length = int.from_bytes(end[:4], "little")
        if end[4:] != _MAGIC or not 0 < length <= size - _END:
            raise ValueError("it does not end as one")
        if length > _LARGEST:
            raise ValueError(f"its footer has {length} bytes, more than the {_LARGEST} allowed")
        return _Walk(path, file, size - _END - length, length).footer()


class _Walk:
    """Walks over a footer with little more than one row group in memory."""

    def __init__(self, path: Path, file: BinaryIO, start: int, length: int) -> None:
        file.seek(start)
        self._path, self._file, self._left = path, file, length
        self._data, self._at, self._before = b"", 0, start

    def footer(self) -> Footer:
        """Return where it tells of what."""
        before, count = self._to_groups()
        if count > _MOST_GROUPS:
            raise ValueError(f"it says that it has {count} row groups")
        starts, ends = array("Q"), array("Q")
        for _ in range(count):
            starts.append(self._before + self._at)
            self._over(lambda data, at: _struct(data, at, 0))
            ends.append(self._before + self._at)
        rest = [self._data[self._at :], self._file.read(self._left)]
        return Footer(self._path, before, b"".join(rest), starts, ends)

    def _to_groups(self) -> tuple[bytes, int]:
        """Walk up to the row groups; return the bytes before their number, and the number."""
        found: tuple[int, int] = (0, 0)

        def look(data: bytes, at: int) -> int:
            nonlocal found
            for number, kind, place in fields(data, at):
                if number == _ROW_GROUPS and kind == _LIST:
                    element, count, after = _listed(data, place)
                    if element == _STRUCT:
                        found = place, count
                        return after
            raise ValueError("its footer tells of no row groups")

        self._over(look)
        return self._data[: found[0]], found[1]

    def _over(self, walk: Any) -> None:
        """Walk over one part, with as much of the footer in memory as it takes."""
        while True:
            try:
                at = walk(self._data, self._at)
                if at <= len(self._data):
                    break
            except IndexError:
                pass
            if not self._left or len(self._data) - self._at > _LARGEST_PART:
                raise ValueError("its footer is cut off, or a part of it absurdly large")
            self._more()
        self._at = at

    def _more(self) -> None:
        kept = self._data[self._at :]
        piece = self._file.read(min(self._left, max(_PIECE, len(kept))))
        self._left = self._left - len(piece) if piece else 0
        self._data, self._before, self._at = kept + piece, self._before + self._at, 0


# ------------------------------------------------------- what is passed over; IndexError: cut off


def _number(data: bytes, at: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = data[at]
        at += 1
        found |= (byte & 127) << shift
        if byte < 128:  # noqa: PLR2004 - the bit that says that more follow
            return found, at
        shift += 7
        if shift > 63:  # noqa: PLR2004 - bits
            raise ValueError("its footer has a number of too many bytes")


def fields(data: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield number, kind and place of the fields of a struct.

    Raises:
        IndexError: it is cut off.
        ValueError: it is not as it should be.
    """
    number = 0
    while (head := data[at]) != _STOP:
        kind, place = head & 15, at + 1
        if head >> 4:
            number += head >> 4
        else:
            number, place = _number(data, place)
            number = _signed(number)
        yield number, kind, place
        at = _skipped(data, place, kind, 0)


def number_at(data: bytes, at: int) -> int:
    """Return a whole number that is not negative; raises as ``fields``."""
    return max(0, _signed(_number(data, at)[0]))


def struct_end(data: bytes, at: int) -> int:
    """Return where a struct ends; raises as ``fields``."""
    end = _struct(data, at, 0)
    if end > len(data):
        raise IndexError
    return end


def _signed(number: int) -> int:
    return number >> 1 ^ -(number & 1)


def _written(number: int) -> bytes:
    found = bytearray()
    while number > 127:  # noqa: PLR2004 - as above
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _listed(data: bytes, at: int) -> tuple[int, int, int]:
    """Return of what a list is, how many there are, and where they begin."""
    head = data[at]
    count, at = (head >> 4, at + 1) if head >> 4 < _LONG else _number(data, at + 1)
    return head & 15, count, at


def _struct(data: bytes, at: int, depth: int) -> int:
    while (head := data[at]) != _STOP:
        at += 1
        if head < 16:  # noqa: PLR2004 - the number of the field is spelled out
            at = _number(data, at)[1]
        kind = head & 15
        if kind in _WHOLE:  # most are
            while data[at] > 127:  # noqa: PLR2004 - as above
                at += 1
            at += 1
        elif kind == _BINARY and data[at] < 128:  # noqa: PLR2004 - as above
            at += 1 + data[at]
        elif kind not in _BOOLS:
            at = _skipped(data, at, kind, depth + 1)
    return at + 1


def _skipped(data: bytes, at: int, kind: int, depth: int) -> int:
    """Return where a value ends."""
    if depth > _DEEPEST:
        raise ValueError("its footer is nested too deeply")
    if kind in _WHOLE:
        return _number(data, at)[1]
    if kind == _STRUCT:
        return _struct(data, at, depth)
    if kind == _BINARY:
        length, at = _number(data, at)
        return at + length
    if kind in (_LIST, _SET):
        element, count, at = _listed(data, at)
        return _all(data, at, (element,), count, depth + 1)
    if kind == _MAP:
        count, at = _number(data, at)
        return _all(data, at + 1, (data[at] >> 4, data[at] & 15), count, depth + 1) if count else at
    if kind in (*_BOOLS, _BYTE, _DOUBLE):
        return at + (8 if kind == _DOUBLE else kind == _BYTE)
    raise ValueError("its footer holds a value of no known kind")


def _all(data: bytes, at: int, kinds: tuple[int, ...], count: int, depth: int) -> int:
    """Return where so many values end; each takes a byte at least, so that lies end soon."""
    if kinds == (_STRUCT,) and depth <= _DEEPEST:
        for _ in range(count):
            at = _struct(data, at, depth)
        return at
    if len(kinds) == 1 and kinds[0] in _WHOLE:
        for _ in range(count):
            while data[at] > 127:  # noqa: PLR2004 - as above
                at += 1
            at += 1
        return at
    for _ in range(count):
        for kind in kinds:
            at = at + 1 if kind in _BOOLS else _skipped(data, at, kind, depth)
        if at > len(data):
            raise IndexError
    return at
