"""What a derivation says, and that it points at what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Oracle
from pytest_metaspace.oracle.hosts import prolog_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Case = dict[str, Any]
    Judge = Callable[[Case], Case]


def direction(a: str, b: str, planar: str, *vertical: str) -> Case:
    entry: Case = {"kind": "direction", "from": a, "to": b, "planar": planar}
    return {**entry, "vertical": vertical[0]} if vertical else entry


def distance(a: str, b: str, steps: int) -> Case:
    return {"kind": "distance", "from": a, "to": b, "steps": steps}


def measure(kind: str, frame: str, thing: str, value: float) -> Case:
    return {"kind": kind, "frame": frame, "object": thing, "value": value}


def a_case(relation: str, subjects: str, entries: list[Case], **keys: object) -> Case:
    case = {"case": "c", "relation": relation, "subjects": subjects.split()}
    return {**case, "observations": entries, **keys}


def three(*labels: str, names: str = "chair-1 lamp-3 table-2", **keys: object) -> Case:
    s1, s2, s3 = names.split()
    pairs = [(s1, s2), (s2, s3), (s1, s3)]
    entries = [direction(*pair, *label.split()) for pair, label in zip(pairs, labels, strict=True)]
    return a_case("MR1", names, entries, **keys)


def closing(m12: int, m23: int, m13: int, *labels: str, **keys: object) -> Case:
    pairs = [("s1", "s2"), ("s2", "s3"), ("s1", "s3")]
    entries = [distance(*pair, m) for pair, m in zip(pairs, (m12, m23, m13), strict=True)]
    entries += [direction(*pair, label) for pair, label in zip(pairs, labels, strict=False)]
    return a_case("MR4", "s1 s2 s3", entries, distance_metric="planar", **keys)


def boxes(depth: float, **keys: object) -> Case:
    entries = [
        measure("size_px", "f004", "chair-1", 100),
        measure("size_px", "f009", "chair-1", 50),
    ]
    entries += [measure("depth", "f004", "chair-1", 2), measure("depth", "f009", "chair-1", depth)]
    return a_case("MR5", "f004 f009", entries, object="chair-1", **keys)


def ratios(size: float, **keys: object) -> Case:
    entries = [measure("size", "f1", "o", 2), measure("size", "f1", "p", 1)]
    entries += [measure("size", "f2", "o", size), measure("size", "f2", "p", 1)]
    return a_case("MR6", "f1 f2", entries, objects=["o", "p"], **keys)


def claimed(holds: bool, entry: Case, **about: object) -> Case:
    kind = "direction" if "planar" in about else "distance"
    claim = {
        "kind": "claim",
        "holds": holds,
        "about": {"kind": kind, "from": "a", "to": "b", **about},
    }
    return a_case("MR3", "a b", [entry, claim])


def columns(thing: str, left: float, right: float) -> Case:
    return {"kind": "columns", "frame": "f", "object": thing, "left": left, "right": right}


def went(answer: Case) -> Case:
    """An answer about one step forward after a turn right."""
    still = {"forward": 0, "right": 0, "up": 0, "turn": 90}
    given: list[Case] = [
        {"kind": "heading", "at": "s0"},
        {"kind": "action", "from": "s0", "to": "s1", **still},
        {"kind": "action", "from": "s1", "to": "s2", **still, "forward": 0.25},
        {"kind": "step_length", "metres": 0.25},
    ]
    return a_case("A2", "s1 s2", [answer, *given], wording="forward")


def chosen(relation: str, one: str, other: str, **becomes: str) -> Case:
    """Two questions with options, and what the answer to one makes of the other's."""
    entries: list[Case] = [
        {"kind": "choice", "question": question, "option": option}
        for question, option in (("as it was", one), ("mirrored", other))
    ]
    entries += [{"kind": "becomes", "option": a, "becomes": b} for a, b in becomes.items()]
    return {**a_case(relation, "x y", entries), "subjects": ["as it was", "mirrored"]}


def true(entry: Case) -> Case:
    return {"kind": "true", "about": entry}


CANNOT = "These answers cannot all be true: "
CAN = "These answers can all be true: "
NOTHING = "The relation says nothing about these answers: "
SAYINGS = [
    (
        three("front", "right", "left"),
        CANNOT + "front then right can only end front, front-right or right; or none, "
        "but left was answered.",
    ),
    (
        three("front", "right", "left", wording="forward"),
        CANNOT + "forward then right can only end forward, forward-right or right; or none, "
        "but left was answered.",
    ),
    (
        three("back", "right", "left", wording="farther"),
        CANNOT + "nearer then right can only end nearer, nearer-right or right; or none, "
        "but left was answered.",
    ),
    (
        three("north", "east", "west", wording="forward"),
        CANNOT + "north then east can only end north, northeast or east; or none, "
        "but west was answered.",
    ),
    (
        three("none below", "none below", "none level", wording="forward"),
        CANNOT + "down then down can only end down, but level was answered.",
    ),
    (
        three("back above", "back above", "front above", wording="watched"),
        CANNOT + "nearer then nearer can only end nearer, but farther was answered.",
    ),
    (
        three("none below", "none below", "none level", wording="watched"),
        CANNOT + "down then down can only end down, but level was answered.",
    ),
    (
        three("left above", "left level", "left level", semantics="paper"),
        CANNOT + "left and above then left and level can only end left and above, "
        "but left and level was answered.",
    ),
    (
        three("left", "right", "front"),
        (
            "The relation says nothing about these answers: "
            "after left then right any direction may follow."
        ),
    ),
    (
        three("front", "right", "front-right"),
        "These answers can all be true: front-right can be the direction from chair-1 to table-2.",
    ),
    (
        a_case("MR2", "a b", [direction("a", "b", "left"), direction("b", "a", "left")]),
        CANNOT + "the way back from left is right, but left was answered.",
    ),
    (
        a_case("MR2", "a b", [distance("a", "b", 1), distance("b", "a", 4)]),
        CANNOT + "the way there is 1 step, but 4 steps back was answered.",
    ),
    (
        a_case(
            "MR2", "a b", [distance("a", "b", 1), distance("b", "a", 4)], tolerance={"steps": 2}
        ),
        CANNOT + "the way there is 1 step, but 4 steps back was answered, "
        "and a difference of 2 steps is allowed.",
    ),
    (
        claimed(False, distance("a", "b", 3), at_least=2),
        CANNOT + "asked openly, the distance from a to b is 3 steps; "
        'but no was answered to "the distance from a to b is 2 steps or more".',
    ),
    (
        claimed(True, direction("a", "b", "left"), planar="right"),
        CANNOT + "asked openly, left is the direction from a to b; "
        'but yes was answered to "right is the direction from a to b".',
    ),
    (
        a_case("MR3", "a b", [distance("a", "b", 3), distance("a", "b", 4)]),
        CANNOT + "asked first, 3 steps was answered; but asked again, 4 steps.",
    ),
    (
        closing(3, 2, 9, "left", "left"),
        CANNOT + "3 steps (2.5 .. 3.5) then 2 steps (1.5 .. 2.5) straight on close to "
        "3.715 .. 6 steps; answered 9 (8.5 .. 9.5).",
    ),
    (
        closing(3, 2, 6, "left", "left", exact=True),
        CANNOT + "3 steps then 2 steps along these bearings end 5 steps away, rounded 5 steps; "
        "answered 6.",
    ),
    (
        closing(3, 2, 5, semantics="paper"),
        CANNOT + "3 steps then 2 steps end less than 5 steps away; answered 5.",
    ),
    (
        boxes(5),
        CANNOT + "by its boxes the second depth is 2 times the first, answered was 2.5 times: "
        "off by 0.25 (25 %), and tau allows 0.1.",
    ),
    (
        boxes(5, semantics="paper"),
        CANNOT + "by its boxes the second depth is 2 times the first, answered was 2.5 times: "
        "a difference of 0.5, and less than 0.1 is allowed.",
    ),
    (
        a_case(
            "A1",
            "a b",
            [
                direction("a", "b", "left"),
                columns("a", 10, 90),
                columns("b", 110.5, 190),
                {"kind": "principal_column", "frame": "f", "column": 100},
            ],
            wording="farther",
        ),
        (
            "This answer cannot be true: b lies to the right of a by its box, "
            "so left cannot be the direction there."
        ),
    ),
    (
        went(direction("s1", "s2", "front")),
        (
            "This answer cannot be true: from s1 to s2 the executed actions lead right, "
            "so it cannot be forward."
        ),
    ),
    (
        went(distance("s1", "s2", 1)),
        "This answer can be true: from s1 to s2 the executed actions lead 1 step.",
    ),
    (
        a_case("A3", "f", [measure("depth", "f", "o", 3), true(measure("depth", "f", "o", 2))]),
        "This answer cannot be true: 3 m is not near enough to 2 m.",
    ),
    (
        a_case("A3", "a b", [distance("a", "b", 3), true(distance("a", "b", 1))]),
        "This answer cannot be true: it is 1 step and not 3 steps.",
    ),
    (
        ratios(3),
        CANNOT + "the ratios are 2 and 3: off by 0.5 (50 %), and delta allows 0.05.",
    ),
]


SAYINGS_OF_ITEMS = [
    (
        chosen("MAP", "left", "left", left="right"),
        CANNOT + 'when mirrored, the answer had to be "right", and it was "left".',
    ),
    (
        chosen("MAP", "left", "right", left="right"),
        CAN + 'when mirrored, the answer had to be "right", and so it was.',
    ),
    (
        chosen("MAP", "above", "right", left="right"),
        NOTHING + 'nothing follows from "above" when as it was.',
    ),
    (
        chosen("DIFF", "lamp", "lamp"),
        CANNOT + '"lamp" cannot be the answer both when as it was and when mirrored.',
    ),
    (
        chosen("DIFF", "lamp", "cup"),
        CAN + '"lamp" and "cup" are different.',
    ),
]


@pytest.mark.parametrize(("case", "summary"), [*SAYINGS, *SAYINGS_OF_ITEMS])
def test_the_summary_is_one_plain_sentence(judge: Judge, case: Case, summary: str) -> None:
    assert judge(case)["derivation"]["summary"] == summary


def nodes(node: Case) -> Iterator[Case]:
    yield node
    for child in node["children"]:
        yield from nodes(child)


@pytest.mark.parametrize("case", [case for case, _ in SAYINGS])
def test_leaves_point_at_observations_and_steps_at_clauses(judge: Judge, case: Case) -> None:
    root = judge(case)["derivation"]
    told = set()
    for node in nodes(root):
        assert set(node) - {"observation", "summary"} == {"goal", "because", "children", "source"}
        if "observation" in node:
            number = node["observation"]
            assert node["source"] == node["because"] == f"observation {number + 1}"
            assert not node["children"]
            entry = case["observations"][number]
            assert all(
                entry[key] in node["goal"] for key in ("from", "to", "frame") if key in entry
            )
            told.add(number)
        elif not node["source"].startswith("tolerance."):
            name, line = node["source"].split(":")
            text = (prolog_folder() / name).read_text().splitlines()[int(line) - 1]
            assert text[0].isalpha()
            assert "(" in text
    assert len(told) >= 2


def test_a_derivation_names_answers_in_order_and_the_rule_between(judge: Judge) -> None:
    root = judge(three("front", "right", "left"))["derivation"]
    assert root["goal"] == "left cannot be the direction from chair-1 to table-2"
    assert root["because"] == "MR1, read as sound"
    assert [child["goal"] for child in root["children"]] == [
        "front is the direction from chair-1 to lamp-3",
        "right is the direction from lamp-3 to table-2",
        "front then right can only end front, front-right or right; or none",
        "left is the direction from chair-1 to table-2",
    ]
    assert [child.get("observation") for child in root["children"]] == [0, 1, None, 2]
    assert root["children"][2]["source"].startswith("laws/transitivity.pl:")


def test_the_accused_tolerance_is_told_with_its_parts(judge: Judge) -> None:
    parts = {"epsilon": 0.1, "1.5 px of f004": 0.015, "1.5 px of f009": 0.03, "extent": 0.047}
    case = boxes(5, tolerance={"depth": 0.192, "depth_parts": parts})
    goals = {node["goal"]: node for node in nodes(judge(case)["derivation"])}
    told = (
        "tau is 0.192 = 0.1 (epsilon) + 0.015 (1.5 px of f004) + 0.03 (1.5 px of f009)"
        " + 0.047 (extent)"
    )
    assert goals[told]["because"] == "given with the case"
    assert goals[told]["source"] == "tolerance.depth"
    assert "the box of chair-1 is 100 px high in f004" in goals
    assert "chair-1 is 5 m away in f009" in goals
    default = {node["goal"]: node for node in nodes(judge(boxes(5))["derivation"])}
    assert default["tau is 0.1"]["because"] == "the default"


def test_wrong_parts_of_a_tolerance_are_left_out(judge: Judge) -> None:
    for parts in ([0.1], {"epsilon": "0.1"}, None):
        case = boxes(5, tolerance={"depth": 0.192, "depth_parts": parts})
        goals = [node["goal"] for node in nodes(judge(case)["derivation"])]
        assert "tau is 0.192" in goals


def test_asking_twice_points_at_both_answers(judge: Judge) -> None:
    case = a_case("MR3", "a b", [distance("a", "b", 3), distance("a", "b", 3)])
    root = judge(case)["derivation"]
    assert [child["observation"] for child in root["children"]] == [0, 1]


def test_satisfied_cases_are_derived_only_when_asked_for() -> None:
    cases = [three("front", "right", "right"), three("front", "right", "left")]
    cases += [three("left", "right", "left"), three("left", "right", "nowhere")]
    with Oracle(derivations="violated") as oracle:
        results = list(oracle.judge(cases))
    assert [result["verdict"] for result in results] == [
        "satisfied",
        "violated",
        "inconclusive",
        "invalid",
    ]
    assert ["derivation" in result for result in results] == [False, True, True, True]


def test_long_names_are_cut_and_still_tell_apart_what_they_can(judge: Judge) -> None:
    root = judge(three("front", "right", "left", names=f"{'x' * 500} b c"))["derivation"]
    assert f"from {'x' * 77}... to c" in root["goal"]


def test_the_engine_is_plain_ascii() -> None:
    for file in Path(prolog_folder()).rglob("*.pl*"):
        assert file.read_bytes().isascii(), file
        assert b"\t" not in file.read_bytes(), file


def test_of_several_violations_the_shortest_is_told(tmp_path: Path) -> None:
    law = tmp_path / "odd.pl"
    law.write_text(
        ":- module(odd, []).\n:- use_module(metaspace(facts)).\n:- multifile metaspace:law/3.\n"
        "metaspace:law('ODD', odd, [subjects(2)]).\n"
        "violated(detour) :- distance(a, b, _), distance(b, a, _), distance(a, b, _).\n"
        "violated(short) :- distance(b, a, _).\n"
        "violated(as_short) :- distance(a, b, _).\n"
        "satisfied(_) :- fail.\ninconclusive(_) :- fail.\nlacks(_) :- fail.\n"
    )
    case = a_case("ODD", "a b", [distance("a", "b", 1), distance("b", "a", 1)])
    with Oracle(laws=[law]) as oracle:
        (found,) = oracle.judge([case], proofs="all")
        assert found["derivation"]["source"] == "odd.pl:6"
        assert oracle.confirmed(case, found)["verdict"] == "violated"
