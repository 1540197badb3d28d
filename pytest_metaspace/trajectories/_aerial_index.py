"""The episodes of an AerialVLN split: where each lies in the file, by the path that it flies.

A split has tens of thousands of episodes in one JSON object. They are walked over once, one at a
time, and read again one by one. Three instructions share one path, which is one trajectory here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Defect
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._damaged import lost, require
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_index import MOST, Walk

if TYPE_CHECKING:
    from pathlib import Path

_SHOWN = 4
_MOST_OF_ONE = 100
"""Instructions for one path that are read; AerialVLN has three."""
_EPISODES = re.compile(r'"episodes"\s*:\s*\[')
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,120}")
_NEXT = "Fetch the file again."
_SPLITS = ("val_seen.json", "val_unseen.json")
_MORE_SPLITS = ("train.json", "test.json")


@dataclass(frozen=True)
class Index:
    """What a split holds.

    Attributes:
        names: trajectory ids in the order in which they come first.
        places: number, first byte and byte after the end of the episodes of each.
        defects: of the file itself; the first ones, and how many more there are.
    """

    names: tuple[str, ...]
    places: dict[str, list[tuple[int, int, int]]]
    defects: tuple[Defect, ...] = field(default=())


def is_lost(path: Path) -> bool:
    """Whether a file has the name of a split, and nothing of it is here.

    Many call a file train or test: an empty one counts only in a folder of AerialVLN, or beside
    another split.
    """
    if path.name not in (*_SPLITS, *_MORE_SPLITS):
        return False
    found = lost(path)
    if found is None or path.name in _SPLITS or "LFS" in found:
        return found is not None
    home = path.parent
    return "aerialvln" in home.name.lower() or any((home / one).is_file() for one in _SPLITS)


def index(path: Path) -> Index:
    """Return what a split holds; a file that has not changed is walked over once.

    Raises:
        TrajectoryError: it cannot be read, or holds no episode.
    """
    try:
        state = path.stat()
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from None
    require(path)
    return _walked(path, state.st_mtime_ns, state.st_size)


def episodes(path: Path, name: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the episodes that fly one path, each with its number in the file.

    Raises:
        TrajectoryError: there are none, or the file changed meanwhile.
    """
    found = index(path)
    if name not in found.places:
        raise TrajectoryError(
            f"{path}: has no trajectory_id {brief(name)}; it has {len(found.names)}, as "
            f"{brief(found.names[0])}."
        )
    made = []
    try:
        with path.open("rb") as file:
            for number, start, end in found.places[name]:
                file.seek(start)
                made.append((number, json.loads(file.read(end - start))))
    except (OSError, ValueError, RecursionError) as problem:
        raise TrajectoryError(f"{path}: changed while it was read ({problem}).") from None
    return made


@lru_cache(maxsize=8)
def _walked(path: Path, changed: int, size: int) -> Index:
    del changed, size
    places: dict[str, list[tuple[int, int, int]]] = {}
    defects: list[Defect] = []
    nameless = 0

    def found(number: int, episode: Any, start: int, end: int) -> None:
        nonlocal nameless
        name = _name(episode)
        if name is not None:
            here = places.setdefault(name, [])
            if len(here) < _MOST_OF_ONE:
                here.append((number, start, end))
            return
        nameless += 1
        if nameless <= _SHOWN + 1:
            defects.append(_nameless(path, number, episode))

    walk = Walk(found)
    try:
        with path.open("rb") as file:
            there = walk.over_list_behind(_EPISODES, file)
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from None
    if not there:
        raise TrajectoryError(f"{path}: field episodes: is missing, expected a list. {_NEXT}")
    if walk.count >= MOST:
        defects.append(Defect(path, "episodes", None, walk.problem, "Split the file."))
    elif walk.problem:
        defects.append(_cut(path, walk.count))
    defects = _few(path, defects, nameless)
    if not places:
        why = (
            "\n".join(map(str, defects))
            if defects
            else f"{path}: field episodes: is empty. {_NEXT}"
        )
        raise TrajectoryError(why)
    return Index(tuple(places), places, tuple(defects))


def _few(path: Path, defects: list[Defect], nameless: int) -> list[Defect]:
    more = nameless - _SHOWN
    if more <= 1:
        return defects
    what = f"have {more} more defects like these; those episodes are left out, too."
    told = Defect(path, "episodes", None, what, "Mend these first.")
    return [*defects[:_SHOWN], told, *defects[_SHOWN + 1 :]]


def _name(episode: object) -> str | None:
    found = episode.get("trajectory_id") if isinstance(episode, dict) else None
    name = str(found) if isinstance(found, int | str) and not isinstance(found, bool) else ""
    return name if _NAME.fullmatch(name) and name.strip(".") else None


def _cut(path: Path, number: int) -> Defect:
    what = "is no JSON, or cut off there; what comes after is left out."
    return Defect(path, f"episodes.{number}", None, what, _NEXT)


def _nameless(path: Path, number: int, episode: object) -> Defect:
    given = episode.get("trajectory_id") if isinstance(episode, dict) else None
    return Defect(
        path,
        f"episodes.{number}.trajectory_id",
        None,
        f"is {brief(given)}, expected ASCII letters, digits, '_', '.' and '-', at most 120; the "
        "episode is left out.",
        "Give it such a name.",
    )
