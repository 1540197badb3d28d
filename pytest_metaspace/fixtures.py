"""Fixtures for hand-written tests; nothing is imported until one is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.desk import Caller
    from pytest_metaspace.domain import Case, Finding, TrackedObject, Trajectory
    from pytest_metaspace.handles import MetaspaceAgent, MetaspaceScores
    from pytest_metaspace.spot import Spot


@dataclass(frozen=True)
class MetaspaceCase:
    """One case of a metamorphic relation, settled.

    Attributes:
        case: what was asked.
        trajectory: where.
    """

    case: Case
    trajectory: Trajectory
    _finding: Finding | None
    _item: pytest.Item
    _fail: bool
    looked: list[bool] = field(default_factory=list, repr=False)

    @property
    def outcome(self) -> str:
        """``satisfied``, ``violated``, ``inconclusive``, ``invalid`` or ``error``."""
        self.looked.append(True)
        return self._finding.outcome if self._finding else "error"

    @property
    def derivation(self) -> str:
        """Why, as text; empty when satisfied."""
        self.looked.append(True)
        return self._finding.text if self._finding else "this case was not settled"

    def check(self) -> None:
        """Report the case: fail with the derivation, skip when nothing can be said, or pass.

        Under ``--metaspace-violations=report`` a violation is counted and does not fail.
        """
        from pytest_metaspace import items

        __tracebackhide__ = True
        self.looked.append(True)
        if self._finding is not None:
            items.remember(self._item, self._finding, fail=self._fail)
        items.raise_for(self._item, self._finding, fail=self._fail)


@pytest.fixture
def metaspace_case(request: pytest.FixtureRequest) -> Iterator[MetaspaceCase]:
    """One settled case; parametrized over what the mark ``metaspace`` selects.

    A test that passes without looking at its case is an error: it would check nothing.
    """
    from pytest_metaspace.ledger import ledger_of

    case: Case = request.param
    ledger = ledger_of(request.config)
    assert ledger is not None
    handle = MetaspaceCase(
        case=case,
        trajectory=ledger.trajectories[case.trajectory],
        _finding=ledger.findings.get(case.address),
        _item=request.node,
        _fail=ledger.options.violations_fail,
    )
    failed_before = request.session.testsfailed
    yield handle
    if not handle.looked and request.session.testsfailed == failed_before:
        pytest.fail("metaspace_case was never looked at; call metaspace_case.check()", False)


@pytest.fixture
def metaspace_trajectory(request: pytest.FixtureRequest) -> Trajectory:
    """The trajectory of the case under test.

    A test that asks for no case runs once for each trajectory that its mark ``metaspace`` names,
    with or without an agent.
    """
    if "metaspace_case" in request.fixturenames:
        found: Trajectory = request.getfixturevalue("metaspace_case").trajectory
        return found
    if not hasattr(request, "param"):
        pytest.fail(
            "metaspace: metaspace_trajectory has to be an argument of the test or of one of its "
            "fixtures; getfixturevalue comes too late to choose trajectories.",
            pytrace=False,
        )
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def metaspace_objects(metaspace_trajectory: Trajectory) -> Mapping[str, TrackedObject]:
    """The tracked objects of the trajectory under test, by id; skips where there are none."""
    if not metaspace_trajectory.objects:
        pytest.skip(
            f"metaspace: {metaspace_trajectory.id} has no tracked objects: there is no "
            "objects.json, and no tracker was chosen (--metaspace-tracker=yolo:FILE.pt)"
        )
    from pytest_metaspace.handles import MetaspaceObjects

    return MetaspaceObjects(metaspace_trajectory.by_id)


# ---------------------------------------------------------------------------------- scores


@pytest.fixture(scope="session")
def metaspace_scores(request: pytest.FixtureRequest) -> MetaspaceScores:
    """The scores of this run: all selected cases are settled before the first test runs.

    They do not depend on which tests ran before, nor on ``-n``.
    """
    from pytest_metaspace import asides
    from pytest_metaspace.ledger import ledger_of

    ledger = ledger_of(request.config)
    if ledger is None:
        pytest.skip(options.NO_AGENT)
    return asides.scores(request.session, ledger)


# -------------------------------------------------------------------- questions on the spot


@pytest.fixture(scope="session")
def _metaspace_spot(request: pytest.FixtureRequest) -> Spot | Caller:
    """What has questions answered: the asking itself, or the way to the process that asks."""
    from pytest_metaspace import asides
    from pytest_metaspace.ledger import ledger_of

    ledger = ledger_of(request.config)
    if ledger is None:
        pytest.skip(options.NO_AGENT)
    asking = asides.asking(request.config, ledger)
    # A recording gets what was asked here after what the run has planned.
    request.config.add_cleanup(asking.close)
    return asking


@pytest.fixture
def metaspace_agent(
    request: pytest.FixtureRequest, _metaspace_spot: Spot | Caller
) -> MetaspaceAgent:
    """The agent under test; each distinct question is put to it once, and its answer stored."""
    from pytest_metaspace.handles import MetaspaceAgent
    from pytest_metaspace.ledger import ledger_of

    ledger = ledger_of(request.config)
    assert ledger is not None  # what has questions answered has skipped without one

    def find() -> Trajectory | None:
        if {"metaspace_case", "metaspace_trajectory"}.isdisjoint(request.fixturenames):
            return None
        found: Trajectory = request.getfixturevalue("metaspace_trajectory")
        return found

    given = ledger.options
    root, prompting = request.config.rootpath, given.settings.prompting
    return MetaspaceAgent(_metaspace_spot, root, find, prompting, given.showing)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist where its questions are answered."""
    if node.config.pluginmanager.has_plugin("metaspace-session"):  # there is an agent
        from pytest_metaspace import asides

        asides.open_desk(node)


# ---------------------------------------------------------------------------------- oracle


class OracleFixture:
    """The Prolog oracle, for tests that bring observations of their own."""

    def __init__(self, oracle: Any) -> None:
        self._oracle = oracle

    def assert_consistent(
        self, observations: Sequence[Mapping[str, Any]], *, relation: str, **case: Any
    ) -> None:
        """Fail with the derivation unless observations satisfy a relation.

        Args:
            observations: as ``metaspace judge`` takes them (docs/concepts.md).
            relation: its name, as in ``MR1``.
            case: further fields of the case, ``subjects`` first of all.
        """
        from pytest_metaspace.reports.derivation import plain

        __tracebackhide__ = True
        record = {"case": "test", "relation": relation, "observations": observations, **case}
        (found,) = self._oracle.judge([record], proofs="violated")
        found = self._oracle.confirmed(record, found)
        if found["verdict"] not in ("satisfied", "inconclusive"):
            pytest.fail("\n".join(plain(found)), pytrace=False)


@pytest.fixture(scope="session")
def metaspace_oracle(request: pytest.FixtureRequest) -> Iterator[OracleFixture]:
    """The Prolog oracle, with the laws of registered relations, too.

    Its ``assert_consistent`` fails with the derivation.
    """
    from pytest_metaspace import pipeline
    from pytest_metaspace.ledger import ledger_of
    from pytest_metaspace.registering import registered

    ledger = ledger_of(request.config)
    registries = registered(request.config) if ledger is None else ledger.registries
    settings = options.resolve(request.config).settings
    with pipeline.oracle_for(registries, settings) as oracle:
        yield OracleFixture(oracle)
