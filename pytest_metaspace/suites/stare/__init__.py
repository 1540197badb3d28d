"""Puzzles like those of STARE (ICLR 2026): shapes are changed, nets folded, pieces laid together.

All items are ours, made by ``metaspace build stare`` (docs/suite-stare.md); nothing of the
benchmark's own comes with this package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_metaspace.suites import BuildOption, Order, Suite
from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._listed import ListedFormat, opening

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.trajectories._listed import ItemReader

CODE = "STARE"
FAMILIES = ("2d", "3d", "folding", "tangram", "perspective", "temporal")
"""What ``--family`` takes beside ``all``; ids of items begin with it."""
CHANGES_2D = ("analogy-2d", "instruction-2d")
CHANGES_3D = ("analogy-3d", "instruction-3d")
CHANGES = (*CHANGES_2D, *CHANGES_3D)
TASKS = (*CHANGES, "folding", "tangram", "perspective", "temporal")
"""The tasks of the benchmark."""
PROBES = (
    "final-2d",
    "words-2d",
    "pictures-2d",
    "final-3d",
    "pictures-3d",
    "words-3d",
    "fold-final",
    "fold-words",
    "fold-seen",
    "fold-connected",
    "fold-opposite",
    "fold-colour",
    "tangram-final",
    "tangram-words",
)
"""What an answer rests on: tasks beside those of the benchmark, in none of their averages."""
_NUMBERED = ("folding", "fold-final", "fold-seen", "fold-connected", "fold-opposite", "fold-colour")
_CHOICES = (*CHANGES, "fold-opposite", "fold-colour", "perspective", "temporal")


MAIN_FILE = "stare.jsonl"
_RECORD = re.compile(rb"(?:\xef\xbb\xbf)?[\s\[]*\{")
_KEYS = (b'"images"', b'"category"', b'"other_info"')


def build(order: Order) -> list[str]:
    """Write items of our own; return what to say of it.

    Raises:
        UsageProblem: they cannot be written, or others are there.
    """
    from pytest_metaspace.suites.stare import _build

    return _build.build(order)


def matches(path: Path) -> bool:
    """Whether a file holds records of the benchmark, one a line, or has the name of theirs."""
    head = opening(path, ".jsonl", ".json")
    if head is None:
        return False
    if path.name == MAIN_FILE:
        return True
    return _RECORD.match(head) is not None and all(key in head for key in _KEYS)


def _imported() -> ItemReader:
    from pytest_metaspace.suites.stare import _own

    return _own


FORMAT = ListedFormat(
    name="stare",
    matches=matches,
    reader=_imported,
    summary="items of STARE, JSON Lines and a folder of pictures",
)


STARE = Suite(
    name="stare",
    code=CODE,
    title="STARE",
    tasks=(*TASKS, *PROBES),
    relations={
        "ORDER": "options in another order",
        "FEWER": "a wrong option left out",
        "MIRROR": "pictures mirrored, left for right",
        "COMPOSED": "steps put together or undone",
        "COMMUTED": "steps that commute, the other way round",
        "FORMS": "shown instead of told",
        "STEPS": "with the pictures between",
        "TURNED": "pictures turned as a whole",
        "NUMBERED": "faces with other numbers",
        "BASE": "another face lies still",
        "SEQUENCE": "faces folded in another order",
        "OPPOSITE": "the opposite of the opposite face",
        "NEIGHBOUR": "opposite faces share no edge",
        "UNFOLDED": "folded and unfolded again",
        "PART": "a part of a net that folds",
        "PIECES": "pieces moved, turned, in other colours",
        "CUT": "a piece cut in two, or two glued",
        "HEADINGS": "four headings, four views",
        "REVERSED": "frames the other way round",
    },
    only={
        "ORDER": (*_CHOICES, "folding", "tangram"),
        "FEWER": _CHOICES,
        "COMPOSED": CHANGES,
        "COMMUTED": CHANGES,
        "FORMS": (*CHANGES, "words-2d", "words-3d", "fold-words", "tangram-words"),
        "STEPS": (*CHANGES, "folding", "fold-seen", "tangram"),
        "TURNED": (*CHANGES_2D, "folding", "tangram", "perspective"),
        "NUMBERED": _NUMBERED,
        "BASE": ("folding",),
        "SEQUENCE": ("folding",),
        "OPPOSITE": ("fold-opposite",),
        "NEIGHBOUR": ("fold-opposite",),
        "UNFOLDED": ("fold-seen",),
        "PART": ("folding",),
        "PIECES": ("tangram",),
        "CUT": ("tangram",),
        "HEADINGS": ("perspective",),
        "REVERSED": ("temporal",),
    },
    formats=(FORMAT.configured(Reading()),),
    build=build,
    counted="puzzles, spread over the families; each gives several items",
    build_options=(
        BuildOption(name="family", help="which puzzles", default="all", choices=("all", *FAMILIES)),
        BuildOption(
            name="steps",
            help="how many steps change a shape or solid",
            default="varied",
            choices=("1", "2", "3", "varied"),
        ),
        BuildOption(
            name="difficulty",
            help="how hard puzzles are; each family has its own measure",
            default="varied",
            choices=("easy", "medium", "hard", "varied"),
        ),
        BuildOption(
            name="pictures",
            help="which intermediate pictures of shapes and solids are shown",
            default="all",
            choices=("all", "partial", "last"),
        ),
    ),
)
