"""What a run would cost: what is still to be asked, as tokens, money and time. Estimates."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import asking, pipeline, prices, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_metaspace.agents import Agent, ModelOptions
    from pytest_metaspace.domain import Case, Prompting, Question, Trajectory
    from pytest_metaspace.tokens import Range

#  Tokens of one answer: of a label or a number, and of a model that thinks first.
_ANSWER: Final = (1, 20)
_THOUGHT: Final = (50, 2000)
#  Seconds for one answer.
_LATENCY_S: Final = (1.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a run would put to an agent, and what that would take.

    Attributes:
        agent: its full name.
        stored: answers in the store, each sample for itself.
        alike: questions that look like another one, and are answered with it.
        calls: questions still to be asked: what a run pays for.
        pictures: sent with them.
        tokens_in: of questions and pictures, the least and the most that is likely.
        tokens_out: of answers, likewise.
        price: dollars for a million tokens in and out; None where it is not known.
        price_from: where the price is from, in words.
        concurrency: how many are in flight; None where the agent is asked one by one.
        rate: requests a minute at most; None for no limit.
        free: whether answers cost nothing and are not stored.
        latency_s: of one answer, as assumed.
    """

    agent: str
    stored: int
    alike: int
    calls: int
    pictures: int
    tokens_in: Range
    tokens_out: Range
    price: tuple[float, float] | None
    price_from: str
    concurrency: int | None
    rate: float | None
    free: bool
    latency_s: tuple[float, float] = _LATENCY_S

    @property
    def usd(self) -> tuple[float, float] | None:
        """What that costs, from - to; None where the price is not known."""
        if self.price is None:
            return None
        usd_in, usd_out = self.price
        low, high = (
            (self.tokens_in[end] * usd_in + self.tokens_out[end] * usd_out) / 1e6 for end in (0, 1)
        )
        return low, high

    @property
    def seconds(self) -> tuple[float, float]:
        """How long that takes, from - to: as the rate allows, or as answers come."""
        paced = 0.0 if self.rate is None else max(self.calls - 1, 0) * 60 / self.rate
        low, high = (
            max(paced, self.calls * latency / (self.concurrency or 1)) for latency in self.latency_s
        )
        return low, high


def forecast(
    cases: Iterable[Case],
    trajectories: Mapping[str, Trajectory],
    agent: Agent,
    *,
    name: str,
    models: ModelOptions,
    price: tuple[float, float] | None,
    cache_dir: Path,
    prompting: Prompting = "direct",
    samples: int = 1,
) -> Forecast:
    """Return what a run over some cases would cost; asks nobody and stores nothing.

    Args:
        cases: of the run.
        trajectories: by id.
        agent: who would be asked.
        name: its full name.
        models: how models would be asked.
        price: for a million tokens in and out, where the user names one.
        cache_dir: where the run would keep its answers; it need not exist.
        prompting: the strategy by which it would be asked.
        samples: how often each question would be put.
    """
    questions = pipeline.questions_of(cases, trajectories, prompting=prompting)
    with _store(agent, cache_dir) as store:
        todo, asked = asking.outstanding(questions, agent, store, samples=samples)
    is_model = getattr(agent, "paid", None) is not None
    thinks = prompting in ("cot", "map") or prices.thinks(name)
    known, told = _price(agent, name, price)
    return Forecast(
        agent=name,
        stored=asked.stored,
        alike=asked.saved,
        calls=len(todo),
        pictures=sum(len(one.images) for one in todo),
        tokens_in=_total(todo, prices.picture_scale(name)),
        tokens_out=_out(len(todo), models.max_output_tokens, thinks=thinks),
        price=known,
        price_from=told,
        concurrency=models.concurrency if is_model else None,
        rate=models.rate if is_model else None,
        free=agent.identity is None,
    )


def _store(agent: Agent, folder: Path) -> Any:
    """Open the store of answers where there is one; a plan makes none."""
    from pytest_metaspace.asking.reading import Reader

    if agent.identity is None or not Reader.finds(folder):
        return nullcontext()
    return Reader(folder)


def _total(questions: Iterable[Question], picture_scale: float) -> Range:
    low = high = 0
    for one in questions:
        least, most = tokens.of_question(one.text, one.images, picture_scale)
        low, high = low + least, high + most
    return low, high


def _out(calls: int, cut: int | None, *, thinks: bool) -> Range:
    low, high = _THOUGHT if thinks else _ANSWER
    if cut is not None:
        low, high = min(low, cut), min(high, cut)
    return calls * low, calls * high


def _price(
    agent: Agent, name: str, price: tuple[float, float] | None
) -> tuple[tuple[float, float] | None, str]:
    """Return the price of an agent, and where it is from."""
    if price is not None:
        return price, "as given"
    if not getattr(agent, "paid", False):
        return None, "nobody sends a bill for this agent"
    known = prices.of(name)
    if known is None:
        return None, "its price is not known: add --price=IN/OUT, dollars for a million tokens"
    return known, f"as of {prices.AS_OF}; --price=IN/OUT overrides it"
