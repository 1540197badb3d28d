"""Tests on paired differences, one for each trajectory: cases of one are not independent.

The sign-flip permutation test: were two runs alike but for chance, each trajectory's difference
would be as likely to have the other sign (Fisher 1935, chapter 3; Good, *Permutation, Parametric
and Bootstrap Tests of Hypotheses*, 2005, section 3.2).
"""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST: Final = 10
"""With fewer trajectories nothing is decided: 9 give p = 0.002 at best, 0.016 over 8 capabilities,
and only where every single one got worse."""
LEVEL: Final = 0.05
POWER: Final = 0.8
_EXACT_UP_TO: Final = 13
_DRAWS: Final = 9_999
_SEED: Final = 20_260
_TIE: Final = 1e-12


@lru_cache(maxsize=32)
def signs(count: int) -> Any:
    """Return a matrix of signs, a row for each flip of ``count`` differences.

    All 2^count of them up to 13 differences; above, 9,999 drawn with a fixed seed, and the first
    row, which flips none.
    """
    import numpy as np

    if count <= _EXACT_UP_TO:
        numbers = np.arange(2**count, dtype=np.uint32)
        bits = numbers[:, None] >> np.arange(count, dtype=np.uint32)[None, :] & 1
    else:
        drawn = np.random.default_rng([_SEED, count]).integers(
            0, 2, size=(_DRAWS + 1, count), dtype=np.int8
        )
        drawn[0] = 0
        bits = drawn
    return (1 - 2 * bits.astype(np.int8)).astype(np.float32)


def sign_flip(differences: Sequence[float]) -> tuple[float, float]:
    """Return the one-sided p of a mean as low as that of the differences, and of one as high.

    Args:
        differences: one for each trajectory; at least one.
    """
    low, high = sign_flips([differences])[0]
    return low, high


def sign_flips(rows: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Test several sets of as many differences each; as ``sign_flip``, in one go."""
    import numpy as np

    table = np.asarray(rows, dtype=np.float64)
    flips = signs(table.shape[1]).astype(np.float64)
    sums = table @ flips.T  # the first flip flips nothing
    observed = sums[:, :1]
    low = (sums <= observed + _TIE).mean(axis=1)
    high = (sums >= observed - _TIE).mean(axis=1)
    return [(float(one), float(other)) for one, other in zip(low, high)]


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number (Holm 1979), in the order given."""
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted


def scatter(differences: Sequence[float]) -> float | None:
    """Return the standard deviation of differences; None where nothing tells it."""
    import numpy as np

    if len(differences) < 2:  # noqa: PLR2004 - one says nothing about scatter
        return None
    return float(np.std(np.asarray(differences, dtype=np.float64), ddof=1))


def detectable(differences: Sequence[float], tests: int) -> float | None:
    """Return the smallest change that such differences would show in four runs of five.

    Args:
        differences: one for each trajectory.
        tests: how many are made, which each has to be the surer for.
    """
    spread = scatter(differences)
    return None if spread is None else _reach(tests) * spread / len(differences) ** 0.5


def needed(differences: Sequence[float], change: float, tests: int) -> int:
    """Return how many such trajectories would show a change in four runs of five."""
    spread = scatter(differences)
    if not spread or not change:
        return FEWEST
    return max(FEWEST, int(-(-((_reach(tests) * spread / abs(change)) ** 2) // 1)))


def _reach(tests: int) -> float:
    """Return how many standard errors a change must have for the usual power."""
    normal = NormalDist()
    return normal.inv_cdf(1 - LEVEL / max(tests, 1)) + normal.inv_cdf(POWER)
