"""What the checks share: the trajectories that they try things on, and how they complain."""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import pipeline, samples
from pytest_metaspace.errors import MetaspaceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_metaspace.domain import Trajectory


def demand(holds: object, text: str) -> None:
    """Complain unless something holds.

    Raises:
        AssertionError: it does not.
    """
    if not holds:
        raise AssertionError(text)


@contextmanager
def watched(what: str, advice: str) -> Iterator[None]:
    """Turn whatever is raised in the thing under test into a complaint that says where.

    Raises:
        AssertionError: something was raised.
    """
    try:
        yield
    except Exception as problem:
        frames = traceback.extract_tb(problem.__traceback__)
        where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
        told = f"{type(problem).__name__} ({where}): {problem}"
        raise AssertionError(f"{what} raised {told}\n{advice}") from problem


def loaded(paths: Iterable[Path | str]) -> Mapping[str, Trajectory]:
    """Return the trajectories at or below some paths by id, or the one that ships with us.

    Raises:
        AssertionError: one cannot be loaded.
    """
    wanted = [Path(path) for path in paths] or [samples.folder()]
    try:
        found = pipeline.load(wanted, pipeline.Registries.built_in())
    except MetaspaceError as problem:
        raise AssertionError(str(problem)) from problem
    return {trajectory.id: trajectory for trajectory in found}
