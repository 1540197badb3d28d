"""A query becomes text, pictures in order, and a closed set of answers."""

from __future__ import annotations

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Capability, Claim, Query
from pytest_metaspace.questions import answer_format, distinct, question
from tests.unit_support import FORWARD, TURN, cases_of, thing, trajectory

OBJECTS = [
    thing("lamp", {0: (10, 10, 60, 60), 1: (10, 10, 60, 60)}, label="Floor-lamp 2"),
    thing("shelf", {0: (110, 10, 160, 60), 1: (110, 10, 160, 60)}),
]


def pair(capability: Capability, claim: Claim | None = None) -> Query:
    return Query(
        trajectory="made-up",
        capability=capability,
        a="lamp",
        b="shelf",
        reference=1,
        evidence=(1, 0),
        claim=claim,
    )


def test_directions_allow_eight_words_and_none() -> None:
    for capability, labels in (
        (Capability.OBJECT_DIRECTION, EGOCENTRIC),
        (Capability.MAP_DIRECTION, ALLOCENTRIC),
    ):
        allowed = answer_format(pair(capability), trajectory(objects=OBJECTS))
        assert allowed.kind == "direction"
        assert list(allowed.planar.values()) == [*labels, "none"]
        assert allowed.vertical == {}
        assert allowed.names == {"floor", "lamp", "shelf"}


def test_vertical_words_are_asked_where_height_counts() -> None:
    made = trajectory(objects=OBJECTS, vertical=True)
    view = answer_format(pair(Capability.OBJECT_DIRECTION), made)
    assert list(view.vertical) == ["above", "level", "below"]
    way = Query(trajectory="made-up", capability=Capability.MOVEMENT_DIRECTION, a=0, b=1)
    assert answer_format(way, made).vertical == {"up": "above", "level": "level", "down": "below"}


def test_claims_allow_yes_and_no_only() -> None:
    made = trajectory(objects=OBJECTS, vertical=True)
    for capability, claim in (
        (Capability.OBJECT_DIRECTION, Claim(planar="left")),
        (Capability.MAP_DISTANCE, Claim(at_least=2)),
    ):
        allowed = answer_format(pair(capability, claim), made)
        assert (allowed.kind, allowed.planar, allowed.vertical) == ("yes-no", {}, {})


def test_distances_are_steps_and_sizes_are_metres() -> None:
    made = trajectory(objects=OBJECTS)
    kinds = {code: answer_format(pair(code), made).kind for code in Capability}
    assert [code.value for code, kind in kinds.items() if kind == "steps"] == [
        "SC1-b",
        "SC2-b",
        "SC4-b",
    ]
    assert [code.value for code, kind in kinds.items() if kind == "metres"] == ["SC3-a", "SC3-b"]


def test_images_follow_the_evidence() -> None:
    made = trajectory(objects=OBJECTS)
    asked = question(pair(Capability.OBJECT_DIRECTION), made)
    assert [path.name for path in asked.images] == ["001.png", "000.png"]
    assert asked.trajectory is made


def test_a_query_that_many_cases_need_is_one_question() -> None:
    cases = cases_of(trajectory([FORWARD, FORWARD, TURN, FORWARD], OBJECTS))
    needed = [query for case in cases for query in case.queries]
    once = distinct(cases)
    assert len(once) == len(set(once)) < len(needed)
    assert set(once) == set(needed)
    assert once[0] == needed[0]
    assert distinct(reversed(cases)) != once
