"""What a run would ask: cases, distinct questions, and how many calls sharing them saves."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from pytest_metaspace.reports.terminal import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Case, Query


class Plan(Protocol):
    """A plan as the pipeline makes it: cases, and what was left out and why."""

    cases: list[Case]
    drops: Counter[str]
    skips: dict[str, str]


def lines(plans: Sequence[Plan], samples: int = 1) -> Iterator[str]:
    """Yield the plan: a row for each capability and relation, the total, what is left out.

    Args:
        plans: of all trajectories.
        samples: how often each question would be put.
    """
    from tabulate import tabulate

    cases: dict[tuple[str, str], int] = Counter()
    calls: dict[tuple[str, str], int] = Counter()
    asked: dict[tuple[str, str], set[Query]] = {}
    for plan in plans:
        for case in plan.cases:
            key = (case.capability.value, case.relation)
            cases[key] += 1
            calls[key] += len(case.queries)
            asked.setdefault(key, set()).update(case.queries)
    everything = set().union(*asked.values()) if asked else set()
    naive = sum(calls.values())
    rows = [
        [
            capability,
            relation,
            cases[key],
            calls[key],
            len(asked[key]),
            _ratio(calls[key], asked[key]),
        ]
        for key in sorted(asked)
        for capability, relation in [key]
    ]
    rows.append(
        ["total", "", sum(cases.values()), naive, len(everything), _ratio(naive, everything)]
    )
    headers = ["capability", "relation", "cases", "naive calls", "distinct questions", "ratio"]
    yield from tabulate(
        rows, headers=headers, tablefmt="simple", disable_numparse=True
    ).splitlines()
    yield ""
    yield (
        f"{plural(len(everything), 'distinct question')} instead of {naive} calls; nobody was asked"
    )
    if samples > 1:
        calls_in_all = samples * len(everything)
        yield f"with {samples} samples of each question that is {plural(calls_in_all, 'call')}"
    yield from _left_out(plans)


def _ratio(calls: int, questions: set[Query]) -> str:
    return f"{calls / len(questions):.2f}" if questions else "n/a"


def _left_out(plans: Sequence[Plan]) -> Iterator[str]:
    drops: Counter[str] = Counter()
    skips: Mapping[str, str] = {}
    for plan in plans:
        drops.update(plan.drops)
        skips = {**skips, **plan.skips}
    for reason, count in sorted(drops.items()):
        yield f"left out: {count} x {reason}"
    for what, reason in sorted(skips.items()):
        yield f"cannot be asked: {what} ({reason})"
