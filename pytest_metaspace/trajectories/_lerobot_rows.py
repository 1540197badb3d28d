"""The rows of one episode: when each picture was taken, and where the robot was then."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Defect
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _named_pose, _parquet, _stills
from pytest_metaspace.trajectories._defects import brief, fatal, size_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Pose
    from pytest_metaspace.trajectories._lerobot_meta import Episode, Info

_GAP = 1.5
_FASTEST_M_S = 30.0
_LEAST_JUMP_M = 2.0
_TOLD = 3
_PICTURES_AT_ONCE = 16


class Rows:
    """What is read of an episode; ``defects`` says what is wrong with it."""

    def __init__(self, main: Path, info: Info, episode: Episode) -> None:
        self._main, self._info, self._episode = main, info, episode
        self.defects: list[Defect] = []
        self.times: list[float] = []
        self.poses: list[Pose] | None = None
        self.size = (1, 1)
        self.source, self.no_pose = _named_pose.find(info.vectors, info.robot_type or "")
        self._numbers: list[int] = []
        self._breaks: set[int] = set()

    def read(self) -> None:
        """Read times and poses.

        Raises:
            TrajectoryError: there is nothing to use.
        """
        data, index = self._episode.data, self._episode.number
        source = self._readable()
        columns = ["timestamp", "frame_index", *(source.keys if source is not None else ())]
        rows = list(_parquet.matching(data, list(dict.fromkeys(columns)), "episode_index", index))
        told = self._episode.length
        if not rows:
            raise fatal(
                self._defect(
                    "episode_index",
                    None,
                    f"no row has {index}.",
                    "Fetch the file again, or name another episode.",
                )
            )
        if told is not None and told != len(rows):
            self.defects.append(
                Defect(
                    self._episode.told_in,
                    "length",
                    None,
                    f"is {told} for episode {index}, but its data have {len(rows)} rows; these are "
                    "used.",
                    "Fetch both files again.",
                )
            )
        rows = self._in_order(rows)
        self.times = [float(row["timestamp"]) for row in rows]
        self._numbers = [row["row"] for row in rows]
        self._find_gaps()
        self.poses = None if source is None else self._posed(source, rows)

    def broken(self, first: int, last: int) -> bool:
        """Whether what lies between two rows cannot be trusted."""
        return any(first < place <= last for place in self._breaks)

    def _defect(self, field: str, row: int | None, what: str, next_step: str) -> Defect:
        place = "" if row is None else f", row {row}"
        return Defect(self._episode.data, f"{field}{place}", None, what, next_step)

    def _readable(self) -> _named_pose.Source | None:
        """Return where poses stand, if the data have these columns."""
        if self.source is None:
            return None
        there = _parquet.columns_of(self._episode.data)
        missing = [key for key in self.source.keys if key not in there]
        if not missing:
            return self.source
        self.no_pose = f"the data lack {missing[0]!a}"
        self.defects.append(
            self._defect(
                missing[0],
                None,
                "is among the features of info.json, but no column of the data; "
                "there are no poses.",
                "Fetch the file again.",
            )
        )
        return None

    def _in_order(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows up to the first at which time does not go on."""
        for place, row in enumerate(rows):
            time, number = row["timestamp"], row["frame_index"]
            before = rows[place - 1] if place else None
            if not isinstance(time, int | float) or not 0 <= time < 1e7:  # noqa: PLR2004 - months
                return self._cut(rows, place, "timestamp", f"is {brief(time)}, no time")
            if not isinstance(number, int) or (
                before is not None and number <= before["frame_index"]
            ):
                return self._cut(
                    rows,
                    place,
                    "frame_index",
                    f"is {brief(number)} after "
                    f"{brief(before and before['frame_index'])}; a counter that "
                    "restarts means that two runs are in one episode",
                )
            if before is not None and time <= before["timestamp"]:
                return self._cut(
                    rows,
                    place,
                    "timestamp",
                    f"is {time:g} after {before['timestamp']:g}; time goes on",
                )
        return rows

    def _cut(
        self, rows: list[dict[str, Any]], place: int, field: str, what: str
    ) -> list[dict[str, Any]]:
        defect = self._defect(
            field,
            rows[place]["row"],
            f"{what}; this row and what follows are left out.",
            "Split or repair the episode.",
        )
        if place == 0:
            raise fatal(defect)
        self.defects.append(defect)
        return rows[:place]

    def _find_gaps(self) -> None:
        gaps = [
            place
            for place in range(1, len(self.times))
            if self.times[place] - self.times[place - 1] > _GAP / self._info.fps
        ]
        self._breaks.update(gaps)
        for place in gaps[:_TOLD]:
            more = f" ({len(gaps)} such gaps)" if len(gaps) > 1 else ""
            self.defects.append(
                self._defect(
                    "timestamp",
                    self._numbers[place],
                    f"is {self.times[place]:g} after {self.times[place - 1]:g}, a gap at "
                    f"{self._info.fps:g} pictures a second; what was done meanwhile counts as "
                    f"unknown{more}.",
                    "Record without gaps.",
                )
            )

    # ----------------------------------------------------------------------------- poses

    def _posed(
        self, source: _named_pose.Source, rows: Sequence[dict[str, Any]]
    ) -> list[Pose] | None:
        poses: list[Pose] = []
        for row in rows:
            try:
                poses.append(_named_pose.pose(source, row))
            except ValueError as problem:
                self.no_pose = "a pose cannot be read"
                self.defects.append(
                    self._defect(
                        " and ".join(source.keys),
                        row["row"],
                        f"{problem}; poses of this episode are not used.",
                        "Repair the value.",
                    )
                )
                return None
        self._find_jumps(poses)
        return poses

    def _find_jumps(self, poses: Sequence[Pose]) -> None:
        """Find places between which no robot can have driven."""
        jumps = []
        for place in range(1, len(poses)):
            far = math.dist(poses[place - 1].position, poses[place].position)
            passed = self.times[place] - self.times[place - 1]
            if far > max(_LEAST_JUMP_M, _FASTEST_M_S * passed):
                jumps.append((place, far))
        self._breaks.update(place for place, _ in jumps)
        for place, far in jumps[:_TOLD]:
            self.defects.append(
                self._defect(
                    "observation.state",
                    self._numbers[place],
                    f"is {far:.3g} m from the row before; no robot moves so fast. What was done "
                    "between them counts as unknown.",
                    "Write metres, and one coordinate system an episode.",
                )
            )

    # -------------------------------------------------------------------------- pictures

    def pictures(self, camera: str, kept: Sequence[int], folder: Path | None) -> list[Path | None]:
        """Return the pictures at some rows, as files; none from the first on that is missing.

        Raises:
            TrajectoryError: the file that holds them cannot be read.
        """
        if self._episode.video is None:
            found = self._embedded(camera, kept, folder)
        else:
            found = self._filmed(camera, kept, folder)
        self._check_shape(camera)
        end = next((i for i, path in enumerate(found) if path is None), len(found))
        return found[:end]

    def _filmed(self, camera: str, kept: Sequence[int], folder: Path | None) -> list[Path | None]:
        video, start = self._episode.video, self._episode.start_s
        assert video is not None
        head = _stills.film(video)
        self.size = (head.width, head.height)
        half = 0.5 / self._info.fps
        ends = self._episode.end_s
        times = [start + self.times[place] for place in kept]
        inside = [time for time in times if ends is None or time < ends - half]
        found = list(_stills.stills(video, inside, folder))
        if len(inside) < len(times):
            self.defects.append(
                Defect(
                    self._episode.told_in,
                    f"videos/{camera}/to_timestamp",
                    None,
                    f"is {ends:g}, but the rows of episode {self._episode.number} go on to "
                    f"{start + self.times[-1]:g}; pictures after it are of another episode and "
                    "left out.",
                    "Fetch meta/ again.",
                )
            )
        if None in found:
            self.defects.append(
                Defect(
                    video,
                    "",
                    None,
                    f"ends after {head.length_s:g} s, but episode "
                    f"{self._episode.number} has rows up to {start + self.times[-1]:g}; states "
                    "without a picture are left out.",
                    "Fetch the video again.",
                )
            )
        return found

    def _embedded(self, camera: str, kept: Sequence[int], folder: Path | None) -> list[Path | None]:
        """Take pictures out of the data; they are compressed files there."""
        wanted = {self._numbers[place]: index for index, place in enumerate(kept)}
        found: list[Path | None] = [None] * len(kept)
        rows = _parquet.matching(
            self._episode.data,
            [camera],
            "episode_index",
            self._episode.number,
            batch=_PICTURES_AT_ONCE,
            pictures=True,
        )
        for row in rows:
            index = wanted.get(row["row"])
            if index is None:
                continue
            value = row[camera]
            content = value.get("bytes") if isinstance(value, dict) else value
            try:
                found[index] = _stills.kept(content if isinstance(content, bytes) else b"", folder)
            except TrajectoryError as problem:
                what = str(problem).removeprefix("metaspace: ").rstrip(".")
                self.defects.append(
                    self._defect(
                        camera,
                        row["row"],
                        f"{what}; states from there on are left out.",
                        "Fetch the file again.",
                    )
                )
                break
        if found and found[0] is not None:
            self.size = size_of(found[0])
        return found

    def _check_shape(self, camera: str) -> None:
        told = self._info.features[camera].shape
        if told and not set(self.size) <= set(told):
            self.defects.append(
                Defect(
                    self._main,
                    f"features.{camera}.shape",
                    None,
                    f"is {brief(list(told))}, but the pictures have {self.size[0]} x "
                    f"{self.size[1]} pixels; these are used.",
                    "Correct the shape.",
                )
            )
