"""95 % intervals of gains: differences of two shares of the same questions, paired.

The questions of one item are right or wrong together, so what varies freely are items: how much
their differences vary says as how many independent pairs all pairs are to be read, as
``_intervals`` does for trajectories. Where each item has one question, those are all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pytest_metaspace.scoring._beta import student
from pytest_metaspace.scoring._intervals import ASSUMED, HIGH, NORMAL, SEEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Kind = tuple[bool, bool]
"""Whether a question is right the first way, and the second."""
KINDS: Final[tuple[Kind, ...]] = ((True, True), (True, False), (False, True), (False, False))


def interval(clusters: Sequence[Mapping[Kind, int]]) -> tuple[float, float]:
    """Return the interval of the share of the first way less that of the second.

    Args:
        clusters: of each item, how many of its questions are of each kind; at least one question.
    """
    counts = [sum(one.get(kind, 0) for one in clusters) for kind in KINDS]
    share = _independent(clusters) / sum(counts)
    return paired(*(share * one for one in counts))


def _independent(clusters: Sequence[Mapping[Kind, int]]) -> float:
    """Return how many independent pairs would vary as much as those of some items."""
    pairs = [sum(one.values()) for one in clusters]
    many = sum(pairs)
    if many == len(pairs):
        return many
    if len(pairs) == 1:
        return 1.0  # nothing tells how much another item would differ
    gains = [one.get((True, False), 0) - one.get((False, True), 0) for one in clusters]
    differing = [one.get((True, False), 0) + one.get((False, True), 0) for one in clusters]
    mean = sum(gains) / many
    effective = many * many / sum(one * one for one in pairs)
    between = sum((gain - one * mean) ** 2 for gain, one in zip(gains, pairs))
    size = float(many)
    if sum(map(bool, differing)) < min(SEEN, len(pairs)):
        size /= max(1.0, 1 + ASSUMED * (many / effective - 1))
    if between > 0:
        variance = between / many**2 * effective / (effective - 1)
        size = min(size, (sum(differing) / many - mean * mean) / variance)
    return size * (NORMAL / student(min(effective, len(pairs) - 1), HIGH)) ** 2


def paired(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """Return the 95 % interval of a difference of two shares of the same pairs.

    It is Newcombe's method 10 (Statistics in Medicine 17, 1998, page 2635), which holds also where
    no pair differs.

    Args:
        a: independent pairs that are right both ways; no whole number is needed.
        b: right the first way alone.
        c: right the second way alone.
        d: right neither way.
    """
    many = a + b + c + d
    one, other = (a + b) / many, (a + c) / many
    (low1, high1), (low2, high2) = _wilson(one, many), _wilson(other, many)
    phi = _association(a, b, c, d)
    below = _joined(one - low1, high2 - other, phi)
    above = _joined(high1 - one, other - low2, phi)
    return max(-1.0, one - other - below), min(1.0, one - other + above)


def _association(a: float, b: float, c: float, d: float) -> float:
    """Return the correlation of the two ways, drawn towards 0 where it is above."""
    product = (a + b) * (c + d) * (a + c) * (b + d)
    if not product:
        return 0.0
    excess = a * d - b * c
    if excess > 0:
        excess = max(excess - (a + b + c + d) / 2, 0.0)
    return excess / math.sqrt(product)


def _joined(one: float, other: float, phi: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))


def _wilson(share: float, many: float) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    square = NORMAL * NORMAL
    middle = share + square / (2 * many)
    reach = NORMAL * math.sqrt(share * (1 - share) / many + square / (4 * many * many))
    return (middle - reach) / (1 + square / many), (middle + reach) / (1 + square / many)
