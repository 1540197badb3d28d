"""How often 95 % intervals hold the true score, by method and number of trajectories.

    python benchmarks/coverage.py [--runs 1000] [--seed 0]

An agent is simulated: each trajectory has an ability of its own (logit-normal around the agent's),
its cases come in groups that share an answer, and trajectories differ in size. ``ours`` is the
interval that reports print, by the code that makes it; the others are what it was chosen from.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtr, ndtri, stdtrit

from pytest_metaspace.scoring._intervals import draws, interval

if TYPE_CHECKING:
    from collections.abc import Callable

TRAJECTORIES = (3, 5, 10, 30, 158)
_SHARED = 4  # cases that stand or fall together, as those of one question do
_TAIL = 0.025


@dataclass(frozen=True)
class World:
    """What is simulated: the true score, how much trajectories differ, and how large they are."""

    score: float
    differ: float
    """Standard deviation of abilities, in logits."""
    cases: int
    """Median size of a trajectory."""
    sizes: float = 0.6
    """Standard deviation of the logarithm of sizes."""

    def ability(self) -> float:
        """Return the median ability, in logits, at which the mean score is the true one."""
        at = np.linspace(-6, 6, 2001)
        weight = np.exp(-at * at / 2)
        weight /= weight.sum()
        low, high = -20.0, 20.0
        for _ in range(60):
            middle = (low + high) / 2
            below = (weight * expit(middle + self.differ * at)).sum() < self.score
            low, high = (middle, high) if below else (low, middle)
        return low

    def run(self, trajectories: int, draw: np.random.Generator) -> tuple[Any, Any]:
        """Return satisfied and judged cases of each trajectory of a run."""
        each = expit(self.ability() + draw.normal(0, self.differ, trajectories))
        size = draw.lognormal(np.log(self.cases / _SHARED), self.sizes, trajectories)
        groups = np.maximum(1, size).astype(np.int64)
        right = draw.binomial(groups, each)
        return right[:, None] * _SHARED, groups[:, None] * _SHARED


WORLDS = (
    World(0.5, 0.5, 60),
    World(0.5, 0.1, 60),
    World(0.8, 0.7, 60),
    World(0.95, 1.0, 60),
    World(0.99, 1.5, 60),
    World(0.9, 0.3, 12),
    World(0.8, 0.7, 60, sizes=1.2),
    World(0.97, 0.5, 200, sizes=1.2),
)


def ours(right: Any, judged: Any, drawn: Any) -> tuple[float, float]:
    """Return the interval that reports print."""
    found = interval(right, judged, lambda _: drawn)
    return (0.0, 1.0) if found is None else (found.low, found.high)


def _resampled(right: Any, judged: Any, drawn: Any) -> Any:
    return np.sort((drawn @ right[:, 0]) / (drawn @ judged[:, 0]))


def percentile(right: Any, judged: Any, drawn: Any) -> tuple[float, float]:
    """Return the percentile interval of the bootstrap."""
    low, high = np.quantile(_resampled(right, judged, drawn), (_TAIL, 1 - _TAIL))
    return low, high


def bca(right: Any, judged: Any, drawn: Any) -> tuple[float, float]:
    """Return the bias-corrected and accelerated interval (Efron 1987)."""
    values = _resampled(right, judged, drawn)
    value = right.sum() / judged.sum()
    below = (np.mean(values < value) + np.mean(values <= value)) / 2
    bias = ndtri(np.clip(below, 1 / len(values), 1 - 1 / len(values)))
    without = (right.sum() - right[:, 0]) / (judged.sum() - judged[:, 0])
    apart = without.mean() - without
    scale = 6 * (apart**2).sum() ** 1.5
    speed = (apart**3).sum() / scale if scale > 0 else 0.0
    at = [ndtr(bias + (bias + z) / (1 - speed * (bias + z))) for z in ndtri([_TAIL, 1 - _TAIL])]
    low, high = np.quantile(values, at)
    return low, high


def _errors(right: Any, judged: Any) -> float:
    apart = right[:, 0] - right.sum() / judged.sum() * judged[:, 0]
    many = len(apart)
    return float(np.sqrt((apart**2).sum() * many / (many - 1)) / judged.sum())


def student(right: Any, judged: Any, _: Any) -> tuple[float, float]:
    """Return the t interval of the linearised ratio, with one degree of freedom less than rows."""
    value = right.sum() / judged.sum()
    reach = stdtrit(len(right) - 1, 1 - _TAIL) * _errors(right, judged)
    return value - reach, value + reach


def bootstrap_t(right: Any, judged: Any, drawn: Any) -> tuple[float, float]:
    """Return the studentised interval of the bootstrap."""
    r, n, value = right[:, 0], judged[:, 0], right.sum() / judged.sum()
    of = drawn @ n
    ratio = (drawn @ r) / of
    square = drawn @ (r * r) - 2 * ratio * (drawn @ (r * n)) + ratio**2 * (drawn @ (n * n))
    errors = np.sqrt(np.maximum(square, 0) * len(r) / (len(r) - 1)) / of
    known = errors > 0
    if not known.any():
        return value, value
    low, high = np.quantile((ratio[known] - value) / errors[known], (_TAIL, 1 - _TAIL))
    return value - high * _errors(right, judged), value - low * _errors(right, judged)


METHODS: dict[str, Callable[[Any, Any, Any], tuple[float, float]]] = {
    "ours": ours,
    "t": student,
    "bootstrap-t": bootstrap_t,
    "BCa": bca,
    "percentile": percentile,
}


def coverage(
    world: World, trajectories: int, runs: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Return by method how often its interval holds the true score, and its median width."""
    draw = np.random.default_rng([seed, trajectories])
    drawn = draws(trajectories, seed)
    held: dict[str, list[tuple[bool, float]]] = {name: [] for name in METHODS}
    for _ in range(runs):
        right, judged = world.run(trajectories, draw)
        for name, method in METHODS.items():
            low, high = (min(max(end, 0.0), 1.0) for end in method(right, judged, drawn))
            holds = low <= world.score + 1e-12 and world.score - 1e-12 <= high
            held[name].append((holds, high - low))
    return {
        name: (float(np.mean([one for one, _ in all_])), float(np.median([w for _, w in all_])))
        for name, all_ in held.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"coverage / median width of 95 % intervals, {options.runs} simulated runs each")
    for world in WORLDS:
        print(
            f"\nscore {world.score:g}, abilities differ by {world.differ:g}, "
            f"{world.cases} cases a trajectory, sizes by {world.sizes:g}"
        )
        print(f"{'trajectories':12}", *(f"{number:>13}" for number in TRAJECTORIES))
        found = [coverage(world, some, options.runs, options.seed) for some in TRAJECTORIES]
        for name in METHODS:
            cells = (f"{one[name][0]:.3f} / {one[name][1]:.3f}" for one in found)
            print(f"{name:12}", *(f"{cell:>13}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
