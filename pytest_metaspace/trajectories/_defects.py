"""Defects of logs: found, named by file, field and line, and never held against an agent.

One that leaves nothing to use is raised (``fatal``); others ride on ``Trajectory.defects``, and
what rests on the defective step is taken away (``without_stale_frames``), so that it can feed no
relation. Readers of all formats share what stands here.
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Defect
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _hub
from pytest_metaspace.trajectories._damaged import lost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from PIL import Image

    from pytest_metaspace.domain import State, Trajectory

MOST_PIXELS = 64_000_000
"""A picture with more is not decoded: small files can unpack to more memory than there is."""
PICTURES = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
"""Pillow's names of what is decoded. Of others it would start programs, as for EPS."""
_LONGEST = 60
_THUMBNAIL = (64, 64)


class Unusable(ValueError):
    """A path or a picture of a log cannot be used; the text is a sentence that says why."""


def fatal(defect: Defect) -> TrajectoryError:
    """Return the error of a defect that leaves nothing to use; its text is that of the defect."""
    return TrajectoryError(str(defect))


def brief(value: object) -> str:
    """Quote a value of a log in a message, shortened and in ASCII."""
    text = ascii(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def new_defects(trajectory: Trajectory, told: set[str]) -> list[str]:
    """Return the defects that were not told before; those of a file ride on all its episodes.

    Args:
        trajectory: whose.
        told: what was told; what is returned is added.
    """
    found = [text for text in map(str, trajectory.defects) if text not in told]
    told.update(found)
    return list(dict.fromkeys(found))


# ------------------------------------------------------------------------------------ paths


def inside(folder: Path, given: str) -> Path:
    """Return where a path that a log gives leads to, links followed.

    A link of the Hub's cache to the content of the same data set is not followed, and stays.

    Args:
        folder: what it is told from, and must not leave.
        given: as the log says.

    Raises:
        Unusable: it is absolute or leaves the folder, by ``..`` or by a link, or can be no path.
    """
    try:
        path = (folder / given).resolve()
        leaves = not path.is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # too long, with a NUL, a loop of links
        raise Unusable(f"there is no file {brief(given)} in {folder}.") from None
    if leaves:
        kept = _hub.linked(folder, given)
        if kept is not None:
            return kept
        raise Unusable(f"{brief(given)} leaves the folder {folder}.")
    return path


def file_in(folder: Path, given: str) -> Path:
    """Return a file that a log names.

    Raises:
        Unusable: as ``inside``, or there is none.
    """
    path = inside(folder, given)
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise Unusable(f"there is no file {brief(given)} in {folder}.")
    return path


# --------------------------------------------------------------------------------- pictures


def size_of(picture: Path) -> tuple[int, int]:
    """Return width and height in pixels, as the head of a picture says; nothing is decoded.

    Raises:
        Unusable: it is no picture, or has more than ``MOST_PIXELS``.
    """
    with _opened(picture) as image:
        width, height = image.size
        return width, height


def decoded_size(picture: Path) -> tuple[int, int]:
    """Return width and height in pixels of a picture that was decoded whole.

    Raises:
        Unusable: it cannot be decoded, or has more than ``MOST_PIXELS``.
    """
    with _opened(picture) as image:
        _decode(picture, image)
        width, height = image.size
        return width, height


def put_right(picture: Path, problem: Unusable) -> str:
    """Return what to say of a picture that cannot be used: file, reason and one next step."""
    step = "" if lost(picture, needed=True) else " Put the right file there."
    return f"{picture}: {problem}{step}"


def picture_problem(picture: Path, size: tuple[int, int]) -> str | None:
    """Say why a picture cannot be shown as that of a camera with this many pixels, or None.

    It is decoded whole.
    """
    try:
        found = decoded_size(picture)
    except Unusable as problem:
        return str(problem)
    if found == size:
        return None
    return (
        f"has {found[0]} x {found[1]} pixels, but the camera {size[0]} x {size[1]}; boxes would be "
        "told in other pixels than those shown."
    )


def _opened(picture: Path) -> Image.Image:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(picture, formats=PICTURES)
    except Image.DecompressionBombError:  # Pillow's own limit, above ours
        raise Unusable(f"has more than the {MOST_PIXELS} pixels that are decoded.") from None
    except Exception as problem:  # noqa: BLE001 - Pillow's readers raise whatever they meet
        raise Unusable(_undecodable(picture, problem)) from None
    width, height = image.size
    if width * height > MOST_PIXELS:
        image.close()
        raise Unusable(
            f"has {width} x {height} pixels, more than the {MOST_PIXELS} that are decoded."
        )
    return image


def _decode(picture: Path, image: Image.Image) -> None:
    try:
        image.load()
    except Exception as problem:  # noqa: BLE001 - as above
        raise Unusable(_undecodable(picture, problem)) from None


def _undecodable(picture: Path, problem: Exception) -> str:
    gone = lost(picture, needed=True)
    if gone is not None:
        return gone
    reason = str(problem).replace(repr(str(picture)), "it") or type(problem).__name__
    return f"cannot be read as a picture ({reason})."


def digest(picture: Path) -> bytes:
    """Return what identifies the content of a file."""
    return hashlib.sha256(picture.read_bytes()).digest()


def same_picture(one: Path, other: Path, *, within: float | None = None) -> bool:
    """Whether two pictures show the same.

    Args:
        one: a file.
        other: another.
        within: by how many grey levels, of 256, they may differ on average when both are made
            small, as pictures out of a video do; None compares the bytes of the files.

    Raises:
        OSError: one is not there.
        Unusable: one cannot be decoded; only where ``within`` is given.
    """
    if one == other:
        return True
    if within is None:
        # Files that differ in size differ; most do, and then nothing is read.
        return one.stat().st_size == other.stat().st_size and digest(one) == digest(other)
    from PIL import ImageChops, ImageStat

    difference = ImageChops.difference(_thumbnail(one), _thumbnail(other))
    return ImageStat.Stat(difference).mean[0] <= within


@lru_cache(maxsize=4)
def _thumbnail(picture: Path) -> Image.Image:
    with _opened(picture) as image:
        _decode(picture, image)
        small: Image.Image = image.convert("L").resize(_THUMBNAIL)
        return small


# --------------------------------------------------------------------------------- the steps


def stale_frames(
    states: Sequence[State], *, within: float | None = None
) -> Iterator[tuple[State, State]]:
    """Yield states with the one after, where a move is said to have succeeded and none is seen.

    A camera that moved sees something else, so that equal pictures mean a broken recording.

    Args:
        states: of a camera that moves itself.
        within: as of ``same_picture``.
    """
    for state, after in pairwise(states):
        action = state.action
        moved = action is not None and (action.translates or action.turns)
        if moved and state.succeeded and same_picture(state.frame, after.frame, within=within):
            yield state, after


def without_stale_frames(
    trajectory: Trajectory, *, within: float | None = None, field: str = "states.{}.frame"
) -> Trajectory:
    """Return a trajectory whose stale frames are defects, and without what rests on them.

    The action before such a frame counts as one of unknown success, and poses are dropped: they
    tell of moves that the pictures do not show.

    Args:
        trajectory: as it was read; one that a camera watches is returned as it is.
        within: as of ``same_picture``.
        field: how its file names the frame of a state.
    """
    if trajectory.watched:
        return trajectory
    stale = list(stale_frames(trajectory.states, within=within))
    if not stale:
        return trajectory
    poses = "" if trajectory.truth is None else " Poses are left out, too."
    found = tuple(
        Defect(
            file=trajectory.source,
            field=field.format(after.index),
            line=None,
            what=f"is the same picture as that of state {state.index}, though the action "
            f"{brief(state.action.name if state.action else '')} between them is said to have "
            f"succeeded; its success counts as unknown.{poses}",
            next_step="Record the frame after the action.",
        )
        for state, after in stale
    )
    unsure = {state.index for state, _ in stale}
    states = tuple(
        replace(state, succeeded=None) if state.index in unsure else state
        for state in trajectory.states
    )
    return replace(trajectory, states=states, truth=None, defects=(*trajectory.defects, *found))
