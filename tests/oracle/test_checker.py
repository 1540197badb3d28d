"""A second pair of eyes: every derivation is confirmed step by step, and a wrong one never is."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Oracle
from pytest_metaspace.oracle.checker import Checker, Unproved
from pytest_metaspace.oracle.givens import given
from pytest_metaspace.oracle.resolver import Resolver
from pytest_metaspace.oracle.terms import Unknown, computed, read_term, resolved, unify
from tests.oracle import anchored
from tests.oracle import test_hostile_text as hostile
from tests.oracle.reference import LABELS, LEVELS
from tests.oracle.test_against_reference import (
    direction,
    distance,
    measure,
    three,
)
from tests.oracle.test_derivations import SAYINGS

if TYPE_CHECKING:
    from pathlib import Path

    Case = dict[str, Any]

HOSTILE = [
    "it's",
    "a\\b",
    "new\nline",
    "\x07\x1b",
    "halt.",
    "[]",
    "'",
    '"',
    "É",
    "中文",
    "😀 x",
    "",
]


def a_case(rng: random.Random) -> Case:
    """Return a case of any relation with answers at random."""
    relation = rng.choice(["MR1", "MR2", "MR3", "MR4", "MR5", "MR6", "A1", "A2", "A3"])
    a, b, c = rng.sample(HOSTILE[:-1], k=3)
    if relation.startswith("A"):
        made = anchored.made(rng, relation, a, b, c)
        return {"case": "c", "semantics": rng.choice(["sound", "paper"]), **made}
    tall = rng.random() < 0.5

    def way(start: str, stop: str) -> Case:
        return direction(start, stop, rng.choice(LABELS), rng.choice(LEVELS) if tall else None)

    def far(start: str, stop: str) -> Case:
        return distance(start, stop, rng.randrange(6))

    case: Case = {"case": "c", "relation": relation, "subjects": [a, b]}
    if relation == "MR1":
        case |= {"subjects": [a, b, c], "observations": [way(a, b), way(b, c), way(a, c)]}
    elif relation == "MR2":
        case["observations"] = [way(a, b), way(b, a), far(a, b), far(b, a)]
    elif relation == "MR3":
        about: Case = {"kind": "direction", "from": a, "to": b, "planar": rng.choice(LABELS)}
        if rng.random() < 0.5:
            about = {"kind": "distance", "from": a, "to": b}
            about[rng.choice(["at_least", "exactly"])] = rng.randrange(6)
        claim = {"kind": "claim", "holds": rng.random() < 0.5, "about": about}
        case["observations"] = [way(a, b), far(a, b), claim, *rng.choice([[], [far(a, b)]])]
    elif relation == "MR4":
        case |= {"subjects": [a, b, c], "observations": [far(a, b), far(b, c), far(a, c)]}
        case["observations"] += rng.choice([[], [way(a, b), way(b, c), way(a, c)]])
        case["distance_metric"] = rng.choice(["planar", "spatial"])
    else:
        kinds = ["size_px", "depth"] if relation == "MR5" else ["size"]
        things = ["o"] if relation == "MR5" else ["o", "p"]
        case |= {"object": "o"} if relation == "MR5" else {"objects": things}
        case["observations"] = [
            measure(kind, frame, thing, round(rng.uniform(0.1, 9), rng.randrange(4)) + 0.1)
            for kind in kinds
            for frame in (a, b)
            for thing in things
        ]
    case |= {"semantics": rng.choice(["sound", "paper"]), "exact": rng.random() < 0.4}
    return case | rng.choice([{}, {"tolerance": {"steps": 1, "depth": 0.5, "size": 1}}])


@pytest.mark.parametrize("seed", range(3))
def test_every_derivation_checks(oracle: Oracle, seed: int) -> None:
    rng = random.Random(seed)
    cases = [a_case(rng) for _ in range(400)]
    seen = set()
    for case, found in zip(cases, oracle.judge(cases, proofs="all"), strict=True):
        assert "proof" in found, (case, found)
        told = oracle.confirmed(case, found)
        assert told["verdict"] != "error", (case, told)
        assert "proof" not in told
        seen.add((case["relation"], case["semantics"], told["verdict"]))
    assert len(seen) >= 34


def test_the_examples_of_the_derivations_check(each_oracle: Oracle) -> None:
    cases = [case for case, _ in SAYINGS]
    for case, found in zip(cases, each_oracle.judge(cases, proofs="all"), strict=True):
        assert each_oracle.confirmed(case, found)["verdict"] != "error"


def test_derivations_about_any_name_check(each_oracle: Oracle) -> None:
    cases = [hostile.pair(name, "other " + name) for name in hostile.HOSTILE]
    for case, found in zip(cases, each_oracle.judge(cases, proofs="violated"), strict=True):
        assert each_oracle.confirmed(case, found)["verdict"] == "violated"


def test_proofs_come_only_when_asked_for(oracle: Oracle) -> None:
    (plain,) = oracle.judge([SAYINGS[0][0]])
    (proved,) = oracle.judge([SAYINGS[0][0]], proofs="violated")
    assert plain == {key: value for key, value in proved.items() if key != "proof"}
    well = hostile.pair("a", "b", back="right")
    (satisfied,) = oracle.judge([well], proofs="violated")
    assert "proof" not in satisfied
    (satisfied,) = oracle.judge([well], proofs="all")
    assert "proof" in satisfied


CASE: Case = {**three(("front", "right", "left")), "case": "c"}
TOLERANT: Case = {
    "case": "c",
    "relation": "MR2",
    "subjects": ["a", "b"],
    "observations": [distance("a", "b", 1), distance("b", "a", 4)],
    "tolerance": {"steps": 2},
}
SIZES: Case = {
    "case": "c",
    "relation": "MR6",
    "subjects": ["a", "b"],
    "objects": ["o", "p"],
    "observations": [
        measure("size", frame, thing, value)
        for frame, thing, value in (("a", "o", 2), ("a", "p", 1), ("b", "o", 3), ("b", "p", 1))
    ],
}


@pytest.mark.parametrize(
    ("case", "old", "new", "complaint"),
    [
        (CASE, r"direction\(a,b,0\)\),0", "direction(a,b,0)),1", "observation 2 does not say"),
        (CASE, r"direction\(b,c,2\)", "direction(b,c,3)", "no instance at a leaf"),
        (CASE, r"direction\(a,c,6\)\),2", "direction(a,c,6)),7", "observation 8 does not say"),
        (CASE, r"\[0,1,2,none\]", "[0,1,2,3]", "no instance|does not hold"),
        (CASE, r"transitivity\.pl:26", "transitivity.pl:31", "no instance"),
        (CASE, r"transitivity\.pl:26", "transitivity.pl:27", "no clause at"),
        (CASE, r"transitivity\.pl:70", "transitivity.pl:80", "no instance"),
        (CASE, r"arc\(0,2,\[0,1,2\]\)", "arc(0,3,[0,1,2])", "no instance"),
        (CASE, r"corner\(0,2,2\)", "corner(0,2,3)", "does not hold"),
        (CASE, r"semantics\(sound\)", "semantics(paper)", "no instance"),
        (CASE, r"(?s)^(.*),not\)\)$", r"\1,true))", "is not proved by"),
        (
            CASE,
            r"(?s)^(.*),not\)\)$",
            r"\1,call(:(system,true))))",
            "no instance at call|not proved",
        ),
        (CASE, r"then\(", "else(", "not proved|no proof|holds"),
        (CASE, "violated", "satisfied", "no instance|proves"),
        (CASE, r"^step\(:\(transitivity", "step(:(symmetry", "by symmetry"),
        (CASE, r"(?s).*", "true", "no proof"),
        (CASE, r"(?s).*", "step(", "no proof"),
        (CASE, r"(?s).*", "", "no proof"),
        (TOLERANT, r"tolerance\(steps,2\)", "tolerance(steps,1)", "no instance|does not hold"),
        (TOLERANT, r"(tolerance\(steps,|1,4,)2", r"\g<1>1", "does not hold"),
        (SIZES, r"is\(2,", "is(4,", "no instance"),
        (SIZES, r"0\.5", "0.25", "does not hold"),
        (SIZES, r"0\.05", "0.01", "does not hold"),
    ],
)
def test_a_proof_with_a_wrong_step_does_not_check(
    oracle: Oracle, case: Case, old: str, new: str, complaint: str
) -> None:
    (found,) = oracle.judge([case], proofs="all")
    wrong = re.sub(old, new, found["proof"])
    if not old.startswith("(?s).*"):
        assert wrong != found["proof"], found["proof"]
    told = oracle.confirmed(case, {**found, "proof": wrong})
    assert told["verdict"] == "error"
    assert "internal error: the derivation does not check" in told["reason"]
    assert re.search(complaint, told["reason"]), told["reason"]


def test_what_is_denied_is_tried(oracle: Oracle) -> None:
    """A satisfied case cannot be proved violated: its last step denies what holds."""
    right = {**three(("front", "right", "right")), "case": "c"}
    (found,) = oracle.judge([CASE], proofs="all")
    proof = found["proof"].replace("direction(a,c,6)", "direction(a,c,2)")
    proof = re.sub(r"none\],6\)", "none],2)", proof)
    told = oracle.confirmed(right, {**found, "proof": proof})
    assert told["verdict"] == "error"
    assert "memberchk" in told["reason"]
    assert "holds" in told["reason"]


def test_the_facts_are_those_of_the_case(oracle: Oracle) -> None:
    (found,) = oracle.judge([CASE], proofs="all")
    for other in (
        {**CASE, **three(("front", "right", "back"))},
        {**CASE, "subjects": ["a", "c", "b"]},
        {**CASE, "semantics": "paper"},
        {**CASE, "exact": True},
        {**CASE, "relation": "MR2"},
    ):
        assert oracle.confirmed(other, dict(found))["verdict"] == "error"


def test_a_printed_step_must_be_in_the_proof(oracle: Oracle) -> None:
    (found,) = oracle.judge([CASE], proofs="all")
    for source in ("laws/transitivity.pl:57", "observation 9", "tolerance.depth"):
        extra = {"goal": "x", "because": "x", "children": [], "source": source}
        tree = {**found["derivation"], "children": [*found["derivation"]["children"], extra]}
        told = oracle.confirmed(CASE, {**found, "derivation": tree})
        assert f"{source} is no part of it" in told["reason"]


def test_another_clause_in_the_file_is_another_law(oracle: Oracle) -> None:
    """The engine's memory and the files disagree: what was proved is no instance any more."""
    (found,) = oracle.judge([CASE], proofs="all")
    rows = [
        [module, source, text.replace("[none]", "[0]") if ":70" in source else text]
        for module, source, text in oracle._clauses
    ]
    checker = Checker(rows)
    facts = given(CASE, checker.sectors, 0.1, 0.05)
    with pytest.raises(Unproved, match=r"no instance|does not hold"):
        checker.check(facts, "violated", found["derivation"], found["proof"])


def test_what_only_prolog_knows_is_taken_as_told(tmp_path: Path) -> None:
    (tmp_path / "odd_law.pl").write_text("""
:- module(odd_law, []).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- multifile metaspace:law/3, metaspace:text/2.
metaspace:law('ODD', odd_law, [subjects(2)]).
metaspace:text(odd_law:violated(_), "odd").
lacks(_) :- fail.
violated(steps(M)) :- subjects(A, B), distance(A, B, N), sum_list([N, 1], M), \\+ nth0(3, [], M).
satisfied(_) :- fail.
inconclusive(_) :- fail.
""")
    case = {
        "case": "c",
        "relation": "ODD",
        "subjects": ["a", "b"],
        "observations": [distance("a", "b", 4)],
    }
    with Oracle(laws=[tmp_path / "odd_law.pl"]) as oracle:
        (found,) = oracle.judge([case], proofs="all")
        assert oracle.confirmed(case, dict(found))["verdict"] == "violated"
        wrong = {**found, "proof": found["proof"].replace("distance(a,b,4)", "distance(a,b,5)")}
        assert oracle.confirmed(case, wrong)["verdict"] == "error"


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("a", "a"),
        ("'it\\'s'", "it's"),
        ("'a''b'", "a'b"),
        ("'a\\\\b'", "a\\b"),
        ("'\\x1b\\'", "\x1b"),
        ("'\\x1b\\\\'c'", "\x1b'c"),
        ("'new\\nline'", "new\nline"),
        ("f(a,-1,2.5,1.0e-9)", ("f", "a", -1, 2.5, 1.0e-9)),
        ("-(1)", ("-", 1)),
        ("-(a,1)", ("-", "a", 1)),
        ("[]", "[]"),
        ("[1,[a]]", ("[|]", 1, ("[|]", ("[|]", "a", "[]"), "[]"))),
        ("[a|b]", ("[|]", "a", "b")),
        ("','(a,;(b,!))", (",", "a", (";", "b", "!"))),
        ("\\==(a,\\+(b))", ("\\==", "a", ("\\+", "b"))),
        ("f('','[]')", ("f", "", "[]")),
    ],
)
def test_terms_are_read(text: str, term: object) -> None:
    assert read_term(text) == term
    assert type(read_term(text)) is type(term)


def test_variables_of_one_name_are_one() -> None:
    read = read_term("f(A,B,A,_,_)")
    assert unify(read, ("f", 1, 2, 1, 3, 4), [])
    assert not unify(read_term("f(A,A)"), ("f", 1, 2), [])
    assert not unify(1, 1.0, [])
    other = read_term("f(A)")
    assert unify(other, ("f", ("g", "x")), [])
    assert resolved(other) == ("f", ("g", "x"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+(1,2)", 3),
        ("/(4,2)", 2),
        ("/(3,2)", 1.5),
        ("/(1,0.0)", float("inf")),
        ("mod(-2,8)", 6),
        ("max(1,2.5)", 2.5),
        ("floor(2.7)", 2),
        ("sign(-3)", -1),
        ("cos(pi)", -1.0),
    ],
)
def test_arithmetic_is_prologs(text: str, value: float) -> None:
    assert computed(read_term(text)) == value
    assert type(computed(read_term(text))) is type(value)
    with pytest.raises(Unknown):
        computed(read_term("gcd(1,2)"))


@pytest.mark.parametrize(
    ("goal", "holds"),
    [
        ("','(cut(X),=(X,2))", False),
        ("','(commit(a,Y),=(Y,2))", False),
        ("commit(b,2)", True),
        ("','(both(X),=(X,2))", True),
        (";(fail,both(2))", True),
        (";(->(both(X),=(X,2)),true)", False),
        (";(->(fail,true),both(2))", True),
        ("->(both(3),true)", False),
        ("\\+(both(3))", True),
        ("','(\\+(=(X,1)),true)", False),
    ],
)
def test_the_resolver_searches_as_prolog_does(goal: str, holds: bool) -> None:
    clauses = ":-(cut(1),!) cut(2) =>(commit(a,Y),=(Y,1)) =>(commit(_,Y),=(Y,2)) both(1) both(2)"
    resolver = Resolver([("m", str(n), text) for n, text in enumerate(clauses.split())])
    resolver.give([])
    assert resolver.holds(read_term(goal), "m") is holds
