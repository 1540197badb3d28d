"""How much scores hang on the tolerances of MR5 and MR6, and on how sure the tracker must be.

The paper's tables 2 and 3 for anybody's agent: its stored answers are judged again under each
value, and nobody is asked. Another confidence, and another epsilon by way of its filters, makes
other cases; those that lack an answer are counted, and are in no score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import pipeline, scoring
from pytest_metaspace.domain import Cluster, Selection
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.hearing import require_some
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports.terminal import between, number
from pytest_metaspace.summary import Summing, entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.asking import Keeping
    from pytest_metaspace.domain import Answer, Case, Mean, Query, Score, Settings

CHANGES: Final = (-0.5, -0.25, 0.0, 0.25, 0.5)
CONFIDENCES: Final = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
TOLERANCES: Final = {"MR5": "epsilon", "MR6": "delta"}
"""Which option is the tolerance of which relation."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one value of one option comes to.

    Attributes:
        value: of the option.
        scores: by relation.
        unanswered: how many cases had no answer and are in no score.
    """

    value: float
    scores: dict[str, Score | Mean]
    unanswered: int


class Study:
    """The stored answers of an agent, judged under one set of settings after another.

    Args:
        paths: trajectories, or folders of them.
        registries: relations and formats.
        agent: whose answers they are; it is asked only where its answers are free.
        store: where they are kept; None for an agent whose answers are free.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        registries: pipeline.Registries,
        agent: Agent,
        store: Keeping | None,
    ) -> None:
        self._paths = paths
        self._registries = registries
        self._agent = agent
        self._store = store
        self._loaded = {one.id: one for one in pipeline.load(paths, registries)}
        self._clusters = {name: Cluster.of(one) for name, one in self._loaded.items()}
        self._answers: dict[Query, Answer] = {}

    @property
    def trajectories(self) -> int:
        """How many there are."""
        return len(self._loaded)

    def require(self, settings: Settings) -> None:
        """Make sure that the selected relations have a case, and some question an answer.

        Raises:
            UsageProblem: they have none at any of ``CONFIDENCES``, or nobody answered.
        """
        widest = replace(settings, confidence=min(*CONFIDENCES, settings.confidence))
        cases = self._cases(widest)
        if not cases:
            names = " and ".join(sorted(settings.relations))
            where = ", ".join(sorted(settings.capabilities)) or "these trajectories"
            raise UsageProblem(
                f"metaspace: {names}: no cases in {where}, so no tolerance and no confidence "
                "matters there. Leave out --sc or --mr; metaspace plan PATH tells what has cases."
            )
        self._answered(cases, widest)
        require_some(self._answers)

    def tolerance(self, relation: str, settings: Settings) -> list[Found]:
        """Return the scores of a relation with its tolerance changed by each of ``CHANGES``."""
        option = TOLERANCES[relation]
        base: float = getattr(settings, option)
        values = [round(base * (1 + change), 9) for change in CHANGES]
        alone = replace(settings, relations=frozenset({relation}))
        changed: list[Any] = [{option: value} for value in values]
        return [self.found(one[option], replace(alone, **one)) for one in changed]

    def confidence(self, settings: Settings) -> list[Found]:
        """Return the scores of the selected relations at each of ``CONFIDENCES``."""
        return [
            self._at(value).found(value, replace(settings, confidence=value))
            for value in CONFIDENCES
        ]

    def _at(self, confidence: float) -> Study:
        """Return the study of what a tracker makes of boxes from a confidence on.

        Its tracks are other ones, and an id may be another object's; recorded objects stay.
        """
        if self._registries.following is None:
            return self
        return Study(
            self._paths, self._registries.at_confidence(confidence), self._agent, self._store
        )

    def found(self, value: float, settings: Settings) -> Found:
        """Return the scores under some settings, of which ``value`` is what was changed."""
        cases = self._cases(settings)
        answered = self._answered(cases, settings)
        with pipeline.oracle_for(self._registries, settings) as oracle:
            judged = Judgement(self._answers, self._loaded, oracle, settings.prompting)
            counts = scoring.count(map(entry, judged.verdicts(answered)))
        summing = Summing(
            counts,
            settings,
            anchored=self._registries.anchored,
            clusters=self._clusters,
            intervals=True,
        )
        relations = sorted({case.relation for case in cases})
        scores = {name: summing.of(Selection(relation=name)) for name in relations}
        return Found(value, scores, len(cases) - len(answered))

    def _cases(self, settings: Settings) -> list[Case]:
        made = (pipeline.plan(one, self._registries, settings) for one in self._loaded.values())
        return [case for plan in made for case in plan.cases]

    def _answered(self, cases: Sequence[Case], settings: Settings) -> list[Case]:
        """Return the cases whose questions all have answers, which are looked up once."""
        free = self._agent.identity is None
        asked = pipeline.ask(
            cases,
            self._loaded,
            self._agent,
            self._store,
            mode="cached" if free else "offline",
            known=self._answers,
            prompting=settings.prompting,
            samples=settings.samples,
        )
        self._answers.update(asked.answers)
        return [
            case
            for case in cases
            if all(self._answers[query].raw is not None for query in case.queries)
        ]


def lines(study: Study, agent: str, settings: Settings) -> Iterator[str]:
    """Yield the tables: tolerances first, then the confidence of boxes.

    Args:
        study: whose answers, and where.
        agent: its full name.
        settings: what is changed, and everything that is not.

    Raises:
        UsageProblem: there is no case, or no answer.
    """
    swept = replace(settings, relations=settings.relations or frozenset(TOLERANCES))
    study.require(swept)
    many = study.trajectories
    yield (
        f"answers of {one_line(agent)} in {many} {'trajectory' if many == 1 else 'trajectories'}, "
        f"semantics {settings.semantics}; no model was asked"
    )
    for relation, option in TOLERANCES.items():
        if settings.relations and relation not in settings.relations:
            continue
        found = study.tolerance(relation, settings)
        base = getattr(settings, option)
        names = [
            f"{one.value:.4g} ({change:+.0%})" if change else f"{one.value:.4g}"
            for one, change in zip(found, CHANGES)
        ]
        yield ""
        yield f"{relation}, {option} around {base:g}:"
        yield from _table(option, names, found)
        yield from _moves(found, CHANGES.index(0.0))
    yield ""
    yield f"boxes are used from this confidence on (in runs from {settings.confidence:g}):"
    found = study.confidence(swept)
    yield from _table("confidence", [f"{one.value:g}" for one in found], found)


def _table(option: str, names: Sequence[str], found: Sequence[Found]) -> Iterator[str]:
    from tabulate import tabulate

    relations = sorted({name for one in found for name in one.scores})
    if not relations:
        yield "no cases"
        return
    rows = []
    for name, one in zip(names, found):
        row = [name]
        for relation in relations:
            score = one.scores.get(relation)
            if score is None:
                row += ["0", "0", "n/a", ""]
            else:
                told = (score.cases, score.violated, number(score.value), between(score.interval))
                row += map(str, told)
        rows.append([*row, str(one.unanswered)])
    each = [[f"{name} cases", "violated", "score", "95 % interval"] for name in relations]
    headers = [option, *(header for some in each for header in some), "without answer"]
    yield from tabulate(
        rows,
        headers=headers,
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", *["right"] * (len(headers) - 1)),
    ).splitlines()


def _moves(found: Sequence[Found], base: int) -> Iterator[str]:
    """Yield how far the score moves from that of the base value."""
    values = [next((s.value for s in one.scores.values()), None) for one in found]
    middle, known = values[base], [value for value in values if value is not None]
    if middle is None or len(known) < 2:  # noqa: PLR2004 - nothing moves
        return
    most = max(abs(value - middle) for value in known)
    yield f"the score moves by {most:.3f} at most, between {min(known):.3f} and {max(known):.3f}"
