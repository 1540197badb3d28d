"""What a run would ask: cases, distinct questions, and how many calls sharing them saves."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Protocol

from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports.benchmarks import ACCURACY
from pytest_metaspace.reports.terminal import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Case, Query, Question

_NAMED = 3
"""Where no more trajectories lack the same, each of them is named."""


class Plan(Protocol):
    """A plan as the pipeline makes it: cases, and what was left out and why."""

    cases: list[Case]
    drops: Counter[str]
    skips: dict[str, str]


class Cost(Protocol):
    """What a run would cost, as the forecast has it; ranges are the least and the most likely."""

    @property
    def agent(self) -> str: ...  # noqa: D102 - as in forecast.Forecast, like all that follow
    @property
    def stored(self) -> int: ...  # noqa: D102
    @property
    def alike(self) -> int: ...  # noqa: D102
    @property
    def calls(self) -> int: ...  # noqa: D102
    @property
    def pictures(self) -> int: ...  # noqa: D102
    @property
    def free(self) -> bool: ...  # noqa: D102
    @property
    def tokens_in(self) -> tuple[int, int]: ...  # noqa: D102
    @property
    def tokens_out(self) -> tuple[int, int]: ...  # noqa: D102
    @property
    def price(self) -> tuple[float, float] | None: ...  # noqa: D102
    @property
    def price_from(self) -> str: ...  # noqa: D102
    @property
    def usd(self) -> tuple[float, float] | None: ...  # noqa: D102
    @property
    def concurrency(self) -> int | None: ...  # noqa: D102
    @property
    def rate(self) -> float | None: ...  # noqa: D102
    @property
    def latency_s(self) -> tuple[float, float]: ...  # noqa: D102
    @property
    def seconds(self) -> tuple[float, float]: ...  # noqa: D102


class _Count:
    """Cases of one group: how many, the calls that they would make on their own, the questions."""

    def __init__(self) -> None:
        self.cases = self.calls = 0
        self.questions: set[Query] = set()

    def add(self, case: Case) -> None:
        self.cases += 1
        self.calls += len(case.queries)
        self.questions.update(case.queries)

    def row(self, *names: str) -> list[object]:
        asked = len(self.questions)
        ratio = f"{self.calls / asked:.2f}" if asked else "n/a"
        return [*names, self.cases, self.calls, asked, ratio]


def lines(plans: Sequence[Plan], cost: Cost | None = None, samples: int = 1) -> Iterator[str]:
    """Yield the plan: a row for each capability and its relations, the total, what is left out.

    Args:
        plans: one for each trajectory.
        cost: what asking an agent would cost, where one is named.
        samples: how often each question would be put.
    """
    from tabulate import tabulate

    everything = _Count()
    capabilities: dict[str, _Count] = defaultdict(_Count)
    relations: dict[str, dict[str, _Count]] = defaultdict(lambda: defaultdict(_Count))
    for plan in plans:
        for case in plan.cases:
            code = case.capability.value
            for count in (everything, capabilities[code], relations[code][case.relation]):
                count.add(case)
    rows: list[list[object]] = []
    for code in sorted(capabilities):
        parts = relations[code]
        alone = next(iter(parts)) if len(parts) == 1 else ""
        rows.append(capabilities[code].row(code, alone))
        rows += () if alone else (parts[name].row("", name) for name in sorted(parts))
    rows.append(everything.row("total", ""))
    headers = ["capability", "relation", "cases", "naive calls", "distinct questions", "ratio"]
    yield from tabulate(
        rows, headers=headers, tablefmt="simple", disable_numparse=True
    ).splitlines()
    yield ""
    yield (
        f"{plural(len(everything.questions), 'distinct question')} instead of "
        f"{everything.calls} calls; nobody was asked"
    )
    yield from _of_suites(plans)
    if samples > 1:
        calls_in_all = samples * len(everything.questions)
        yield f"with {samples} samples of each question that is {plural(calls_in_all, 'call')}"
    yield from () if cost is None else _cost(cost)
    yield from _left_out(plans)


def _of_suites(plans: Sequence[Plan]) -> Iterator[str]:
    """Yield how many questions the relations of suites add to those that are asked as written."""
    written: set[Query] = set()
    changed: set[Query] = set()
    for plan in plans:
        for case in plan.cases:
            if case.capability.suite is not None:
                (written if case.relation.endswith(ACCURACY) else changed).update(case.queries)
    if written or changed:
        yield (
            f"items of suites: {plural(len(written), 'question')} as written, "
            f"{len(changed - written)} more for relations"
        )


def examples(put: Mapping[str, Question]) -> Iterator[str]:
    """Yield one question of each capability as an agent gets it.

    Args:
        put: a question by the code of its capability.
    """
    for code, asked in put.items():
        yield ""
        yield f"{code}, with {', '.join(image.name for image in asked.images)}:"
        yield from (f"  | {line}".rstrip() for line in asked.text.splitlines())


def _cost(cost: Cost) -> Iterator[str]:
    """Yield what is still to be asked and what that takes, and how it was estimated."""
    alike = f", {cost.alike} answered with one that looks the same" if cost.alike else ""
    yield (
        f"{one_line(cost.agent)}: {cost.stored} answered in the store, {cost.calls} to ask with "
        f"{plural(cost.pictures, 'picture')}{alike}"
    )
    if cost.free or not cost.calls:
        return
    yield f"  tokens: {_tokens(cost.tokens_in)} in, {_tokens(cost.tokens_out)} out"
    if cost.usd is None or cost.price is None:
        yield f"  money: {cost.price_from}"
    else:
        usd_in, usd_out = cost.price
        yield (
            f"  money: ${cost.usd[0]:.2f} to ${cost.usd[1]:.2f}, at ${usd_in:.2f} in and "
            f"${usd_out:.2f} out for a million tokens ({cost.price_from})"
        )
    if cost.concurrency is not None:
        low, high = cost.latency_s
        rate = f", {cost.rate:g} requests a minute at most" if cost.rate is not None else ""
        yield (
            f"  time: {_time(cost.seconds[0])} to {_time(cost.seconds[1])}, with "
            f"{cost.concurrency} in flight{rate}, if an answer takes {low:g} to {high:g} s"
        )
    yield (
        "  Estimates: 3 to 5 characters a token; a picture by its size, from the least to the "
        "most that vendors' rules make of it; one try a question."
    )


def _tokens(ends: tuple[int, int]) -> str:
    return f"{ends[0]} to {ends[1]}"


def _time(seconds: float) -> str:
    """Return a time as people say it, rounded up."""
    minutes, left = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"


def _left_out(plans: Sequence[Plan]) -> Iterator[str]:
    drops: Counter[str] = Counter()
    skips: dict[str, str] = {}
    for plan in plans:
        drops.update(plan.drops)
        skips.update(plan.skips)
    for reason, count in sorted(drops.items()):
        yield f"left out: {count} x {reason}"
    counts = Counter(_of_any(what, reason) for what, reason in skips.items())
    for what, reason in sorted(skips.items()):
        if counts[_of_any(what, reason)] <= _NAMED:
            yield f"cannot be asked: {what} ({reason})"
    for (what, reason), count in sorted(counts.items()):
        if count > _NAMED:
            yield f"cannot be asked in {count} trajectories: {what} ({reason})"


def _of_any(what: str, reason: str) -> tuple[str, str]:
    """Return capability and relation of what cannot be asked somewhere, and why."""
    return " ".join(what.rsplit(" ", 2)[1:]), reason
