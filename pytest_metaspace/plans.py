"""Which cases a trajectory has: relations first, then what anchors them to the world."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_metaspace import mrs
from pytest_metaspace.domain import Capability
from pytest_metaspace.errors import unknown
from pytest_metaspace.mrs._ids import digest
from pytest_metaspace.questions import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_metaspace.domain import Case, Query, Settings, Trajectory
    from pytest_metaspace.mrs import Relation
    from pytest_metaspace.registry import Registry

ALL = "all"
"""Among the names of anchored relations: each that is registered."""
NO_OBJECTS = "no tracked objects; --metaspace-tracker=yolo:FILE.pt finds some"
NONE_FOUND = "the tracker found no objects"


@dataclass
class Plan:
    """Cases, and what was left out and why."""

    cases: list[Case] = field(default_factory=list)
    drops: Counter[str] = field(default_factory=Counter)
    skips: dict[str, str] = field(default_factory=dict)
    """Trajectory and relation to the reason why it cannot be asked about there."""


def plan(
    trajectory: Trajectory,
    registry: Registry[Relation],
    settings: Settings,
    *,
    followed: bool = False,
) -> Plan:
    """Return the cases of one trajectory that the settings select.

    Anchored relations are held to the questions of the others that are selected, in the sample
    that is drawn, so that they ask nothing more; where they are alone, to those of all others.

    Args:
        trajectory: what is asked about.
        registry: the relations there are.
        settings: which of them, and how.
        followed: whether a tracker looked for objects where none were given.

    Raises:
        UsageProblem: the settings name a capability or relation that does not exist.
    """
    relations = chosen(registry, settings)
    related = [one for one in relations if not one.anchored]
    anchored = [one for one in relations if one.anchored]
    grounds = mrs.Grounds(trajectory, settings)
    made = Plan()
    for case in _cases(related, grounds, made, followed=followed):
        if _drawn(case, settings):
            made.cases.append(case)
    if anchored:
        asked = distinct(made.cases) if related else _asked_by_others(registry, grounds)
        grounds.ask_about(asked)
        for case in _cases(anchored, grounds, made, followed=followed):
            if related or _drawn(case, settings):
                made.cases.append(case)
    apart = {one.name for one in anchored}
    made.cases.sort(key=lambda case: (case.capability.value, case.relation in apart, case.relation))
    made.drops.update(grounds.drops)
    return made


def _cases(
    relations: Iterable[Relation], grounds: mrs.Grounds, made: Plan, *, followed: bool = False
) -> Iterator[Case]:
    trajectory, codes = grounds.trajectory, grounds.settings.capabilities
    suites = {item.task.suite for item in trajectory.items.values()}
    for relation in relations:
        if relation.suite not in suites if relation.suite else trajectory.only_items:
            continue
        for capability in relation.capabilities:
            if codes and capability.value not in codes:
                continue
            needs_objects = relation.suite is None and not capability.startswith("SC1")
            if needs_objects and not trajectory.objects:
                skipped = f"{trajectory.id} {capability} {relation.name}"
                made.skips[skipped] = NONE_FOUND if followed else NO_OBJECTS
                continue
            yield from relation.instances(grounds, capability)


def _asked_by_others(registry: Registry[Relation], grounds: mrs.Grounds) -> list[Query]:
    """Return the questions of all relations that are not anchored; what they drop is not told."""
    others = [one for one in registry if not one.anchored]
    aside = mrs.Grounds(grounds.trajectory, grounds.settings)
    return distinct(_cases(others, aside, Plan()))


def chosen(registry: Registry[Relation], settings: Settings) -> list[Relation]:
    """Return the relations that the settings select.

    Raises:
        UsageProblem: the settings name a capability or relation that does not exist, or as an
            anchored relation one that is not.
    """
    tasks = (code for one in registry if one.suite for code in one.capabilities)
    codes = list(dict.fromkeys(code.value for code in (*Capability, *tasks)))
    for code in sorted(settings.capabilities):
        if code not in codes:
            raise unknown("capability", code, codes, hint="See docs/concepts.md.")
    for name in sorted(settings.relations):
        registry.get(name)
    anchored = [one.name for one in registry if one.anchored]
    for name in sorted(settings.anchors - {ALL}):
        if name not in anchored:
            raise unknown(
                "anchored relation",
                name,
                [ALL, "none", *anchored],
                hint="Write --metaspace-anchors=all, or some of them as in A1,A2.",
            )
    wanted = frozenset(anchored) if ALL in settings.anchors else settings.anchors
    named = settings.relations
    return [
        one
        for one in registry
        if one.name in named or (one.name in wanted if one.anchored else not named)
    ]


def _drawn(case: Case, settings: Settings) -> bool:
    """Whether a case is in the sample; each is drawn by its identity and the seed alone."""
    if settings.sample >= 1:
        return True
    draw = int.from_bytes(digest(settings.seed, case.address)[:8], "big") / 2**64
    return draw < settings.sample
