"""Collectors and items: a trajectory file is a test file, and each case in it a light item.

Node ids nest, ``runs/k3/trajectory.json::SC2-a::MR1::CASE``, so that each level can be named.
An item only reports; what it reports was settled before the first one ran.
"""

from __future__ import annotations

import atexit
import gc
import os
from functools import cached_property, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_metaspace.domain import Finding, Outcome
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.files import settled
from pytest_metaspace.ledger import ledger_of
from pytest_metaspace.options import CHECKED
from pytest_metaspace.reports import known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Case


Place = tuple[str, "int | None", str]
"""File, line and name, as pytest's reports locate a test."""


class Violation(AssertionError):
    """A case that is violated or invalid; its text is the derivation.

    An assertion, because reports of other plugins tell those from tests that broke.
    """


class CaseError(Exception):
    """A case in error: there is no answer to judge, or no judge."""


class TrajectoryFile(pytest.File):
    """A log on disk; collects one node for each capability, or for each of its episodes."""

    @classmethod
    def at(cls, path: Path, parent: pytest.Collector) -> TrajectoryFile:
        """Make the node of a file; outside of the root folder too its id tells which file."""
        root = parent.config.rootpath
        if path.is_relative_to(root):
            return cls.from_parent(parent, path=path)
        nodeid = os.path.relpath(path, root).replace(os.sep, "/")
        return cls.from_parent(parent, path=path, nodeid=nodeid)

    def collect(self) -> Iterable[pytest.Collector]:
        """Yield the capabilities that have cases or, of a log of several episodes, those.

        Raises:
            pytest.Collector.CollectError: the file is not as it should be.
        """
        ledger = ledger_of(self.config)
        assert ledger is not None
        try:
            only = episodes_typed(self.path, self.config)
            episodes = ledger.registries.episodes_of(self.path, only=only)
        except MetaspaceError as problem:
            ledger.offered.discard(settled(self.path))
            raise self.CollectError(str(problem)) from problem
        if episodes is None:
            yield from capabilities(self, self.path)
            return
        ledger.offered.discard(settled(self.path))
        for path in episodes:
            yield EpisodeNode.from_parent(self, name=path.name)


class EpisodeNode(pytest.Collector):
    """One episode of a log that holds several."""

    def collect(self) -> Iterable[pytest.Collector]:
        """Yield the capabilities that have cases.

        Raises:
            pytest.Collector.CollectError: the episode is not as it should be; others go on.
        """
        yield from capabilities(self, self.path / self.name)


def capabilities(node: pytest.Collector, path: Path) -> Iterator[pytest.Collector]:
    """Yield a node for each capability for which a trajectory has cases.

    Args:
        node: below which.
        path: the main file of the trajectory, with the name of an episode behind it if it has any.

    Raises:
        pytest.Collector.CollectError: the trajectory is not as it should be.
    """
    ledger = ledger_of(node.config)
    assert ledger is not None
    try:
        cases = ledger.plan_of(path).cases
    except MetaspaceError as problem:
        ledger.offered.discard(settled(path))
        raise node.CollectError(str(problem)) from problem
    ledger.offered.add(settled(path))
    for capability, group in groupby(cases, key=lambda case: case.capability.value):
        below = CapabilityNode.from_parent(node, name=capability, cases=list(group))
        yield marked(below, capability)


def episodes_typed(path: Path, config: pytest.Config) -> set[str]:
    """Return the episodes that node ids on the command line name, where nothing names the file."""
    start, found = config.invocation_params.dir, set()
    for argument in config.args:
        file, _, node = argument.partition("::")
        place = settled(start / file)
        if place == settled(path) and node:
            found.add(node.split("::")[0].split("[")[0])
        elif settled(path).is_relative_to(place):
            return set()
    return found


def marked(node: pytest.Collector, name: str) -> pytest.Collector:
    """Put the mark of a capability or relation on a node, so that ``-m`` knows all below it."""
    ledger = ledger_of(node.config)
    if ledger is not None and name in ledger.marks:
        node.add_marker(name)
    return node


class CapabilityNode(pytest.Collector):
    """One capability of a trajectory."""

    def __init__(self, *, cases: list[Case], **more: Any) -> None:
        super().__init__(**more)
        self._cases = cases

    def collect(self) -> Iterable[pytest.Collector]:
        """Yield the relations that have cases."""
        for relation, group in groupby(self._cases, key=lambda case: case.relation):
            node = RelationNode.from_parent(self, name=relation, cases=list(group))
            yield marked(node, relation)


class RelationNode(pytest.Collector):
    """One relation of a capability of a trajectory."""

    def __init__(self, *, cases: list[Case], **more: Any) -> None:
        super().__init__(**more)
        self._cases = cases

    @cached_property
    def place(self) -> str:
        """The file, as reports of its cases name it."""
        return self.session._node_location_to_relpath(self.path)  # noqa: SLF001 - pytest's own way

    def collect(self) -> Iterable[pytest.Item]:
        """Yield the cases."""
        for case in self._cases:
            yield CaseItem.from_parent(self, name=case.id, case=case)
        gc.freeze()  # they stay to the end; looking through them again and again is half the cost


@lru_cache(maxsize=1)
def end_quickly() -> None:
    """Spare the process, where it ends, a last search for garbage in all that it holds.

    With thousands of items that takes half as long as collecting them. What is registered later
    to be done at exit comes before it.
    """
    atexit.register(gc.freeze)


# Stands in for the test function that other people's hooks expect of an item. Without a docstring:
# reports would show it as what each case is about.
def _no_function() -> None: ...


class CaseItem(pytest.Item):
    """One case of a metamorphic relation."""

    function = staticmethod(_no_function)
    obj = None
    cls = None
    fixturenames: tuple[str, ...] = ()

    def __init__(self, *, case: Case, **more: Any) -> None:
        super().__init__(**more)
        self.case = case

    @property
    def location(self) -> Place:
        """Where the case comes from, from the root folder; pytest works it out for each anew."""
        assert isinstance(self.parent, RelationNode)
        return self.parent.place, 0, self.reportinfo()[2]

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the case comes from."""
        case = self.case
        return self.path, 0, " ".join((case.capability, case.relation, case.id))  # noqa: FLY002 - as in address

    def runtest(self) -> None:
        """Report under the default protocol (``--pdb``, ``--setup-show``)."""
        ledger = ledger_of(self.config)
        assert ledger is not None
        found = ledger.findings.get(self.case.address)
        if found is not None:
            remember(self, found, fail=ledger.options.violations_fail)
        raise_for(self, found, fail=ledger.options.violations_fail)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the derivation, without a traceback."""
        if isinstance(excinfo.value, (Violation, CaseError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


def raise_for(item: pytest.Item, found: Finding | None, *, fail: bool) -> None:
    """Turn a finding into what pytest understands.

    Raises:
        Violation: violated or invalid, and that is to fail.
        CaseError: the case is in error.
        pytest.skip.Exception: the relation says nothing about these answers.
        pytest.xfail.Exception: violated or invalid, and in quarantine, or only reported and
            expected by a mark.
    """
    if found is None:
        raise CaseError("this case was not settled")
    outcome = as_pytest(found.outcome, fail=fail)
    if found.outcome == Outcome.ERROR.value:
        raise CaseError(found.text)
    excuse = excuse_for(item, found)
    if excuse is not None:
        pytest.xfail(excuse)  # returns under --runxfail
    if outcome == "skipped":
        pytest.skip(found.summary)
    if outcome == "failed":
        raise Violation(found.text)
    expected = item.get_closest_marker("xfail")
    if expected is not None and found.outcome != Outcome.SATISFIED.value:
        pytest.xfail(expected.kwargs.get("reason") or found.summary)


def excuse_for(item: pytest.Item, found: Finding) -> str | None:
    """Return why a violated or invalid case is expected to be so; None where it is not."""
    ledger = ledger_of(item.config)
    if ledger is None or not ledger.memory.quarantine.entries:
        return None
    if item.config.getoption("runxfail", False):
        return None
    entry = ledger.memory.quarantine.excuses(found.address, Outcome(found.outcome))
    return None if entry is None else known.excuse(entry)


# -------------------------------------------------------------------- our own three reports


def run_protocol(item: CaseItem) -> None:
    """Report a settled case: setup, call and teardown, without pytest's phase machinery.

    The default protocol costs four times as much, and there is nothing to set up.
    """
    ledger = ledger_of(item.config)
    assert ledger is not None
    found = ledger.findings.get(item.case.address)
    hook, place = item.ihook, item.location
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=place)
    for report in reports(item, found, place, fail=ledger.options.violations_fail):
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=place)


def reports(
    item: CaseItem, found: Finding | None, place: Place, *, fail: bool
) -> list[pytest.TestReport]:
    """Return the three reports of a case, which share what they can."""
    outcome, longrepr = _as_pytest(item, found, fail)
    #  Newer versions of pytest have the parts of a node id ready, and else part it for each report.
    nodeid = getattr(item, "id", item.nodeid)
    own = item.user_properties
    said = own if found is None else [*own, *properties(found, fail=fail)]
    call = _report(nodeid, place, "call", outcome, longrepr, said)
    if found is not None:
        attach(call, found)
        excuse = excuse_for(item, found)
        if excuse is not None:
            call.outcome, call.longrepr = "skipped", (str(item.path), 0, excuse)
            call.wasxfail = excuse  # as pytest's own plugin for expected failures sets it
    return [
        _report(nodeid, place, "setup", "passed", None, own),
        call,
        _report(nodeid, place, "teardown", "passed", None, said),
    ]


def remember(item: pytest.Item, found: Finding, *, fail: bool) -> None:
    """Keep a finding on an item until its reports are made."""
    if CHECKED not in item.stash:
        item.user_properties += properties(found, fail=fail)
    item.stash[CHECKED] = found


def attach(report: pytest.TestReport, found: Finding) -> None:
    """Let a finding ride on a report; it survives xdist because it is JSON-simple."""
    report.metaspace = found.as_json()  # type: ignore[attr-defined]


def properties(found: Finding, *, fail: bool) -> list[tuple[str, object]]:
    """Return what ``--junitxml`` tells of a case; pytest takes it from the teardown report."""
    if found.outcome == Outcome.SATISFIED.value:
        return []
    trajectory = found.address.split("::", 1)[0]
    kept = [*_shared(found.capability, found.relation, trajectory, found.outcome)]
    if not fail and found.outcome in (Outcome.VIOLATED.value, Outcome.INVALID.value):
        kept.append(("derivation", found.text))
    return kept


@lru_cache(maxsize=256)
def _shared(
    capability: str, relation: str, trajectory: str, outcome: str
) -> tuple[tuple[str, object], ...]:
    """Return properties that many cases have; each pair is in memory once."""
    return (
        ("capability", capability),
        ("relation", relation),
        ("trajectory", trajectory),
        ("outcome", outcome),
    )


@lru_cache
def as_pytest(outcome: str, *, fail: bool) -> Literal["passed", "failed", "skipped"]:
    """Return the outcome of a report for the outcome of a case."""
    if outcome == Outcome.INCONCLUSIVE.value:
        return "skipped"
    broken = (Outcome.VIOLATED.value, Outcome.INVALID.value)
    if outcome == Outcome.ERROR.value or (fail and outcome in broken):
        return "failed"
    return "passed"


def _as_pytest(item: CaseItem, found: Finding | None, fail: bool) -> tuple[Any, Any]:
    if found is None:
        return "failed", "this case was not settled"
    outcome = as_pytest(found.outcome, fail=fail)
    if outcome == "skipped":
        return outcome, (str(item.path), 0, f"Skipped: {found.summary}")
    return outcome, found.text if outcome == "failed" else None


def _report(
    nodeid: str,
    place: Place,
    when: Any,
    outcome: Any,
    longrepr: Any,
    said: Sequence[tuple[str, object]],
) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid=nodeid,
        location=place,
        keywords={},
        outcome=outcome,
        longrepr=longrepr,
        when=when,
        duration=0.0,
        start=0.0,
        stop=0.0,
        user_properties=said,
    )
