"""Record a trajectory from a robot's own loop (docs/recording.md).

    with TrajectoryRecorder("runs/kitchen-03", scenario="household", step_length_m=0.25) as rec:
        while not done:
            rec.step(image, action, succeeded=True)
        rec.step(last_image)

After each step the folder is a trajectory that loads, whatever happens to the process next.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pytest_metaspace.errors import MetaspaceError, TrajectoryError, UsageProblem
from pytest_metaspace.trajectories import FRAMES, MAIN_FILE, _arguments, _folder, _pictures
from pytest_metaspace.trajectories import _schema as schema
from pytest_metaspace.trajectories._arguments import checked as _checked
from pytest_metaspace.trajectories._journal import ABSENT, FEWEST, STEPS_FILE, recorded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from typing_extensions import Self

    from pytest_metaspace.domain import Action, Camera, Metric, Pose
    from pytest_metaspace.trajectories._pictures import Lossless, Picture


class TrajectoryRecorder:
    """Writes a trajectory step by step; not for several threads at once.

    A step is on disk when ``step`` returns: the death of the process loses nothing before it (a
    power cut may lose the last seconds, as the file system pleases). ``close`` writes the final
    files; a recording that was never closed loads all the same.

    Args:
        folder: where it is written; made when missing, and refused when something is in it.
        scenario: how questions speak of the robot.
        step_length_m: metres; at most the shortest move that succeeds.
        id: unique in a run; the name of the folder when None.
        rotation_deg: degrees of one turn, where all are alike.
        vertical: whether things and moves also go up and down.
        distance_metric: straight (``spatial``) or along the ground (``planar``).
        camera: a ``Camera``, or any of its fields; ``width`` and ``height`` default to those of
            the first picture.
        mover: what moves, as in ``agent`` or ``gripper``.
        images: how arrays and Pillow images are written; both are lossless.
        overwrite: whether a recording that lies there is deleted first.

    Raises:
        UsageProblem: an argument does not fit, or the folder is not free.
        TrajectoryError: the folder cannot be written.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        scenario: Literal["household", "arm", "drone"],
        step_length_m: float,
        id: str | None = None,  # noqa: A002 - the field of the file
        rotation_deg: float | None = None,
        vertical: bool = False,
        distance_metric: Metric = "spatial",
        camera: Camera | Mapping[str, Any] | None = None,
        mover: str = "agent",
        images: Lossless = "webp",
        overwrite: bool = False,
    ) -> None:
        self.folder = Path(folder)
        self._camera = {} if camera is None else _arguments.fields("camera", camera)
        self._header = {
            "format": "metaspace-trajectory",
            "version": 1,
            "id": Path(os.path.abspath(folder)).name if id is None else id,  # noqa: PTH100 - no links followed
            "scenario": scenario,
            "step_length_m": step_length_m,
            "rotation_deg": rotation_deg,
            "vertical": vertical,
            "distance_metric": distance_metric,
            "mover": mover,
        }
        self._shape = self._shaped((1, 1))  # what is wrong with it is told before the first step
        if images not in ("webp", "png"):
            raise UsageProblem(f"metaspace: images is {images!r}; expected 'webp' or 'png'.")
        self._form: Lossless = images
        self._count = 0
        self._follows = True
        self._last: tuple[bytes, bool] = (b"", False)
        self._closed = False
        self._journal = _folder.claim(self.folder, overwrite=overwrite)

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._end()
        except (MetaspaceError, Warning) as second:
            if problem is None:
                raise
            with suppress(Warning):  # where warnings are errors: what came first matters more
                warnings.warn(str(second), stacklevel=2)

    # ---------------------------------------------------------------------------- steps

    def step(
        self,
        image: Picture,
        action: Action | Mapping[str, Any] | None = None,
        *,
        succeeded: bool | None = None,
        pose: Pose | Mapping[str, Any] | None = None,
        place: Iterable[float] | None = None,
        holds: str | None = None,
        objects: Iterable[Mapping[str, Any]] | None = None,
    ) -> int:
        """Write one state: what was seen, and what was executed after it.

        Args:
            image: what was seen **before** the action: a numpy array (height x width x 3, RGB,
                or height x width, grey; uint8), a Pillow image (RGB or L), or the path of a
                picture, whose bytes are copied as they are. All of one size.
            action: what was executed then: an ``Action``, or its fields ``name``, ``move_m``
                (metres forward, right, up, as the robot stood) and ``turn_deg`` (clockwise).
                None after the last picture, or where it is not known.
            succeeded: whether it was executed in full; None where that is not known.
            pose: of the camera when it took the image: a ``Pose``, or its fields ``position``
                (x, y, z in metres, z up), ``yaw_deg`` (counter-clockwise from +x), ``pitch_deg``,
                ``roll_deg``.
            place: of a mover that is not the camera: x, y, z in metres, in the world of the poses.
            holds: id of the object that the mover held.
            objects: the boxes tracked in the image, each with ``id``, ``label``, ``xyxy`` in
                pixels (x2 and y2 exclusive) and ``confidence``.

        Returns:
            The index of the state.

        Raises:
            UsageProblem: an argument does not fit; the text names it. Nothing was written, and
                the action of the step before will count as unknown: where it led was not seen.
            TrajectoryError: it cannot be written; all steps before it are safe.
        """
        self._check_open()
        follows, self._follows = self._follows, False
        picture = _pictures.encoded(image, self._form)
        if not self._count:
            self._shape = self._shaped(picture.size)
        self._check_size(picture.size)
        line = schema.StepFile(
            **self._of_mover(place, holds).model_dump(),
            frame=f"{FRAMES}/{self._count:06d}{picture.suffix}",
            index=self._count,
            action=None if action is None else _checked("action", schema.ActionFile, action),
            succeeded=_arguments.flag("succeeded", succeeded),
            pose=None if pose is None else _checked("pose", schema.PoseFile, pose),
            objects=None if objects is None else _arguments.seen(objects, self._shape.camera),
        )
        moved = _arguments.must_change_the_picture(line, self._shape)
        seen = hashlib.sha256(picture.content).digest()
        same = follows and self._last == (seen, True)
        self._write(picture.content, line.model_copy(update={"follows": follows and not same}))
        self._count, self._follows, self._last = self._count + 1, True, (seen, moved)
        if same:
            warnings.warn(_same(self._count - 1), stacklevel=2)
        return self._count - 1

    def _shaped(self, size: tuple[int, int]) -> schema.HeaderFile:
        fields = {"width": size[0], "height": size[1], **self._camera}
        camera = _checked("camera", schema.CameraFile, fields)
        return _checked("", schema.HeaderFile, {**self._header, "camera": camera})

    def _of_mover(self, place: Iterable[float] | None, holds: str | None) -> schema.PlaceFile:
        if place is not None and self._shape.mover == "agent":
            raise UsageProblem(
                "metaspace: place is where a mover other than the camera is, and this recorder was "
                "made without one. Make it with mover='gripper', or give the camera's pose."
            )
        return _checked("", schema.PlaceFile, {"place": place, "holds": holds})

    def _check_open(self) -> None:
        if self._closed:
            raise UsageProblem(
                f"metaspace: the recording in {self.folder} is closed. Make a TrajectoryRecorder "
                "for each run."
            )

    def _check_size(self, size: tuple[int, int]) -> None:
        camera = self._shape.camera
        if size != (camera.width, camera.height):
            raise UsageProblem(
                f"metaspace: image has {size[0]} x {size[1]} pixels, but the camera has "
                f"{camera.width} x {camera.height}. Record one size: boxes are told in its pixels."
            )

    # ---------------------------------------------------------------------------- files

    def _write(self, content: bytes, line: schema.StepFile) -> None:
        """Write the picture, then the line that makes it part of the recording."""
        frame = self.folder / line.frame
        end = self._journal.tell()
        try:
            if not self._count:
                frame.parent.mkdir(exist_ok=True)
                _folder.put(self.folder / MAIN_FILE, self._shape.model_dump(exclude_none=True))
            frame.write_bytes(content)
            rest = memoryview(line.model_dump_json(exclude_defaults=True).encode() + b"\n")
            while rest:
                rest = rest[self._journal.write(rest) :]
        except BaseException as problem:
            with suppress(OSError):
                self._journal.truncate(end)  # half a line would swallow the next one
                self._journal.seek(end)
            with suppress(OSError):
                frame.unlink(missing_ok=True)
            if isinstance(problem, OSError):
                raise TrajectoryError(
                    f"{self.folder}: step {self._count} cannot be written ({problem.strerror}). "
                    "All steps before it are safe."
                ) from problem
            raise

    def close(self) -> None:
        """Write the final files; a second call does nothing.

        An action after the last picture is left out: nobody saw where it led. Warns about what
        cannot be used as it was given, such as poses that only some steps have.

        Raises:
            TrajectoryError: they cannot be written; the recording loads all the same.
        """
        self._end()

    def _end(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            with self._journal:
                problems = self._finished()
        except OSError as problem:
            raise TrajectoryError(
                f"{self.folder}: the final files cannot be written ({problem.strerror}). Nothing "
                f"is lost: the steps lie in {STEPS_FILE} and load from there."
            ) from problem
        for text in problems:
            warnings.warn(text, stacklevel=3)

    def _finished(self) -> tuple[str, ...]:
        path = self.folder / MAIN_FILE
        steps = self.folder / STEPS_FILE
        if not self._count:
            path.unlink(missing_ok=True)
            steps.unlink()
        if self._count < FEWEST:
            few = ("no step", "only one step")[self._count]
            return (f"metaspace: {self.folder}: {few} was recorded; a trajectory needs two.",)
        files = recorded(path, self._shape.model_dump(exclude_none=True))
        for name, content in (("objects.json", files.objects), ("truth.json", files.truth)):
            if content is not ABSENT:
                _folder.put(self.folder / name, content)
        _folder.put(path, files.trajectory)  # last: from here on the journal is not read
        if files.warnings:
            return (*files.warnings, f"{steps} is kept: it has all that was given.")
        steps.unlink()
        return ()


def _same(index: int) -> str:
    return (
        f"metaspace: step {index}: image is the same picture as that of step {index - 1}, though "
        "the action between them is said to have succeeded. That action is recorded as unknown. "
        "Take each image after the action before it; where a move may be blocked, say so by "
        "succeeded=False."
    )
