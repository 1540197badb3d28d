"""What asking may cost at most, and what it has cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pytest_metaspace import tokens

if TYPE_CHECKING:
    from pytest_metaspace.domain import Question, Reply
    from pytest_metaspace.tokens import Range

#  What an answer is taken to be long, in tokens, before one has come back.
_FIRST_OUT: Final = 50


@dataclass(slots=True)
class Spent:
    """What a round of asking used so far.

    Attributes:
        calls: questions put to the agent.
        tokens_in: tokens of questions and pictures, as the endpoint counts them.
        tokens_out: tokens of answers, likewise.
        guessed: answers whose tokens the endpoint did not tell, so that an estimate stands in.
        most_in: tokens of the largest question answered.
        most_out: tokens of the longest answer.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    guessed: int = 0
    most_in: int = 0
    most_out: int = 0

    def add(self, reply: Reply) -> None:
        """Enter what a reply used."""
        self._enter(reply.tokens_in, reply.tokens_out)

    def guess(self, tokens_in: int, tokens_out: int) -> None:
        """Enter what a reply is likely to have used, of which the endpoint told nothing."""
        self.guessed += 1
        self._enter(tokens_in, tokens_out)

    def _enter(self, tokens_in: int, tokens_out: int) -> None:
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.most_in = max(self.most_in, tokens_in)
        self.most_out = max(self.most_out, tokens_out)

    def join(self, other: Spent) -> None:
        """Enter what another round used."""
        self.calls += other.calls
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out
        self.guessed += other.guessed
        self.most_in = max(self.most_in, other.most_in)
        self.most_out = max(self.most_out, other.most_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What may be spent in a run; checked before each call.

    Attributes:
        calls: questions put to the agent at most.
        tokens: tokens in and out at most.
        usd: money at most, at ``usd_in`` and ``usd_out`` for a million tokens.
        usd_in: price of a million tokens in.
        usd_out: price of a million tokens out.
        picture_scale: how many times more the model counts for a picture than others do.
        before: what earlier rounds of the run have used.
    """

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    usd_in: float = 0.0
    usd_out: float = 0.0
    picture_scale: float = 1.0
    before: Spent = field(default_factory=Spent)

    @property
    def are_set(self) -> bool:
        """Whether anything is capped."""
        return self.calls is not None or self.need_tokens

    @property
    def need_tokens(self) -> bool:
        """Whether tokens have to be known, be it by an estimate."""
        return (self.tokens, self.usd) != (None, None)

    def cost(self, spent: Spent) -> float:
        """Return what something cost, in dollars."""
        return self._cost(spent.tokens_in, spent.tokens_out)

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.usd_in + tokens_out * self.usd_out) / 1e6

    def enter(self, spent: Spent, question: Question, reply: Reply) -> None:
        """Enter what a reply used; an estimate where the endpoint did not tell and a cap needs it.

        Args:
            spent: where to enter it.
            question: what was asked.
            reply: what came back.
        """
        if self.need_tokens and not reply.tokens_in and not reply.tokens_out:
            spent.guess(self._guess(question)[1], tokens.of_text(reply.text)[1])
        else:
            spent.add(reply)

    def _guess(self, question: Question) -> Range:
        return tokens.of_question(question.text, question.images, self.picture_scale)

    def forbids(self, spent: Spent, in_flight: int, question: Question) -> str | None:
        """Return why one more question may not be asked, or None.

        What is in flight will cost, one by one, what the largest so far did. Before anything
        came back it is an estimate: a low one for the very first question, which a small cap
        should not refuse without need, and a high one for those that go along with it.

        Args:
            spent: what this round has used.
            in_flight: questions asked and not yet answered.
            question: the one to be asked.
        """
        whole = Spent()
        whole.join(self.before)
        whole.join(spent)
        if self.calls is not None and whole.calls >= self.calls:
            used = f"{whole.calls} calls"
            return _stopped("calls", f"--metaspace-max-calls={self.calls}", used)
        if not self.need_tokens:
            return None
        one_in = whole.most_in or self._guess(question)[in_flight > 0]
        one_out = whole.most_out or _FIRST_OUT
        tokens_in = whole.tokens_in + (in_flight + 1) * one_in
        tokens_out = whole.tokens_out + (in_flight + 1) * one_out
        about = "about " if whole.guessed else ""
        if self.tokens is not None and tokens_in + tokens_out > self.tokens:
            used = f"{about}{whole.tokens_in + whole.tokens_out} tokens used"
            used += f", the next question takes about {one_in + one_out}"
            return _stopped("tokens", f"--metaspace-max-tokens={self.tokens}", used)
        if self.usd is not None and self._cost(tokens_in, tokens_out) > self.usd:
            used = f"{about}${self.cost(whole):.4f} spent"
            used += f", the next question takes about ${self._cost(one_in, one_out):.4f}"
            return _stopped("money", f"--metaspace-budget={self.usd:g}", used)
        return None

    def room_for(self, calls: int, one: Question) -> dict[str, str]:
        """Return values of the caps that are set, by option, with room for some more calls.

        They hold for a run of their own: what this one has spent does not count there.

        Args:
            calls: how many.
            one: a question of them; tells what each takes where nothing was answered.
        """
        each = (self.before.most_in or self._guess(one)[1], self.before.most_out or _FIRST_OUT)
        room: dict[str, str] = {}
        if self.calls is not None:
            room["max-calls"] = str(max(self.calls, calls))
        if self.tokens is not None:
            room["max-tokens"] = str(max(self.tokens, sum(each) * calls))
        if self.usd is not None:
            cents = math.ceil(100 * self._cost(*each) * calls)
            room["budget"] = f"{max(self.usd, cents / 100):g}"
        return room


def _stopped(what: str, option: str, used: str) -> str:
    return f"the cap on {what} is reached ({option}; {used}); every answer so far is stored"
