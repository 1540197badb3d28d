"""A format whose main file holds several episodes, all of them the tiny walk."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import Reading, TrajectoryFormat, native
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

MAIN = "walks.json"
CONFTEST = """
from tests.plugin.episodic import WALKS

def pytest_metaspace_register_trajectory_formats(register):
    register(WALKS)
"""


class _Names:
    """The names of many episodes, none of which is there until it is asked for."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < self._count:
            raise IndexError(index)
        return f"episode-{index}"


def _matches(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return path.name == MAIN and b"tiny-walks" in file.read(200)
    except OSError:
        return False


def _content(main: Path) -> dict[str, int]:
    try:
        content: dict[str, int] = json.loads(main.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise TrajectoryError(f"{main}: cannot be read ({problem}).") from None
    return content


def _episodes(main: Path) -> Sequence[str]:
    return _Names(_content(main)["count"])  # type: ignore[return-value]


def _load(path: Path, reading: Reading) -> Trajectory:
    main, number = path.parent, int(path.name.rpartition("-")[2])
    content = _content(main)
    if path.name != f"episode-{number}" or number >= content["count"]:
        raise TrajectoryError(f"{main}: has no episode {path.name!r}.")
    if number == content.get("broken"):
        raise TrajectoryError(f"{main}: field episodes.{number}: is broken.")
    found = native.load(main.with_name("walk.tiny"))
    camera = f"-{reading.camera}" if reading.camera else ""
    return replace(found, id=f"{path.name}{camera}", source=path, objects=(), truth=found.truth)


def _read(reading: Reading) -> TrajectoryFormat:
    return TrajectoryFormat(
        name="tiny-walks",
        matches=_matches,
        load=lambda path: _load(path, reading),
        episodes=_episodes,
        configured=_read,
        summary="the tiny walk, many times",
    )


WALKS = _read(Reading())


def walks(folder: Path, count: int = 3, **fields: int) -> Path:
    """Write a log with some episodes; return its main file."""
    Walk().write(folder).rename(folder / "walk.tiny")
    (folder / "objects.json").rename(folder / "objects.tiny")
    main = folder / MAIN
    content = {"format": "tiny-walks", "count": count, **fields}
    main.write_text(json.dumps(content), encoding="utf-8")
    return main
