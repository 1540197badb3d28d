"""What ``meta/`` of a LeRobot data set says: cameras, features, and where an episode lies."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Optional

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _parquet
from pytest_metaspace.trajectories._damaged import require_file
from pytest_metaspace.trajectories._defects import Unusable, brief, file_in
from pytest_metaspace.trajectories._json_text import json_of
from pytest_metaspace.trajectories._named_pose import Vector
from pytest_metaspace.trajectories._schema import complaints

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LARGEST_INFO = 32 * 2**20
_LONGEST_LINE = 2**20
_HOLE = re.compile(r"\{(\w+)(?::0?([1-9])d)?\}")
_CONVERTERS = "LeRobot brings scripts that convert older data sets to v3.0."


class Feature(BaseModel):
    """A column of the data, or a camera."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    dtype: str
    shape: tuple[int, ...] = ()
    names: Any = None
    info: Any = None
    video_info: Any = None

    @property
    def is_depth(self) -> bool:
        """Whether its pictures are depths."""
        told = [one for one in (self.info, self.video_info) if isinstance(one, dict)]
        return any(
            bool(one.get(key)) for one in told for key in ("is_depth_map", "video.is_depth_map")
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of its numbers, or none where they do not fit its shape."""
        names = self.names
        if isinstance(names, dict):
            lists = [one for one in names.values() if isinstance(one, list)]
            names = lists[0] if len(lists) == 1 else None
        whole = isinstance(names, list) and all(isinstance(one, str) for one in names)
        return tuple(names) if whole and self.shape == (len(names),) else ()


MOST_FPS = 10_000
"""Pictures a second; no camera of a robot takes more, so a larger number is a mistake."""


class Info(BaseModel):
    """``meta/info.json``, as far as it is needed."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    codebase_version: str
    fps: Annotated[float, Field(gt=0, le=MOST_FPS)]
    features: dict[str, Feature]
    total_episodes: Annotated[int, Field(ge=0, le=10**9)]
    data_path: str
    video_path: Optional[str] = None
    chunks_size: Annotated[int, Field(gt=0)] = 1000
    robot_type: Optional[str] = None

    @property
    def many_a_file(self) -> bool:
        """Whether it is of version 3, with several episodes in a file."""
        return self.codebase_version.startswith("v3.")

    @property
    def cameras(self) -> tuple[str, ...]:
        """The features that are pictures in colour."""
        return tuple(
            key
            for key, one in self.features.items()
            if one.dtype in ("video", "image") and not one.is_depth
        )

    @property
    def vectors(self) -> tuple[Vector, ...]:
        """The features whose numbers have names; those of the state first, no actions."""
        told = [
            Vector(key, one.labels or ((key.rsplit(".", 1)[-1],) if one.shape == (1,) else ()))
            for key, one in self.features.items()
            if one.dtype.startswith("float") and not _words(key) & {"action", "timestamp"}
        ]
        return tuple(
            sorted(
                (one for one in told if one.names), key=lambda one: one.key != "observation.state"
            )
        )


def _words(key: str) -> set[str]:
    return set(re.findall(r"[a-z]+", key.lower()))


class Episode(NamedTuple):
    """Where an episode lies.

    Attributes:
        number: of the episode.
        length: pictures that it has, as the data set says; None where it does not.
        data: the file with its rows.
        video: the file with its pictures; None where they are in the data.
        start_s: where in the video it begins.
        end_s: where it ends; None where the video is its own.
        told_in: the file that says so.
    """

    number: int
    length: int | None
    data: Path
    video: Path | None
    start_s: float
    end_s: float | None
    told_in: Path


def info_of(path: Path) -> Info:
    """Read ``meta/info.json``.

    Raises:
        TrajectoryError: it is not as it should be, or of a version that is not read.
    """
    try:
        size = path.stat().st_size
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from None
    if size > _LARGEST_INFO:
        raise TrajectoryError(f"{path}: has {size} bytes; at most {_LARGEST_INFO} are read.")
    try:
        info = Info.model_validate(json_of(path))
    except ValidationError as problem:
        lines = [
            f"{path}: field {ascii(where)[1:-1] or '(the whole file)'}: {what}"
            for where, what in complaints(problem)
        ]
        raise TrajectoryError("\n".join(lines) + "\nSee docs/logs-lerobot.md.") from None
    if not info.codebase_version.startswith(("v2.", "v3.")):
        raise TrajectoryError(
            f"{path}: field codebase_version: is {brief(info.codebase_version)}; expected v2.0, "
            f"v2.1 or v3.0. {_CONVERTERS}"
        )
    return info


def camera_of(path: Path, info: Info, wanted: str | None) -> str:
    """Return the feature of the camera to look through.

    Args:
        path: ``meta/info.json``, for messages.
        info: what it says.
        wanted: a feature, or the last part of its name; None where there is one camera only.

    Raises:
        TrajectoryError: there is none, none was chosen among several, or there is no such.
    """
    shown = ", ".join(brief(key)[1:-1] for key in info.cameras[:20])
    if not info.cameras:
        raise TrajectoryError(
            f"{path}: field features: has no camera (a feature of dtype video or image that is no "
            "depth), so that there is nothing to ask about."
        )
    if wanted is None:
        if len(info.cameras) == 1:
            return info.cameras[0]
        short = info.cameras[0].rsplit(".", 1)[-1]
        raise TrajectoryError(
            f"{path}: field features: has {len(info.cameras)} cameras: {shown}. Choose one: "
            f"--metaspace-camera={brief(short)[1:-1]}"
        )
    fits = [key for key in info.cameras if wanted in (key, key.rsplit(".", 1)[-1])]
    if len(fits) == 1:
        return fits[0]
    degrees = ""
    if not fits and "@" in wanted:
        degrees = " Behind @ a number of degrees is expected, as in front@90 or wrist@-45.5."
    raise TrajectoryError(
        f"{path}: field features: {'several cameras are' if fits else 'no camera is'} called "
        f"{brief(wanted)} (--metaspace-camera). There are: {shown}.{degrees}"
    )


def episode_of(path: Path, info: Info, index: int, camera: str) -> Episode:
    """Find one episode, without reading the others.

    Raises:
        TrajectoryError: ``meta/`` does not know it, or names a file that is not there.
    """
    root = path.parent.parent
    in_video = info.features[camera].dtype == "video"
    if in_video and info.video_path is None:
        raise TrajectoryError(
            f"{path}: field video_path: is missing, though {brief(camera)} is a video. Write the "
            "template of its files there."
        )
    if not info.many_a_file:
        length, where = _line(path.with_name("episodes.jsonl"), index)
        values: dict[str, object] = {
            "episode_index": index,
            "episode_chunk": index // info.chunks_size,
            "video_key": camera,
        }
        data = _file(path, root, "data_path", info.data_path, values)
        video = _file(path, root, "video_path", str(info.video_path), values) if in_video else None
        return Episode(index, length, data, video, 0.0, None, where)
    return _row(path, info, index, camera if in_video else None)


def _line(path: Path, index: int) -> tuple[int | None, Path]:
    """Return the length of an episode, as its line says."""
    told = re.compile(rb'"episode_index"\s*:\s*%d\s*[,}]' % index)
    require_file(path)
    try:
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_LINE):
                if len(line) == _LONGEST_LINE:
                    raise TrajectoryError(
                        f"{path}: has a line of {_LONGEST_LINE >> 20} MB or more; expected one for "
                        "each episode. Fetch it again."
                    )
                if told.search(line):
                    content = json.loads(line)
                    length = content.get("length") if isinstance(content, dict) else None
                    return (length if isinstance(length, int) else None), path
    except OSError as problem:
        raise TrajectoryError(
            f"{path}: cannot be read ({problem.strerror}). Fetch meta/ of the data set."
        ) from None
    except (ValueError, RecursionError) as problem:
        raise TrajectoryError(
            f"{path}: the line of episode {index} is no JSON ({problem}). Fetch it again."
        ) from None
    raise _unknown(path, index)


def _unknown(path: Path, index: int) -> TrajectoryError:
    return TrajectoryError(
        f"{path}: has no episode {index}, though total_episodes of info.json counts it. Fetch "
        "meta/ again, or name another episode (--metaspace-episodes)."
    )


def _row(path: Path, info: Info, index: int, camera: str | None) -> Episode:
    """Return what the table of episodes says about one of them."""
    root, folder = path.parent.parent, path.parent / "episodes"
    columns = ["length", "data/chunk_index", "data/file_index"]
    ofvideo = [
        f"videos/{camera}/{name}"
        for name in ("chunk_index", "file_index", "from_timestamp", "to_timestamp")
    ]
    files = sorted(folder.glob("*/*.parquet"))
    if not files:
        raise TrajectoryError(f"{folder}: has no episodes. Fetch meta/ of the data set.")
    for file in files:
        wanted = columns + (ofvideo if camera is not None else [])
        row = next(_parquet.matching(file, wanted, "episode_index", index), None)
        if row is None:
            continue
        values = {name: _whole(file, row, f"data/{name}") for name in ("chunk_index", "file_index")}
        data = _file(path, root, "data_path", info.data_path, values)
        length = row["length"] if isinstance(row["length"], int) else None
        if camera is None:
            return Episode(index, length, data, None, 0.0, None, file)
        place = {"video_key": camera} | {
            name: _whole(file, row, f"videos/{camera}/{name}")
            for name in ("chunk_index", "file_index")
        }
        video = _file(path, root, "video_path", str(info.video_path), place)
        start, end = (
            _seconds(file, row, f"videos/{camera}/{name}")
            for name in ("from_timestamp", "to_timestamp")
        )
        return Episode(index, length, data, video, start, end, file)
    raise _unknown(folder, index)


def _whole(file: Path, row: Mapping[str, object], name: str) -> int:
    value = row[name]
    if isinstance(value, int) and 0 <= value < 10**9:
        return value
    raise TrajectoryError(f"{file}: field {name}: is {brief(value)}; expected a number of a file.")


def _seconds(file: Path, row: Mapping[str, object], name: str) -> float:
    value = row[name]
    if isinstance(value, int | float) and 0 <= value < 1e9:  # noqa: PLR2004 - thirty years
        return float(value)
    raise TrajectoryError(f"{file}: field {name}: is {brief(value)}; expected seconds.")


def _file(path: Path, root: Path, field: str, template: str, values: Mapping[str, object]) -> Path:
    """Fill in a template of ``info.json``; only plain numbers with leading zeros are known."""

    def filled(hole: re.Match[str]) -> str:
        value = values.get(hole[1])
        if value is None or (isinstance(value, str) and hole[2]):
            raise TrajectoryError(
                f"{path}: field {field}: {brief(hole[0])} is nothing that is "
                f"known; expected {', '.join(values)}."
            )
        return str(value).zfill(int(hole[2])) if hole[2] else str(value)

    given = _HOLE.sub(filled, template)
    if re.search(r"[{}]", _HOLE.sub("", template)):
        raise TrajectoryError(
            f"{path}: field {field}: {brief(template)} is no template of a path; expected one "
            f"with {', '.join(values)} in braces."
        )
    try:
        return file_in(root, given)
    except Unusable as problem:
        raise TrajectoryError(
            f"{path}: field {field}: {problem} Fetch the file, or set {field} to where files lie "
            "below the folder; links that lead out of it are not followed."
        ) from None
