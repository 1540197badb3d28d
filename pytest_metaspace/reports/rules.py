"""Which clauses of the laws fired in a run, and which never did."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Rule

_OURS = "laws/"


def lines(rules: Sequence[Rule]) -> Iterator[str]:
    """Yield a line for each law that ships and judged something, and each clause of others.

    Args:
        rules: the clauses of all laws, those of one file in a row.
    """
    for file, group in groupby(rules, key=_file):
        clauses = list(group)
        silent = [rule for rule in clauses if not rule.cases]
        ours = file.startswith(_OURS)
        if ours and len(silent) == len(clauses):
            continue
        told = f"rules of {file}: {len(clauses) - len(silent)} of {len(clauses)} fired"
        never = ", ".join(f"{rule.head} in line {_line(rule)}" for rule in silent)
        yield f"{told}; never {never}" if ours and never else told
        if not ours:
            yield from map(_clause, clauses)


def _clause(rule: Rule) -> str:
    count = f"{rule.cases} {'case' if rule.cases == 1 else 'cases'}"
    return f"  {rule.source} {rule.head} {f'in {count}' if rule.cases else 'NEVER'}"


def _file(rule: Rule) -> str:
    return rule.source.rpartition(":")[0]


def _line(rule: Rule) -> str:
    return rule.source.rpartition(":")[2]
