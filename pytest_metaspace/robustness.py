"""Does noise in seeing become false accusations? The same cases on perturbed boxes, paired by id.

The agent answers about the perturbed objects where it computes its answers. Of a model the stored
answers to the clean questions count: it saw the clean boxes, and only what is judged changes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace import pipeline, scoring
from pytest_metaspace.domain import Outcome, Score
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.hearing import computes, heard, require_some
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.questions import distinct, question
from pytest_metaspace.summary import entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.asking import Keeping
    from pytest_metaspace.domain import Answer, Case, Query, Settings, Trajectory
    from pytest_metaspace.oracle import Oracle
    from pytest_metaspace.perturbing import Perturbation
    from pytest_metaspace.scoring import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How the verdicts of some relations differ from the clean run.

    Attributes:
        clean: counts and score of the clean run.
        noisy: those of the perturbed one.
        paired: cases that both have.
        changed: how many of them have another verdict.
        new: violations that the clean run lacks, paired or not.
    """

    clean: Score
    noisy: Score
    paired: int
    changed: int
    new: int

    @property
    def share(self) -> float:
        """The share of paired cases whose verdict changed."""
        return self.changed / self.paired if self.paired else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What one perturbation did.

    Attributes:
        name: of the perturbation, with its rate.
        kind: of the perturbation.
        by_relation: the changes of each relation.
        but_mr5: those of all relations between answers but MR5, which compares with the boxes.
        total: the total score of the clean run, and that of the perturbed one.
    """

    name: str
    kind: str
    by_relation: Mapping[str, Change]
    but_mr5: Change
    total: tuple[float | None, float | None]


class Study:
    """Runs an agent on clean and on perturbed objects.

    Args:
        paths: trajectories, or folders of them.
        settings: which cases, and how they are judged.
        registries: relations and agents.
        agent: who answers.
        store: where its answers are kept; None for an agent that computes them.
        progress: called with what is done next.

    Raises:
        UsageProblem: no trajectory has tracked objects, or there is no stored answer.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        settings: Settings,
        registries: pipeline.Registries,
        agent: Agent,
        store: Keeping | None = None,
        *,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._settings = settings
        self._registries = registries
        self._agent = agent
        self._store = store
        self._progress = progress
        self._loaded = {one.id: one for one in pipeline.load(paths, registries)}
        if not any(one.objects for one in self._loaded.values()):
            raise UsageProblem(
                "metaspace: no tracked objects to perturb: there is no objects.json beside the "
                "trajectories (docs/format.md). To have objects found, add --tracker=NAME "
                "(docs/tracking.md)."
            )

    def levels(self, perturbations: Sequence[Perturbation]) -> Iterator[Level]:
        """Yield what each perturbation did, in order."""
        with pipeline.oracle_for(self._registries, self._settings) as oracle:
            self._progress("clean")
            clean = self._run(self._loaded, oracle)
            for number, how in enumerate(perturbations):
                self._progress(f"{how.name}, {number + 1} of {len(perturbations)}")
                perturbed = {name: how.of(one) for name, one in self._loaded.items()}
                yield self._level(how, clean, self._run(perturbed, oracle))

    def _run(self, loaded: Mapping[str, Trajectory], oracle: Oracle) -> _Verdicts:
        plans = [pipeline.plan(one, self._registries, self._settings) for one in loaded.values()]
        cases = [case for plan in plans for case in plan.cases]
        answers = self._answers(cases, loaded)
        judged = Judgement(answers, loaded, oracle, self._settings.prompting)
        return {verdict.case.address: entry(verdict) for verdict in judged.verdicts(cases)}

    def _answers(
        self, cases: Sequence[Case], loaded: Mapping[str, Trajectory]
    ) -> Mapping[Query, Answer]:
        shown = loaded if computes(self._agent) else self._loaded
        questions = [
            question(query, shown[query.trajectory], self._settings.prompting)
            for query in distinct(cases)
        ]
        answers = heard(questions, self._agent, self._store)
        if questions:
            require_some(answers)
        return answers

    def _level(self, how: Perturbation, clean: _Verdicts, noisy: _Verdicts) -> Level:
        chosen = pipeline.chosen(self._registries, self._settings)
        present = {relation for run in (clean, noisy) for _, _, relation, _ in run.values()}
        names = [one.name for one in chosen if one.name in present]
        others = {one.name for one in chosen if not one.anchored} - {"MR5"}
        return Level(
            name=how.name,
            kind=how.kind,
            by_relation={name: self._change(clean, noisy, {name}) for name in names},
            but_mr5=self._change(clean, noisy, others),
            total=(self._total(clean, others | {"MR5"}), self._total(noisy, others | {"MR5"})),
        )

    def _change(self, clean: _Verdicts, noisy: _Verdicts, relations: set[str]) -> Change:
        before, after = (
            {address: found for address, (_, _, name, found) in run.items() if name in relations}
            for run in (clean, noisy)
        )
        both = before.keys() & after.keys()
        return Change(
            clean=self._score(before),
            noisy=self._score(after),
            paired=len(both),
            changed=sum(before[address] is not after[address] for address in both),
            new=sum(
                found is Outcome.VIOLATED and before.get(address) is not Outcome.VIOLATED
                for address, found in after.items()
            ),
        )

    def _score(self, found: Mapping[str, Outcome]) -> Score:
        counts: dict[str, Any] = Counter(outcome.value for outcome in found.values())
        return Score(name="", title="", semantics=self._settings.semantics, **counts)

    def _total(self, run: _Verdicts, relations: set[str]) -> float | None:
        counts = scoring.count(found for found in run.values() if found[2] in relations)
        return scoring.total(scoring.by_capability(counts, self._settings.semantics))


_Verdicts = dict[str, "Entry"]
"""What each case is counted as, by its address."""
