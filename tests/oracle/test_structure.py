"""Cases that are not as they should be, and which verdict wins."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Missing, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    Case = dict[str, Any]
    Judge = Callable[[Case], Case]

ABSENT = object()


def direction(a: str, b: str, planar: object, **keys: object) -> Case:
    return {"kind": "direction", "from": a, "to": b, "planar": planar, **keys}


def distance(a: str, b: str, steps: object) -> Case:
    return {"kind": "distance", "from": a, "to": b, "steps": steps}


def symmetric() -> Case:
    entries = [direction("a", "b", "left"), direction("b", "a", "right"), distance("a", "b", 3)]
    entries.append(distance("b", "a", 3))
    return {"case": "c", "relation": "MR2", "subjects": ["a", "b"], "observations": entries}


def claimed() -> Case:
    about = {"kind": "distance", "from": "a", "to": "b", "at_least": 2}
    entries = [distance("a", "b", 3), {"kind": "claim", "holds": True, "about": about}]
    return {"case": "c", "relation": "MR3", "subjects": ["a", "b"], "observations": entries}


def sized() -> Case:
    entries = [
        {"kind": "size", "frame": frame, "object": thing, "value": 1.5}
        for frame in "fg"
        for thing in "op"
    ]
    keys = {"subjects": ["f", "g"], "objects": ["o", "p"], "observations": entries}
    return {"case": "c", "relation": "MR6", **keys}


def deep() -> Case:
    entries = [
        {"kind": kind, "frame": frame, "object": "o", "value": 2}
        for frame in "fg"
        for kind in ("size_px", "depth")
    ]
    keys = {"subjects": ["f", "g"], "object": "o", "observations": entries}
    return {"case": "c", "relation": "MR5", **keys}


def changed(case: Case, path: tuple[object, ...], value: object) -> Case:
    """Return the case with one value replaced or, for ABSENT, taken away."""
    case = copy.deepcopy(case)
    place: Any = case
    for key in path[:-1]:
        place = place[key]
    if value is ABSENT:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return case


@pytest.mark.parametrize("case", [symmetric(), claimed(), sized(), deep()])
def test_the_cases_below_are_right_before_they_are_changed(judge: Judge, case: Case) -> None:
    assert judge(case)["verdict"] == "satisfied"


@pytest.mark.parametrize(
    ("case", "path", "value", "words"),
    [
        (symmetric(), ("case",), ABSENT, "case"),
        (symmetric(), ("case",), 7, "case"),
        (symmetric(), ("relation",), ABSENT, "relation"),
        (symmetric(), ("relation",), "MR7", "MR7"),
        (symmetric(), ("relation",), None, "relation"),
        (symmetric(), ("semantics",), "loose", "loose"),
        (symmetric(), ("semantics",), None, "semantics"),
        (symmetric(), ("distance_metric",), "manhattan", "manhattan"),
        (symmetric(), ("exact",), "true", "exact"),
        (symmetric(), ("exact",), 1, "exact"),
        (symmetric(), ("subjects",), ABSENT, "subjects"),
        (symmetric(), ("subjects",), ["a"], "2 strings"),
        (symmetric(), ("subjects",), ["a", "b", "c"], "2 strings"),
        (symmetric(), ("subjects",), ["a", "a"], "twice"),
        (symmetric(), ("subjects",), ["a", 1], "strings"),
        (symmetric(), ("subjects",), ["a", None], "strings"),
        (symmetric(), ("subjects",), "ab", "subjects"),
        (symmetric(), ("subjects",), ["a", []], "strings"),
        (symmetric(), ("observations",), ABSENT, "observations"),
        (symmetric(), ("observations",), {}, "observations"),
        (symmetric(), ("observations",), [], "neither direction nor distance"),
        (symmetric(), ("observations", 0), "left", "observation 1"),
        (symmetric(), ("observations", 1), None, "observation 2"),
        (symmetric(), ("observations", 0), ABSENT, "no direction from a to b"),
        (symmetric(), ("observations", 3), ABSENT, "no distance from b to a"),
        (symmetric(), ("observations", 0, "kind"), ABSENT, "kind"),
        (symmetric(), ("observations", 0, "kind"), "smell", "smell"),
        (symmetric(), ("observations", 0, "from"), ABSENT, "from"),
        (symmetric(), ("observations", 0, "to"), 3, "to"),
        (symmetric(), ("observations", 0, "planar"), ABSENT, "planar"),
        (symmetric(), ("observations", 2, "steps"), ABSENT, "steps"),
        (symmetric(), ("observations", 0, "planar"), Missing("no recording"), "no recording"),
        (symmetric(), ("tolerance",), None, "tolerance"),
        (symmetric(), ("tolerance",), {"steps": "1"}, "tolerance.steps"),
        (symmetric(), ("tolerance",), {"steps": None}, "tolerance.steps"),
        (symmetric(), ("tolerance",), {"steps": True}, "tolerance.steps"),
        (symmetric(), ("tolerance",), {"depth": math.nan}, "tolerance.depth"),
        (symmetric(), ("tolerance",), {"size": -1}, "tolerance.size"),
        (claimed(), ("observations", 1, "about"), ABSENT, "about"),
        (claimed(), ("observations", 1, "about"), "left", "about"),
        (claimed(), ("observations", 1, "about", "kind"), "depth", "depth"),
        (claimed(), ("observations", 1, "about", "from"), ABSENT, "from"),
        (claimed(), ("observations", 1, "about", "at_least"), ABSENT, "at_least"),
        (claimed(), ("observations", 1, "about", "exactly"), 2, "both"),
        (claimed(), ("observations", 1, "holds"), ABSENT, "holds"),
        (claimed(), ("observations", 1, "holds"), Missing("timeout"), "timeout"),
        (sized(), ("objects",), ABSENT, "objects"),
        (sized(), ("objects",), ["o"], "2 strings"),
        (sized(), ("objects",), ["o", "o"], "twice"),
        (sized(), ("observations", 0, "frame"), ABSENT, "frame"),
        (sized(), ("observations", 0, "object"), 1, "object"),
        (sized(), ("observations", 0, "value"), ABSENT, "value"),
        (sized(), ("observations", 0), ABSENT, "no size of o in f"),
        (deep(), ("object",), ABSENT, "object"),
        (deep(), ("object",), ["o"], "object"),
        (deep(), ("observations", 1), ABSENT, "no depth of o in f"),
    ],
)
def test_wrong_structure_is_an_error_that_names_the_place(
    judge: Judge, case: Case, path: tuple[object, ...], value: object, words: str
) -> None:
    result = judge(changed(case, path, value))
    assert result["verdict"] == "error"
    assert words in result["reason"]


@pytest.mark.parametrize(
    ("case", "path", "value"),
    [
        (symmetric(), ("observations", 0, "planar"), "leftish"),
        (symmetric(), ("observations", 0, "planar"), "Left"),
        (symmetric(), ("observations", 0, "planar"), "above"),
        (symmetric(), ("observations", 0, "planar"), ""),
        (symmetric(), ("observations", 0, "planar"), None),
        (symmetric(), ("observations", 0, "planar"), 6),
        (symmetric(), ("observations", 0, "planar"), ["left"]),
        (symmetric(), ("observations", 0, "planar"), {"label": "left"}),
        (symmetric(), ("observations", 0, "planar"), "west"),
        (symmetric(), ("observations", 0, "planar"), Unreadable("I would rather not say")),
        (symmetric(), ("observations", 0, "vertical"), "up"),
        (symmetric(), ("observations", 0, "vertical"), None),
        (symmetric(), ("observations", 2, "steps"), -1),
        (symmetric(), ("observations", 2, "steps"), 2.5),
        (symmetric(), ("observations", 2, "steps"), "3"),
        (symmetric(), ("observations", 2, "steps"), None),
        (symmetric(), ("observations", 2, "steps"), True),
        (symmetric(), ("observations", 2, "steps"), math.inf),
        (symmetric(), ("observations", 2, "steps"), math.nan),
        (symmetric(), ("observations", 2, "steps"), 10**400),
        (symmetric(), ("observations", 2, "steps"), 2**1024 - 1),
        (claimed(), ("observations", 1, "holds"), "yes"),
        (claimed(), ("observations", 1, "holds"), "true"),
        (claimed(), ("observations", 1, "holds"), 1),
        (claimed(), ("observations", 1, "holds"), None),
        (claimed(), ("observations", 1, "holds"), Unreadable("maybe")),
        (claimed(), ("observations", 1, "about", "at_least"), -1),
        (claimed(), ("observations", 1, "about", "at_least"), 1.5),
        (claimed(), ("observations", 1, "about", "at_least"), "2"),
        (sized(), ("observations", 0, "value"), 0),
        (sized(), ("observations", 0, "value"), -1.5),
        (sized(), ("observations", 0, "value"), math.inf),
        (sized(), ("observations", 0, "value"), "1.5"),
        (sized(), ("observations", 0, "value"), None),
        (sized(), ("observations", 0, "value"), False),
        (deep(), ("observations", 0, "value"), 0.0),
        (deep(), ("observations", 1, "value"), -0.0),
    ],
)
def test_a_value_that_is_not_allowed_makes_the_case_invalid(
    judge: Judge, case: Case, path: tuple[object, ...], value: object
) -> None:
    result = judge(changed(case, path, value))
    assert result["verdict"] == "invalid"
    assert result["reason"]
    assert result["derivation"]["summary"]


def test_the_reason_of_an_unreadable_answer_is_told(judge: Judge) -> None:
    case = changed(symmetric(), ("observations", 1, "planar"), Unreadable("the agent refused"))
    result = judge(case)
    assert "the agent refused" in result["reason"]
    assert result["derivation"]["children"][0]["observation"] == 1


def whole_cases() -> dict[str, Case]:
    """One case of each shape, complete and readable."""
    three = [direction(a, b, "front", vertical="level") for a, b in ("ab", "bc", "ac")]
    legs = [distance(a, b, 2) for a, b in ("ab", "bc", "ac")]
    boxes = [
        {"kind": kind, "frame": frame, "object": "o", "value": 2.0}
        for kind in ("size_px", "depth")
        for frame in "fg"
    ]
    pair, rest = {"subjects": ["a", "b"]}, {"subjects": ["f", "g"], "object": "o"}
    told = direction("a", "b", "front", vertical="level")
    claim = {"kind": "claim", "holds": False, "about": direction("a", "b", "left")}
    return {
        "MR1": {"relation": "MR1", "subjects": ["a", "b", "c"], "observations": three},
        "MR2": symmetric(),
        "MR3 number claimed": claimed(),
        "MR3 direction claimed": {"relation": "MR3", **pair, "observations": [told, claim]},
        "MR3 direction again": {"relation": "MR3", **pair, "observations": [told, dict(told)]},
        "MR3 number again": {"relation": "MR3", **pair, "observations": [legs[0], dict(legs[0])]},
        "MR4": {"relation": "MR4", "subjects": ["a", "b", "c"], "observations": [*three, *legs]},
        "MR5": {"relation": "MR5", **rest, "observations": boxes},
        "MR6": sized(),
    }


VALUES = ("planar", "vertical", "steps", "value", "holds")


@pytest.mark.parametrize("name", whole_cases())
def test_whichever_answers_cannot_be_read_the_case_is_invalid(judge: Judge, name: str) -> None:
    """An error would be ours: nothing is missing."""
    whole = {"case": name, "distance_metric": "planar", **whole_cases()[name]}
    assert judge(whole)["verdict"] not in ("error", "invalid")
    count = len(whole["observations"])
    for chosen in range(1, 2**count):
        case = copy.deepcopy(whole)
        for index, entry in enumerate(case["observations"]):
            if chosen >> index & 1:
                entry |= {key: Unreadable("no idea") for key in VALUES if key in entry}
        result = judge(case)
        assert result["verdict"] == "invalid", (name, chosen, result)
        assert "no idea" in result["reason"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("extra",), {"any": ["thing", None, 1.5, {"deep": True}]}),
        (("observations", 0, "note"), "ignored"),
        (("wording",), "nonsense"),
        (("observations", 2, "steps"), 3.0),
        (("tolerance",), {}),
        (("tolerance",), {"smell": "any"}),
    ],
)
def test_what_is_allowed_although_it_looks_odd(
    judge: Judge, path: tuple[object, ...], value: object
) -> None:
    assert judge(changed(symmetric(), path, value))["verdict"] == "satisfied"


def test_paper_ignores_the_whole_tolerance(judge: Judge) -> None:
    case = {**symmetric(), "semantics": "paper"}
    for tolerance in ({"steps": "many"}, None, [1], {"steps": 9}):
        assert judge({**case, "tolerance": tolerance})["verdict"] == "satisfied"


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (direction("a", "b", "left"), "satisfied"),
        (direction("a", "b", "right"), "error"),
        (direction("a", "b", "left", vertical="above"), "satisfied"),
        (distance("a", "b", 3.0), "satisfied"),
        (distance("a", "b", 4), "error"),
        (direction("x", "y", "left"), "satisfied"),
        (direction("x", "y", "nowhere"), "invalid"),
        (direction("x", "y", "north"), "invalid"),
        (direction("a", "b", "nowhere"), "invalid"),
        (direction("x", "y", "none"), "satisfied"),
    ],
)
def test_one_more_observation(judge: Judge, extra: Case, expected: str) -> None:
    case = symmetric()
    case["observations"].append(extra)
    assert judge(case)["verdict"] == expected


def test_the_order_of_repeated_answers_does_not_matter(judge: Judge) -> None:
    tall, flat = direction("x", "y", "left", vertical="above"), direction("x", "y", "left")
    unreadable = direction("x", "y", "nowhere")
    for extra, expected in [
        ([tall, flat], "satisfied"),
        ([flat, tall], "satisfied"),
        ([unreadable, flat], "invalid"),
        ([flat, unreadable], "invalid"),
        ([tall, flat, direction("x", "y", "left", vertical="below")], "error"),
    ]:
        case = symmetric()
        case["observations"] += extra
        assert judge(case)["verdict"] == expected


def test_disagreement_about_another_pair_is_an_error_too(judge: Judge) -> None:
    case = symmetric()
    case["observations"] += [distance("x", "y", 1), distance("x", "y", 2)]
    result = judge(case)
    assert result["verdict"] == "error"
    assert "observation 5 and observation 6" in result["reason"]


def test_values_closer_than_the_tolerance_of_numbers_agree(judge: Judge) -> None:
    case = sized()
    case["observations"].append({**case["observations"][0], "value": 1.5 + 1e-10})
    assert judge(case)["verdict"] == "satisfied"
    case["observations"][-1]["value"] = 1.5 + 1e-6
    assert judge(case)["verdict"] == "error"


def test_error_beats_invalid_beats_violated(judge: Judge) -> None:
    case = symmetric()
    case["observations"][0]["planar"] = "right"
    assert judge(case)["verdict"] == "violated"
    case["observations"][2]["steps"] = -1
    assert judge(case)["verdict"] == "invalid"
    del case["observations"][3]
    assert judge(case)["verdict"] == "error"


def test_violated_beats_satisfied_beats_inconclusive(judge: Judge) -> None:
    def triple(*verticals: str) -> Case:
        entries = [
            direction(pair[0], pair[1], planar, vertical=vertical)
            for pair, planar, vertical in zip(
                ("ab", "bc", "ac"), ("left", "right", "front"), verticals, strict=True
            )
        ]
        keys = {"subjects": ["a", "b", "c"], "observations": entries}
        return {"case": "c", "relation": "MR1", **keys}

    assert judge(triple("level", "level", "level"))["verdict"] == "inconclusive"
    assert judge(triple("above", "above", "above"))["verdict"] == "satisfied"
    assert judge(triple("above", "above", "below"))["verdict"] == "violated"


def test_huge_numbers_are_judged(judge: Judge) -> None:
    entries = [distance(pair[0], pair[1], 10**300) for pair in ("ab", "bc", "ac")]
    keys = {"subjects": ["a", "b", "c"], "observations": entries}
    assert judge({"case": "c", "relation": "MR4", **keys})["verdict"] == "satisfied"
    case = deep()
    for entry in case["observations"]:
        entry["value"] = 1e308 if entry["frame"] == "f" else 1e-308
    assert judge(case)["verdict"] == "violated"
