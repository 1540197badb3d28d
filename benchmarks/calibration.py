"""How often the gate of a baseline is wrong: simulated runs of an agent that has dice in it.

    python benchmarks/calibration.py [--pairs 2000] [--seed 1] [--picture docs/calibration.svg]

Each pair is two runs over the same cases of 5, 12, 30 or 158 trajectories and eight
capabilities. The agent is unchanged, or one capability has fallen by 0.02, 0.05 or 0.1. What the
gate does is what `pytest_metaspace.scoring` does, beside a fixed tolerance and McNemar's test.

The agent: a trajectory has 30 cases of a capability or so (log-normal), easy ones and hard ones,
and its own difficulty. In each run the answers about a trajectory sway together: one answer is in
many cases, and a wrong idea of a scene spoils many answers. The sway is a normal shift of the
log-odds; at its size, two cases of one trajectory differ between runs with a correlation of about
0.1, so that the variance of a trajectory's difference is several times that of independent cases.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from tabulate import tabulate

from pytest_metaspace.scoring import paired
from pytest_metaspace.scoring.comparison import MIN_CHANGE, judged

CAPABILITIES: Final = 8
DROPS: Final = (0.0, 0.02, 0.05, 0.1)
SIZES: Final = (5, 12, 30, 158)
FIXED: Final = 0.02
_MEAN_SCORE: Final = 0.75
_LEVELS: Final = np.array([0.05, 0.35, 0.8, 0.95, 0.99])
"""How often an agent is right about cases of each difficulty; a fifth of the cases each."""
_DIFFICULTY: Final = 0.6
_SWAY: Final = 0.5
_CASES: Final = 6.0
_SPREAD: Final = 0.7
_AT_ONCE: Final = 100


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Shares of pairs of runs.

    Attributes:
        gate: in which the gate of a baseline fails.
        undecided: in which it cannot decide, and fails unless it is told to pass.
        fixed: in which some capability is more than 0.02 lower than before.
        mcnemar: in which McNemar's test over cases, Holm-adjusted, finds a capability lower.
        fourfold: how many times the variance of independent cases a difference has.
    """

    gate: float
    undecided: float
    fixed: float
    mcnemar: float
    fourfold: float


def simulate(trajectories: int, drop: float, *, pairs: int, seed: int) -> Rates:
    """Simulate pairs of runs.

    Args:
        trajectories: how many there are.
        drop: by how much the first capability is worse in the second run.
        pairs: of runs.
        seed: equal seeds give equal rates.
    """
    rng = np.random.default_rng([seed, trajectories, round(1000 * drop)])
    found = [
        _some(rng, min(_AT_ONCE, pairs - start), trajectories, drop)
        for start in range(0, pairs, _AT_ONCE)
    ]
    table = np.concatenate([np.array(rows, dtype=float) for rows in found])
    return Rates(*(), **dict(zip(Rates.__annotations__, map(float, table.mean(axis=0)))))


def _some(rng: Any, pairs: int, trajectories: int, drop: float) -> list[tuple[float, ...]]:
    shape = (pairs, CAPABILITIES, trajectories)
    cases = np.maximum(1, rng.lognormal(np.log(_CASES), _SPREAD, shape)).astype(int)[..., None]
    cases = np.broadcast_to(cases, (*shape, len(_LEVELS)))
    easy = np.log(_LEVELS / (1 - _LEVELS)) + rng.normal(0, _DIFFICULTY, shape)[..., None]
    before, after = (
        1 / (1 + np.exp(-easy - rng.normal(0, _SWAY, shape)[..., None])) for _ in range(2)
    )
    after = after.copy()
    after[:, 0] *= 1 - drop / after[:, 0].mean()
    lost = rng.binomial(cases, before * (1 - after))
    won = rng.binomial(cases - lost, after * (1 - before) / (1 - before * (1 - after)))
    lost, won, count = (np.asarray(one).sum(axis=-1) for one in (lost, won, cases))
    return [_judge(*one) for one in zip(lost, won, count)]


def _judge(lost: Any, won: Any, count: Any) -> tuple[float, ...]:
    """Return what each way of deciding says of one pair of runs."""
    differences = (won - lost) / count
    changes = differences.mean(axis=1)
    few = differences.shape[1] < paired.FEWEST
    ps: list[float | None] = [None] * len(changes)
    if not few:
        ps = list(paired.holm([low for low, _ in paired.sign_flips(differences)]))
    said = [
        judged(float(change), p if change < 0 else None if few else 1.0, MIN_CHANGE)
        for change, p in zip(changes, ps)
    ]
    fallen = [word for word, change in zip(said, changes) if change < 0]
    pooled = (won - lost).sum(axis=1) / count.sum(axis=1)
    return (
        "worse" in fallen,
        "undecided" in fallen,
        bool((pooled < -FIXED).any()),
        min(paired.holm(_mcnemar(lost.sum(axis=1), won.sum(axis=1)))) < paired.LEVEL,
        float(((won - lost) ** 2).sum() / (won + lost).sum()),
    )


def _mcnemar(lost: Any, won: Any) -> list[float]:
    """Return the exact one-sided p of so many cases lost and won, for each capability."""
    from scipy.stats import binom

    return [float(binom.sf(down - 1, down + up, 0.5)) for down, up in zip(lost, won)]


def draw(found: dict[tuple[int, float], Rates], path: Path) -> None:
    """Draw how often each way of deciding fails, by the size of the true drop."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "metaspace", "font.size": 9})
    sizes = sorted({size for size, _ in found if size >= paired.FEWEST})
    figure, axes = plt.subplots(1, len(sizes), figsize=(8, 2.9), sharey=True, layout="tight")
    ways = {"gate": "gate of a baseline", "fixed": "fixed tolerance 0.02", "mcnemar": "McNemar"}
    for axis, size in zip(axes, sizes):
        drops = sorted({drop for one, drop in found if one == size})
        for (way, label), style in zip(ways.items(), ("o-", "s--", "^:")):
            axis.plot(drops, [getattr(found[size, d], way) for d in drops], style, label=label)
        axis.axhline(0.06, color="0.6", linewidth=0.8)
        axis.set(title=f"{size} trajectories", xlabel="true drop of one capability", ylim=(0, 1.03))
    axes[0].set_ylabel("share of runs that fail")
    axes[-1].legend(loc="lower right", frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    """Simulate, print the table, and return 1 where an unchanged agent fails too often."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    found = {}
    for size in SIZES:
        for drop in DROPS:
            found[size, drop] = simulate(size, drop, pairs=options.pairs, seed=options.seed)
            print(f"{size} trajectories, drop {drop}", file=sys.stderr)
    rows = [
        [
            size,
            f"{drop:g}",
            *(
                f"{100 * getattr(one, way):.1f} %"
                for way in ("gate", "undecided", "fixed", "mcnemar")
            ),
            f"{one.fourfold:.1f}",
        ]
        for (size, drop), one in found.items()
    ]
    headers = [
        "trajectories",
        "true drop",
        "gate fails",
        "undecided",
        "fixed 0.02",
        "McNemar",
        "variance",
    ]
    print(tabulate(rows, headers=headers, disable_numparse=True, tablefmt="github"))
    if options.picture:
        draw(found, options.picture)
    return int(any(one.gate > 0.06 for (_, drop), one in found.items() if drop == 0))


if __name__ == "__main__":
    sys.exit(main())
