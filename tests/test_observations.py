"""From answers to what the oracle sees: the record that RELATIONS writes down."""

from __future__ import annotations

from typing import Any

from pytest_metaspace.domain import (
    Capability,
    Case,
    Claim,
    Given,
    Missing,
    Query,
    Unreadable,
    Value,
)
from pytest_metaspace.observations import record


def asked(capability: Capability, a: int | str, b: int | str | None = None, **more: Any) -> Query:
    return Query(trajectory="t", capability=capability, a=a, b=b, **more)


def case(
    capability: Capability, law: str, subjects: tuple[int | str, ...], *queries: Query, **more: Any
) -> Case:
    return Case(
        id="id",
        trajectory="t",
        capability=capability,
        relation=law,
        law=law,
        semantics="sound",
        subjects=subjects,
        queries=queries,
        **more,
    )


def test_movement_before_a_camera_that_stays_is_worded_as_that_camera_looks() -> None:
    codes = (
        Capability.MOVEMENT_DIRECTION,
        Capability.OBJECT_DIRECTION,
        Capability.MAP_DIRECTION,
    )
    told = [record(case(code, "MR2", ("a", "b"), watched=True), [])["wording"] for code in codes]
    assert told == ["watched", "farther", "compass"]


def test_movement_speaks_of_states() -> None:
    way = Capability.MOVEMENT_DIRECTION
    made = case(way, "MR2", (3, 4), asked(way, 3, 4), asked(way, 4, 3), exact=True)
    assert record(made, [Value(planar="left"), Value(planar="right", vertical="above")]) == {
        "case": "t::SC1-a::MR2::id",
        "relation": "MR2",
        "semantics": "sound",
        "subjects": ["state 3", "state 4"],
        "observations": [
            {"kind": "direction", "from": "state 3", "to": "state 4", "planar": "left"},
            {
                "kind": "direction",
                "from": "state 4",
                "to": "state 3",
                "planar": "right",
                "vertical": "above",
            },
        ],
        "distance_metric": "spatial",
        "exact": True,
        "wording": "forward",
    }


def test_claims_carry_what_they_are_about() -> None:
    code = Capability.MAP_DISTANCE
    claims = [Claim(at_least=2), Claim(exactly=0)]
    queries = [asked(code, "a", "b"), *(asked(code, "a", "b", claim=claim) for claim in claims)]
    made = case(code, "MR3", ("a", "b"), *queries, distance_metric="planar")
    found = record(made, [Value(steps=0), Value(holds=True), Value(holds=False)])
    assert found["observations"] == [
        {"kind": "distance", "from": "a", "to": "b", "steps": 0},
        {
            "kind": "claim",
            "about": {"kind": "distance", "from": "a", "to": "b", "at_least": 2},
            "holds": True,
        },
        {
            "kind": "claim",
            "about": {"kind": "distance", "from": "a", "to": "b", "exactly": 0},
            "holds": False,
        },
    ]
    assert (found["wording"], found["distance_metric"]) == ("compass", "planar")


def test_claims_of_directions_carry_their_label() -> None:
    code = Capability.OBJECT_DIRECTION
    made = case(code, "MR3", ("a", "b"), asked(code, "a", "b", claim=Claim(planar="none")))
    (claim,) = record(made, [Value(holds=True)])["observations"]
    assert claim["about"] == {"kind": "direction", "from": "a", "to": "b", "planar": "none"}
    assert record(made, [Value(holds=True)])["wording"] == "farther"


def test_depths_stand_beside_the_measured_heights() -> None:
    code = Capability.DEPTH
    made = case(
        code,
        "MR5",
        (0, 7),
        asked(code, "lamp", reference=0),
        asked(code, "lamp", reference=7),
        object="lamp",
        givens=(
            Given(frame=0, object="lamp", size_px=90.0),
            Given(frame=7, object="lamp", size_px=30.0),
        ),
        tolerance={"depth": 0.2},
        tolerance_parts={"epsilon": 0.1, "extent": 0.1},
    )
    found = record(made, [Value(metres=1.5), Value(metres=4.5)])
    assert found["subjects"] == ["frame 0", "frame 7"]
    assert found["object"] == "lamp"
    assert found["tolerance"] == {
        "depth": 0.2,
        "depth_parts": {"epsilon": 0.1, "extent": 0.1},
    }
    assert found["observations"] == [
        {"kind": "depth", "frame": "frame 0", "object": "lamp", "value": 1.5},
        {"kind": "depth", "frame": "frame 7", "object": "lamp", "value": 4.5},
        {"kind": "size_px", "frame": "frame 0", "object": "lamp", "value": 90.0},
        {"kind": "size_px", "frame": "frame 7", "object": "lamp", "value": 30.0},
    ]


def test_sizes_name_frame_and_object() -> None:
    code = Capability.SIZE
    made = case(code, "MR6", (1, 2), asked(code, "b", reference=2), objects=("a", "b"))
    found = record(made, [Value(metres=0.5)])
    assert found["objects"] == ["a", "b"]
    assert found["observations"] == [
        {"kind": "size", "frame": "frame 2", "object": "b", "value": 0.5}
    ]


def test_what_is_no_value_stands_for_itself() -> None:
    code = Capability.OBJECT_DISTANCE
    refused, lost = Unreadable("several numbers"), Missing("no network")
    made = case(
        code,
        "MR3",
        ("a", "b"),
        asked(code, "a", "b"),
        asked(code, "a", "b", claim=Claim(at_least=1)),
    )
    first, second = record(made, [refused, lost])["observations"]
    assert first["steps"] is refused
    assert second["holds"] is lost
    directions = case(
        Capability.MAP_DIRECTION, "MR2", ("a", "b"), asked(Capability.MAP_DIRECTION, "a", "b")
    )
    assert record(directions, [refused])["observations"][0]["planar"] is refused
