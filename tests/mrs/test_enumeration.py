"""Which cases there are, against a second reading of RELATIONS, "Enumeration"."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.domain import Capability, Case, Given, Trajectory
from tests.unit_support import cases_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    Triple = tuple[object, ...]

# What the fixture shows, read off by hand; objects by id, capitals first.
WHOLE = {
    0: ["bed", "chair", "lamp"],
    1: ["chair", "lamp"],
    2: ["Table", "bed", "chair", "lamp"],
    3: ["bed", "chair"],
    4: [],
    5: ["Table"],
    6: [],
}
PERSISTENT = ["Table", "bed", "chair", "lamp"]
STATES = 7


def keyed(cases: Iterable[Case]) -> list[Triple]:
    """What tells the cases of one relation and capability apart, but for claims."""
    return [(case.queries[0].reference, *case.subjects) for case in cases]


def sets_of_three(things: list[str]) -> list[Triple]:
    return [
        (*sorted([a, c]), m)
        for trio in combinations(things, 3)
        for m in trio
        for a, c in [[name for name in trio if name != m]]
    ]


@pytest.mark.parametrize("relation", ["MR1", "MR4"])
def test_movement_slides_a_window_of_three_states(made: Trajectory, relation: str) -> None:
    code = Capability.MOVEMENT_DIRECTION if relation == "MR1" else Capability.MOVEMENT_DISTANCE
    cases = cases_of(made, only=code, relation=relation)
    assert [case.subjects for case in cases] == [(i, i + 1, i + 2) for i in range(STATES - 2)]


@pytest.mark.parametrize("relation", ["MR2", "MR3"])
@pytest.mark.parametrize("code", ["SC1-a", "SC1-b"])
def test_movement_slides_a_window_of_two_states(made: Trajectory, relation: str, code: str) -> None:
    cases = cases_of(made, only=Capability(code), relation=relation)
    each = 3 if relation == "MR3" else 1
    assert [case.subjects for case in cases] == [
        (i, i + 1) for i in range(STATES - 1) for _ in range(each)
    ]


@pytest.mark.parametrize(("relation", "kind"), [("MR1", "a"), ("MR4", "b")])
def test_views_take_every_three_objects_with_each_in_the_middle(
    made: Trajectory, relation: str, kind: str
) -> None:
    cases = cases_of(made, only=Capability(f"SC2-{kind}"), relation=relation)
    found = sorted((case.queries[0].reference, *case.subjects) for case in cases)
    assert found == sorted(
        (frame, first, middle, last)
        for frame, things in WHOLE.items()
        for first, last, middle in sets_of_three(things)
    )
    assert len(found) == 3 * (1 + 4)


@pytest.mark.parametrize(("relation", "kind"), [("MR1", "a"), ("MR4", "b")])
def test_maps_take_every_three_objects_with_each_in_the_middle(
    made: Trajectory, relation: str, kind: str
) -> None:
    cases = cases_of(made, only=Capability(f"SC4-{kind}"), relation=relation)
    assert sorted(str(case.subjects) for case in cases) == sorted(
        str((first, middle, last)) for first, last, middle in sets_of_three(PERSISTENT)
    )


@pytest.mark.parametrize(("relation", "each"), [("MR2", 1), ("MR3", 3)])
@pytest.mark.parametrize("kind", ["a", "b"])
def test_objects_are_taken_in_every_pair(
    made: Trajectory, relation: str, each: int, kind: str
) -> None:
    view = cases_of(made, only=Capability(f"SC2-{kind}"), relation=relation)
    assert keyed(view) == [
        (frame, *pair)
        for frame, things in WHOLE.items()
        for pair in combinations(things, 2)
        for _ in range(each)
    ]
    mapped = cases_of(made, only=Capability(f"SC4-{kind}"), relation=relation)
    assert keyed(mapped) == [
        (None, *pair) for pair in combinations(PERSISTENT, 2) for _ in range(each)
    ]


def test_depth_takes_every_object_with_every_pair_of_frames(made: Trajectory) -> None:
    cases = cases_of(made, only=Capability.DEPTH)
    frames = {name: [f for f, things in WHOLE.items() if name in things] for name in PERSISTENT}
    assert [(case.object, *case.subjects) for case in cases] == [
        (name, *pair) for name in PERSISTENT for pair in combinations(frames[name], 2)
    ]
    for case in cases:
        assert [(q.a, q.reference, q.evidence) for q in case.queries] == [
            (case.object, frame, (frame,)) for frame in case.subjects
        ]
        assert [
            (given.frame, given.size_px) for given in case.givens if isinstance(given, Given)
        ] == [(frame, 100.0) for frame in case.subjects]


def test_size_takes_every_pair_of_objects_with_every_pair_of_frames(made: Trajectory) -> None:
    cases = cases_of(made, only=Capability.SIZE)
    assert [(case.objects, *case.subjects) for case in cases] == [
        ((one, other), *pair)
        for one, other in combinations(PERSISTENT, 2)
        for pair in combinations([f for f, t in WHOLE.items() if one in t and other in t], 2)
    ]
    assert cases
    for case in cases:
        assert case.objects is not None
        assert [(q.reference, q.a) for q in case.queries] == [
            (frame, name) for frame in case.subjects for name in case.objects
        ]
        assert case.tolerance == {"size": 0.05}


def test_triples_ask_their_two_legs_and_the_whole(made: Trajectory) -> None:
    for case in cases_of(made, relation="MR1"):
        a, b, c = case.subjects
        assert [(q.a, q.b) for q in case.queries] == [(a, b), (b, c), (a, c)]
        assert {q.capability for q in case.queries} == {case.capability}


def test_pairs_ask_there_and_back(made: Trajectory) -> None:
    for case in cases_of(made, relation="MR2"):
        a, b = case.subjects
        assert [(q.a, q.b) for q in case.queries] == [(a, b), (b, a)]
        assert len({(q.reference, q.evidence) for q in case.queries}) == 1


@pytest.mark.parametrize(
    ("metric", "semantics", "codes"),
    [
        ("planar", "sound", {"SC1-b": 6, "SC2-b": 6, "SC4-b": 6}),
        ("spatial", "sound", {"SC2-b": 3, "SC4-b": 3}),
        ("spatial", "paper", {"SC1-b": 6, "SC2-b": 6, "SC4-b": 6}),
    ],
)
def test_triangles_ask_for_directions_where_they_bind_distances(
    made: Trajectory, metric: str, semantics: str, codes: dict[str, int]
) -> None:
    object.__setattr__(made, "distance_metric", metric)
    for code, asked in codes.items():
        for case in cases_of(made, only=Capability(code), relation="MR4", semantics=semantics):
            assert len(case.queries) == asked
            assert case.distance_metric == metric
            kinds = [q.capability.value for q in case.queries]
            assert kinds == [code] * 3 + [code[:3] + "-a"] * (asked - 3)
            assert [(q.a, q.b) for q in case.queries[3:]] == [
                (q.a, q.b) for q in case.queries[: asked - 3]
            ]


def test_exact_triangles_ask_for_directions_in_space_too(made: Trajectory) -> None:
    object.__setattr__(made, "distance_metric", "spatial")
    cases = cases_of(made, only=Capability.MOVEMENT_DISTANCE, relation="MR4")
    assert {case.exact for case in cases} == {True, False}
    for case in cases:
        assert len(case.queries) == (6 if case.exact else 3)


def test_settings_choose_capabilities_and_relations(made: Trajectory) -> None:
    everything = cases_of(made)
    some = cases_of(
        made, capabilities=frozenset({"SC1-a", "SC2-b"}), relations=frozenset({"MR2", "MR4"})
    )
    assert some == [
        case
        for case in everything
        if case.capability.value in ("SC1-a", "SC2-b") and case.relation in ("MR2", "MR4")
    ]
    assert {(case.capability.value, case.relation) for case in some} == {
        ("SC1-a", "MR2"),
        ("SC2-b", "MR2"),
        ("SC2-b", "MR4"),
    }


def test_every_capability_is_tested_by_the_relations_of_the_table(made: Trajectory) -> None:
    table = {
        "SC1-a": "123", "SC1-b": "234", "SC2-a": "123", "SC2-b": "234",
        "SC3-a": "6", "SC3-b": "5", "SC4-a": "123", "SC4-b": "234",
    }  # fmt: skip
    found = {(case.capability.value, case.relation) for case in cases_of(made)}
    assert found == {(code, f"MR{n}") for code, numbers in table.items() for n in numbers}


def test_a_perfect_world_needs_no_objects_for_movement(made: Trajectory) -> None:
    object.__setattr__(made, "objects", ())
    assert {case.capability.value for case in cases_of(made)} == {"SC1-a", "SC1-b"}


def test_cases_are_the_same_every_time(made: Trajectory) -> None:
    assert cases_of(made) == cases_of(made)
