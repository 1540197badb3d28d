"""Where the pictures of an AerialVLN path are: files in a folder, or values in an LMDB.

The data set ships none. Its own code collects them into an LMDB, an array packed by msgpack for
each step; others write files.
"""

from __future__ import annotations

import hashlib
import io
import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import require
from pytest_metaspace.trajectories._defects import MOST_PIXELS, Unusable, inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
_NAMES = (
    "{name}_{step}_rgb",
    "{name}_{step}",
    "{name}/{step}_rgb",
    "{name}/rgb_{step}",
    *(f"{{name}}/{{step:0{width}d}}" for width in range(1, 9)),
    *(f"{{name}}/rgb/{{step:0{width}d}}" for width in range(1, 9)),
)
_LMDB = "data.mdb"
_INSTALL = 'pip install "pytest-metaspace[aerialvln]"'
_COLOURS = 3
_META = struct.Struct("=16xIIQQI92xQ")
_MAGIC = 0xBEEFC0DE
_SMALLEST_PAGE, _LARGEST_PAGE = 1 << 9, 1 << 16
_LARGEST_MAP = 1 << 44


@contextmanager
def opened(
    main: Path, given: Path | None, kept: Path | None
) -> Iterator[Callable[[str, int], Path | None]]:
    """Open the pictures of a split; yields what returns the one of a path and a step.

    Args:
        main: the file of the split.
        given: file or folder that holds them; None looks beside the split.
        kept: where pictures out of an LMDB are kept.

    Raises:
        TrajectoryError: there are none, or what reads them is not installed.
    """
    place = _place(main, given)
    if (place / _LMDB).is_file() or place.name == _LMDB:
        with _lmdb(place.parent if place.name == _LMDB else place) as value_of:
            yield lambda name, step: _picture(value_of, place, name, step, kept)
    else:
        yield _Folder(place).picture


def _place(main: Path, given: Path | None) -> Path:
    if given is not None:
        return given
    beside = (f"{main.stem}_rgb", f"{main.stem}_images", "images")
    found = next((main.with_name(name) for name in beside if main.with_name(name).is_dir()), None)
    if found is None:
        raise TrajectoryError(
            f"{main}: its pictures are not beside it ({', '.join(beside)}), and AerialVLN ships "
            "none. Collect them as its authors describe, and name their folder or LMDB with "
            "--metaspace-images=PATH."
        )
    return found


class _Folder:
    """Pictures as files; how they are named is found out with the first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._patterns = [f"{name}{ending}" for ending in _ENDINGS for name in _NAMES]

    def picture(self, name: str, step: int) -> Path | None:
        for pattern in self._patterns:
            try:
                path = inside(self._folder, pattern.format(name=name, step=step))
            except Unusable:
                continue
            if path.is_file():
                self._patterns.remove(pattern)
                self._patterns.insert(0, pattern)
                return path
        return None


@contextmanager
def _lmdb(folder: Path) -> Iterator[Callable[[str], bytes | None]]:
    try:
        import lmdb
        import msgpack  # noqa: F401 - missing, it is said now and not at the first picture
    except ImportError:
        raise TrajectoryError(
            f"{folder}: is an LMDB, and what reads it is not installed. Type {_INSTALL}."
        ) from None
    require(folder / _LMDB)
    try:
        _require_whole(folder / _LMDB)
        with lmdb.open(
            str(folder), readonly=True, lock=False, readahead=False, create=False
        ) as store, store.begin() as transaction:  # fmt: skip
            yield lambda key: transaction.get(key.encode())
    except (lmdb.Error, OSError, MemoryError, OverflowError, struct.error, ValueError) as problem:
        raise TrajectoryError(f"{folder}: is no LMDB that can be read ({problem}).") from None


def _require_whole(store: Path) -> None:
    """Make sure that a store has the pages that it says: LMDB would end the process for one.

    Each of its first two pages tells, in native order: 16 bytes of a page, then magic, version,
    address, size of the map, the two tables (their first field is the size of a page), last page.

    Raises:
        ValueError: it has not.
    """
    size = store.stat().st_size
    with store.open("rb") as file:
        first = _META.unpack(file.read(_META.size))
        file.seek(first[4])
        second = _META.unpack(file.read(_META.size))
    for magic, _version, _address, mapped, page, last in (first, second):
        if magic != _MAGIC or not _SMALLEST_PAGE <= page <= _LARGEST_PAGE:
            raise ValueError("it does not begin as one")
        if mapped > _LARGEST_MAP or (last + 1) * page > size:
            raise ValueError(
                f"it says that it has {last + 1} pages in a map of {mapped} bytes, and has "
                f"{size // page}; it was cut off"
            )


def _picture(
    value_of: Callable[[str], bytes | None], place: Path, name: str, step: int, kept: Path | None
) -> Path | None:
    """Return the file of a picture that an LMDB holds, or None.

    Raises:
        Unusable: it holds something else.
    """
    from pytest_metaspace.trajectories._stills import kept as keep

    key = f"{name}_{step}_rgb"
    value = value_of(key)
    return None if value is None else keep(_png(value, f"{place.name}:{key}"), kept)


def _png(value: bytes, where: str) -> bytes:
    """Return a picture as a PNG; the arrays of msgpack-numpy are read without what it may run."""
    import msgpack
    from PIL import Image

    from pytest_metaspace.canonical import sha256, stamped

    try:
        raw: Any = msgpack.unpackb(value, raw=True, strict_map_key=False)
        fields = {
            key.decode() if isinstance(key, bytes) else str(key): entry
            for key, entry in raw.items()
        }
        height, width, colours = fields["shape"]
        kind, data = fields["type"], fields["data"]
    except Exception:  # noqa: BLE001 - anything may be packed there
        raise Unusable(f"{where} holds no picture.") from None
    pixels = height * width if isinstance(height, int) and isinstance(width, int) else 0
    if not 0 < pixels <= MOST_PIXELS or colours != _COLOURS or kind not in (b"|u1", b"<u1"):
        raise Unusable(f"{where} is no picture of three colours of eight bits.")
    if not isinstance(data, bytes) or len(data) != pixels * _COLOURS:
        raise Unusable(f"{where} has another size than it says.")
    file = io.BytesIO()
    Image.frombytes("RGB", (width, height), data).save(file, "PNG", compress_level=1)
    pixels_digest = hashlib.sha256(data).hexdigest()
    return stamped(file.getvalue(), sha256({"rgb": [width, height], "pixels": pixels_digest}))
