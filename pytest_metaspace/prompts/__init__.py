"""What the agent reads: one module per prompting strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts import cognitive_map, cot, direct, likelihood
from pytest_metaspace.prompts._strategy import Strategy

if TYPE_CHECKING:
    from pytest_metaspace.domain import Prompting

STRATEGIES = (direct.STRATEGY, cot.STRATEGY, cognitive_map.STRATEGY, likelihood.STRATEGY)
_BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}


def strategy(name: Prompting) -> Strategy:
    """Return a prompting strategy by its name."""
    return _BY_NAME[name]


__all__ = ["STRATEGIES", "Strategy", "strategy"]
