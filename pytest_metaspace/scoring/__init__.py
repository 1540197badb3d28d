"""From verdicts to scores: counts by capability and by relation, and the total."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, Outcome, Score

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Semantics

Counts = Counter[tuple[str, str, Outcome]]
"""How many cases of (capability, relation) had which outcome."""


def by_capability(counts: Counts, semantics: Semantics) -> tuple[Score, ...]:
    """Return the score of each capability that has cases, in the paper's order."""
    grouped: dict[str, Counter[Outcome]] = {}
    for (capability, _, outcome), number in counts.items():
        grouped.setdefault(capability, Counter())[outcome] += number
    return tuple(
        _score(code.value, code.meaning, grouped[code.value], semantics)
        for code in Capability
        if code.value in grouped
    )


def by_relation(
    counts: Counts, semantics: Semantics, titles: Mapping[str, str]
) -> tuple[Score, ...]:
    """Return the score of each capability and relation pair that has cases.

    Args:
        counts: outcomes.
        semantics: which formula.
        titles: what each relation is called.
    """
    grouped: dict[tuple[str, str], Counter[Outcome]] = {}
    for (capability, relation, outcome), number in counts.items():
        grouped.setdefault((capability, relation), Counter())[outcome] += number
    return tuple(
        _score(f"{capability} {relation}", titles.get(relation, relation), found, semantics)
        for (capability, relation), found in sorted(grouped.items())
    )


def parted(counts: Counts, anchored: Container[str]) -> tuple[Counts, Counts]:
    """Return the counts of relations, and apart from them those of anchored relations."""
    related, apart = Counts(), Counts()
    for key, number in counts.items():
        (apart if key[1] in anchored else related)[key] = number
    return related, apart


def by_anchor(counts: Counts, titles: Mapping[str, str]) -> tuple[Score, ...]:
    """Return the score of each anchored relation over all capabilities, by name.

    The formula is that of ``sound`` under every semantics: they are not the paper's.
    """
    grouped: dict[str, Counter[Outcome]] = {}
    for (_, relation, outcome), number in counts.items():
        grouped.setdefault(relation, Counter())[outcome] += number
    return tuple(
        _score(name, titles.get(name, name), found, "sound")
        for name, found in sorted(grouped.items())
    )


def total(scores: Sequence[Score]) -> float | None:
    """Return the unweighted mean over capabilities; None when none of them has a score."""
    values = [score.value for score in scores if score.value is not None]
    return sum(values) / len(values) if values else None


def count(outcomes: Iterable[tuple[str, str, Outcome]]) -> Counts:
    """Count (capability, relation, outcome) triples."""
    return Counter(outcomes)


def _score(name: str, title: str, found: Counter[Outcome], semantics: Semantics) -> Score:
    return Score(
        name=name,
        title=title,
        semantics=semantics,
        satisfied=found[Outcome.SATISFIED],
        violated=found[Outcome.VIOLATED],
        inconclusive=found[Outcome.INCONCLUSIVE],
        invalid=found[Outcome.INVALID],
        error=found[Outcome.ERROR],
    )
