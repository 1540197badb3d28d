"""From verdicts to scores: counts by trajectory, and the scores of any part of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, Mean, Outcome, Score, suite_of
from pytest_metaspace.scoring._intervals import Intervals, exact, smallest_drop

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Cluster, Interval, Selection, Semantics

Entry = tuple[str, str, str, Outcome]
"""What a case is counted as: trajectory, capability, relation and outcome."""
Counts = Counter[Entry]
"""How many cases of (trajectory, capability, relation) had which outcome."""


def count(outcomes: Iterable[Entry]) -> Counts:
    """Count cases by (trajectory, capability, relation, outcome)."""
    return Counter(outcomes)


def entry_at(address: str, outcome: Outcome) -> Entry:
    """Return what the case of an address is counted as."""
    trajectory, capability, relation, _ = address.rsplit("::", 3)
    return trajectory, capability, relation, outcome


def by_capability(
    counts: Counts, semantics: Semantics, clusters: Mapping[str, Cluster] | None = None
) -> tuple[Score, ...]:
    """Return the score of each capability that has cases, in the paper's order."""
    grouped = _grouped(counts, lambda key: key[1])
    return tuple(
        _score(code.value, code.meaning, grouped[code.value], semantics, clusters or {})
        for code in Capability
        if code.value in grouped
    )


def by_relation(
    counts: Counts,
    semantics: Semantics,
    titles: Mapping[str, str],
    clusters: Mapping[str, Cluster] | None = None,
) -> tuple[Score, ...]:
    """Return the score of each capability and relation pair that has cases.

    Args:
        counts: outcomes.
        semantics: which formula.
        titles: what each relation is called.
        clusters: what is known of trajectories, by id.
    """
    grouped = _grouped(counts, lambda key: f"{key[1]} {key[2]}")
    return tuple(
        _score(name, _title(name.split()[1], titles), grouped[name], semantics, clusters or {})
        for name in sorted(grouped)
    )


def parted(counts: Counts, anchored: Container[str]) -> tuple[Counts, Counts]:
    """Return the counts of relations, and apart from them those of anchored relations."""
    related, apart = Counts(), Counts()
    for key, number in counts.items():
        (apart if key[2] in anchored else related)[key] = number
    return related, apart


def by_anchor(
    counts: Counts, titles: Mapping[str, str], clusters: Mapping[str, Cluster] | None = None
) -> tuple[Score, ...]:
    """Return the score of each anchored relation over all capabilities, by name.

    The formula is that of ``sound`` under every semantics: they are not the paper's.
    """
    grouped = _grouped(counts, lambda key: key[2])
    return tuple(
        _score(name, _title(name, titles), grouped[name], "sound", clusters or {})
        for name in sorted(grouped)
    )


def overall(
    counts: Counts, semantics: Semantics, clusters: Mapping[str, Cluster], name: str = "total"
) -> Mean:
    """Return the mean over capabilities."""
    trajectories, objects = _reach(counts, clusters)
    return Mean(
        name=name,
        title="mean over capabilities",
        parts=by_capability(counts, semantics, clusters),
        trajectories=trajectories,
        objects=objects,
    )


def total(scores: Sequence[Score]) -> float | None:
    """Return the unweighted mean over capabilities; None when none of them has a score."""
    return Mean(name="total", title="", parts=tuple(scores)).value


def selected(
    counts: Counts, what: Selection, semantics: Semantics, clusters: Mapping[str, Cluster]
) -> Score | Mean:
    """Return the score of a part of the cases: a mean over capabilities where none is named.

    A relation by itself is scored over the cases of all its capabilities together.
    """
    part = _of(counts, what, clusters)
    if what.is_mean:
        return overall(part, semantics, clusters, what.name)
    return _score(what.name, what.name, part, semantics, clusters)


def measured(
    score: Score | Mean, what: Selection, intervals: Intervals, clusters: Mapping[str, Cluster]
) -> Interval | None:
    """Return the interval of a score of some of the cases, where it has a value."""
    if score.value is None:
        return None
    there = {name for name, cluster in clusters.items() if cluster.scenario == what.scenario}
    return intervals.of(
        what.takes,
        (lambda name: name in there) if what.scenario else (lambda _: True),
        mean=what.is_mean,
    )


def _of(counts: Counts, what: Selection, clusters: Mapping[str, Cluster]) -> Counts:
    def lies_there(trajectory: str) -> bool:
        return what.scenario is None or (
            trajectory in clusters and clusters[trajectory].scenario == what.scenario
        )

    return Counts(
        {
            key: number
            for key, number in counts.items()
            if what.takes(key[1], key[2]) and lies_there(key[0])
        }
    )


def _grouped(counts: Counts, name: Callable[[Entry], str]) -> dict[str, Counts]:
    grouped: dict[str, Counts] = {}
    for key, number in counts.items():
        grouped.setdefault(name(key), Counts())[key] = number
    return grouped


def _title(relation: str, titles: Mapping[str, str]) -> str:
    return titles.get(relation, relation)


def _reach(counts: Counts, clusters: Mapping[str, Cluster]) -> tuple[int, int]:
    """Return how many trajectories there are, and how many objects in them."""
    there = {key[0] for key in counts}
    objects = sum(clusters[name].objects for name in there if name in clusters)
    return len(there), objects


def _score(
    name: str, title: str, counts: Counts, semantics: Semantics, clusters: Mapping[str, Cluster]
) -> Score:
    trajectories, objects = _reach(counts, clusters)
    found: Counter[Outcome] = Counter()
    for (*_, outcome), number in counts.items():
        found[outcome] += number
    return Score(
        name=name,
        title=title,
        semantics=semantics,
        satisfied=found[Outcome.SATISFIED],
        violated=found[Outcome.VIOLATED],
        inconclusive=found[Outcome.INCONCLUSIVE],
        invalid=found[Outcome.INVALID],
        error=found[Outcome.ERROR],
        trajectories=trajectories,
        objects=objects,
        is_accuracy=bool(counts) and all(map(_is_accuracy, counts)),
    )


def _is_accuracy(key: Entry) -> bool:
    """Whether a case holds an answer to a question of a suite against what is true."""
    return suite_of(key[1]) is not None and key[2].endswith("-ACC")


__all__ = [
    "Counts",
    "Entry",
    "Intervals",
    "by_anchor",
    "by_capability",
    "by_relation",
    "count",
    "entry_at",
    "exact",
    "measured",
    "overall",
    "parted",
    "selected",
    "smallest_drop",
    "total",
]
