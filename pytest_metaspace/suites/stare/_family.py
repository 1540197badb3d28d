"""What a family of puzzles makes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from pytest_metaspace.domain import Item

PICTURES = "pictures"
"""The folder of pictures, beside ``items.json``."""
Options = Mapping[str, Union[int, str]]
"""What was chosen when the build was started, by name."""
Drawing = Callable[[], bytes]
"""Draws a picture, the same bytes each time; called only where the file is missing."""


@dataclass(frozen=True)
class Made:
    """What one number of a seed gives.

    Attributes:
        items: each with its id, ``FAMILY-SEED-NUMBER`` and what tells those of one number apart.
        pictures: name in the folder of pictures to what draws it.
        dropped: how many candidates each filter threw away, by the reason.
    """

    items: list[tuple[str, Item]] = field(default_factory=list)
    pictures: dict[str, Drawing] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)


Family = Callable[[int, int, Options, Path], Made]
"""Takes seed, number, options and the folder of pictures; draws nothing, and writes nothing."""


def name_of(family: str, seed: int, number: int) -> str:
    """Return what ids of the items of a number begin with."""
    return f"{family}-{seed}-{number:04d}"


def chance_of(family: str, seed: int, number: int) -> random.Random:
    """Return the draws of a number; the same ones each time."""
    digest = sha256(f"stare {family} {seed} {number}".encode()).digest()
    return random.Random(digest)  # noqa: S311 - no secret
