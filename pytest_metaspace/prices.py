"""What models cost, in dollars for a million tokens in and out: a short list that goes stale.

It is for estimates and for ``--metaspace-budget``; ``--metaspace-price`` overrides it.
"""

from __future__ import annotations

from typing import Final

AS_OF: Final = "2025-09"
_PRICES: Final = {
    "gpt-4o": (2.50, 10.00),
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4.1": (2.00, 8.00),
    "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1-nano": (0.10, 0.40),
    "gpt-5": (1.25, 10.00),
    "gpt-5-mini": (0.25, 2.00),
    "gpt-5-nano": (0.05, 0.40),
    "o3": (2.00, 8.00),
    "o4-mini": (1.10, 4.40),
    "gemini-2.5-flash": (0.30, 2.50),
    "gemini-2.5-pro": (1.25, 10.00),
}
#  Models that think before they answer; their thoughts are billed as tokens out.
_THINKING: Final = ("gpt-5", "o1", "o3", "o4", "gemini-2.5")
#  A picture counts 2833 + 5667 for each tile there, where others count 85 + 170.
_DEAR_PICTURES: Final = {"gpt-4o-mini": 100 / 3}


def of(agent: str) -> tuple[float, float] | None:
    """Return the price of an agent's model; None where it is not on the list."""
    return _PRICES.get(_model(agent))


def thinks(agent: str) -> bool:
    """Whether an agent's model is known to think before it answers."""
    return _model(agent).startswith(_THINKING)


def picture_scale(agent: str) -> float:
    """Return how many times more tokens an agent's model counts for a picture than others do."""
    return _DEAR_PICTURES.get(_model(agent), 1.0)


def _model(agent: str) -> str:
    """Return the name of the model that an agent asks, be it one with a fault."""
    while agent.startswith("mutant:"):
        agent = agent.split(":", 2)[-1]
    return agent.removeprefix("openai:").lower()
