"""What the relations of REM find of agents with a known fault, as a table."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tests.suites.rem_agents import MUTANTS, answers, kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_metaspace.suites.rem._questions import Questions
    from pytest_metaspace.suites.rem._seen import Walk

    Scores = dict[str, dict[str, float]]


def scores(asked: Iterable[tuple[Walk, Questions]]) -> tuple[Scores, Scores]:
    """Return of each mutant the share of right answers by task, and of ties kept by relation."""
    asked = list(asked)
    right: Scores = {}
    held: Scores = {}
    for name, kind in MUTANTS.items():
        of_task: dict[str, Counter[bool]] = defaultdict(Counter)
        of_relation: dict[str, Counter[bool]] = defaultdict(Counter)
        for walk, made in asked:
            for item in made.items:
                said = answers(kind(walk), item)
                for one, posing in item.posings.items():
                    if posing.written:
                        of_task[str(item.task)][said[one] == posing.answer] += 1
                for tie in item.ties:
                    if (fits := kept(tie, said)) is not None:
                        of_relation[tie.relation][fits] += 1
        right[name] = {task: told[True] / told.total() for task, told in of_task.items()}
        held[name] = {one: told[True] / told.total() for one, told in of_relation.items()}
    return right, held


def table(right: Scores, held: Scores) -> list[str]:
    """Return the lines of a table: of each mutant the scores below 1, from the lowest on."""
    lines = ["| fault | accuracy below 1 | relations below 1 |", "|---|---|---|"]
    return [*lines, *(f"| {one} | {_told(right[one])} | {_told(held[one])} |" for one in right)]


def _told(shares: dict[str, float]) -> str:
    order = sorted(shares, key=lambda one: (shares[one], one))
    return ", ".join(f"`{one}` {shares[one]:.2f}" for one in order if shares[one] < 0.995) or "none"
