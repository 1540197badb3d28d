"""Whichever host judges, the answers are the same bytes, derivations included.

A spread sample of what is shipped; ``benchmarks/hosts.py`` compares all of it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Oracle
from pytest_metaspace.oracle.wire import encoded_case
from tests.oracle.corpus import shipped
from tests.oracle.engines import needs_wasm

if TYPE_CHECKING:
    from pytest_metaspace.oracle.engine import EngineName

    Case = dict[str, Any]
    Replies = list[str | None]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(shipped(most=9))


def replies(engine: EngineName, cases: list[Case]) -> Replies:
    with Oracle(engine, derivations="all") as oracle:
        return list(oracle.judge_terms(map(encoded_case, cases)))


@pytest.fixture(scope="module")
def through_pyswip(cases: list[Case]) -> Replies:
    return replies("pyswip", cases)


@pytest.mark.parametrize("engine", ["swipl", pytest.param("wasm", marks=needs_wasm)])
def test_cases_of_every_shipped_trajectory_are_answered_alike(
    engine: EngineName, cases: list[Case], through_pyswip: Replies
) -> None:
    assert replies(engine, cases) == through_pyswip


def test_the_sample_has_every_verdict_of_every_relation(
    cases: list[Case], through_pyswip: Replies
) -> None:
    found = defaultdict(set)
    for case, reply in zip(cases, through_pyswip, strict=True):
        found[case["relation"]].add(json.loads("{" + str(reply))["verdict"])
    decided = {"satisfied", "violated", "invalid", "error"}
    assert found.pop("MR1") == decided | {"inconclusive"}  # the others always say something
    assert found.pop("A1") >= {"satisfied", "violated"}  # one question a case: few are spoilt
    assert found.pop("A2") >= {"satisfied", "violated", "inconclusive"}
    assert dict(found) == {**{f"MR{number}": decided for number in range(2, 7)}, "A3": decided}
