"""The files of the native format, field by field (docs/format.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Optional

from pydantic import BaseModel, ConfigDict, Field

from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import ValidationError

Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Index = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1.0001)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Triple = tuple[Finite, Finite, Finite]


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ActionFile(_Model):
    """What was executed after a state."""

    name: Name
    move_m: Triple = (0.0, 0.0, 0.0)
    turn_deg: Finite = 0.0


class StateFile(_Model):
    """One moment of the run."""

    frame: Name
    index: Optional[Index] = None
    action: Optional[ActionFile] = None
    succeeded: Optional[bool] = None
    holds: Optional[Name] = None


class CameraFile(_Model):
    """Intrinsics in pixels; unknown ones may be left out."""

    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    fx: Optional[Positive] = None
    fy: Optional[Positive] = None
    cx: Optional[Finite] = None
    cy: Optional[Finite] = None
    pitch_deg: Optional[Finite] = None
    height_m: Optional[Positive] = None


class HeaderFile(_Model):
    """``trajectory.json`` while it is recorded: everything but the states."""

    format: Literal["metaspace-trajectory"]
    version: Literal[1]
    id: Name
    scenario: Literal["household", "arm", "drone"]
    step_length_m: Positive
    rotation_deg: Optional[Finite] = None
    vertical: bool = False
    distance_metric: Literal["spatial", "planar"] = "spatial"
    camera: CameraFile
    mover: Name = "agent"


class TrajectoryFile(HeaderFile):
    """``trajectory.json``."""

    states: Annotated[tuple[StateFile, ...], Field(min_length=2)]


class BoxFile(_Model):
    """A tracked box; x2 and y2 are exclusive."""

    frame: Index
    xyxy: tuple[Finite, Finite, Finite, Finite]
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0


class ObjectFile(_Model):
    """An object and its boxes."""

    id: Name
    label: Name
    boxes: tuple[BoxFile, ...]


class ObjectsFile(_Model):
    """``objects.json``."""

    format: Literal["metaspace-objects"]
    version: Literal[1]
    source: str = ""
    objects: tuple[ObjectFile, ...]


class PoseFile(_Model):
    """The camera at one state."""

    position: Triple
    yaw_deg: Finite
    pitch_deg: Finite = 0.0
    roll_deg: Finite = 0.0


class VisibilityFile(_Model):
    """How much of an object's projected height is seen in a frame."""

    frame: Index
    height_fraction: Share


class TrueObjectFile(_Model):
    """An object's place and full extent in the world."""

    id: Name
    label: Name
    center: Triple
    extent: tuple[Positive, Positive, Positive]
    centers: Optional[tuple[Triple, ...]] = None
    rest: Optional[tuple[tuple[Index, Index], ...]] = None
    visibility: tuple[VisibilityFile, ...] = ()


class TruthFile(_Model):
    """``truth.json``."""

    format: Literal["metaspace-truth"]
    version: Literal[1]
    poses: tuple[PoseFile, ...]
    mover: Optional[tuple[Triple, ...]] = None
    objects: tuple[TrueObjectFile, ...] = ()


class SeenFile(_Model):
    """A tracked box as a recorder is given it: with what it shows, in the frame of its step."""

    id: Name
    label: Name
    xyxy: tuple[Finite, Finite, Finite, Finite]
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0


class PlaceFile(_Model):
    """What is known of a mover that is not the camera."""

    place: Optional[Triple] = None
    holds: Optional[Name] = None


class StepFile(StateFile):
    """A line of ``steps.jsonl``: one state with all that is known about it."""

    pose: Optional[PoseFile] = None
    place: Optional[Triple] = None
    objects: Optional[tuple[SeenFile, ...]] = None
    follows: bool = True
    """Whether the action of the step before led here, as far as the recorder could tell."""


# --------------------------------------------------- rules that a reader and a writer share


def complaints(problem: ValidationError) -> Iterator[tuple[str, str]]:
    """Yield what a model refused: the dotted field, and what is wrong with it."""
    for error in problem.errors(include_url=False)[:5]:
        where = ".".join(str(part) for part in error["loc"])
        found = f", found {brief(error.get('input'))}" if error["type"] != "missing" else ""
        yield where, error["msg"] + found


def box_problem(xyxy: tuple[float, float, float, float], width: int, height: int) -> str | None:
    """Say why a box is impossible in an image, or None; a pixel over the edge is rounding."""
    x1, y1, x2, y2 = xyxy
    inside = x1 >= -1 and y1 >= -1 and x2 <= width + 1 and y2 <= height + 1
    if x1 < x2 and y1 < y2 and inside:
        return None
    return (
        f"{list(xyxy)} is no box in an image of {width} x {height} pixels; "
        "expected x1 < x2 and y1 < y2, inside."
    )


def step_too_long(step_length_m: float, move_m: float) -> bool:
    """Whether a step exceeds an executed move (RELATIONS, "Distances")."""
    return step_length_m > move_m * (1 + 1e-6)
