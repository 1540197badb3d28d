"""Which answers are held against boxes, actions and truth, and that nobody is asked for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import mrs
from pytest_metaspace.domain import (
    Capability,
    Case,
    Columns,
    Executed,
    HeadingAt,
    PrincipalColumn,
    Settings,
    StepLength,
    TrueAnswer,
    Value,
)
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.pipeline import Registries, chosen, plan
from pytest_metaspace.questions import distinct
from tests.unit_support import (
    FORWARD,
    HOUSEHOLD,
    RIGHT,
    TURN,
    cases_of,
    drops_of,
    placed,
    thing,
    trajectory,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Trajectory

ALL = frozenset({"all"})
LEFT_BOX = (50.0, 100.0, 110.0, 200.0)
MIDDLE_BOX = (290.0, 100.0, 350.0, 200.0)
RIGHT_BOX = (450.0, 100.0, 510.0, 200.0)


def both(box: tuple[float, float, float, float]) -> dict[int, tuple[float, float, float, float]]:
    return {0: box, 1: box}


@pytest.fixture
def room() -> Trajectory:
    """Three things, of which one is in the middle; the last action failed."""
    return trajectory(
        [FORWARD, TURN, FORWARD, RIGHT],
        [
            thing("lamp", both(LEFT_BOX)),
            thing("bed", both(RIGHT_BOX)),
            thing("mat", both(MIDDLE_BOX)),
        ],
        places=[placed("lamp", (3.0, 1.0, 1.0)), placed("bed", (3.0, -1.0, 1.0))],
        succeeded=[True, True, True, False],
    )


@pytest.fixture(scope="module")
def shipped() -> Trajectory:
    from pytest_metaspace.pipeline import load

    (found,) = load([HOUSEHOLD / "study-01"], Registries.built_in())
    return found


def anchored(made: Trajectory, name: str, **settings: Any) -> list[Case]:
    return cases_of(made, relation=name, **settings)


# --- what is asked -----------------------------------------------------------------------------


@pytest.mark.parametrize("sample", [1.0, 0.1])
@pytest.mark.parametrize("relations", [(), ("MR1",), ("MR3", "MR5"), ("MR4", "A2")])
@pytest.mark.parametrize("codes", [(), ("SC1-b", "SC2-a")])
def test_anchors_ask_nothing_more(
    shipped: Trajectory, sample: float, relations: tuple[str, ...], codes: tuple[str, ...]
) -> None:
    known = Registries.built_in()
    plain = Settings(
        relations=frozenset(relations) - {"A2"}, capabilities=frozenset(codes), sample=sample
    )
    without = plan(shipped, known, plain)
    with_them = plan(shipped, known, replace(plain, anchors=ALL, relations=frozenset(relations)))
    related = [case for case in with_them.cases if not case.relation.startswith("A")]
    assert related == without.cases
    assert set(distinct(with_them.cases)) == set(distinct(without.cases))
    if relations != ("MR3", "MR5") or not codes:
        assert len(with_them.cases) > len(related)


def test_alone_they_hold_the_questions_of_all_relations(shipped: Trajectory) -> None:
    everything = plan(shipped, Registries.built_in(), Settings(anchors=ALL)).cases
    for name in ("A1", "A2", "A3"):
        alone = anchored(shipped, name)
        assert alone == [case for case in everything if case.relation == name]
    assert drops_of(shipped, relations=frozenset({"A2"})) == {}
    some = anchored(shipped, "A3", sample=0.1)
    assert 0.05 < len(some) / len(anchored(shipped, "A3")) < 0.15


def test_every_question_of_a_capability_is_compared_with_the_truth_once(
    shipped: Trajectory,
) -> None:
    cases = plan(shipped, Registries.built_in(), Settings(anchors=ALL)).cases
    for code in Capability:
        asked = [query for query in distinct(cases) if query.capability is code]
        compared = [case for case in cases if (case.relation, case.capability) == ("A3", code)]
        assert sorted(map(repr, asked)) == sorted(repr(case.queries[0]) for case in compared)
        assert all(len(case.queries) == 1 for case in compared)
    ids = [case.address for case in cases]
    assert len(set(ids)) == len(ids)


def test_grounds_tell_the_questions_of_the_six_relations_where_nobody_has(
    shipped: Trajectory,
) -> None:
    grounds = mrs.Grounds(shipped, Settings())
    found = [query for code in Capability for query in grounds.questions(code)]
    cases = plan(shipped, Registries.built_in(), Settings()).cases
    assert set(found) == set(distinct(cases))
    assert not grounds.drops


def test_no_relation_is_anchored_unless_it_is_named() -> None:
    known = Registries.built_in()

    def names(*relations: str, anchors: frozenset[str] = frozenset()) -> list[str]:
        settings = Settings(relations=frozenset(relations), anchors=anchors)
        return [one.name for one in chosen(known, settings) if one.suite is None]

    six = [f"MR{number}" for number in range(1, 7)]
    assert names() == six
    assert names(anchors=ALL) == [*six, "A1", "A2", "A3"]
    assert names(anchors=frozenset({"A2"})) == [*six, "A2"]
    assert names("A2") == ["A2"]
    assert names("MR1", "A2") == ["MR1", "A2"]
    assert names("MR1", anchors=frozenset({"A3"})) == ["MR1", "A3"]


@pytest.mark.parametrize("name", ["MR1", "a2", "A9"])
def test_what_is_no_anchored_relation_is_refused_with_those_that_are(name: str) -> None:
    settings = Settings(anchors=frozenset({name}))
    with pytest.raises(UsageProblem, match=rf"'{name}' is not known.*A1, A2, A3.*=all"):
        chosen(Registries.built_in(), settings)


# --- A1 ----------------------------------------------------------------------------------------


def test_boxes_on_two_sides_are_given_with_where_the_camera_looks(room: Trajectory) -> None:
    cases = anchored(room, "A1")
    assert {case.subjects for case in cases} == {("bed", "lamp"), ("lamp", "bed")}
    assert len(cases) == 6  # two frames, there and back and in other words
    case = next(case for case in cases if case.id.startswith("f001-lamp-bed"))
    assert case.givens == (
        Columns(frame=1, object="lamp", left=50.0, right=110.0),
        Columns(frame=1, object="bed", left=450.0, right=510.0),
        PrincipalColumn(1, 320.0),
    )
    assert sum(case.id.split("-")[3] == "reworded" for case in cases) == 2
    reason = "A1: the objects are not on two sides of where the camera looks"
    assert drops_of(room, anchors=ALL)[reason] == 12


def test_without_a_principal_point_it_is_the_middle(room: Trajectory) -> None:
    made = replace(room, camera=replace(room.camera, cx=None, cy=None))
    assert anchored(made, "A1") == anchored(room, "A1")
    aside = replace(room, camera=replace(room.camera, cx=400.0))
    assert {case.subjects for case in anchored(aside, "A1")} >= {("bed", "mat"), ("mat", "bed")}
    far = replace(room, camera=replace(room.camera, cx=600.0))
    assert not anchored(far, "A1")


@pytest.mark.parametrize(("roll", "count"), [(1.9, 6), (-1.9, 6), (2.0, 0), (-2.0, 0)])
def test_a_tilted_camera_tells_no_sides(room: Trajectory, roll: float, count: int) -> None:
    assert room.truth is not None
    poses = tuple(replace(pose, roll_deg=roll) for pose in room.truth.poses)
    made = replace(room, truth=replace(room.truth, poses=poses))
    assert len(anchored(made, "A1")) == count
    if not count:
        assert drops_of(made, anchors=ALL)["A1: the camera is not level"] == 18


def test_an_object_that_is_not_whole_has_no_side(room: Trajectory) -> None:
    """Relations of one's own may ask about it."""
    view = mrs.View(room, 0)
    grounds = mrs.Grounds(room, Settings(confidence=0.95))
    grounds.ask_about([view.ask(Capability.OBJECT_DIRECTION, "lamp", "bed")])
    assert not list(mrs.ANCHORED[0].instances(grounds, Capability.OBJECT_DIRECTION))
    assert grounds.drops == {"A1: an object is not whole": 1}


# --- A2 ----------------------------------------------------------------------------------------


def test_what_was_executed_since_the_heading_is_given(room: Trajectory) -> None:
    cases = {case.id.rsplit("-", 1)[0]: case for case in anchored(room, "A2")}
    assert cases["h000-s000-s001"].givens == (
        HeadingAt(0),
        Executed(first=0, move_m=(0.5, 0.0, 0.0), turn_deg=0.0),
        StepLength(0.5),
    )
    after_a_turn = cases["h001-s002-s003"]  # in a window that begins before the turn
    assert after_a_turn.subjects == (2, 3)
    assert [given.first for given in after_a_turn.givens if isinstance(given, Executed)] == [1, 2]
    assert cases["h000-s001-s000"].subjects == (1, 0)
    assert "h000-s000-s001-reworded" in cases


def test_a_failed_or_unknown_action_is_left_out_and_counted(room: Trajectory) -> None:
    last = {max(case.subjects) for case in anchored(room, "A2")}
    assert last == {1, 2, 3}
    reason = "A2: an action failed or is not known"
    assert drops_of(room, anchors=ALL)[reason] > 0
    for wrong in (None, False):
        made = trajectory([FORWARD, FORWARD], succeeded=[True, wrong])
        assert {max(case.subjects) for case in anchored(made, "A2")} == {1}
    gap = trajectory([FORWARD, None], succeeded=[True, True])
    assert {max(case.subjects) for case in anchored(gap, "A2")} == {1}


def test_no_pose_is_needed() -> None:
    assert anchored(trajectory([FORWARD, TURN]), "A2")


def test_who_is_watched_moves_in_the_frame_of_the_camera() -> None:
    for mover, turn in (("agent", 45.0), ("gripper", 0.0)):
        made = trajectory([TURN, FORWARD], mover=mover)
        case = next(case for case in anchored(made, "A2") if case.subjects == (0, 2))
        (first, *_) = (given for given in case.givens if isinstance(given, Executed))
        assert first.turn_deg == turn


# --- A3 ----------------------------------------------------------------------------------------


def truths(cases: list[Case]) -> Iterator[tuple[Case, TrueAnswer]]:
    for case in cases:
        (given,) = case.givens
        assert isinstance(given, TrueAnswer)
        yield case, given


def test_the_true_answer_is_that_to_the_open_question(room: Trajectory) -> None:
    found = list(truths(anchored(room, "A3", only=Capability.OBJECT_DIRECTION)))
    assert {given.value.planar for _, given in found} == {"left", "right"}
    assert all(given.query.claim is None for _, given in found)
    assert any(case.queries[0].claim is not None for case, _ in found)
    assert {given.value for _, given in truths(anchored(room, "A3", only=Capability.DEPTH))} == {
        Value(metres=3.0), Value(metres=2.5)
    }  # fmt: skip


def test_where_the_truth_is_silent_nothing_is_compared(room: Trajectory) -> None:
    found = anchored(room, "A3", only=Capability.OBJECT_DIRECTION)
    assert {name for case in found for name in case.subjects} == {"lamp", "bed"}
    reason = "A3: the true answer is not known"
    assert drops_of(room, anchors=ALL)[reason] > 0
    nothing = replace(room, truth=None)
    assert not anchored(nothing, "A3")
    assert anchored(nothing, "A1")
    asked = len(distinct(cases_of(nothing)))
    assert drops_of(nothing, anchors=ALL)[reason] == asked
