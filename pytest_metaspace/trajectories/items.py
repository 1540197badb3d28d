"""Items of suites as this package writes them: ``items.json``, a JSON list, and its pictures.

Questions about a native trajectory lie beside it, in ``questions.json`` (docs/format-items.md).
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pytest_metaspace.trajectories import Reading, TrajectoryFormat
from pytest_metaspace.trajectories._damaged import emptied, ruined

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory

MAIN_FILE = "items.json"
QUESTIONS = "questions.json"
NAME = "metaspace-items"
_HEAD = 4096
_PICTURES = "pictures"
_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{")
_KEYS = (b'"task"', b'"posings"')
_NEARLY = re.compile(rb'"posings"\s*:|"task"\s*:\s*"[A-Z]{2,8}-[a-z0-9]')


def matches(path: Path) -> bool:
    """Whether a file is a list of items.

    Of an ``items.json`` it takes one key of an item, or that nothing of it is left and
    ``pictures/`` lies beside it: loading it then says what is wrong, instead of nobody noticing.
    """
    if path.suffix.lower() != ".json":
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    if _LIST.match(head) is not None and all(key in head for key in _KEYS):
        return True
    return path.name == MAIN_FILE and (_NEARLY.search(head) is not None or _is_lost(path))


def _is_lost(path: Path) -> bool:
    beside = (path.parent / _PICTURES).is_dir()
    return beside and (emptied(path) or ruined(path) is not None)


def episodes(path: Path) -> Sequence[str]:
    """Return the names of the items, in order.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    from pytest_metaspace.trajectories import _item_reading

    return _item_reading.index_of(path).names


def load(path: Path, reading: Reading = Reading()) -> Trajectory:  # noqa: B008 - it is frozen
    """Load one item.

    Args:
        path: the file, with the name of the item behind it.
        reading: where changed pictures are kept.

    Raises:
        TrajectoryError: the item cannot be used; the text names the field and why.
    """
    from pytest_metaspace.trajectories import _item_reading

    return _item_reading.load(path, reading.frames)


def configured(reading: Reading) -> TrajectoryFormat:
    """Return the format as a run wants to have it read."""
    return TrajectoryFormat(
        name=NAME,
        matches=matches,
        load=partial(load, reading=reading),
        episodes=episodes,
        configured=configured,
        summary="items of suites, items.json",
    )


ITEMS = configured(Reading())
