"""REM (COLM 2025): what somebody who walks past coloured shapes has seen, counted and in order.

``metaspace build rem`` writes walks of ours, and folders of the benchmark are read as they are
(docs/suite-rem.md); nothing of it comes with this package.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_metaspace.suites import BuildOption, Order, Suite
from pytest_metaspace.suites.rem._names import BOUNDS, CODE, ONLY, RELATIONS, TASKS
from pytest_metaspace.trajectories import Reading, TrajectoryFormat
from pytest_metaspace.trajectories._listed import opening

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

NAME = "rem"
MAIN_FILE = "annotations.csv"
"""What each folder of pictures of the benchmark has; other programs call files so, too."""
_KEYS = (b"image_filename", b"visible_objects")


def build(order: Order) -> list[str]:
    """Write walks with their questions; return what to say of them.

    Raises:
        UsageProblem: they cannot be written or drawn.
    """
    from pytest_metaspace.suites.rem import _build

    return _build.build(order)


def matches(path: Path) -> bool:
    """Whether a file tells of the pictures of one of the benchmark's walks.

    One that is damaged does where questions lie beside it: loading it then says what is wrong.
    """
    head = opening(path, ".csv") if path.name == MAIN_FILE else None
    if head is None:
        return False
    return all(key in head for key in _KEYS) or _is_asked_about(path.parent)


def _is_asked_about(folder: Path) -> bool:
    from pytest_metaspace.suites.rem._own_reading import FILES

    return any((folder / name).is_file() for name in FILES)


def load(path: Path, reading: Reading = Reading()) -> Trajectory:  # noqa: B008 - it is frozen
    """Load one of the benchmark's walks.

    Args:
        path: its ``annotations.csv``.
        reading: where changed pictures are kept.

    Raises:
        TrajectoryError: it cannot be asked about; the text names the file, the row and the field.
    """
    from pytest_metaspace.suites.rem import _own

    return _own.load(path, reading.frames)


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return TrajectoryFormat(
        name=NAME,
        matches=matches,
        load=partial(load, reading=reading),
        configured=configured,
        summary="walks of REM, NNNN-run/images/annotations.csv",
    )


REM = Suite(
    name=NAME,
    code=CODE,
    title="REM",
    tasks=TASKS,
    relations=RELATIONS,
    only=ONLY,
    formats=(configured(Reading()),),
    build=build,
    counted="walks, single frames, full rotations or of each, as --kind says",
    build_options=(
        BuildOption(
            name="kind",
            help="walks through a scene, single frames, full rotations on the spot, or so many "
            "of each",
            default="walk",
            choices=("walk", "frame", "rotation", "all"),
        ),
        BuildOption(
            name="frames",
            help="of a walk, 2 to 64; varied: 2 to 64 in turn; not of other kinds",
            default="varied",
            least=BOUNDS["frames"][0],
            most=BOUNDS["frames"][1],
        ),
        BuildOption(
            name="objects",
            help="in a scene, 2 to 55; varied: 8 to 48 in turn, 24 to 55 in single frames; not of "
            "full rotations",
            default="varied",
            least=BOUNDS["objects"][0],
            most=BOUNDS["objects"][1],
        ),
        BuildOption(
            name="duplicates",
            help="objects of a kind that another one is of already, 0 to 53; varied: 0 to 46 in "
            "turn; not of full rotations",
            default="varied",
            least=BOUNDS["duplicates"][0],
            most=BOUNDS["duplicates"][1],
        ),
    ),
)
