"""UrbanVideo-Bench: ``MCQ.parquet`` beside ``videos/``; each video is an episode.

Twenty pictures at even times, and nothing else: no pose, no action, no object. The questions of the
benchmark are not asked (docs/logs-urbanvideo.md).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, TrajectoryFormat
from pytest_metaspace.trajectories._damaged import lost

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Defect, Trajectory

MAIN_FILE = "MCQ.parquet"
STATES = 20
_MAGIC = b"PAR1"
_LONGEST = 200
_MOST = 100_000
_ODD = re.compile(r"[^A-Za-z0-9._-]")


def matches(path: Path) -> bool:
    """Whether a file is the ``MCQ.parquet`` of the benchmark."""
    if path.name != MAIN_FILE:
        return False
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) == _MAGIC:
                return True
    except OSError:
        return False
    return lost(path) is not None


def episodes(path: Path) -> Sequence[str]:
    """Return the names of the videos that the questions are about, in order, without endings.

    Raises:
        TrajectoryError: the file cannot be read.
    """
    return list(_videos(path))


def _videos(path: Path) -> dict[str, str]:
    """Return the file of each video by the name of its episode."""
    from pytest_metaspace.trajectories._parquet import distinct

    found: dict[str, str] = {}
    alike: dict[str, int] = {}
    for given in sorted(distinct(path, "video_id", most=_MOST, longest=_LONGEST)):
        name = _ODD.sub("_", given.rsplit(".", 1)[0]).strip(".") or "video"
        unique = name
        while unique in found:
            alike[name] = alike.get(name, 1) + 1
            unique = f"{name}-{alike[name]}"
        found[unique] = given
    return found


def load(path: Path, reading: Reading | None = None) -> Trajectory:
    """Load one video.

    Args:
        path: ``MCQ.parquet`` with the name of the video behind it.
        reading: what a run says about it; ``images`` is the folder of the videos.

    Raises:
        TrajectoryError: it cannot be used; the text names the file.
    """
    from pytest_metaspace.domain import Camera, State, Trajectory
    from pytest_metaspace.trajectories._defects import Unusable, brief, digest, file_in
    from pytest_metaspace.trajectories._moves import STRIDES
    from pytest_metaspace.trajectories._stills import film, stills

    asked = reading or Reading()
    main = path.parent
    given = _videos(main).get(path.name)
    if given is None:
        raise TrajectoryError(f"{main}: field video_id: no question is about {brief(path.name)}.")
    folder = asked.images or main.with_name("videos")
    try:
        video = file_in(folder, given)
    except Unusable as problem:
        raise TrajectoryError(
            f"{main}: field video_id: {problem} Unpack the videos there, or say where they are: "
            "--metaspace-images=FOLDER."
        ) from None
    head = film(video)
    if not head.length_s:
        raise TrajectoryError(f"{video}: does not say how long it is. Fetch it again.")
    shown = stills(video, [head.length_s * n / STATES for n in range(STATES)], asked.frames)
    frames = list({digest(one): one for one in reversed(shown) if one is not None}.values())[::-1]
    if len(frames) < 2:  # noqa: PLR2004 - as many states as a trajectory needs
        raise TrajectoryError(f"{video}: has {len(frames)} pictures; a trajectory needs two.")
    return Trajectory(
        id=f"urbanvideo-{path.name}",
        source=path,
        scenario="drone",
        step_length_m=STRIDES["drone"].move_m,
        vertical=True,
        distance_metric="spatial",
        camera=Camera(width=head.width, height=head.height),
        mover="agent",
        states=tuple(State(index=index, frame=frame) for index, frame in enumerate(frames)),
        objects=(),
        truth=None,
        warnings=(
            (
                f"{path}: has pictures only: no pose, action or object is known, and the questions "
                f"in {MAIN_FILE} are not asked (docs/logs-urbanvideo.md)."
            ),
        ),
        defects=_ending(video, head.length_s, frames),
    )


def _ending(video: Path, length_s: float, frames: Sequence[Path]) -> tuple[Defect, ...]:
    """Say where a video ends before its head says that it does."""
    from pytest_metaspace.domain import Defect

    if len(frames) == STATES:
        return ()
    what = (
        f"says that it is {length_s:g} s long, but only {len(frames)} of {STATES} pictures at even "
        "times differ; these are used."
    )
    return (Defect(video, "", None, what, "Fetch it again where it was cut off."),)


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return replace(URBANVIDEO, load=lambda path: load(path, reading))


URBANVIDEO = TrajectoryFormat(
    name="urbanvideo",
    matches=matches,
    load=load,
    episodes=episodes,
    configured=configured,
    summary="UrbanVideo-Bench (MCQ.parquet beside videos/)",
)
