"""From the outcomes of a run to its scores and gates, whoever ran it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar, cast

from pytest_metaspace import gates, scoring
from pytest_metaspace.domain import Mean, Outcome, Policy, Run, Score, Selection, suite_of
from pytest_metaspace.scoring import accuracy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_metaspace.domain import Cluster, GateResult, Settings, Verdict
    from pytest_metaspace.scoring.accuracy import Marked

AnyScore = TypeVar("AnyScore", Score, Mean)
_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the gates of a run are, and when they pass.

    Attributes:
        thresholds: by gate name, as ``Selection`` has them.
        limits: shares of questions that may come to no value, by kind of failure.
        policy: what gates on scores go by.
        allowed: what they may pass in spite of.
        stopped: whether the run ended before it was through.
    """

    thresholds: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    policy: Policy = "point"
    allowed: frozenset[str] = frozenset()
    stopped: bool = False


class Summing:
    """The counts of a run, and the scores of whatever part of them is asked for.

    Args:
        counts: cases by trajectory, capability, relation and outcome.
        settings: of the run.
        anchored: names of relations whose cases are in no score but their own.
        clusters: what is known of trajectories, by id.
        intervals: whether scores get intervals.
    """

    def __init__(
        self,
        counts: scoring.Counts,
        settings: Settings,
        *,
        anchored: frozenset[str],
        clusters: Mapping[str, Cluster],
        intervals: bool,
    ) -> None:
        self.counts = counts
        self.clusters = clusters
        self.related, self.apart = scoring.parted(counts, anchored)
        self._settings = settings
        self._anchored = anchored
        self._intervals: tuple[scoring.Intervals, scoring.Intervals] | None = None
        if intervals and len({key[0] for key in counts}) > 1:
            self._intervals = (
                scoring.Intervals(self.related, settings.semantics),
                scoring.Intervals(self.apart, "sound"),
            )

    def of(self, what: Selection) -> Score | Mean:
        """Return the score of some of the cases, with its interval."""
        aside = what.relation in self._anchored
        counts = self.apart if aside else self.related
        semantics = "sound" if aside else self._settings.semantics
        score = scoring.selected(counts, what, semantics, self.clusters)
        if self._intervals is None:
            return score
        intervals = self._intervals[aside]
        return replace(score, interval=scoring.measured(score, what, intervals, self.clusters))

    def with_interval(self, score: AnyScore, what: Selection) -> AnyScore:
        """Return the score of some of the cases with its interval, where it can have one."""
        if self._intervals is None:
            return score
        intervals = self._intervals[what.relation in self._anchored]
        return replace(score, interval=scoring.measured(score, what, intervals, self.clusters))

    def capabilities(self) -> tuple[Score, ...]:
        """Return the score of each capability that has cases."""
        found = scoring.by_capability(self.related, self._settings.semantics, self.clusters)
        return tuple(self.with_interval(one, Selection(capability=one.name)) for one in found)

    def relations(self, titles: Mapping[str, str]) -> tuple[Score, ...]:
        """Return the score of each capability and relation that have cases."""
        semantics = self._settings.semantics
        return self._pairs(scoring.by_relation(self.related, semantics, titles, self.clusters))

    def anchors(self, titles: Mapping[str, str]) -> tuple[Score, ...]:
        """Return the score of each anchored relation that has cases."""
        found = scoring.by_anchor(self.apart, titles, self.clusters)
        return tuple(self.with_interval(one, Selection(relation=one.name)) for one in found)

    def anchored_relations(self, titles: Mapping[str, str]) -> tuple[Score, ...]:
        """Return the scores of anchored relations by capability."""
        return self._pairs(scoring.by_relation(self.apart, "sound", titles, self.clusters))

    def _pairs(self, found: tuple[Score, ...]) -> tuple[Score, ...]:
        """Return scores that are named by capability and relation, with intervals."""
        return tuple(self.with_interval(one, Selection(None, *one.name.split())) for one in found)

    def scenarios(self) -> tuple[Mean, ...]:
        """Return the total of each scenario, with its capabilities, where there are several."""
        there = (self.clusters.get(key[0]) for key in self.related)
        found = sorted({cluster.scenario for cluster in there if cluster is not None})
        if len(found) < _SEVERAL:
            return ()
        means = []
        for name in found:
            mean = self.of(Selection(name))
            assert isinstance(mean, Mean)
            parts = (self.with_interval(part, Selection(name, part.name)) for part in mean.parts)
            means.append(replace(mean, parts=tuple(parts)))
        return tuple(means)

    def gates(self, rules: Rules, deselected: Iterable[str]) -> Iterator[GateResult]:
        """Yield what each gate on a score comes to."""
        lacking = Counter(tuple(address.rsplit("::", 3)[:3]) for address in deselected)
        errors = sum(number for key, number in self.related.items() if key[3] is Outcome.ERROR)
        for name, threshold in rules.thresholds.items():
            what = Selection.of(name)
            score = self.of(what)
            own = score.error if what.relation in self._anchored else 0
            yield gates.decide(
                name,
                score,
                threshold,
                policy=rules.policy,
                short=gates.Shortfall(
                    errors=errors + own,
                    deselected=sum(
                        number
                        for (trajectory, capability, relation), number in lacking.items()
                        if self._takes(what, trajectory, capability, relation)
                    ),
                    sample=self._settings.sample,
                    stopped=rules.stopped,
                ),
                allowed=rules.allowed,
                drop=scoring.smallest_drop,
                suites=self._suites() if what.is_mean else (),
            )

    def _suites(self) -> list[str]:
        """Return the names of accuracy on those suites of which there are cases."""
        return sorted({f"{suite}-ACC" for key in self.apart if (suite := suite_of(key[1]))})

    def _takes(self, what: Selection, trajectory: str, capability: str, relation: str) -> bool:
        """Whether a case bears on a gate; those of anchored relations bear on their own only."""
        if relation in self._anchored and what.relation != relation:
            return False
        cluster = self.clusters.get(trajectory)
        there = what.scenario is None or cluster is None or cluster.scenario == what.scenario
        return there and what.takes(capability, relation)


def entry(found: Verdict) -> scoring.Entry:
    """Return what scores are counted from: trajectory, capability, relation and outcome."""
    case = found.case
    return case.trajectory, case.capability.value, case.relation, found.outcome


def summarise(
    *,
    agent: str,
    settings: Settings,
    titles: Mapping[str, str],
    trajectories: tuple[str, ...],
    outcomes: Iterable[scoring.Entry],
    drops: Mapping[str, int],
    questions: int,
    rules: Rules | None = None,
    anchored: frozenset[str] = frozenset(),
    clusters: Mapping[str, Cluster] | None = None,
    deselected: Iterable[str] = (),
    references: Mapping[str, Mapping[str, float | None]] | None = None,
    verdicts: tuple[Verdict, ...] = (),
    failures: Mapping[str, int] | None = None,
    disagreement: Mapping[str, tuple[int, int]] | None = None,
    intervals: bool = True,
    marked: Iterable[Marked] = (),
) -> Run:
    """Turn outcomes, in any order, into scores and gates.

    ``titles`` say what relations are called; cases of ``anchored`` ones are in no score but their
    own. ``deselected`` are addresses of cases that were there and did not run. ``intervals`` says
    whether scores get intervals; ``marked`` is what accuracy on suites is counted from. The rest is
    as ``Run`` has it.
    """
    rules, clusters = rules or Rules(), clusters or {}
    summing = Summing(
        scoring.count(outcomes), settings, anchored=anchored, clusters=clusters, intervals=intervals
    )
    by_anchor = summing.anchored_relations(titles)
    found = {one.name.split()[0]: one.interval for one in by_anchor if one.name.endswith("-ACC")}
    return Run(
        agent=agent,
        settings=settings,
        trajectories=trajectories,
        scores=summing.capabilities(),
        by_relation=summing.relations(titles),
        by_scenario=summing.scenarios(),
        overall=cast("Mean", summing.of(Selection())),
        anchors=summing.anchors(titles),
        by_anchor=by_anchor,
        accuracy=accuracy.by_task(marked, found if intervals else None),
        gates=(
            *summing.gates(rules, deselected),
            *gates.decide_failures(failures or {}, questions, rules.limits),
        ),
        verdicts=verdicts,
        drops=drops,
        questions=questions,
        counts=summing.counts,
        clusters=clusters,
        references=references or {},
        failures=failures or {},
        disagreement=disagreement or {},
    )
