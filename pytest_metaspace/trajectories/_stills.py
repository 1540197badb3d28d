"""Pictures that logs hold inside videos and archives, as files that agents can be shown.

They are kept in a folder by what they were made from, so that a run makes each of them once, and
one that was interrupted leaves nothing half written.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.nearest import here_or_above
from pytest_metaspace.trajectories._damaged import require
from pytest_metaspace.trajectories._defects import PICTURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Only containers that hold their pictures themselves: a playlist would name other files, and URLs.
_CONTAINERS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,ogg,flv"
# A title that is no UTF-8 harms no picture. From this PyAV on none fails, and none can be ignored.
_READS_ANY_TITLE = 19
_LARGEST = 8192 * 8192
_MOST_DECODED = 10**10
_NEAR_S = 1.0
_WHOLE = 16 * 2**20
_BLOCK, _BLOCKS = 2**16, 64
_INSTALL = 'pip install "pytest-metaspace[video]"'


class Film(NamedTuple):
    """What the head of a video says."""

    width: int
    height: int
    length_s: float
    """Seconds from the first picture to the end of the last; 0 where the head does not say."""
    rate: float
    """Pictures a second; 0 where the head does not say."""


def default_folder() -> Path:
    """Where pictures are kept when a run does not say: below the nearest folder of answers."""
    return here_or_above() / "frames"


def film(video: Path) -> Film:
    """Read the head of a video; decodes one picture, which tells how the camera was held.

    Raises:
        TrajectoryError: it is missing, is no video or has absurd pictures, or PyAV is missing.
    """
    with _opened(video) as (container, stream):
        length = stream.duration * stream.time_base if stream.duration else None
        if length is None and container.duration:
            length = Fraction(container.duration, 1_000_000)
        width, height = _size(video, stream)
        if _upright(container, stream) % 180:
            width, height = height, width
        return Film(width, height, float(length or 0), float(stream.average_rate or 0))


def stills(
    video: Path, times: Sequence[float], folder: Path | None = None
) -> tuple[Path | None, ...]:
    """Return what a video shows at some times, one file for each.

    Shown at a time is the last picture that begins up to half a picture's length after it: exact
    for times of pictures that were rounded, and right where pictures come irregularly. It seeks,
    holds one picture at a time, and writes each file whole or not at all.

    Args:
        video: a file with a video in it; the first is taken.
        times: seconds from its first picture on, in any order.
        folder: where the pictures are kept; ``default_folder`` when None.

    Returns:
        For each time the file, a PNG, or None where the video ends before.

    Raises:
        TrajectoryError: the video cannot be read, or the folder not written.
    """
    home = (folder or default_folder()) / _fingerprint(video)
    wanted = {time: home / f"{round(time * 1e6):012d}.png" for time in times}
    missing = sorted(time for time, path in wanted.items() if not path.is_file())
    if missing:
        _prepare(home)
        with _opened(video) as (container, stream):
            _size(video, stream)
            for time, picture in _shown(video, container, stream, missing):
                _save(picture, wanted[time])
    return tuple(wanted[time] if wanted[time].is_file() else None for time in times)


def kept(content: bytes, folder: Path | None = None) -> Path:
    """Keep a picture that a log holds inside a larger file, as a file of its own.

    Args:
        content: the bytes of a picture's file, kept as they are.
        folder: where it is kept; ``default_folder`` when None.

    Raises:
        TrajectoryError: it is no picture that Pillow knows, or the folder cannot be written.
    """
    import io

    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=PICTURES) as picture:
            suffix = str(picture.format).lower()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as problem:
        reason = re.sub(r" ?<[^>]*>", "", str(problem))  # where it lies in memory
        raise TrajectoryError(
            f"metaspace: {len(content)} bytes are no picture that is read ({reason})."
        ) from None
    home = (folder or default_folder()) / "kept"
    path = home / f"{hashlib.sha256(content).hexdigest()[:32]}.{suffix}"
    if not path.is_file():
        _prepare(home)
        _put(content, path)
    return path


# ------------------------------------------------------------------------------- videos


@contextmanager
def _opened(video: Path) -> Iterator[tuple[Any, Any]]:
    """Open a video for reading; what goes wrong with it meanwhile is told as its fault."""
    try:
        import av
    except ImportError:
        raise TrajectoryError(
            f"{video}: reading a video needs PyAV, which is not installed. Type {_INSTALL}."
        ) from None
    if not video.is_file():
        raise TrajectoryError(
            f"{video}: there is no such file. Fetch it, or unpack the archive that it came in."
        )
    require(video)
    only = {"protocol_whitelist": "file", "format_whitelist": _CONTAINERS}
    major = int(av.__version__.partition(".")[0])
    titles: dict[str, Any] = {} if major >= _READS_ANY_TITLE else {"metadata_errors": "ignore"}
    try:
        with av.open(str(video.absolute()), options=only, **titles) as container:
            if not container.streams.video:
                raise TrajectoryError(f"{video}: has no video in it.")
            yield container, container.streams.video[0]
    except (av.FFmpegError, OverflowError, MemoryError) as problem:
        reason = getattr(problem, "strerror", None) or type(problem).__name__
        raise TrajectoryError(
            f"{video}: cannot be read as a video ({reason}). Where it was cut off, fetch it again."
        ) from None


def _size(video: Path, stream: Any) -> tuple[int, int]:
    context = stream.codec_context
    width, height = (context.width, context.height) if context is not None else (0, 0)
    if not 0 < width * height <= _LARGEST:
        raise TrajectoryError(
            f"{video}: says that its pictures have {width} x {height} pixels; expected some, and "
            f"at most {_LARGEST}."
        )
    return width, height


def _upright(container: Any, stream: Any) -> int:
    """Return by how many degrees counter-clockwise the first picture is to be turned."""
    import av

    with suppress(av.FFmpegError):
        return next((_turn_of(one) for one in container.decode(stream)), 0)
    return 0


def _turn_of(picture: Any) -> int:
    """Return how far a picture is turned to stand upright, in degrees; 0 where it lies askew.

    A telephone that was held upright films lying pictures, and says so beside them.
    """
    turn = int(picture.rotation)
    return turn if turn % 90 == 0 else 0


def _shown(
    video: Path, container: Any, stream: Any, times: Iterable[float]
) -> Iterator[tuple[float, Any]]:
    """Yield each time with the picture that is shown then, as far as the video reaches."""
    start = float((stream.start_time or 0) * stream.time_base)
    length = 1 / float(stream.average_rate) if stream.average_rate else 0.04
    pictures = _Pictures(video, container, stream)
    for time in times:
        found = pictures.at(start + time + length / 2, again=True)
        if found is None:
            return
        if pictures.ended and start + time > found.time + max(length, found.time_length) * 0.99:
            return
        yield time, found.picture


class _Decoded(NamedTuple):
    """A picture and when it begins, in seconds of the stream."""

    picture: Any
    time: float
    time_length: float


class _Pictures:
    """The pictures of a stream, forward, with leaps to the nearest keyframe before."""

    def __init__(self, video: Path, container: Any, stream: Any) -> None:
        self._video, self._container, self._stream = video, container, stream
        self._frames: Iterator[Any] = iter(())
        self._last: _Decoded | None = None
        self._next: _Decoded | None = None
        self.ended = True

    def at(self, time: float, *, again: bool) -> _Decoded | None:
        """Return the last picture that begins up to a time; the first where none does."""
        near = self._next is not None and self._next.time <= time < self._next.time + _NEAR_S
        between = self._last is not None and self._next is not None and self._next.time > time
        if not near and not (between and self._last is not None and self._last.time <= time):
            self._leap(time)
        left = _MOST_DECODED
        while self._next is not None and self._next.time <= time:
            left -= self._next.picture.width * self._next.picture.height
            if left < 0:
                raise TrajectoryError(
                    f"{self._video}: its keyframes are so far apart that a single picture takes "
                    "minutes to find. Encode it again with one a second (ffmpeg -g 30)."
                )
            self._read()
        if self._last is None and again and self._next is not None and time > 0:
            self._leap(0)  # the index of the file led past what was looked for
            return self.at(time, again=False)
        return self._last or self._next

    def _leap(self, time: float) -> None:
        self._container.seek(max(0, int(time / self._stream.time_base)), stream=self._stream)
        self._frames = (one for one in self._container.decode(self._stream) if one.pts is not None)
        self._last = self._next = None
        self.ended = False
        self._read()
        self._last = None

    def _read(self) -> None:
        self._last = self._next or self._last
        frame = next(self._frames, None)
        self.ended = frame is None
        if frame is None:
            self._next = None
            return
        step = float((frame.duration or 0) * self._stream.time_base)
        self._next = _Decoded(frame, float(frame.pts * self._stream.time_base), step)


# -------------------------------------------------------------------------------- files


def _fingerprint(video: Path) -> str:
    """Name a file by its content; of a large one by its size, age and blocks all over it."""
    try:
        with video.open("rb") as file:
            about = os.fstat(file.fileno())
            digest = hashlib.sha256(b"%d" % about.st_size)
            if about.st_size <= _WHOLE:
                digest.update(file.read())
            else:
                digest.update(b" %d" % about.st_mtime_ns)
                for number in range(_BLOCKS):
                    file.seek((about.st_size - _BLOCK) * number // (_BLOCKS - 1))
                    digest.update(file.read(_BLOCK))
    except OSError as problem:
        raise TrajectoryError(
            f"{video}: cannot be read ({problem.strerror}). Fetch it, or unpack the archive that "
            "it came in."
        ) from None
    return digest.hexdigest()[:32]


def _prepare(home: Path) -> None:
    """Make a folder for pictures, in one that git passes over."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        ignore = home.parent / ".gitignore"
        if not ignore.exists() or not ignore.stat().st_size:  # a full disk leaves it empty
            ignore.write_text("*\n", encoding="utf-8")
    except OSError as problem:
        raise _unwritable(home, problem) from None


def _save(picture: Any, path: Path) -> None:
    import io

    from pytest_metaspace.canonical import stamped

    file = io.BytesIO()
    shown = picture.to_image().rotate(_turn_of(picture), expand=True)
    shown.save(file, format="PNG", compress_level=1)
    _put(stamped(file.getvalue(), _content(picture)), path)


def _content(picture: Any) -> str:
    """Return a digest of what a video holds of a picture, before any library turns it into RGB.

    By the rules of the usual ways to pack videos every library decodes to the same numbers.
    """
    from pytest_metaspace.canonical import sha256

    planes = hashlib.sha256()
    for plane, across in zip(picture.planes, _bytes_across(picture)):
        rows = memoryview(plane)
        for row in range(plane.height):
            planes.update(rows[row * plane.line_size :][:across])
    return sha256(
        {
            "decoded": picture.format.name,
            "size": [picture.width, picture.height],
            "turned": _turn_of(picture),
            "colours": [int(picture.colorspace), int(picture.color_range)],
            "planes": planes.hexdigest(),
        }
    )


def _bytes_across(picture: Any) -> list[int]:
    """Return how many bytes of a row of each plane are picture, and not padding behind it."""
    parts = picture.format.components
    return [
        min(plane.line_size, sum(p.width * -(-p.bits // 8) for p in parts if p.plane == index))
        for index, plane in enumerate(picture.planes)
    ]


def _put(content: bytes, path: Path) -> None:
    """Write a file whole or not at all, whoever else is writing it."""
    made = ""
    try:
        handle, made = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(made).replace(path)
    except OSError as problem:
        with suppress(OSError):
            Path(made).unlink(missing_ok=True)
        raise _unwritable(path.parent, problem) from None


def _unwritable(folder: Path, problem: OSError) -> TrajectoryError:
    return TrajectoryError(
        f"{folder}: pictures cannot be written there ({problem.strerror}). Make room, or name "
        "another folder for answers (--metaspace-cache-dir)."
    )
