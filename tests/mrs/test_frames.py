"""In which frame a question is told, and which pictures it rests on."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from pytest_metaspace.domain import Action, Capability, Pose, TrackedObject, Trajectory
from pytest_metaspace.mrs._places import Window
from tests.unit_support import BACK, FORWARD, ODD_TURN, RIGHT, TURN, cases_of, thing, trajectory

WAIT = Action(name="wait")
BOX = (50.0, 100.0, 110.0, 200.0)


def anchors(made: Trajectory, first: int) -> list[tuple[int | None, tuple[int, ...]]]:
    cases = cases_of(made, only=Capability.MOVEMENT_DIRECTION, relation="MR1")
    (case,) = [case for case in cases if case.subjects[0] == first]
    return [(query.reference, query.evidence) for query in case.queries]


def test_a_pair_is_told_in_its_own_frame_where_no_turn_lies_before_it() -> None:
    made = trajectory([FORWARD, RIGHT])
    assert anchors(made, 0) == [(0, (0, 1)), (1, (1, 2)), (0, (0, 1, 2))]


def test_a_pair_behind_a_turn_is_told_in_the_frame_of_its_window() -> None:
    made = trajectory([TURN, RIGHT])
    assert anchors(made, 0) == [(0, (0, 1)), (0, (0, 1, 2)), (0, (0, 1, 2))]


def test_a_turn_within_a_pair_changes_nothing() -> None:
    made = trajectory([FORWARD, TURN])
    assert anchors(made, 0) == [(0, (0, 1)), (1, (1, 2)), (0, (0, 1, 2))]


def test_an_unknown_action_counts_as_a_turn() -> None:
    assert anchors(trajectory([None, RIGHT]), 0)[1] == (0, (0, 1, 2))


def test_a_camera_that_stays_is_not_turned_by_what_it_watches() -> None:
    """Nor by what the gripper did that nobody knows; only by its own poses."""
    for action in (TURN, None):
        made = trajectory([action, RIGHT], mover="gripper")
        assert anchors(made, 0) == [(0, (0, 1)), (1, (1, 2)), (0, (0, 1, 2))]
    pushed = tuple(Pose(position=(0, 0, 1), yaw_deg=yaw) for yaw in (90.0, 91.0, 91.0))
    made = trajectory([FORWARD, RIGHT], mover="gripper", places=[], poses=pushed)
    assert anchors(made, 0)[1] == (0, (0, 1, 2))
    assert {case.watched for case in cases_of(made)} == {True}
    assert {case.watched for case in cases_of(trajectory([FORWARD, RIGHT]))} == {False}


def test_the_frame_of_reference_is_always_shown() -> None:
    objects = [thing(name, {0: BOX, 3: BOX, 4: BOX}) for name in ("a", "b")]
    made = trajectory([FORWARD, TURN, FORWARD, ODD_TURN, RIGHT], objects)
    for case in cases_of(made):
        for query in case.queries:
            if query.reference is None:
                assert 0 in query.evidence
            else:
                assert query.reference in query.evidence
            assert list(query.evidence) == sorted(set(query.evidence))


def test_equal_pairs_of_two_windows_are_one_question() -> None:
    cases = cases_of(trajectory([FORWARD, RIGHT, BACK]), only=Capability.MOVEMENT_DIRECTION)
    asked = [query for case in cases for query in case.queries if (query.a, query.b) == (1, 2)]
    assert len(asked) > 3
    assert len({replace(query, claim=None, wording=0) for query in asked}) == 1


def test_a_view_rests_on_its_frame_alone() -> None:
    cases = cases_of(trajectory([FORWARD], _side_by_side()), only=Capability.OBJECT_DIRECTION)
    assert {(q.reference, q.evidence) for case in cases for q in case.queries} == {
        (0, (0,)),
        (1, (1,)),
    }


def _side_by_side() -> list[TrackedObject]:
    other = (250.0, 100.0, 310.0, 200.0)
    return [thing("a", {0: BOX, 1: BOX}), thing("b", {0: other, 1: other})]


def test_a_map_rests_on_the_first_frame_and_the_first_two_of_each_object() -> None:
    sure = {1: 0.9, 2: 0.5, 4: 0.9, 5: 0.9}
    made = trajectory(
        [FORWARD] * 6,
        [
            thing("a", dict.fromkeys(sure, BOX), confidence=sure),
            thing("b", {3: BOX, 5: BOX, 6: BOX}),
            thing("c", {0: BOX, 1: BOX}),
        ],
    )
    cases = cases_of(made, only=Capability.MAP_DIRECTION, relation="MR2")
    assert [(case.subjects, case.queries[0].evidence) for case in cases] == [
        (("a", "b"), (0, 1, 3, 4, 5)),
        (("a", "c"), (0, 1, 4)),
        (("b", "c"), (0, 1, 3, 5)),
    ]
    assert {q.reference for case in cases for q in case.queries} == {None}


# ------------------------------------------------------------------------------ exact legs


def exact(
    *actions: Action | None, succeeded: list[bool | None] | None = None, mover: str = "agent"
) -> bool:
    made = trajectory(list(actions), succeeded=succeeded, mover=mover)
    return Window(made, 0, len(actions)).exact


def move(forward: float, right: float = 0.0, up: float = 0.0, turn: float = 0.0) -> Action:
    return Action(name="move", move_m=(forward, right, up), turn_deg=turn)


@pytest.mark.parametrize(
    "legs",
    [
        (FORWARD, FORWARD),
        (move(1.5), move(-0.5)),
        (move(0, 0.5), move(0, -2.5)),
        (TURN, FORWARD),
        (FORWARD, TURN),
        (ODD_TURN, WAIT),
        (FORWARD, ODD_TURN),
        (WAIT, FORWARD),
        (move(0.5 * 2**-0.5, 0.5 * 2**-0.5), FORWARD),
        (ODD_TURN, move(0.5 * math.cos(math.radians(30)), 0.5 * math.sin(math.radians(30)))),
    ],
    ids=range(10),
)
def test_whole_steps_along_multiples_of_45_degrees_are_exact(legs: tuple[Action, ...]) -> None:
    assert exact(*legs)


@pytest.mark.parametrize(
    "legs",
    [
        (ODD_TURN, FORWARD),
        (move(0.75), FORWARD),
        (FORWARD, move(0.7, 0.7)),
        (move(0.3, 0.4), FORWARD),
        (FORWARD, move(0.5, up=0.1)),
        (move(0, up=0.5), FORWARD),
        (move(0.5, turn=45.0), FORWARD),
        (FORWARD, None),
        (move(0.1), FORWARD),
        (move(1e-7), FORWARD),
        (ODD_TURN, move(0.5 * math.cos(math.radians(30)), -0.5 * math.sin(math.radians(30)))),
    ],
    ids=range(11),
)
def test_anything_else_is_not_exact(legs: tuple[Action | None, ...]) -> None:
    assert not exact(*legs)


@pytest.mark.parametrize(
    ("legs", "kept"),
    [
        ((FORWARD, RIGHT), True),
        ((WAIT, FORWARD), True),
        ((ODD_TURN, FORWARD), True),
        ((move(0.5, turn=30.0), FORWARD), True),
        ((FORWARD, move(0, up=0.5)), False),
        ((FORWARD, move(0.7)), False),
        ((ODD_TURN, move(0.5 * math.cos(math.radians(30)), 0.25)), False),
        ((FORWARD, None), False),
    ],
    ids=range(8),
)
def test_moves_before_a_camera_that_stays_are_exact_whichever_way_they_turn(
    legs: tuple[Action | None, ...], kept: bool
) -> None:
    assert exact(*legs, mover="gripper") is kept


@pytest.mark.parametrize("succeeded", [[True, False], [None, True], [False, False]])
def test_a_move_that_may_have_failed_is_not_exact(succeeded: list[bool | None]) -> None:
    assert not exact(FORWARD, FORWARD, succeeded=succeeded)


def test_only_movement_is_ever_exact_and_only_in_triples() -> None:
    made = trajectory([FORWARD, TURN, FORWARD, ODD_TURN, RIGHT], _side_by_side())
    exact_ones = [case for case in cases_of(made) if case.exact]
    assert {(case.capability.value, case.relation) for case in exact_ones} == {
        ("SC1-a", "MR1"),
        ("SC1-b", "MR4"),
    }
    assert {case.subjects for case in exact_ones} == {(0, 1, 2), (1, 2, 3), (2, 3, 4)}


def test_each_window_is_exact_by_its_own_moves() -> None:
    made = trajectory([*[FORWARD] * 4, move(0.7), *[FORWARD] * 4])
    cases = cases_of(made, only=Capability.MOVEMENT_DIRECTION, relation="MR1")
    exact_ones = [case.subjects[0] for case in cases if case.exact]
    assert exact_ones == [0, 1, 2, 5, 6, 7]
