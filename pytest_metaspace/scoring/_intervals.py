"""95 % intervals of scores: a bootstrap over trajectories, read as so many independent cases.

The cases of one trajectory share questions, objects and a place, so they are right or wrong
together. What varies freely are trajectories: whole ones are drawn with replacement, and a score
is the ratio of sums over those drawn. How much that varies says how many independent cases would
vary as much, and the interval is the exact one of so many (E. L. Korn and B. I. Graubard,
"Confidence intervals for proportions with small expected number of positive counts estimated
from survey data", Survey Methodology 24, 1998). So it is not symmetric, stays between 0 and 1,
and is an interval also where all cases are satisfied. docs/statistics.md has its coverage, and
that of percentile, BCa and bootstrap-t intervals, which are too short with few trajectories.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Interval, Outcome
from pytest_metaspace.scoring._beta import quantile, student

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_metaspace.domain import Semantics

LEVEL: Final = 0.95
RESAMPLES: Final = 2000
_LOW, HIGH = (1 - LEVEL) / 2, (1 + LEVEL) / 2
NORMAL: Final = 1.959963984540054
#  With violations in fewer trajectories than this, how much trajectories differ is not seen.
SEEN: Final = 3
#  Correlation of cases within a trajectory that is assumed then; agents that see have 0.06 to 0.17
#  in the household trajectories.
ASSUMED: Final = 0.1
_STEPS: Final = 50
_DIGITS: Final = 6


class Intervals:
    """The intervals of the scores of a run.

    Args:
        counts: cases by trajectory, capability, relation and outcome.
        semantics: which formula.
    """

    def __init__(
        self, counts: Mapping[tuple[str, str, str, Outcome], int], semantics: Semantics
    ) -> None:
        import numpy as np

        self._trajectories = sorted({key[0] for key in counts})
        self._groups = sorted({key[1:3] for key in counts})
        row = {name: number for number, name in enumerate(self._trajectories)}
        column = {group: number for number, group in enumerate(self._groups)}
        shape = (len(row), len(column))
        self._right, self._judged = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for (trajectory, capability, relation, outcome), number in counts.items():
            at = row[trajectory], column[capability, relation]
            right, judged = _counted(outcome, semantics)
            self._right[at] += right * number
            self._judged[at] += judged * number
        self._seed = _seed(counts)
        self._drawn: dict[int, Any] = {}

    def of(
        self,
        takes: Callable[[str, str], bool],
        trajectory: Callable[[str], bool] = lambda _: True,
        *,
        mean: bool = False,
    ) -> Interval | None:
        """Return the interval of a score; None where fewer than two trajectories have cases.

        Args:
            takes: whether a capability and relation are part of it.
            trajectory: whether a trajectory is.
            mean: take the mean over capabilities, as the total does.
        """
        import numpy as np

        rows = [number for number, name in enumerate(self._trajectories) if trajectory(name)]
        columns: dict[str, list[int]] = {}
        for number, (capability, relation) in enumerate(self._groups):
            if takes(capability, relation):
                columns.setdefault(capability if mean else "", []).append(number)
        if not columns:
            return None
        right, judged = (
            np.stack([table[np.ix_(rows, some)].sum(axis=1) for some in columns.values()], axis=1)
            for table in (self._right, self._judged)
        )
        kept = judged.sum(axis=1) > 0
        right, judged = right[kept], judged[kept]
        there = judged.sum(axis=0) > 0
        return interval(right[:, there], judged[:, there], self._draws)

    def _draws(self, trajectories: int) -> Any:
        if trajectories not in self._drawn:
            self._drawn[trajectories] = draws(trajectories, self._seed)
        return self._drawn[trajectories]


def _counted(outcome: Outcome, semantics: Semantics) -> tuple[int, int]:
    """Return whether a case counts as right, and whether it counts at all."""
    if semantics == "paper":
        return int(outcome is not Outcome.VIOLATED), 1
    judged = outcome in (Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID)
    return int(outcome is Outcome.SATISFIED), int(judged)


def _seed(counts: Mapping[tuple[str, str, str, Outcome], int]) -> int:
    """Return a number that the same counts always give, in whatever order they are."""
    told = json.dumps(sorted((*key[:3], key[3].value, number) for key, number in counts.items()))
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:16], "big")


def draws(trajectories: int, seed: int) -> Any:
    """Return how often each resample has each trajectory: an array of resamples by trajectories.

    It is made of the raw stream of a generator, which numpy promises never to change.
    """
    import numpy as np

    raw = np.random.PCG64(seed).random_raw(RESAMPLES * trajectories)
    drawn = (raw % np.uint64(trajectories)).astype(np.int64).reshape(RESAMPLES, trajectories)
    drawn += np.arange(RESAMPLES)[:, None] * trajectories
    counted = np.bincount(drawn.ravel(), minlength=RESAMPLES * trajectories)
    return counted.reshape(RESAMPLES, trajectories)


def interval(right: Any, judged: Any, drawn: Callable[[int], Any]) -> Interval | None:
    """Return the interval of a mean of ratios of sums; None for fewer than two trajectories.

    Args:
        right: whole numbers, a row for each trajectory and a column for each ratio.
        judged: likewise, of how many; no row and no column without any.
        drawn: makes resamples of so many trajectories, as ``draws`` does.
    """
    effective = _effective(judged)
    if effective is None:
        return None
    return _of_spread(right, judged, _variance(right, judged, drawn(len(judged))), effective)


def linearised(clusters: Sequence[Sequence[int]]) -> Interval | None:
    """Return the interval of a ratio of sums as ``interval`` does, by linearisation.

    For many ratios at once: nothing is drawn. The two agree but for chance.

    Args:
        clusters: of each trajectory, how many cases are right, and of how many.
    """
    import numpy as np

    table = np.asarray(clusters, np.int64).reshape(-1, 2)
    right, judged = table[:, :1], table[:, 1:]
    effective = _effective(judged)
    if effective is None:
        return None
    residuals = right - judged * (right.sum() / judged.sum())
    return _of_spread(right, judged, float((residuals**2).sum() / judged.sum() ** 2), effective)


def _effective(judged: Any) -> float | None:
    """Return as how many trajectories of one size these are; None where they are too few."""
    if len(judged) < 2:  # noqa: PLR2004 - one says nothing about others
        return None
    each = (judged / judged.sum(axis=0)).mean(axis=1)
    effective = 1 / float((each**2).sum())
    return effective if effective > 1 + 1e-9 else None


def _of_spread(right: Any, judged: Any, variance: float, effective: float) -> Interval:
    """Return the interval of a mean of ratios of which the variance is known."""
    value = float((right.sum(axis=0) / judged.sum(axis=0)).mean())
    spread = variance * effective / (effective - 1)
    cases = judged.shape[1] ** 2 / float((1 / judged.sum(axis=0)).sum())
    size = _most(right, judged, cases, effective)
    if spread > 0:
        size = min(size, value * (1 - value) / spread)
    size *= (NORMAL / student(min(effective, len(judged) - 1), HIGH)) ** 2
    low, high = exact(value, size)
    return Interval(round(low, _DIGITS), round(high, _DIGITS), round(size, _DIGITS))


def _variance(right: Any, judged: Any, drawn: Any) -> float:
    """Return the variance of a mean of ratios over resamples."""
    import numpy as np

    sums, of = drawn @ right, drawn @ judged
    ratios = np.divide(sums, of, out=np.zeros(of.shape), where=of > 0)
    known = (of > 0).sum(axis=1)
    values = ratios.sum(axis=1)[known > 0] / known[known > 0]
    return float(values.var())


def _most(right: Any, judged: Any, cases: float, effective: float) -> float:
    """Return how many independent cases there are at most.

    Where hardly a trajectory has a violation, or hardly one a satisfied case, that none varies is
    no sign that none would; a usual correlation is then taken for the true one.
    """
    wrong, some = ((table > 0).any(axis=1).sum() for table in (judged - right, right))
    if min(wrong, some) >= min(SEEN, len(judged)):
        return cases
    return cases / max(1.0, 1 + ASSUMED * (cases / effective - 1))


def exact(value: float, size: float) -> tuple[float, float]:
    """Return the exact (Clopper-Pearson) interval of a share of so many independent cases."""
    right, wrong = value * size, (1 - value) * size
    low = quantile(right, wrong + 1, _LOW) if right > 0 else 0.0
    high = quantile(right + 1, wrong, HIGH) if wrong > 0 else 1.0
    return min(low, value), max(high, value)


def smallest_drop(found: Interval, threshold: float) -> float | None:
    """Return how far below a threshold a score must lie for its interval to be wholly below it.

    Args:
        found: an interval of as many trajectories, that vary as much.
        threshold: of the gate.

    Returns:
        The least such distance; None where even a score of 0 would not be told from it.
    """
    low, high = 0.0, threshold
    if threshold <= 0 or exact(low, found.size)[1] >= threshold:
        return None
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if exact(middle, found.size)[1] < threshold else (low, middle)
    return round(threshold - low, _DIGITS)
