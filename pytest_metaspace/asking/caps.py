"""What asking may cost at most, and what it has cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_metaspace.domain import Reply


@dataclass(slots=True)
class Spent:
    """What a round of asking used so far.

    Attributes:
        calls: questions put to the agent.
        tokens_in: tokens of questions and pictures, as the endpoint counts them.
        tokens_out: tokens of answers, likewise.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, reply: Reply) -> None:
        """Enter what a reply used."""
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out

    def join(self, other: Spent) -> None:
        """Enter what another round used."""
        self.calls += other.calls
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What may be spent in a run; checked before each call.

    Attributes:
        calls: questions put to the agent at most.
        tokens: tokens in and out at most. What is in flight is estimated by the mean so far.
        usd: money at most, at ``usd_in`` and ``usd_out`` for a million tokens.
        usd_in: price of a million tokens in.
        usd_out: price of a million tokens out.
    """

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    usd_in: float = 0.0
    usd_out: float = 0.0
    before: Spent = field(default_factory=Spent)
    """What earlier rounds of the run have used."""

    @property
    def are_set(self) -> bool:
        """Whether anything is capped."""
        return (self.calls, self.tokens, self.usd) != (None, None, None)

    def cost(self, spent: Spent) -> float:
        """Return what something cost, in dollars."""
        return (spent.tokens_in * self.usd_in + spent.tokens_out * self.usd_out) / 1e6

    def forbids(self, spent: Spent, in_flight: int) -> str | None:
        """Return why one more question may not be asked, or None.

        Args:
            spent: what this round has used.
            in_flight: questions asked and not yet answered; they will cost about the mean.
        """
        calls = spent.calls + self.before.calls
        if self.calls is not None and calls >= self.calls:
            return _stopped("calls", f"--metaspace-max-calls={self.calls}", f"{calls} calls")
        whole = Spent(
            calls,
            spent.tokens_in + self.before.tokens_in,
            spent.tokens_out + self.before.tokens_out,
        )
        answered = max(calls - in_flight, 1)
        share = (in_flight + 1) / answered + 1
        tokens = whole.tokens_in + whole.tokens_out
        if self.tokens is not None and tokens * share > self.tokens:
            told = f"{tokens} tokens used"
            return _stopped("tokens", f"--metaspace-max-tokens={self.tokens}", told)
        if self.usd is not None and self.cost(whole) * share > self.usd:
            told = f"${self.cost(whole):.4f} spent"
            return _stopped("money", f"--metaspace-budget={self.usd:g}", told)
        return None


def _stopped(what: str, option: str, used: str) -> str:
    return (
        f"the cap on {what} is reached ({option}, {used}); every answer so far is stored. Raise "
        "the cap and run again: only what is missing is asked"
    )
