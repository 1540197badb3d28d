"""What is left out, by which rule, and that it is counted."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.domain import Action, Capability, Pose, Settings, Trajectory
from pytest_metaspace.mrs import Grounds
from tests.unit_support import FORWARD, RIGHT, cases_of, drops_of, placed, thing, trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Case, TrueObject

    Corners = tuple[float, float, float, float]

BOX = (100.0, 100.0, 160.0, 200.0)
FAR = (400.0, 100.0, 460.0, 200.0)


def whole(
    box: Corners,
    *,
    confidence: float = 0.9,
    others: Sequence[Corners] = (),
    place: TrueObject | None = None,
) -> bool:
    lamp = thing("lamp", {0: box}, confidence=confidence)
    rest = [thing(f"other{i}", {0: other}) for i, other in enumerate(others)]
    made = trajectory([FORWARD], [lamp, *rest], places=None if place is None else [place])
    return Grounds(made, Settings()).whole(lamp, 0)


# ------------------------------------------------------------------------------------ whole


@pytest.mark.parametrize(
    ("box", "kept"),
    [
        (BOX, True),
        ((1, 100, 60, 200), True),
        ((0.9, 100, 60, 200), False),
        ((100, 1, 160, 60), True),
        ((100, 0.9, 160, 60), False),
        ((500, 100, 639, 200), True),
        ((500, 100, 639.1, 200), False),
        ((100, 400, 160, 479), True),
        ((100, 400, 160, 479.1), False),
    ],
)
def test_a_box_that_touches_the_border_is_not_whole(box: Corners, kept: bool) -> None:
    assert whole(box) is kept


@pytest.mark.parametrize(("height", "kept"), [(24, True), (23.9, False), (5, False)])
def test_a_box_lower_than_24_pixels_is_not_whole(height: float, kept: bool) -> None:
    assert whole((100, 100, 300, 100 + height)) is kept


@pytest.mark.parametrize(("confidence", "kept"), [(0.6, True), (0.59, False)])
def test_an_object_that_is_not_surely_seen_is_not_whole(confidence: float, kept: bool) -> None:
    assert whole(BOX, confidence=confidence) is kept


def test_an_object_that_is_not_in_the_frame_is_not_whole() -> None:
    lamp = thing("lamp", {0: BOX})
    assert not Grounds(trajectory([FORWARD], [lamp]), Settings()).whole(lamp, 1)


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        ((160, 100, 220, 200), True),
        ((158.8, 100, 220, 200), True),
        ((158.7, 100, 220, 200), False),
        ((100, 198, 160, 300), True),
        ((100, 197.9, 160, 300), False),
        ((110, 110, 120, 120), True),
        ((110, 110, 121, 121), False),
        ((1, 1, 600, 400), False),
    ],
)
def test_without_truth_a_box_covered_by_more_than_2_percent_is_not_whole(
    other: Corners, kept: bool
) -> None:
    assert whole(BOX, others=[other]) is kept
    assert whole(BOX, others=[other], place=placed("someone else", (0, 0, 0))) is kept


@pytest.mark.parametrize(("share", "kept"), [(1.0, True), (0.93, True), (0.9299, False)])
def test_with_truth_93_percent_of_the_height_must_be_seen(share: float, kept: bool) -> None:
    lamp = placed("lamp", (3, 0, 1), visible={0: share})
    assert whole(BOX, place=lamp) is kept
    assert whole(BOX, place=lamp, others=[BOX]) is kept


def test_a_frame_of_which_truth_says_nothing_does_not_show_an_object_whole() -> None:
    assert not whole(BOX, place=placed("lamp", (3, 0, 1), visible={1: 1.0}))


# ------------------------------------------------------------------------------- persistent


def test_an_object_counts_from_its_second_sure_sighting() -> None:
    made = trajectory(
        [FORWARD, FORWARD],
        [
            thing("twice", {0: BOX, 2: BOX}),
            thing("once", {0: BOX}),
            thing("barely", {0: BOX, 1: BOX}, confidence=0.6),
            thing("doubtful", {0: BOX, 1: BOX, 2: BOX}, confidence={0: 0.9, 1: 0.5, 2: 0.59}),
        ],
    )
    grounds = Grounds(made, Settings())
    assert [one.id for one in grounds.persistent] == ["barely", "twice"]
    assert grounds.drops == {"objects seen in fewer than two frames": 2}
    relaxed = Grounds(made, Settings(confidence=0.5))
    assert [one.id for one in relaxed.persistent] == ["barely", "doubtful", "twice"]


def test_what_is_not_left_out_is_not_counted() -> None:
    """Not even as 0: the report would speak of candidates that were left out."""
    drops = Grounds(resting((0, 3)), Settings()).drops
    assert "objects seen in fewer than two frames" not in drops
    for code in (Capability.MAP_DISTANCE, Capability.SIZE, Capability.DEPTH):
        assert cases_of(resting((0, 3)), only=code)
    assert list(drops_of(resting((0, 3)))) == []


# ----------------------------------------------------------------------------- what has moved


def resting(*rest: tuple[int, int]) -> Trajectory:
    boxes, others = dict.fromkeys(range(4), BOX), dict.fromkeys(range(4), FAR)
    return trajectory(
        [FORWARD, FORWARD, FORWARD],
        [thing("mug", boxes), thing("table", others)],
        places=[placed("mug", (9, 0, 1), rest=rest), placed("table", (9, 1, 1))],
    )


def frames(cases: Sequence[Case], name: str | None = None) -> list[tuple[object, ...]]:
    return [case.subjects for case in cases if name is None or case.object == name]


def test_a_map_leaves_out_what_moved() -> None:
    still, moved = resting((0, 3)), resting((0, 1), (2, 3))
    assert len(cases_of(still, only=Capability.MAP_DISTANCE, relation="MR2")) == 1
    assert cases_of(moved, only=Capability.MAP_DISTANCE) == []
    assert drops_of(moved)["SC4: objects that moved"] == 1
    assert "SC4: objects that moved" not in drops_of(still)


@pytest.mark.parametrize("rest", [(0, 2), (1, 3)])
def test_a_map_leaves_out_what_moved_at_the_very_start_or_end(rest: tuple[int, int]) -> None:
    assert cases_of(resting(rest), only=Capability.MAP_DISTANCE) == []


def test_sizes_and_depths_are_compared_within_stretches_of_rest() -> None:
    moved = resting((0, 1), (2, 3))
    assert frames(cases_of(moved, only=Capability.DEPTH), "mug") == [(0, 1), (2, 3)]
    assert len(frames(cases_of(moved, only=Capability.DEPTH), "table")) == 6
    assert frames(cases_of(moved, only=Capability.SIZE)) == [(0, 1), (2, 3)]
    drops = drops_of(moved)
    assert drops["MR5: the object was moved"] == 4
    assert drops["MR6: an object was moved"] == 4


def test_views_and_movement_do_not_mind_what_moved() -> None:
    for code in (Capability.OBJECT_DIRECTION, Capability.MOVEMENT_DISTANCE):
        assert len(cases_of(resting((0, 1)), only=code)) == len(
            cases_of(resting((0, 3)), only=code)
        )


# ------------------------------------------------------------------------------ what was held


def grasped(*held: str | None, places: Sequence[TrueObject] | None = None) -> Trajectory:
    """Return a run of a gripper whose log alone tells what it held."""
    boxes, others = dict.fromkeys(range(5), BOX), dict.fromkeys(range(5), FAR)
    made = trajectory(
        [FORWARD] * 4, [thing("mug", boxes), thing("table", others)], mover="gripper", places=places
    )
    states = [replace(state, holds=name) for state, name in zip(made.states, held)]
    return replace(made, states=tuple(states))


def test_without_truth_a_thing_rests_where_it_is_not_held() -> None:
    made = grasped(None, None, "mug", None, None)
    assert frames(cases_of(made, only=Capability.DEPTH), "mug") == [(0, 1), (3, 4)]
    assert len(frames(cases_of(made, only=Capability.DEPTH), "table")) == 10
    assert frames(cases_of(made, only=Capability.SIZE)) == [(0, 1), (3, 4)]
    assert cases_of(made, only=Capability.MAP_DISTANCE) == []
    drops = drops_of(made)
    assert drops["MR5: the object was moved"] == 8
    assert drops["MR6: an object was moved"] == 8
    assert drops["SC4: objects that moved"] == 1


@pytest.mark.parametrize("held", [(0,), (4,), (0, 1, 2, 3, 4)])
def test_a_thing_held_at_the_very_start_or_end_is_not_on_the_map(held: tuple[int, ...]) -> None:
    made = grasped(*("mug" if state in held else None for state in range(5)))
    assert cases_of(made, only=Capability.MAP_DISTANCE) == []


def test_where_truth_tells_the_grasp_log_does_not_count() -> None:
    """Held, and not moved: truth says so."""
    places = [placed("mug", (9, 0, 1)), placed("table", (9, 1, 1))]
    made = grasped(None, "mug", "mug", None, None, places=places)
    assert len(frames(cases_of(made, only=Capability.DEPTH), "mug")) == 10
    assert "SC4: objects that moved" not in drops_of(made)
    unknown = grasped(None, "mug", "mug", None, None, places=places[1:])
    assert frames(cases_of(unknown, only=Capability.DEPTH), "mug") == [(3, 4)]


def test_a_thing_is_seen_from_where_it_rests_in_both_frames() -> None:
    """At the end the camera goes up to it, level: where it was at first, it would look higher."""
    high, level = (5.0, 0.0, 3.0), (5.0, 0.0, 1.0)
    mug = replace(placed("mug", high, rest=((0, 1), (2, 3))), centers=(high, high, level, level))
    made = trajectory(
        [Action(name="wait")] * 3,
        [thing("mug", dict.fromkeys(range(4), BOX))],
        places=[mug],
        poses=tuple(Pose(position=(x, 0.0, 1.0), yaw_deg=0.0) for x in (0.0, 0.0, 0.0, 2.0)),
        mover="gripper",
    )
    assert frames(cases_of(made, only=Capability.DEPTH)) == [(0, 1), (2, 3)]
    assert drops_of(made)["MR5: the object was moved"] == 4


# ---------------------------------------------------------------------------------------- MR5


def depth_of(
    *boxes: Corners, focal: float | None = 400.0, poses: Sequence[Pose] = ()
) -> Trajectory:
    lamp = thing("lamp", dict(enumerate(boxes)))
    places = [placed("lamp", (5.0, 0.0, 1.0))] if poses else None
    return trajectory(
        [FORWARD] * (len(boxes) - 1), [lamp], focal=focal, places=places, poses=tuple(poses) or None
    )


def test_the_tolerance_of_a_depth_is_made_of_its_parts() -> None:
    (case,) = cases_of(depth_of(BOX, (100, 100, 130, 150)), only=Capability.DEPTH)
    assert case.tolerance == {"depth": pytest.approx(0.1 + 1.5 / 100 + 1.5 / 50 + 60 / 800)}
    assert case.tolerance_parts == {
        "epsilon": 0.1,
        "1.5 px of frame 0": 0.015,
        "1.5 px of frame 1": 0.03,
        "its own depth": pytest.approx(0.075),
    }
    assert [given.size_px for given in case.givens] == [100, 50]


def test_the_tolerance_of_a_depth_grows_with_epsilon() -> None:
    made = depth_of(BOX, BOX)
    (case,) = cases_of(made, only=Capability.DEPTH, epsilon=0.2)
    (other,) = cases_of(made, only=Capability.DEPTH)
    assert case.tolerance["depth"] - other.tolerance["depth"] == pytest.approx(0.1)


def test_without_intrinsics_the_longer_side_stands_for_the_focal_length() -> None:
    (case,) = cases_of(depth_of(BOX, BOX, focal=None), only=Capability.DEPTH)
    assert case.tolerance_parts["its own depth"] == pytest.approx(60 / (2 * 640))


@pytest.mark.parametrize(("width", "kept"), [(65.9, True), (66.1, False), (50, False)])
def test_boxes_of_other_aspect_are_left_out(width: float, kept: bool) -> None:
    made = depth_of(BOX, (100, 100, 100 + width, 200))
    assert bool(cases_of(made, only=Capability.DEPTH)) is kept
    assert bool(drops_of(made)["MR5: the aspect ratios of the boxes differ"]) is not kept


def test_boxes_that_tell_too_little_are_left_out() -> None:
    """A box 300 pixels wide with a focal length of 400: tau is 0.1 + 0.1 + 0.375."""
    made = depth_of((100, 100, 400, 130), (100, 100, 400, 130))
    assert cases_of(made, only=Capability.DEPTH) == []
    assert drops_of(made)["MR5: the boxes are too small or too wide to tell"] == 1
    assert (
        len(cases_of(depth_of((100, 100, 130, 130), (100, 100, 130, 130)), only=Capability.DEPTH))
        == 1
    )


@pytest.mark.parametrize(("width", "kept"), [(150, True), (150.1, False)])
def test_a_tolerance_of_a_half_is_the_largest(width: float, kept: bool) -> None:
    """With an epsilon of 0.25: 0.25 + 1.5 / 48 + 1.5 / 48 + 150 / 800."""
    box = (100, 100, 100 + width, 148)
    assert bool(cases_of(depth_of(box, box), only=Capability.DEPTH, epsilon=0.25)) is kept


@pytest.mark.parametrize("from_deg", [0, 3, -30])
@pytest.mark.parametrize(("degrees", "kept"), [(0, True), (4.9, True), (5.1, False), (-5.1, False)])
def test_an_object_seen_from_another_elevation_is_left_out(
    from_deg: float, degrees: float, kept: bool
) -> None:
    poses = [
        Pose(position=(0.0, 0.0, 1.0 + 5 * math.tan(math.radians(elevation))), yaw_deg=0.0)
        for elevation in (from_deg, from_deg + degrees)
    ]
    made = depth_of(BOX, BOX, poses=poses)
    assert bool(cases_of(made, only=Capability.DEPTH)) is kept
    assert bool(drops_of(made)["MR5: the object is seen from different elevations"]) is not kept


def test_frames_that_do_not_show_an_object_whole_are_counted() -> None:
    made = depth_of(BOX, BOX, (0, 100, 60, 200))
    assert len(cases_of(made, only=Capability.DEPTH)) == 1
    assert drops_of(made)["MR5: the object is not whole in both frames"] == 2


# ---------------------------------------------------------------------------------------- MR6


def test_sizes_ask_for_frames_that_show_both_whole() -> None:
    cut = (0.0, 100.0, 60.0, 200.0)
    made = trajectory(
        [FORWARD, RIGHT, FORWARD],
        [thing("a", dict.fromkeys(range(4), BOX)), thing("b", {0: FAR, 1: cut, 2: FAR, 3: FAR})],
    )
    assert frames(cases_of(made, only=Capability.SIZE)) == [(0, 2), (0, 3), (2, 3)]
    assert drops_of(made)["MR6: an object is not whole in both frames"] == 3


def test_the_tolerance_of_sizes_is_delta() -> None:
    made = resting((0, 3))
    for case in cases_of(made, only=Capability.SIZE, delta=0.2):
        assert case.tolerance == {"size": 0.2}
