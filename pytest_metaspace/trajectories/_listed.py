"""What formats share whose one file holds many items, of which each is a trajectory of its own.

A suite with a file of its own says how the file is told, and names the module that reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from pytest_metaspace.domain import Camera, State, Trajectory
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, TrajectoryFormat
from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Defect, Item, TrackedObject

_HEAD = 4096


class ItemReader(Protocol):
    """Reads items out of a file; a module can be one."""

    def names_of(self, path: Path) -> Sequence[str]:
        """Return the names of the items, in order; raises ``TrajectoryError``."""

    def load(self, path: Path, reading: Reading) -> Trajectory:
        """Load the item whose name stands behind the file; raises ``TrajectoryError``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFormat:
    """A format of many items in one file, before a run has said how it wants to have it read.

    Attributes:
        name: what messages call it.
        matches: whether a file is one; cheap, raises nothing.
        reader: returns what reads it; the place to import what is heavy.
        summary: what it is, in one line.
    """

    name: str
    matches: Callable[[Path], bool]
    reader: Callable[[], ItemReader]
    summary: str

    def episodes(self, path: Path) -> Sequence[str]:
        """Return the names of the items of a file, in order.

        Raises:
            TrajectoryError: the file cannot be read, or holds none.
        """
        return self.reader().names_of(path)

    def load(self, path: Path, reading: Reading = Reading()) -> Trajectory:  # noqa: B008 - it is frozen
        """Load one item.

        Args:
            path: the file, with the name of the item behind it.
            reading: where pictures are kept.

        Raises:
            TrajectoryError: the item cannot be used; the text names its place, the field and why.
        """
        return self.reader().load(path, reading)

    def configured(self, reading: Reading) -> TrajectoryFormat:
        """Return the format as a run wants to have it read."""
        return TrajectoryFormat(
            name=self.name,
            matches=self.matches,
            load=partial(self.load, reading=reading),
            episodes=self.episodes,
            configured=self.configured,
            summary=self.summary,
        )


def opening(path: Path, *suffixes: str) -> bytes | None:
    """Return the first bytes of a file; None where its name ends otherwise or it is unreadable."""
    if path.suffix.lower() not in suffixes:
        return None
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return None


def looked_up(path: Path, names: Sequence[str]) -> int:
    """Return the place of an item among the names of its file.

    Args:
        path: the file, with the name of the item behind it.
        names: of all items, at least one.

    Raises:
        TrajectoryError: there is no such item.
    """
    try:
        return names.index(path.name)
    except ValueError:
        raise TrajectoryError(
            f"{path.parent}: has no item {brief(path.name)}; the first is {brief(names[0])}."
        ) from None


def with_item(
    path: Path,
    item: Item,
    frames: Sequence[Path],
    size: tuple[int, int],
    *,
    objects: tuple[TrackedObject, ...] = (),
    defects: tuple[Defect, ...] = (),
) -> Trajectory:
    """Return an item as a trajectory of nothing but pictures: no pose, no action, no relation.

    Args:
        path: the file, with the name of the item behind it.
        item: its questions.
        frames: the pictures that are asked about, in order; one is a single frame.
        size: width and height of the first, in pixels.
        objects: what is known to be seen.
        defects: what is wrong with the item, and can be done without.
    """
    return Trajectory(
        id=path.name,
        source=path,
        scenario="single-frame" if len(frames) == 1 else "puzzle",
        step_length_m=1.0,
        vertical=False,
        distance_metric="spatial",
        camera=Camera(width=size[0], height=size[1]),
        mover="agent",
        states=tuple(State(index=place, frame=one) for place, one in enumerate(frames)),
        objects=objects,
        truth=None,
        defects=defects,
        items={item.task: item},
        only_items=True,
    )
