"""What is known by name, ours and other people's: relations, agents, formats, trackers, reports."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace import agents, mrs, tracking, trajectories
from pytest_metaspace.answers import read
from pytest_metaspace.domain import Showing
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.questions import question
from pytest_metaspace.registry import Registry
from pytest_metaspace.reports import built_in
from pytest_metaspace.suites import ACCURACY
from pytest_metaspace.suites import built_in as suites
from pytest_metaspace.trajectories import _damaged
from pytest_metaspace.trajectories._companions import completed
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._episodes import Choice
from pytest_metaspace.trajectories.built_in import BUILT_IN
from pytest_metaspace.trajectories.items import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from pytest_metaspace.agents import Agent, AgentKind
    from pytest_metaspace.domain import Item, Trajectory
    from pytest_metaspace.mrs import Relation
    from pytest_metaspace.reports.formats import ReportFormat
    from pytest_metaspace.suites import Suite
    from pytest_metaspace.tracking import Following, TrackerKind
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
        self.trackers: Registry[TrackerKind] = Registry(
            "tracker", "To add one, implement pytest_metaspace_register_trackers."
        )
        self.reports: Registry[ReportFormat] = Registry(
            "report format", "To add one, implement pytest_metaspace_register_reports."
        )
        self.suites: Registry[Suite] = Registry(
            "suite", "To add one, implement pytest_metaspace_register_suites."
        )
        self.following: Following | None = None
        """Finds objects where none are recorded; None where no tracker was chosen."""
        self.reading = trajectories.Reading()
        """What the run says about logs that do not say it themselves."""
        self.choice = Choice()
        """Which episodes of logs are looked at."""

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
        for form in BUILT_IN:
            made.formats.add(form.name, form, "pytest-metaspace")
        for tracker in tracking.BUILT_IN:
            made.trackers.add(tracker.name, tracker, "pytest-metaspace")
        for report in built_in.BUILT_IN:
            made.reports.add(report.name, report, "pytest-metaspace")
        for suite in suites.BUILT_IN:
            made.add_suite(suite, "pytest-metaspace")
        return made

    def add_suite(self, suite: Suite, origin: str) -> None:
        """Register a suite with its relations and formats.

        Raises:
            UsageProblem: a name is taken; the text names both origins.
        """
        self.suites.add(suite.name, suite, origin)
        for relation in suite.judged():
            self.relations.add(relation.name, relation, origin)
        for form in suite.formats:
            self.formats.add(form.name, form, origin)

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

    @property
    def titles(self) -> dict[str, str]:
        """What each relation is called."""
        return {relation.name: relation.title for relation in self.relations}

    @property
    def anchored(self) -> frozenset[str]:
        """The names of relations that are scored apart: anchored ones and those of suites."""
        return frozenset(relation.name for relation in self.relations if relation.apart)

    def format_of(self, path: Path) -> TrajectoryFormat | None:
        """Return the format, as this run reads it, of a main file or an episode; or None."""
        if path.exists() and not path.is_file():
            return None  # of a pipe a format would wait for the first byte
        found = next((form for form in self.formats if form.matches(path)), None)
        if found is None and path.parent.is_file():
            main = path.parent
            several = (form for form in self.formats if form.episodes is not None)
            found = next((form for form in several if form.matches(main)), None)
        if found is None or found.configured is None:
            return found
        return found.configured(self.reading)

    def episodes_of(self, path: Path, *, only: Collection[str] = ()) -> list[Path] | None:
        """Return the episodes of a main file that the run looks at, or None where it holds one.

        Args:
            path: the main file.
            only: names that were typed for this file alone.

        Raises:
            TrajectoryError: the file is not as it should be.
        """
        form = self.format_of(path)
        if form is None or form.episodes is None or path.parent.is_file():
            return None
        names = self.choice.of(path, form.episodes(path), only=only)
        return [path / name for name in names]

    def load(self, path: Path) -> Trajectory:
        """Load a trajectory; its objects are the recorded ones or, by choice, tracked ones.

        They are shown to agents as this run shows them.

        Args:
            path: a main file, with the name of an episode behind it where it holds several.

        Raises:
            MetaspaceError: it is not as it should be, or its objects cannot be found.
        """
        form = self.format_of(path)
        if form is None:
            damage = _damaged.named(path)
            if damage is not None:
                raise TrajectoryError(damage)
            form = trajectories.NATIVE
        if form.episodes is not None and path.is_file():
            raise TrajectoryError(
                f"{path}: holds several episodes. Name one behind it, as in {path.name}::NAME."
            )
        found = replace(form.load(path), showing=self.showing)
        for item in found.items.values():
            self._check(found, item)
        if form.name != trajectories.NATIVE.name and not found.only_items:
            found = completed(found)
        return found if self.following is None else self.following.completed(found)

    def _check(self, trajectory: Trajectory, item: Item) -> None:
        """Make sure that a suite asks the task of an item, and judges what it is tied by.

        Raises:
            TrajectoryError: it does not; such a case would be left out without a word.
        """
        asked = [one for one in self.relations if one.suite is not None]
        tasks = {task: None for one in asked for task in one.capabilities}
        if item.task not in tasks:
            suite = [task for task in tasks if task.suite == item.task.suite]
            raise _unknown(trajectory, "task", item.task.value, "task of a suite", suite or tasks)
        judged = [one.name for one in asked if item.task in one.capabilities and not _is_acc(one)]
        told = {f"ties.{place}.relation": tie.relation for place, tie in enumerate(item.ties)}
        for field, name in told.items():
            if name not in judged:
                raise _unknown(trajectory, field, name, f"relation of {item.task}", judged)
        named = {one.name for one in asked}
        for name in item.unposed:
            if name not in named:
                raise _unknown(trajectory, "unposed", name, f"relation of {item.task}", judged)

    def let_go(self) -> None:
        """Give the tracker's memory back, and let other processes detect."""
        if self.following is not None:
            self.following.finish()

    def at_confidence(self, confidence: float) -> Registries:
        """Return the same with a tracker that uses boxes from another confidence on."""
        made = copy(self)
        if self.following is not None:
            made.following = self.following.at_confidence(confidence)
        return made


def _is_acc(relation: Relation) -> bool:
    """Whether a relation makes its cases of answers that are known, and of no ties."""
    return relation.name.endswith(f"-{ACCURACY}")


def _unknown(
    trajectory: Trajectory, field: str, name: str, kind: str, known: Iterable[str]
) -> TrajectoryError:
    source = trajectory.source
    if trajectory.only_items:
        where = f"{source.parent}: field {field} of item {brief(source.name)}"
    else:
        where = f"{source.with_name(QUESTIONS)}: field {field}"
    return TrajectoryError(
        f"{where}: is {brief(name)}, no {kind}; known: {', '.join(map(str, known))}. "
        "See docs/format-items.md and docs/suites.md."
    )
