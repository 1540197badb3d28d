"""Draws that are even over any stretch of numbers, so that no two of them hang together."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pytest_metaspace.domain import AS_WRITTEN
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.stare import CODE
from pytest_metaspace.suites.stare._family import chance_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.domain import Tie

Drawn = TypeVar("Drawn")
YES, NO = "yes", "no"
ANSWERS: Final = (YES, NO)
UNCHANGED: Final = AS_WRITTEN
STEPS: Final = f"{CODE}-STEPS"
WITHOUT_STEPS: Final = "without the pictures between"
"""How a question that shows intermediate pictures is put for that relation."""
BETWEEN: Final = "simulation"
"""The slice in which twins differ."""
SAME: Final = {YES: YES, NO: NO}


def drawn(family: str, seed: int, number: int, *axes: Sequence[Any]) -> tuple[Any, ...]:
    """Return one value of each axis; every combination once in as many numbers as there are.

    The first axis, which is the answer, comes round sooner: each value once in as many numbers as
    it has. A number has the same values however many are built.
    """
    groups = [list(product([first], *axes[1:])) for first in axes[0]]
    block, place = divmod(number, len(groups) * len(groups[0]))
    chance = chance_of(f"{family} evenly", seed, block)
    for group in groups:
        chance.shuffle(group)
    rounds: list[list[tuple[Any, ...]]] = [
        chance.sample(cells, len(cells)) for cells in zip(*groups)
    ]
    turn, within = divmod(place, len(groups))
    return rounds[turn][within]


def shuffled(values: tuple[Drawn, ...], chance: random.Random) -> tuple[Drawn, ...]:
    """Return values in another order; at least two of them differ."""
    while True:
        other = tuple(chance.sample(values, len(values)))
        if other != values:
            return other


def answer(holds: bool) -> str:
    """Return yes or no."""
    return YES if holds else NO


def alike(relation: str, posings: Iterable[str], first: str = UNCHANGED) -> list[Tie]:
    """Return ties of questions of yes and no that have one answer."""
    return [ties.mapped(relation, first, other, SAME) for other in posings]
