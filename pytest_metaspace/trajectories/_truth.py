"""``truth.json``, checked against the trajectory that it tells about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_metaspace.domain import Pose, TrueObject, Truth
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Vector
    from pytest_metaspace.trajectories import _schema as schema

    Rest = tuple[tuple[int, int], ...]

_NOTHING_M = 1e-6


class _File(NamedTuple):
    """The file that complaints name, and how many states there are."""

    path: Path
    states: int

    def wrong(self, field: str, what: str) -> TrajectoryError:
        return TrajectoryError(f"{self.path}: field {field}: {what}")

    def check_count(self, field: str, found: int) -> None:
        if found != self.states:
            text = f"has {found} entries, expected one for each of the {self.states} states."
            raise self.wrong(field, text)


def made(path: Path, raw: schema.TruthFile, *, states: int, mover: str) -> Truth:
    """Return the truth that a file tells.

    Args:
        path: the file, for messages.
        raw: its content.
        states: of the trajectory.
        mover: of the trajectory.

    Raises:
        TrajectoryError: it does not fit the trajectory, or contradicts itself.
    """
    file = _File(path, states)
    file.check_count("poses", len(raw.poses))
    if raw.mover is not None:
        if mover == "agent":
            raise file.wrong(
                "mover",
                "tells where something other than the camera was, but trajectory.json says that "
                "the camera itself moves. Name what moves there (`mover`), or leave it out here.",
            )
        file.check_count("mover", len(raw.mover))
    objects: dict[str, TrueObject] = {}
    for index, thing in enumerate(raw.objects):
        if thing.id in objects:
            raise file.wrong(f"objects.{index}.id", f"{brief(thing.id)} occurs twice.")
        objects[thing.id] = _object(file, f"objects.{index}", thing)
    return Truth(
        poses=tuple(Pose(**pose.model_dump()) for pose in raw.poses),
        objects=objects,
        mover=raw.mover,
    )


def _object(file: _File, field: str, thing: schema.TrueObjectFile) -> TrueObject:
    whole = ((0, file.states - 1),)
    rest = thing.rest
    if thing.centers is not None:
        file.check_count(f"{field}.centers", len(thing.centers))
        if not _same(thing.centers[0], thing.center):
            raise file.wrong(
                f"{field}.centers.0",
                f"is {list(thing.centers[0])}, but center is {list(thing.center)}; both are its "
                "place at state 0.",
            )
        rest = _rests(thing.centers) if rest is None else rest
        _check_rest(file, f"{field}.rest", rest, thing.centers)
    return TrueObject(
        id=thing.id,
        label=thing.label,
        center=thing.center,
        extent=thing.extent,
        rest=whole if rest is None else rest,
        visible={seen.frame: seen.height_fraction for seen in thing.visibility},
        centers=thing.centers,
    )


def _same(one: Vector, other: Vector) -> bool:
    return all(abs(a - b) <= _NOTHING_M for a, b in zip(one, other))


def _rests(centers: tuple[Vector, ...]) -> Rest:
    """Return the stretches of states, ends included, in which a centre stays."""
    starts = [0, *(i for i in range(1, len(centers)) if not _same(centers[i - 1], centers[i]))]
    return tuple(zip(starts, [start - 1 for start in [*starts[1:], len(centers)]]))


def _check_rest(file: _File, field: str, rest: Rest, centers: tuple[Vector, ...]) -> None:
    for index, (first, last) in enumerate(rest):
        for state in range(first, min(last, file.states - 1) + 1):
            if not _same(centers[first], centers[state]):
                raise file.wrong(
                    f"{field}.{index}",
                    f"says that it stays from state {first} to {last}, but centers has it "
                    f"elsewhere at state {state}. Leave rest out: it follows from centers.",
                )
