"""EmbSpatial-Bench (Du et al., ACL 2024): which object is nearest, which is left of which.

Its own file is the user's to bring; ``metaspace build embspatial`` writes one like it with items
of ours (docs/suite-embspatial.md).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_metaspace.suites import Order, Suite
from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._listed import ListedFormat, opening

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.trajectories._listed import ItemReader

NAME = "embspatial-bench"
CODE = "EMB"
TASKS = ("close", "far", "above", "under", "left", "right")
DEPTHS = ("close", "far")
_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[")
MAIN_FILE = "embspatial_bench.json"
_OWN = (b'"relation"', b'"answer_options"')
_SHARED = (b'"question_id"', b'"image"')


def matches(path: Path) -> bool:
    """Whether a file is a list of items of EmbSpatial-Bench, or has the name of theirs."""
    head = opening(path, ".json")
    if head is None:
        return False
    if path.name == MAIN_FILE:
        return True
    told = [any(key in head for key in keys) for keys in (_OWN, _SHARED)]
    return _LIST.match(head) is not None and all(told)


def _imported() -> ItemReader:
    from pytest_metaspace.suites.embspatial import _reader

    return _reader


FORMAT = ListedFormat(
    name=NAME,
    matches=matches,
    reader=_imported,
    summary="items of EmbSpatial-Bench, embspatial_bench.json",
)


def build(order: Order) -> list[str]:
    """Write a file like that of the benchmark, with items of ours; return what to say of it.

    Raises:
        UsageProblem: it cannot be written.
    """
    from pytest_metaspace.suites.embspatial import _build

    return _build.build(order)


EMBSPATIAL = Suite(
    name="embspatial",
    code=CODE,
    title="EmbSpatial-Bench",
    tasks=TASKS,
    relations={
        "ORDER": "options in another order",
        "FEWER": "wrong options left out",
        "MIRROR": "picture mirrored, left for right",
        "CONVERSE": "told from the other object",
        "SMALLER": "picture at half its size",
        "PADDED": "picture with a border",
        "COARSE": "picture compressed again",
        "CHAIN": "left of, over a third object",
        "ENDS": "nearest is not farthest",
    },
    only={"CONVERSE": ("above", "under", "left", "right"), "ENDS": DEPTHS},
    formats=(FORMAT.configured(Reading()),),
    build=build,
    at_once=True,
)
