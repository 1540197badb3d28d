"""Does a trajectory format with several episodes in a file do what we demand?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Trajectory
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.testing._grounds import demand, watched
from pytest_metaspace.trajectories._episodes import require_usable

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.trajectories import TrajectoryFormat

WANTED = "pytest_metaspace.errors.TrajectoryError with the file, the field and what was expected."


def check_episodes(form: TrajectoryFormat, main: Path) -> str:
    """Check what a main file says of its episodes; return the name of the first.

    Args:
        form: which has episodes.
        main: a file with two at least.

    Raises:
        AssertionError: something is not as we demand.
    """
    assert form.episodes is not None
    with watched(f"format {form.name}: episodes({main.name})", "Return the names of the episodes."):
        names = [list(form.episodes(main)), list(form.episodes(main))]
    demand(
        len(names[0]) > 1 and all(isinstance(name, str) for name in names[0]),
        f"format {form.name}: episodes({main.name}) returns {names[0]!r:.80}, expected the names "
        "of two episodes or more to try it on.",
    )
    demand(
        len(set(names[0])) == len(names[0]),
        f"format {form.name}: episodes({main.name}) returns a name twice, so that the second "
        "could not be named on a command line.",
    )
    demand(
        names[0] == names[1],
        f"format {form.name}: episodes({main.name}) returns other names when it is called again, "
        "so workers and later runs would draw others.",
    )
    try:
        for name in names[0]:
            require_usable(main, name)
    except TrajectoryError as problem:
        raise AssertionError(f"format {form.name}: {problem}") from None
    ids = [loaded(form, main / name).id for name in names[0][:2]]
    demand(
        ids[0] != ids[1],
        f"format {form.name}: the episodes {names[0][0]} and {names[0][1]} both have the id "
        f"{ids[0]!r}, and baselines pair on it. Put the name of the episode into it.",
    )
    _check_unknown(form, main)
    return str(names[0][0])


def _check_unknown(form: TrajectoryFormat, main: Path) -> None:
    """An episode that is not there is refused, and so is one that would lead elsewhere."""
    with watched(f"format {form.name}: load of an episode that is not there", f"Raise {WANTED}"):
        try:
            form.load(main / "no-such-episode-0")
        except TrajectoryError as problem:
            demand(
                main.name in str(problem),
                f"format {form.name}: the error about an episode that is not there does not name "
                f"{main.name!r}: {problem}",
            )
            return
    raise AssertionError(
        f"format {form.name}: load takes {main.name}/no-such-episode-0. Raise {WANTED}"
    )


def loaded(form: TrajectoryFormat, path: Path) -> Trajectory:
    """Load a trajectory that is sound.

    Raises:
        AssertionError: it cannot be loaded.
    """
    with watched(f"format {form.name}: load", "The path given has to be a sound trajectory."):
        found = form.load(path)
    demand(
        isinstance(found, Trajectory),
        f"format {form.name}: load returns {type(found).__name__}, expected a Trajectory.",
    )
    return found


def check_damaged(form: TrajectoryFormat, damaged: Path, whole: bytes, episode: str) -> None:
    """A damaged main file is refused, by ``episodes`` or by ``load``, or read as far as it goes."""
    for content, how in (
        (b"", "is empty"),
        (b"\x00\xff" * 64, "is noise"),
        (whole[: len(whole) // 2], "is cut in half"),
    ):
        damaged.write_bytes(content)
        what = f"format {form.name}: a {damaged.name} that {how}"
        with watched(what, f"Raise {WANTED}"):
            problem = _first_problem(form, damaged, episode)
        demand(
            problem is None or damaged.name in problem,
            f"{what}: the error does not name {damaged.name!r}, so nobody knows where to look: "
            f"{problem}",
        )
        demand(
            problem is not None or how == "is cut in half",
            f"{what}: load takes it. Raise {WANTED}",
        )


def _first_problem(form: TrajectoryFormat, main: Path, episode: str) -> str | None:
    assert form.episodes is not None
    try:
        form.episodes(main)
        form.load(main / episode)
    except TrajectoryError as problem:
        return str(problem)
    return None
