"""Fixtures for hand-written tests; nothing is imported until one is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Case, Finding, Trajectory


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
def metaspace_trajectory(metaspace_case: MetaspaceCase) -> Trajectory:
    """The trajectory of the case under test."""
    return metaspace_case.trajectory


class OracleFixture:
    """The Prolog oracle, for tests that bring observations of their own."""

    def __init__(self, oracle: Any) -> None:
        self._oracle = oracle

    def assert_consistent(
        self, observations: Sequence[Mapping[str, Any]], *, relation: str, **case: Any
    ) -> None:
        """Fail with the derivation unless observations satisfy a relation.

        Args:
            observations: as RELATIONS writes them, docs/concepts.md.
            relation: its name, as in ``MR1``.
            case: further fields of the case, ``subjects`` first of all.
        """
        from pytest_metaspace.reports.derivation import plain

        __tracebackhide__ = True
        record = {"case": "test", "relation": relation, "observations": observations, **case}
        (found,) = self._oracle.judge([record])
        if found["verdict"] not in ("satisfied", "inconclusive"):
            pytest.fail("\n".join(plain(found)), pytrace=False)


@pytest.fixture(scope="session")
def metaspace_oracle(request: pytest.FixtureRequest) -> Iterator[OracleFixture]:
    """The Prolog oracle; ``assert_consistent`` fails with the derivation."""
    from pytest_metaspace.oracle import Oracle

    settings = options.resolve(request.config).settings
    with Oracle(settings.engine, epsilon=settings.epsilon, delta=settings.delta) as oracle:
        yield OracleFixture(oracle)
