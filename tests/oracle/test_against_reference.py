"""The Prolog laws against a second implementation, written from RELATIONS.md alone."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_metaspace.oracle import Oracle

    Case = dict[str, Any]

from tests.oracle import anchored
from tests.oracle.reference import LABELS, LEVELS, inverse, reference

# --- the comparison ----------------------------------------------------------------------------


def direction(a: str, b: str, planar: str, vertical: str | None = None) -> Case:
    entry = {"kind": "direction", "from": a, "to": b, "planar": planar}
    return entry if vertical is None else {**entry, "vertical": vertical}


def distance(a: str, b: str, steps: float) -> Case:
    return {"kind": "distance", "from": a, "to": b, "steps": steps}


def measure(kind: str, frame: str, thing: str, value: float) -> Case:
    return {"kind": kind, "frame": frame, "object": thing, "value": value}


def agree(oracle: Oracle, cases: list[Case]) -> set[str]:
    """Check that both implementations say the same, and return the verdicts that occurred."""
    for number, case in enumerate(cases):
        case["case"] = str(number)
    seen = set()
    for case, result in zip(cases, oracle.judge(cases), strict=True):
        assert result["verdict"] == reference(case), (case, result)
        seen.add(result["verdict"])
    return seen


def three(labels: tuple[str, ...], heights: tuple[str | None, ...] = (None,) * 3) -> Case:
    pairs = ["ab", "bc", "ac"]
    return {
        "relation": "MR1",
        "subjects": ["a", "b", "c"],
        "observations": [
            direction(pair[0], pair[1], label, height)
            for pair, label, height in zip(pairs, labels, heights, strict=True)
        ],
    }


def test_transitivity_agrees_on_every_triple_of_planar_labels(oracle: Oracle) -> None:
    triples = list(itertools.product(LABELS, repeat=3))
    readings: list[Case] = [{}, {"exact": True}, {"semantics": "paper"}]
    for reading in readings:
        seen = agree(oracle, [{**three(triple), **reading} for triple in triples])
        assert {"violated", "satisfied"} <= seen
        assert ("inconclusive" in seen) == ("exact" not in reading)


def test_transitivity_agrees_on_every_triple_of_vertical_labels(oracle: Oracle) -> None:
    heights = list(itertools.product(LEVELS, repeat=3))
    planar = [("none",) * 3, ("front", "right", "right"), ("left", "right", "left")]
    cases = [
        {**three(labels, height), **reading}
        for labels in [*planar, ("front", "front", "left")]
        for height in heights
        for reading in ({}, {"exact": True}, {"semantics": "paper"})
    ]
    assert agree(oracle, cases) == {"violated", "satisfied", "inconclusive"}


def test_transitivity_agrees_on_random_labels_in_space(oracle: Oracle) -> None:
    rng = random.Random(1)
    cases = [
        {
            **three(
                tuple(rng.choices(LABELS, k=3)),
                tuple(rng.choice([*LEVELS, *LEVELS, None]) for _ in range(3)),
            ),
            "semantics": rng.choice(["sound", "paper"]),
            "exact": rng.random() < 0.3,
        }
        for _ in range(2000)
    ]
    assert agree(oracle, cases) == {"violated", "satisfied", "inconclusive"}


def test_symmetry_agrees_on_random_cases(oracle: Oracle) -> None:
    rng = random.Random(2)
    cases = []
    for _ in range(1500):
        entries: list[Case] = []
        if rng.random() < 0.7:
            there = rng.choice(LABELS)
            back = inverse(there) if rng.random() < 0.7 else rng.choice(LABELS)
            tall = rng.random() < 0.5
            for pair, label in (("ab", there), ("ba", back)):
                entries.append(
                    direction(pair[0], pair[1], label, rng.choice(LEVELS) if tall else None)
                )
        if rng.random() < 0.6 or not entries:
            entries += [distance("a", "b", rng.randrange(5)), distance("b", "a", rng.randrange(5))]
        rng.shuffle(entries)
        tolerance = {"tolerance": {"steps": rng.choice([0, 1, 1.5])}} if rng.random() < 0.5 else {}
        cases.append(
            {
                "relation": "MR2",
                "semantics": rng.choice(["sound", "paper"]),
                "subjects": ["a", "b"],
                "observations": entries,
                **tolerance,
            }
        )
    assert agree(oracle, cases) == {"violated", "satisfied"}


def claim(rng: random.Random, kind: str) -> Case:
    about: Case = {"kind": kind, "from": "a", "to": "b"}
    if kind == "direction":
        about["planar"] = rng.choice(["left", "none", "back"])
    else:
        about[rng.choice(["at_least", "exactly"])] = rng.randrange(4)
    return {"kind": "claim", "holds": rng.random() < 0.5, "about": about}


def test_contradiction_agrees_on_random_cases(oracle: Oracle) -> None:
    rng = random.Random(3)
    cases = []
    for _ in range(2500):
        kind = rng.choice(["direction", "distance"])
        tall = rng.random() < 0.3

        def opened(kind: str = kind, tall: bool = tall) -> Case:
            if kind == "distance":
                return distance("a", "b", rng.randrange(4))
            height = rng.choice(["above", "level"]) if tall else None
            return direction("a", "b", rng.choice(["left", "none", "back"]), height)

        entries = [opened()]
        entries += [claim(rng, kind) for _ in range(rng.randrange(3))]
        entries += [opened() for _ in range(rng.randrange(2) + (len(entries) == 1))]
        if rng.random() < 0.2:
            entries += [claim(rng, "direction"), direction("b", "a", "left")]
        rng.shuffle(entries)
        cases.append(
            {
                "relation": "MR3",
                "semantics": rng.choice(["sound", "paper"]),
                "subjects": ["a", "b"],
                "observations": entries,
            }
        )
    assert agree(oracle, cases) == {"violated", "satisfied"}


def test_triangle_agrees_on_random_cases(oracle: Oracle) -> None:
    rng = random.Random(4)
    cases = []
    for _ in range(3000):
        largest = rng.choice([2, 4, 8, 30])
        pairs = ["ab", "bc", "ac"]
        entries = [distance(pair[0], pair[1], rng.randrange(largest + 1)) for pair in pairs]
        tall = rng.random() < 0.3
        for pair in pairs:
            if rng.random() < 0.85:
                height = rng.choice(LEVELS) if tall else None
                entries.append(
                    direction(
                        pair[0],
                        pair[1],
                        rng.choice(rng.choice([LABELS, ["left", "right"]])),
                        height,
                    )
                )
        rng.shuffle(entries)
        cases.append(
            {
                "relation": "MR4",
                "semantics": rng.choice(["sound", "sound", "paper"]),
                "distance_metric": rng.choice(["spatial", "planar", "planar"]),
                "exact": rng.random() < 0.3,
                "subjects": ["a", "b", "c"],
                "observations": entries,
            }
        )
    assert agree(oracle, cases) == {"violated", "satisfied"}


def test_size_depth_agrees_on_random_cases(oracle: Oracle) -> None:
    rng = random.Random(5)
    cases = []
    for _ in range(1500):
        depth = rng.uniform(1, 9)
        size, other = rng.randint(24, 300), rng.randint(24, 300)
        near = round(depth * size / other * rng.uniform(0.85, 1.2), rng.choice([1, 9]))
        tolerance = {"tolerance": {"depth": rng.choice([0, 0.05, 0.2])}}
        cases.append(
            {
                "relation": "MR5",
                "semantics": rng.choice(["sound", "paper"]),
                "subjects": ["f", "g"],
                "object": "o",
                "observations": [
                    measure("size_px", "f", "o", size),
                    measure("depth", "g", "o", near),
                    measure("size_px", "g", "o", other),
                    measure("depth", "f", "o", depth),
                ],
                **(tolerance if rng.random() < 0.5 else {}),
            }
        )
    assert agree(oracle, cases) == {"violated", "satisfied"}


def test_size_ratio_agrees_on_random_cases(oracle: Oracle) -> None:
    rng = random.Random(6)
    cases = []
    for _ in range(1500):
        sizes = [round(rng.uniform(0.9, 1.1), rng.choice([2, 9])) for _ in range(4)]
        tolerance = {"tolerance": {"size": rng.choice([0, 0.1, 0.2])}}
        things = [("f", "o"), ("f", "p"), ("g", "o"), ("g", "p")]
        cases.append(
            {
                "relation": "MR6",
                "semantics": rng.choice(["sound", "paper"]),
                "subjects": ["f", "g"],
                "objects": ["o", "p"],
                "observations": [
                    measure("size", *thing, size) for thing, size in zip(things, sizes, strict=True)
                ],
                **(tolerance if rng.random() < 0.5 else {}),
            }
        )
    assert agree(oracle, cases) == {"violated", "satisfied"}


@pytest.mark.parametrize("relation", ["A1", "A2", "A3"])
def test_anchored_relations_agree_on_random_cases(oracle: Oracle, relation: str) -> None:
    rng = random.Random(7)
    cases = [anchored.made(rng, relation, "a", "b", "s") for _ in range(1500)]
    found = {"violated", "satisfied"} | ({"inconclusive"} if relation != "A3" else set())
    assert agree(oracle, cases) == found
