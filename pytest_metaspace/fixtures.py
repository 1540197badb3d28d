"""Fixtures for hand-written tests; nothing is imported until one is asked for."""

from __future__ import annotations

from dataclasses import dataclass
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
        outcome: ``satisfied``, ``violated``, ``inconclusive``, ``invalid`` or ``error``.
        derivation: why, as text; empty when satisfied.
    """

    case: Case
    trajectory: Trajectory
    outcome: str
    derivation: str
    _finding: Finding | None
    _item: pytest.Item
    _fail: bool

    def check(self) -> None:
        """Report the case: fail with the derivation, skip when nothing can be said, or pass.

        Under ``--metaspace-violations=report`` a violation is counted and does not fail.
        """
        from pytest_metaspace import items

        __tracebackhide__ = True
        if self._finding is not None:
            items.remember(self._item, self._finding, fail=self._fail)
        items.raise_for(self._finding, fail=self._fail)


@pytest.fixture
def metaspace_case(request: pytest.FixtureRequest) -> MetaspaceCase:
    """One settled case; parametrized over what the mark ``metaspace`` selects."""
    from pytest_metaspace.ledger import ledger_of

    case: Case = request.param
    ledger = ledger_of(request.config)
    assert ledger is not None
    found = ledger.findings.get(case.address)
    return MetaspaceCase(
        case=case,
        trajectory=ledger.trajectories[case.trajectory],
        outcome=found.outcome if found else "error",
        derivation=found.text if found else "this case was not settled",
        _finding=found,
        _item=request.node,
        _fail=ledger.options.violations_fail,
    )


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
