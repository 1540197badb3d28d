"""The whole flow on one screen, without pytest: the only place where stages meet.

trajectories → cases → questions → answers → observations → verdicts → scores → gates
"""

from __future__ import annotations

import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import agents, asking, gates, mrs, plans, repeats, scoring, trajectories
from pytest_metaspace.answers import read
from pytest_metaspace.domain import Run, Showing
from pytest_metaspace.errors import TrajectoryError, UsageProblem
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.questions import distinct, question
from pytest_metaspace.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.agents import Agent, AgentKind
    from pytest_metaspace.asking import Keeping, Mode
    from pytest_metaspace.domain import (
        Answer,
        Case,
        Outcome,
        Prompting,
        Query,
        Question,
        Settings,
        Trajectory,
        Verdict,
    )
    from pytest_metaspace.mrs import Relation
    from pytest_metaspace.oracle import Oracle
    from pytest_metaspace.plans import Plan
    from pytest_metaspace.trajectories import TrajectoryFormat


class Registries:
    """Everything that can be added by name; built once, then only read."""

    def __init__(self, showing: Showing | None = None) -> None:
        self.showing = showing or Showing()
        self.relations: Registry[Relation] = Registry(
            "relation", "To add one, implement pytest_metaspace_register_relations."
        )
        self.agents: Registry[AgentKind] = Registry(
            "agent",
            "For a model write openai:MODEL, for your own python:MODULE:FUNCTION; to add a "
            "name, implement pytest_metaspace_register_agents.",
        )
        self.formats: Registry[TrajectoryFormat] = Registry(
            "trajectory format",
            "To add one, implement pytest_metaspace_register_trajectory_formats.",
        )

    @classmethod
    def built_in(cls, showing: Showing | None = None) -> Registries:
        """Return registries that hold what the package brings along.

        Args:
            showing: how the trajectories that are loaded show their objects to agents.
        """
        made = cls(showing)
        for relation in mrs.BUILT_IN:
            made.relations.add(relation.name, relation, "pytest-metaspace")
        for kind in agents.BUILT_IN:
            made.agents.add(kind.name, kind, "pytest-metaspace")
        for form in trajectories.BUILT_IN:
            made.formats.add(form.name, form, "pytest-metaspace")
        return made

    def agent(self, name: str, root: Path, models: agents.ModelOptions | None = None) -> Agent:
        """Make the agent of a full name; relative paths in it belong to ``root``."""
        context = agents.AgentContext(
            build=lambda inner: agents.wrapped(inner, self.agents, context),
            question=question,
            read=read,
            root=root,
            models=models or agents.ModelOptions(),
        )
        return agents.build(name, self.agents, context)

    def load(self, path: Path, form: TrajectoryFormat) -> Trajectory:
        """Load a trajectory whose objects are shown to agents as this run shows them.

        Raises:
            TrajectoryError: it is not as it should be.
        """
        return replace(form.load(path), showing=self.showing)

    def format_of(self, path: Path) -> TrajectoryFormat | None:
        """Return the format whose main file a path is, or None."""
        return next((form for form in self.formats if form.matches(path)), None)


# ----------------------------------------------------------------------- trajectories, cases


def find(paths: Iterable[Path], registries: Registries) -> list[Path]:
    """Return the main files of all trajectories at or below some paths, in order.

    Raises:
        TrajectoryError: a path does not exist or has no trajectory at or below it.
    """
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise TrajectoryError(f"metaspace: there is no file or folder {str(path)!a}.")
        here = [path] if path.is_file() else sorted(path.rglob("*.json"))
        files = [file for file in here if registries.format_of(file) is not None]
        if not files:
            raise TrajectoryError(
                f"metaspace: {str(path)!a} holds no trajectory; expected a trajectory.json with "
                '"format": "metaspace-trajectory" (docs/format.md), or another known format: '
                f"{', '.join(registries.formats.names)}."
            )
        found += files
    return list(dict.fromkeys(path.resolve() for path in found))


def load(paths: Iterable[Path], registries: Registries) -> list[Trajectory]:
    """Load the trajectories at or below some paths.

    Raises:
        TrajectoryError: one of them is not as it should be, or two have one id.
    """
    loaded: dict[str, Trajectory] = {}
    for path in find(paths, registries):
        form = registries.format_of(path)
        assert form is not None
        add(loaded, registries.load(path, form))
    return list(loaded.values())


def add(loaded: dict[str, Trajectory], trajectory: Trajectory) -> None:
    """Add a trajectory to others by its id, on which baselines pair; it must be new."""
    other = loaded.get(trajectory.id)
    if other is not None and other.source != trajectory.source:
        raise TrajectoryError(
            f"{trajectory.source}: field id: {trajectory.id!a} is also the id of {other.source}. "
            "Give each trajectory an id of its own."
        )
    loaded[trajectory.id] = trajectory


def plan(trajectory: Trajectory, registries: Registries, settings: Settings) -> Plan:
    """Return the cases of one trajectory that the settings select.

    Raises:
        UsageProblem: the settings name a capability or relation that does not exist.
    """
    return plans.plan(trajectory, registries.relations, settings)


def chosen(registries: Registries, settings: Settings) -> list[Relation]:
    """Return the relations that the settings select.

    Raises:
        UsageProblem: the settings name a capability or relation that does not exist.
    """
    return plans.chosen(registries.relations, settings)


# ------------------------------------------------------------------------ answers, verdicts


def questions_of(
    cases: Iterable[Case],
    trajectories_by_id: Mapping[str, Trajectory],
    known: Container[Query] = (),
    prompting: Prompting = "direct",
) -> Iterator[Question]:
    """Yield every distinct question that some case needs and that is not known yet, once."""
    for query in distinct(cases):
        if query not in known:
            yield question(query, trajectories_by_id[query.trajectory], prompting)


def ask(
    cases: Sequence[Case],
    trajectories_by_id: Mapping[str, Trajectory],
    agent: Agent,
    store: Keeping | None,
    *,
    mode: Mode = "cached",
    known: Container[Query] = (),
    prompting: Prompting = "direct",
    samples: int = 1,
    caps: asking.Caps | None = None,
    stopped: str | None = None,
    progress: Callable[[], None] = lambda: None,
) -> asking.Asked:
    """Ask every distinct question that some case needs and that is not known yet.

    Each is put ``samples`` times; its answer is then what they come to (``repeats``).
    """
    asked = asking.ask(
        questions_of(cases, trajectories_by_id, known, prompting),
        agent,
        store,
        mode=mode,
        samples=samples,
        caps=caps,
        stopped=stopped,
        progress=progress,
    )
    if samples > 1:
        asked.answers, asked.disagreement = repeats.elected(
            asked.samples, trajectories_by_id, prompting
        )
        asked.samples.clear()  # they stand in the answers
    return asked


def require_laws(cases: Iterable[Case], oracle: Oracle) -> None:
    """Make sure that a law judges each case, before anybody is asked.

    Raises:
        UsageProblem: a relation names a law that no file has; the text says what there is.
    """
    known = oracle.describe()["relations"]
    for law, relation in {case.law: case.relation for case in cases}.items():
        if law not in known:
            raise UsageProblem(
                f"metaspace: relation {relation!a} names the law {law!a}, which no file of laws "
                f"has; there are: {', '.join(known)}. Name one of them, or give the relation a "
                "file with its own as `prolog` (docs/rules.md)."
            )


def judge(
    cases: Sequence[Case],
    answers: Mapping[Query, Answer],
    trajectories_by_id: Mapping[str, Trajectory],
    oracle: Oracle,
    *,
    prompting: Prompting = "direct",
) -> Iterator[Verdict]:
    """Yield the oracle's verdict on every case, in order, each derivation confirmed."""
    return Judgement(answers, trajectories_by_id, oracle, prompting).told(cases, check=True)


# ------------------------------------------------------------------------------- the whole


@contextmanager
def oracle_for(
    registries: Registries, settings: Settings, *, count_rules: bool = False
) -> Iterator[Oracle]:
    """Open an oracle that knows the laws of all registered relations."""
    from pytest_metaspace.oracle import Oracle

    with Oracle(
        settings.engine,
        epsilon=settings.epsilon,
        delta=settings.delta,
        count_rules=count_rules,
        laws=[relation.prolog for relation in registries.relations if relation.prolog],
    ) as oracle:
        yield oracle


def run(
    paths: Iterable[Path],
    agent_name: str,
    settings: Settings,
    *,
    registries: Registries | None = None,
    store: Keeping | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> Run:
    """Run everything: what ``pytest --metaspace-agent`` does, as one function.

    Args:
        paths: trajectories, or folders of them.
        agent_name: as on the command line.
        settings: which cases, and how they are judged.
        registries: what is known by name; the built-in things when None.
        store: where answers are kept; None keeps them for this run only.
        thresholds: by capability code, or ``total``.

    Raises:
        MetaspaceError: something that the user can fix; the text says how.
    """
    known = registries or Registries.built_in(Showing(settings.boxes))
    loaded = {trajectory.id: trajectory for trajectory in load(paths, known)}
    made = [plan(trajectory, known, settings) for trajectory in loaded.values()]
    cases = [case for one in made for case in one.cases]
    agent = known.agent(agent_name, Path.cwd())
    put = settings.prompting
    with oracle_for(known, settings) as oracle:
        require_laws(cases, oracle)
        replies = ask(cases, loaded, agent, store, prompting=put, samples=settings.samples)
        if replies.stopped:
            warnings.warn(replies.stopped, stacklevel=2)
        judged = Judgement(replies.answers, loaded, oracle, put)
        verdicts = tuple(judged.told(cases, check=True))
    drops = sum((one.drops for one in made), Counter[str]())
    return summarise_outcomes(
        agent=agent_name,
        settings=settings,
        registries=known,
        trajectories=tuple(loaded),
        outcomes=map(outcome_of, verdicts),
        verdicts=verdicts,
        drops=drops,
        questions=len(replies.answers),
        thresholds=thresholds or {},
        failures=Counter(judged.failed.values()),
        disagreement=replies.disagreement,
    )


def outcome_of(found: Verdict) -> tuple[str, str, Outcome]:
    """Return what scores are counted from: capability, relation and outcome."""
    return found.case.capability.value, found.case.relation, found.outcome


def summarise_outcomes(
    *,
    agent: str,
    settings: Settings,
    registries: Registries,
    trajectories: tuple[str, ...],
    outcomes: Iterable[tuple[str, str, Outcome]],
    drops: Mapping[str, int],
    questions: int,
    thresholds: Mapping[str, float],
    allowed: frozenset[str] = frozenset(),
    references: Mapping[str, Mapping[str, float | None]] | None = None,
    verdicts: tuple[Verdict, ...] = (),
    failures: Mapping[str, int] | None = None,
    disagreement: Mapping[str, tuple[int, int]] | None = None,
    limits: Mapping[str, float] | None = None,
) -> Run:
    """Turn outcomes, as (capability, relation, outcome), into scores and gates."""
    titles = {relation.name: relation.title for relation in registries.relations}
    anchored = [relation.name for relation in registries.relations if relation.anchored]
    counts, apart = scoring.parted(scoring.count(outcomes), anchored)
    scores = scoring.by_capability(counts, settings.semantics)
    anchors = scoring.by_anchor(apart, titles)
    total = scoring.total(scores)
    return Run(
        agent=agent,
        settings=settings,
        trajectories=trajectories,
        scores=scores,
        by_relation=scoring.by_relation(counts, settings.semantics, titles),
        anchors=anchors,
        by_anchor=scoring.by_relation(apart, "sound", titles),
        total=total,
        gates=(
            *gates.decide(scores, total, thresholds, allowed, anchors),
            *gates.decide_failures(failures or {}, questions, limits or {}),
        ),
        verdicts=verdicts,
        drops=drops,
        questions=questions,
        references=references or {},
        failures=failures or {},
        disagreement=disagreement or {},
    )
