"""Each rule of RELATIONS.md, one example at a time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Case = dict[str, Any]
    Judge = Callable[[Case], Case]


def ways(text: str) -> list[Case]:
    """Read 'a>b left above, b>c right' as directions."""
    entries = []
    for part in text.split(", "):
        pair, planar, *vertical = part.split()
        start, stop = pair.split(">")
        entry = {"kind": "direction", "from": start, "to": stop, "planar": planar}
        entries.append({**entry, "vertical": vertical[0]} if vertical else entry)
    return entries


def lengths(text: str) -> list[Case]:
    """Read 'a>b 3, b>a 4' as distances."""
    entries = []
    for part in text.split(", "):
        pair, steps = part.split()
        start, stop = pair.split(">")
        entries.append({"kind": "distance", "from": start, "to": stop, "steps": int(steps)})
    return entries


def claim(holds: bool, **about: object) -> Case:
    kind = "direction" if "planar" in about else "distance"
    return {
        "kind": "claim",
        "holds": holds,
        "about": {"kind": kind, "from": "a", "to": "b", **about},
    }


def verdict(judge: Judge, relation: str, entries: list[Case], **keys: object) -> str:
    subjects = ["a", "b"] if relation in ("MR2", "MR3") else ["a", "b", "c"]
    case = {"case": "c", "relation": relation, "subjects": subjects, "observations": entries}
    return str(judge({**case, **keys})["verdict"])


def test_the_three_lines_of_the_contract(judge: Judge) -> None:
    lines = """
    {"case": "c1", "relation": "MR1", "subjects": ["a", "b", "c"], "observations": [{"kind": "direction", "from": "a", "to": "b", "planar": "left"}, {"kind": "direction", "from": "b", "to": "c", "planar": "left"}, {"kind": "direction", "from": "a", "to": "c", "planar": "right"}]}
    {"case": "c2", "relation": "MR3", "subjects": ["a", "b"], "observations": [{"kind": "distance", "from": "a", "to": "b", "steps": 3}, {"kind": "claim", "holds": false, "about": {"kind": "distance", "from": "a", "to": "b", "at_least": 2}}]}
    {"case": "c3", "relation": "MR5", "subjects": ["f1", "f2"], "object": "o", "tolerance": {"depth": 0.1}, "observations": [{"kind": "size_px", "frame": "f1", "object": "o", "value": 100}, {"kind": "size_px", "frame": "f2", "object": "o", "value": 50}, {"kind": "depth", "frame": "f1", "object": "o", "value": 2.0}, {"kind": "depth", "frame": "f2", "object": "o", "value": 4.1}]}
    """
    results = [judge(json.loads(line)) for line in lines.strip().splitlines()]
    assert [(result["case"], result["verdict"]) for result in results] == [
        ("c1", "violated"),
        ("c2", "violated"),
        ("c3", "satisfied"),
    ]


@pytest.mark.parametrize(
    ("keys", "answers", "expected"),
    [
        ({}, "a>b front, b>c right, a>c front-right", "satisfied"),
        ({}, "a>b front, b>c right, a>c front", "satisfied"),
        ({}, "a>b front, b>c right, a>c none", "satisfied"),
        ({}, "a>b front, b>c right, a>c left", "violated"),
        ({}, "a>b front, b>c front-right, a>c none", "violated"),
        ({}, "a>b front, b>c back, a>c left", "inconclusive"),
        ({}, "a>b none, b>c none, a>c left", "inconclusive"),
        ({}, "a>b none, b>c left, a>c front", "satisfied"),
        ({}, "a>b none, b>c left, a>c none", "satisfied"),
        ({}, "a>b none, b>c left, a>c front-right", "violated"),
        ({}, "a>b left, b>c none, a>c back-right", "violated"),
        ({}, "a>b north, b>c east, a>c northeast", "satisfied"),
        ({}, "a>b north, b>c east, a>c west", "violated"),
        # the vertical part
        ({}, "a>b none above, b>c none above, a>c none above", "satisfied"),
        ({}, "a>b none above, b>c none above, a>c none level", "violated"),
        ({}, "a>b none above, b>c none level, a>c none level", "satisfied"),
        ({}, "a>b none level, b>c none below, a>c none above", "violated"),
        ({}, "a>b none level, b>c none level, a>c none above", "inconclusive"),
        ({}, "a>b none above, b>c none below, a>c none above", "inconclusive"),
        ({}, "a>b left above, b>c left above, a>c left level", "violated"),
        ({}, "a>b left above, b>c left above, a>c left", "satisfied"),
        ({}, "a>b left above, b>c left above, a>c left above, c>a left", "satisfied"),
        # exact legs
        ({"exact": True}, "a>b none, b>c none, a>c none", "satisfied"),
        ({"exact": True}, "a>b none, b>c none, a>c left", "violated"),
        ({"exact": True}, "a>b none, b>c left, a>c left", "satisfied"),
        ({"exact": True}, "a>b left, b>c none, a>c front-left", "violated"),
        ({"exact": True}, "a>b left, b>c right, a>c none", "satisfied"),
        ({"exact": True}, "a>b left, b>c right, a>c right", "satisfied"),
        ({"exact": True}, "a>b left, b>c right, a>c front", "violated"),
        ({"exact": True}, "a>b front, b>c right, a>c none", "violated"),
        ({"exact": False}, "a>b front, b>c right, a>c none", "satisfied"),
        # the paper
        ({"semantics": "paper"}, "a>b front, b>c right, a>c front-right", "satisfied"),
        ({"semantics": "paper"}, "a>b front, b>c right, a>c front", "violated"),
        ({"semantics": "paper"}, "a>b front-right, b>c front-left, a>c front", "inconclusive"),
        ({"semantics": "paper"}, "a>b none, b>c none, a>c none", "satisfied"),
        ({"semantics": "paper"}, "a>b none, b>c none, a>c left", "violated"),
        ({"semantics": "paper"}, "a>b left above, b>c left level, a>c left above", "satisfied"),
        ({"semantics": "paper"}, "a>b left above, b>c left level, a>c left level", "violated"),
        ({"semantics": "paper"}, "a>b left above, b>c left below, a>c right level", "inconclusive"),
        ({"semantics": "paper", "exact": True}, "a>b none, b>c left, a>c left", "satisfied"),
        ({"semantics": "paper", "exact": True}, "a>b left, b>c right, a>c front", "inconclusive"),
    ],
)
def test_transitivity(judge: Judge, keys: Case, answers: str, expected: str) -> None:
    assert verdict(judge, "MR1", ways(answers), **keys) == expected


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("a>b left, b>a right", "satisfied"),
        ("a>b left, b>a left", "violated"),
        ("a>b left, b>a back-right", "violated"),
        ("a>b none, b>a none", "satisfied"),
        ("a>b none, b>a left", "violated"),
        ("a>b northeast, b>a southwest", "satisfied"),
        ("a>b left above, b>a right below", "satisfied"),
        ("a>b left above, b>a right above", "violated"),
        ("a>b left level, b>a right level", "satisfied"),
        ("a>b left above, b>a right", "satisfied"),
    ],
)
@pytest.mark.parametrize("semantics", ["sound", "paper"])
def test_symmetry_of_directions(judge: Judge, semantics: str, answers: str, expected: str) -> None:
    assert verdict(judge, "MR2", ways(answers), semantics=semantics) == expected


@pytest.mark.parametrize(
    ("keys", "answers", "expected"),
    [
        ({}, "a>b 3, b>a 3", "satisfied"),
        ({}, "a>b 3, b>a 4", "violated"),
        ({"tolerance": {"steps": 1}}, "a>b 3, b>a 4", "satisfied"),
        ({"tolerance": {"steps": 1}}, "a>b 3, b>a 5", "violated"),
        ({"tolerance": {"steps": 1}, "semantics": "paper"}, "a>b 3, b>a 4", "violated"),
    ],
)
def test_symmetry_of_distances(judge: Judge, keys: Case, answers: str, expected: str) -> None:
    assert verdict(judge, "MR2", lengths(answers), **keys) == expected


def test_symmetry_judges_both_kinds(judge: Judge) -> None:
    right = [*ways("a>b left, b>a right"), *lengths("a>b 3, b>a 3")]
    wrong = [*ways("a>b left, b>a right"), *lengths("a>b 3, b>a 2")]
    assert verdict(judge, "MR2", right) == "satisfied"
    assert verdict(judge, "MR2", wrong) == "violated"


@pytest.mark.parametrize(
    ("entries", "sound", "paper"),
    [
        ([*ways("a>b left"), claim(True, planar="left")], "satisfied", "satisfied"),
        ([*ways("a>b left"), claim(True, planar="right")], "violated", "violated"),
        ([*ways("a>b left"), claim(False, planar="left")], "violated", "satisfied"),
        ([*ways("a>b left"), claim(False, planar="right")], "satisfied", "satisfied"),
        ([*ways("a>b none"), claim(True, planar="none")], "satisfied", "satisfied"),
        ([*ways("a>b left above"), claim(True, planar="left")], "satisfied", "satisfied"),
        ([*lengths("a>b 3"), claim(True, at_least=3)], "satisfied", "satisfied"),
        ([*lengths("a>b 3"), claim(True, at_least=4)], "violated", "violated"),
        ([*lengths("a>b 3"), claim(False, at_least=3)], "violated", "satisfied"),
        ([*lengths("a>b 3"), claim(False, at_least=4)], "satisfied", "satisfied"),
        ([*lengths("a>b 3"), claim(True, exactly=3)], "satisfied", "satisfied"),
        ([*lengths("a>b 3"), claim(True, exactly=2)], "violated", "violated"),
        ([*lengths("a>b 3"), claim(False, exactly=3)], "violated", "satisfied"),
        ([*lengths("a>b 3"), claim(False, exactly=2)], "satisfied", "satisfied"),
        (ways("a>b left, a>b left"), "satisfied", "satisfied"),
        (ways("a>b left, a>b right"), "violated", "violated"),
        (ways("a>b left above, a>b left level"), "violated", "violated"),
        (ways("a>b left above, a>b left"), "satisfied", "satisfied"),
        (lengths("a>b 2, a>b 2"), "satisfied", "satisfied"),
        (lengths("a>b 2, a>b 3"), "violated", "violated"),
        ([*lengths("a>b 2, a>b 2"), claim(True, at_least=3)], "violated", "violated"),
        # of another pair, of another kind: nothing to do with it
        ([*ways("a>b left, b>a left"), claim(True, planar="left")], "satisfied", "satisfied"),
        ([*ways("a>b left, a>b left"), claim(True, at_least=3)], "satisfied", "satisfied"),
        # alone
        (ways("a>b left"), "error", "error"),
        ([claim(True, planar="left")], "error", "error"),
        ([*ways("a>b left"), claim(True, at_least=3)], "error", "error"),
        ([*ways("b>a left"), claim(True, planar="left")], "error", "error"),
    ],
)
def test_contradiction(judge: Judge, entries: list[Case], sound: str, paper: str) -> None:
    assert verdict(judge, "MR3", entries) == sound
    assert verdict(judge, "MR3", entries, semantics="paper") == paper


@pytest.mark.parametrize(
    ("keys", "distances", "directions", "expected"),
    [
        ({}, "a>b 3, b>c 2, a>c 5", "", "satisfied"),
        ({}, "a>b 3, b>c 2, a>c 6", "", "satisfied"),
        ({}, "a>b 3, b>c 2, a>c 7", "", "violated"),
        ({}, "a>b 3, b>c 2, a>c 0", "", "satisfied"),
        ({}, "a>b 4, b>c 1, a>c 1", "", "violated"),
        ({}, "a>b 0, b>c 0, a>c 1", "", "satisfied"),
        ({}, "a>b 0, b>c 0, a>c 2", "", "violated"),
        # a stationary leg is no violation
        ({}, "a>b 0, b>c 1, a>c 1", "a>b none, b>c left, a>c left", "satisfied"),
        ({"distance_metric": "planar"}, "a>b 3, b>c 2, a>c 3", "a>b left, b>c left", "violated"),
        ({"distance_metric": "spatial"}, "a>b 3, b>c 2, a>c 3", "a>b left, b>c left", "satisfied"),
        ({"distance_metric": "planar"}, "a>b 3, b>c 2, a>c 3", "a>b left", "satisfied"),
        ({"distance_metric": "planar"}, "a>b 3, b>c 2, a>c 3", "a>b left, b>c none", "satisfied"),
        ({"distance_metric": "planar"}, "a>b 3, b>c 2, a>c 5", "a>b left, b>c right", "violated"),
        ({"distance_metric": "planar"}, "a>b 3, b>c 3, a>c 4", "a>b left, b>c front", "satisfied"),
        ({"distance_metric": "planar"}, "a>b 3, b>c 3, a>c 1", "a>b left, b>c front", "violated"),
        # only the second or the third check, which look along the third side, can tell
        (
            {"distance_metric": "planar"},
            "a>b 2, b>c 6, a>c 8",
            "a>b left, b>c none, a>c right",
            "violated",
        ),
        (
            {"distance_metric": "planar"},
            "a>b 2, b>c 6, a>c 8",
            "a>b left, b>c none",
            "satisfied",
        ),
        (
            {"distance_metric": "planar"},
            "a>b 6, b>c 2, a>c 8",
            "a>b none, b>c left, a>c right",
            "violated",
        ),
        # exact legs
        ({"exact": True}, "a>b 3, b>c 2, a>c 5", "a>b left, b>c left", "satisfied"),
        ({"exact": True}, "a>b 3, b>c 2, a>c 6", "a>b left, b>c left", "violated"),
        ({"exact": True}, "a>b 3, b>c 4, a>c 5", "a>b left, b>c front", "satisfied"),
        ({"exact": True}, "a>b 3, b>c 4, a>c 6", "a>b left, b>c front", "violated"),
        ({"exact": True}, "a>b 8, b>c 3, a>c 9", "a>b left, b>c front", "satisfied"),
        ({"exact": True}, "a>b 8, b>c 3, a>c 8", "a>b left, b>c front", "violated"),
        ({"exact": True}, "a>b 3, b>c 2, a>c 1", "a>b left, b>c right", "satisfied"),
        ({"exact": True}, "a>b 1, b>c 1, a>c 2", "a>b left, b>c front-left", "satisfied"),
        ({"exact": True}, "a>b 1, b>c 1, a>c 1", "a>b left, b>c back-left", "violated"),
        ({"exact": True}, "a>b 1, b>c 1, a>c 1", "a>b left, b>c front-right", "satisfied"),
        ({"exact": True}, "a>b 3, b>c 2, a>c 2", "a>b none, b>c left", "satisfied"),
        ({"exact": True}, "a>b 3, b>c 2, a>c 3", "a>b none, b>c left", "violated"),
        ({"exact": True}, "a>b 3, b>c 2, a>c 6", "a>b left", "satisfied"),
        ({"exact": True}, "a>b 2, b>c 6, a>c 6", "a>b none, b>c left, a>c right", "satisfied"),
        # the paper
        ({"semantics": "paper"}, "a>b 3, b>c 2, a>c 5", "a>b left, b>c left", "satisfied"),
        ({"semantics": "paper"}, "a>b 3, b>c 2, a>c 4", "a>b left, b>c left", "violated"),
        ({"semantics": "paper"}, "a>b 3, b>c 2, a>c 1", "a>b left, b>c right", "satisfied"),
        ({"semantics": "paper"}, "a>b 3, b>c 2, a>c 2", "a>b left, b>c right", "violated"),
        ({"semantics": "paper"}, "a>b 3, b>c 2, a>c 4", "a>b left, b>c front", "satisfied"),
        ({"semantics": "paper"}, "a>b 3, b>c 2, a>c 5", "a>b left, b>c front", "violated"),
        ({"semantics": "paper"}, "a>b 3, b>c 2, a>c 4", "", "satisfied"),
        ({"semantics": "paper"}, "a>b 0, b>c 1, a>c 1", "", "violated"),
        ({"semantics": "paper"}, "a>b 0, b>c 0, a>c 0", "a>b none, b>c none", "satisfied"),
        (
            {"semantics": "paper"},
            "a>b 3, b>c 2, a>c 4",
            "a>b left above, b>c left below",
            "satisfied",
        ),
        (
            {"semantics": "paper"},
            "a>b 3, b>c 2, a>c 1",
            "a>b left above, b>c right below",
            "satisfied",
        ),
        (
            {"semantics": "paper"},
            "a>b 3, b>c 2, a>c 5",
            "a>b left above, b>c left below, a>c left",
            "satisfied",
        ),
        (
            {"semantics": "paper", "exact": True},
            "a>b 1, b>c 1, a>c 1",
            "a>b left, b>c front",
            "satisfied",
        ),
    ],
)
def test_triangle(judge: Judge, keys: Case, distances: str, directions: str, expected: str) -> None:
    entries = lengths(distances) + (ways(directions) if directions else [])
    assert verdict(judge, "MR4", entries, **keys) == expected


def sizes(kind: str, *values: float) -> list[Case]:
    return [
        {"kind": kind, "frame": frame, "object": "o", "value": value}
        for frame, value in zip("fg", values, strict=True)
    ]


@pytest.mark.parametrize(
    ("keys", "boxes", "depths", "expected"),
    [
        ({}, (100, 50), (2, 4), "satisfied"),
        ({}, (100, 50), (2, 4.4), "satisfied"),
        ({}, (100, 50), (2, 4.5), "violated"),
        ({}, (100, 50), (2, 3.6), "violated"),
        ({"tolerance": {"depth": 0.3}}, (100, 50), (2, 4.5), "satisfied"),
        ({"tolerance": {"depth": 0}}, (100, 50), (2, 4), "satisfied"),
        ({"tolerance": {"depth": 0}}, (100, 50), (2, 4.001), "violated"),
        # the paper compares quotients, and a gap of epsilon is too much
        ({"semantics": "paper"}, (100, 50), (2, 4.1), "satisfied"),
        ({"semantics": "paper"}, (100, 50), (2, 4.2), "violated"),
        ({"semantics": "paper", "tolerance": {"depth": 9}}, (100, 50), (2, 4.2), "violated"),
    ],
)
def test_size_depth(
    judge: Judge, keys: Case, boxes: tuple[float, float], depths: tuple[float, float], expected: str
) -> None:
    entries = [*sizes("size_px", *boxes), *sizes("depth", *depths)]
    found = verdict(judge, "MR5", entries, subjects=["f", "g"], object="o", **keys)
    assert found == expected


@pytest.mark.parametrize(
    ("keys", "ratios", "expected"),
    [
        ({}, (2.0, 2.0), "satisfied"),
        ({}, (2.0, 2.1), "satisfied"),
        ({}, (2.0, 2.11), "violated"),
        ({}, (2.11, 2.0), "violated"),
        ({"tolerance": {"size": 0.1}}, (2.11, 2.0), "satisfied"),
        ({"semantics": "paper"}, (2.0, 2.04), "satisfied"),
        ({"semantics": "paper"}, (2.0, 2.05), "violated"),
        ({"semantics": "paper", "tolerance": {"size": 9}}, (2.0, 2.05), "violated"),
    ],
)
def test_size_ratio(judge: Judge, keys: Case, ratios: tuple[float, float], expected: str) -> None:
    entries = sizes("size", *ratios)
    entries += [{**entry, "object": "p", "value": 1} for entry in entries]
    found = verdict(judge, "MR6", entries, subjects=["f", "g"], objects=["o", "p"], **keys)
    assert found == expected
