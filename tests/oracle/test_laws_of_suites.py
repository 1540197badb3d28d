"""The laws of suites against a second implementation, through each host, and step by step."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Missing, Unreadable
from tests.oracle import tied

if TYPE_CHECKING:
    from pytest_metaspace.oracle import Oracle

    Case = dict[str, Any]

NAMES = ["cones", "it's", "new\nline", "it's, mirrored", "\u202edrow"]
UNDECIDED = {"MAP", "IMP", "INV"}
"""Laws that may say nothing."""


def some(relation: str, count: int, seed: int = 1) -> list[Case]:
    rng = random.Random(f"{relation} {seed}")
    return [{**tied.made(rng, relation, NAMES), "case": str(n)} for n in range(count)]


@pytest.mark.parametrize("relation", tied.LAWS)
def test_a_law_agrees_with_the_reference_and_always_gives_one_verdict(
    oracle: Oracle, relation: str
) -> None:
    cases = some(relation, 400)
    found = [one["verdict"] for one in oracle.judge(cases)]
    assert found == [tied.reference(case) for case in cases]
    decided = {"satisfied", "violated"}
    assert set(found) == decided | ({"inconclusive"} if relation in UNDECIDED else set())


def test_every_host_derives_alike_and_every_derivation_checks(
    oracle: Oracle, each_oracle: Oracle
) -> None:
    cases = [case for relation in tied.LAWS for case in some(relation, 12, seed=2)]
    found = list(each_oracle.judge(cases, proofs="all"))
    checked = [each_oracle.confirmed(case, one) for case, one in zip(cases, found, strict=True)]
    assert checked == list(oracle.judge(cases))


@pytest.mark.parametrize("relation", tied.LAWS)
def test_no_derivation_checks_with_another_answer(oracle: Oracle, relation: str) -> None:
    case = next(one for one in some(relation, 99) if tied.reference(one) == "violated")
    (found,) = oracle.judge([case], proofs="all")
    other = re.sub(r"facts,choice\((.*?),(?:\d+|'[^']*')\)", r"facts,choice(\1,7)", found["proof"])
    assert other != found["proof"]
    assert oracle.confirmed(case, {**found, "proof": other})["verdict"] == "error"


WRONG: list[tuple[str, list[Case], str, str]] = [
    (
        "DIFF",
        [tied.choice("c", -1)],
        "invalid",
        "option is -1, which is not a string that stands for an option, or a whole number from 0",
    ),
    ("DIFF", [tied.choice("c", 2.5)], "invalid", "option is 2.5"),
    (
        "IMP",
        [
            {"kind": "if_counts", "rule": "r", "compares": "most", "first": "a", "second": "b"},
            {"kind": "then_answer", "rule": "r", "question": "a", "option": 1},
        ],
        "invalid",
        'compares is "most", which is not more, equal or fewer',
    ),
    ("IMP", [], "error", "no then_answer"),
    ("SUM", [], "error", "no side of a"),
    ("INV", [], "error", "no asks_about of a"),
    (
        "MON",
        [{"kind": "side", "side": "left", "question": name} for name in "ab"],
        "error",
        "no side that is right",
    ),
    (
        "IMP",
        [{"kind": "then_answer", "rule": "r", "question": "c", "option": 1}],
        "error",
        "c is none of the subjects",
    ),
]


@pytest.mark.parametrize(("relation", "more", "verdict", "told"), WRONG)
def test_what_is_wrong_with_a_case_is_told(
    oracle: Oracle, relation: str, more: list[Case], verdict: str, told: str
) -> None:
    answers = [tied.choice(name, 1) for name in "ab"]
    case = {"case": "c", "relation": relation, "subjects": ["a", "b"]}
    (found,) = oracle.judge([{**case, "observations": [*answers, *more]}])
    assert found["verdict"] == verdict
    assert told in str(found)


@pytest.mark.parametrize(
    ("spoilt", "verdict", "reason"),
    [
        (Unreadable("no number"), "invalid", "could not be read: no number"),
        (Missing("the line was dead"), "error", "has no answer: the line was dead"),
    ],
)
def test_one_answer_that_is_unreadable_or_missing_decides_about_the_case(
    each_oracle: Oracle, spoilt: object, verdict: str, reason: str
) -> None:
    cases = [case for relation in tied.LAWS for case in some(relation, 6, seed=3)]
    for case in cases:
        said = [entry for entry in case["observations"] if entry["kind"] == "choice"]
        said[int(case["case"]) % len(said)]["option"] = spoilt
    for one in each_oracle.judge(cases):
        assert one["verdict"] == verdict, one
        assert reason in one["reason"]


def test_too_few_subjects_are_told(oracle: Oracle) -> None:
    case = {"case": "c", "relation": "DIFF", "subjects": ["a"], "observations": []}
    (found,) = oracle.judge([case])
    assert found["reason"] == '"subjects" is not a list of at least 2 strings'
    (found,) = oracle.judge([{**case, "relation": "IMP", "subjects": []}])
    assert found["reason"] == '"subjects" is not a list of at least 1 string'
