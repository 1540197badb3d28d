"""Draws that depend on a walk alone, and candidates that filters leave."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING, Final, TypeVar

from pytest_metaspace.suites.rem._course import Unmet

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.suites.rem._seen import Walk

Made = TypeVar("Made")
Answer = TypeVar("Answer")
_ANSWERS: Final = 3


def draws(walk: Walk, purpose: str) -> random.Random:
    """Return a source of chance that is the same for the same walk and purpose."""
    digest = hashlib.sha256(f"questions of {walk.id}: {purpose}".encode()).digest()
    return random.Random(digest)  # noqa: S311 - no secret


def drawn(chance: random.Random, some: Iterable[Made]) -> list[Made]:
    """Return things in an order by chance."""
    order = list(some)
    chance.shuffle(order)
    return order


def certain(
    asks: Iterable[Made],
    answer: Callable[[Made], Answer],
    dropped: Counter[str],
    task: str,
) -> list[tuple[Made, Answer]]:
    """Return candidates with their answers; those that are not certain are counted as dropped."""
    kept = []
    for one in asks:
        try:
            kept.append((one, answer(one)))
        except Unmet as reason:
            dropped[f"{task}: {reason}"] += 1
    return kept


def balanced(
    chance: random.Random, pools: Mapping[str, Sequence[list[Made]]], count: int
) -> list[Made]:
    """Draw candidates so that the answer says nothing of the group, nor the group of the answer.

    As long as a group has a candidate of each answer, the answer is drawn first, then the group.

    Args:
        chance: the source of chance.
        pools: of each group, candidates by answer; one list may stand for two answers.
        count: how many candidates.
    """
    for group in pools.values():
        for pool in {id(one): one for one in group}.values():
            chance.shuffle(pool)
    found: list[Made] = []
    while len(found) < count:
        whole = [group for group in pools.values() if all(group)]
        if not whole:
            break
        answer = chance.randrange(_ANSWERS)
        found.append(chance.choice(whole)[answer].pop())
    return found
