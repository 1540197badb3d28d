"""A large case takes nothing from those that come after it, through every host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Oracle
from tests.oracle.engines import ENGINES

if TYPE_CHECKING:
    from collections.abc import Iterator

#  Eight times in a case: as text, a third of what the stacks may take.
LONG = "x" * 6_000_000


def pair(a: str, b: str) -> dict[str, Any]:
    return {
        "case": a + b,
        "relation": "MR2",
        "subjects": [a, b],
        "observations": [
            {"kind": "direction", "from": a, "to": b, "planar": "left"},
            {"kind": "direction", "from": b, "to": a, "planar": "left"},
        ],
    }


@pytest.fixture(params=ENGINES)
def oracle(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    with Oracle(request.param, derivations="none", chunk=4) as running:
        yield running


def running(oracle: Oracle) -> int:
    oracle.describe()
    assert oracle._child is not None
    return oracle._child.pid


def test_large_cases_travel_alone_and_need_no_new_engine(oracle: Oracle) -> None:
    first = running(oracle)
    results = list(oracle.judge([pair("a", "b"), *[pair(LONG, LONG)] * 2, pair("a", "c")]))
    assert [one["verdict"] for one in results] == ["violated", "error", "error", "violated"]
    assert [one["case"] for one in results] == ["ab", LONG * 2, LONG * 2, "ac"]
    assert [one["verdict"] for one in oracle.judge([pair("a", "d")])] == ["violated"]
    assert running(oracle) == first
