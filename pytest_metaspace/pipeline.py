"""The whole flow on one screen, without pytest: the only place where stages meet.

trajectories → cases → questions → answers → observations → verdicts → scores → gates
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import asking, plans, repeats
from pytest_metaspace.domain import Cluster, Showing
from pytest_metaspace.errors import TrajectoryError, UsageProblem
from pytest_metaspace.files import settled
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.marking import marked
from pytest_metaspace.questions import distinct, question
from pytest_metaspace.registries import Registries
from pytest_metaspace.summary import Rules, entry, summarise
from pytest_metaspace.trajectories import FRAMES, MAIN_FILE, _damaged

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.asking import Keeping, Mode
    from pytest_metaspace.domain import (
        Answer,
        Case,
        Prompting,
        Query,
        Question,
        Run,
        Settings,
        Trajectory,
        Verdict,
    )
    from pytest_metaspace.mrs import Relation
    from pytest_metaspace.oracle import Oracle
    from pytest_metaspace.plans import Plan

_PICTURES = (".png", ".jpg", ".jpeg", ".webp")
_PASSED_BY = frozenset({".git", ".metaspace_cache"})

# ----------------------------------------------------------------------- trajectories, cases


def find(paths: Iterable[Path], registries: Registries) -> list[Path]:
    """Return the paths of all trajectories at or below some paths, in order.

    That is their main file; of one that holds several episodes, those that the run looks at.

    Raises:
        TrajectoryError: a path does not exist or has no trajectory at or below it, or a main file
            cannot tell its episodes; all that is wrong, a line each.
        UsageProblem: the run names episodes, and none of them is there.
    """
    found: list[Path] = []
    problems: list[str] = []
    for path in paths:
        there, wrong = search(path, registries)
        found += there
        problems += wrong
    if problems:
        raise TrajectoryError("\n".join(dict.fromkeys(problems)))
    if not found:
        registries.choice.require()
    return list(dict.fromkeys(map(settled, found)))


def search(path: Path, registries: Registries) -> tuple[list[Path], list[str]]:
    """Return the paths of all trajectories at or below a path, and what is wrong with others."""
    if not exists(path):
        return [], [f"metaspace: there is no file or folder {str(path)!a}."]
    files = main_files(path, registries)
    if not files:
        damage = _damaged.named(path)
        return [], [
            damage
            or f"metaspace: {str(path)!a} holds no trajectory; expected a trajectory.json with "
            '"format": "metaspace-trajectory" (docs/format.md), or another known format: '
            f"{', '.join(registries.formats.names)}."
        ]
    found: list[Path] = []
    problems: list[str] = []
    for file in files:
        try:
            episodes = registries.episodes_of(file)
        except TrajectoryError as problem:
            problems.append(str(problem))
        else:
            found += [file] if episodes is None else episodes
    return found, problems


def exists(path: Path) -> bool:
    """Whether there is such a file or folder, or a file that it may be an episode of."""
    return path.exists() or path.parent.is_file()


def main_files(path: Path, registries: Registries) -> list[Path]:
    """Return the main files at or below a path, in order; of an episode, itself.

    Folders of pictures are not walked.
    """
    here = [path] if not path.is_dir() else sorted(_walked(path))
    return [file for file in here if registries.format_of(file) is not None]


def _walked(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder, followlinks=True):  # as pytest does
        passed = _PASSED_BY | ({FRAMES} if MAIN_FILE in files else set())
        folders[:] = [
            name for name in folders if name not in passed and not _leads_back(Path(place, name))
        ]
        yield from (Path(place, name) for name in files if not name.lower().endswith(_PICTURES))


def _leads_back(folder: Path) -> bool:
    """Whether a folder is a link to one of those that it was reached through."""
    if not folder.is_symlink():
        return False
    real = folder.resolve()
    return any(one.resolve() == real for one in folder.absolute().parents)


def load(paths: Iterable[Path], registries: Registries) -> list[Trajectory]:
    """Load the trajectories at or below some paths; a tracker is let go when all are there.

    Raises:
        TrajectoryError: one of them is not as it should be, or two have one id.
        UsageProblem: the run names an episode that no log has.
    """
    loaded: dict[str, Trajectory] = {}
    try:
        there = find(paths, registries)
        registries.choice.require()
        for path in there:
            add(loaded, registries.load(path))
    finally:
        registries.let_go()
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
    followed = registries.following is not None
    return plans.plan(trajectory, registries.relations, settings, followed=followed)


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
            asked.samples, trajectories_by_id, prompting, asked.alike
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
    return summarise(
        agent=agent_name,
        settings=settings,
        titles=known.titles,
        anchored=known.anchored,
        trajectories=tuple(loaded),
        clusters={name: Cluster.of(one) for name, one in loaded.items()},
        outcomes=map(entry, verdicts),
        verdicts=verdicts,
        drops=drops,
        questions=len(replies.answers),
        rules=Rules(thresholds=thresholds or {}),
        failures=Counter(judged.failed.values()),
        disagreement=replies.disagreement,
        marked=marked(((one.case, one.outcome) for one in verdicts), loaded),
    )


__all__ = [
    "Registries",
    "add",
    "ask",
    "chosen",
    "exists",
    "find",
    "judge",
    "load",
    "main_files",
    "oracle_for",
    "plan",
    "questions_of",
    "require_laws",
    "run",
]
