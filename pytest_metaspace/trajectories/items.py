"""Items of suites as this package writes them: ``items.json``, a JSON list, and its pictures.

Questions about a native trajectory lie beside it, in ``questions.json`` (docs/format-items.md).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._damaged import emptied, ruined
from pytest_metaspace.trajectories._listed import ListedFormat, opening

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.trajectories._listed import ItemReader

MAIN_FILE = "items.json"
QUESTIONS = "questions.json"
NAME = "metaspace-items"
_PICTURES = "pictures"
_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{")
_KEYS = (b'"task"', b'"posings"')
_NEARLY = re.compile(rb'"posings"\s*:|"task"\s*:\s*"[A-Z]{2,8}-[a-z0-9]')


def matches(path: Path) -> bool:
    """Whether a file is a list of items.

    Of an ``items.json`` it takes one key of an item, or that nothing of it is left and
    ``pictures/`` lies beside it: loading it then says what is wrong, instead of nobody noticing.
    """
    head = opening(path, ".json")
    if head is None:
        return False
    if _LIST.match(head) is not None and all(key in head for key in _KEYS):
        return True
    return path.name == MAIN_FILE and (_NEARLY.search(head) is not None or _is_lost(path))


def _is_lost(path: Path) -> bool:
    beside = (path.parent / _PICTURES).is_dir()
    return beside and (emptied(path) or ruined(path) is not None)


def _imported() -> ItemReader:
    from pytest_metaspace.trajectories import _item_reading

    return _item_reading


ITEMS = ListedFormat(
    name=NAME, matches=matches, reader=_imported, summary="items of suites, items.json"
).configured(Reading())
