"""Engines that are started once for all tests of the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Oracle
from tests.oracle.engines import ENGINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Judge = Callable[[Mapping[str, object]], dict[str, Any]]


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    with Oracle(derivations="all") as running:
        yield running


@pytest.fixture(scope="session")
def judge(oracle: Oracle) -> Judge:
    """Judge one case."""

    def judge_one(case: Mapping[str, object]) -> dict[str, Any]:
        (result,) = oracle.judge([case])
        return result

    return judge_one


@pytest.fixture(scope="session", params=ENGINES)
def each_oracle(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    with Oracle(request.param, derivations="all") as running:
        yield running
