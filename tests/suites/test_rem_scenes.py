"""Scenes and ways of REM before anything is drawn: where things stand, where the walk goes."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations, groupby
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace import cli
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.suites.rem import _layout, _path
from pytest_metaspace.suites.rem._choice import FRAMES, OBJECTS, TURN_OBJECTS, VARIED, chosen
from pytest_metaspace.suites.rem._scene import KINDS, Pose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.suites.rem._scene import Place
    from pytest_metaspace.suites.rem._seen import Kind

seeds = st.integers(0, 10**9)
few = settings(max_examples=15, deadline=None)


def check_places(places: Sequence[Place], poses: Sequence[Pose]) -> None:
    for one, two in combinations(places, 2):
        assert math.dist((one.x, one.y), (two.x, two.y)) >= 1.5 - 1e-3
    for place in places:
        for pose in poses:
            assert math.dist((place.x, place.y), (pose.x, pose.y)) >= 1.5 - 1e-3  # 1 m is free


@few
@given(seeds, st.integers(2, 64), st.sampled_from([(8, 2), (24, 0), (48, 24), (48, 46)]))
def test_things_stand_apart_and_clear_of_the_walk(
    seed: int, frames: int, many: tuple[int, int]
) -> None:
    chance = random.Random(seed)
    poses, _ = _path.walk(chance, frames)
    things = _layout.kinds(chance, *many)
    places = _layout.around(chance, things, poses)
    check_places(places, poses)
    assert [place.thing for place in places] == list(things)
    quadrants = Counter((math.copysign(1, one.x), math.copysign(1, one.y)) for one in places)
    assert max(quadrants.values()) - min(quadrants.values()) <= 1
    for extra in _layout.another(chance, places, poses, 3):
        check_places([*places, extra], poses)
        assert extra.thing.id not in {one.id for one in things}


@few
@given(seeds, st.integers(24, 55))
def test_things_of_a_single_frame_stand_ahead_or_out_of_sight(seed: int, objects: int) -> None:
    chance = random.Random(seed)
    ((pose,), moves) = _path.still()
    things = _layout.kinds(chance, objects, objects - 20)
    places = _layout.ahead(chance, things)
    check_places(places, [pose])
    assert not moves
    assert [place.thing for place in places] == list(things)
    bearings = [abs(math.degrees(math.atan2(place.y, place.x))) for place in places]
    reach = [math.degrees(math.asin(0.5**0.5 / math.hypot(one.x, one.y))) for one in places]
    ahead = [bearing <= 43.01 for bearing in bearings]
    assert sum(ahead) >= 8
    assert all(
        inside or bearing - wide > 45 for inside, bearing, wide in zip(ahead, bearings, reach)
    )


@few
@given(seeds, st.sampled_from([(8, 6), (16, 4), (24, 0), (48, 24)]))
def test_so_many_are_duplicates_as_ordered(seed: int, many: tuple[int, int]) -> None:
    objects, duplicates = many
    things = _layout.kinds(random.Random(seed), objects, duplicates)
    assert len({one.id for one in things}) == len(things) == objects
    assert objects - len({one.name for one in things}) == duplicates


@few
@given(seeds, st.integers(2, 64))
def test_a_walk_goes_a_metre_at_a_time_and_turns_at_the_edge(seed: int, frames: int) -> None:
    poses, moves = _path.walk(random.Random(seed), frames)
    assert (len(poses), len(moves)) == (frames, frames - 1)
    for pose, move, after in zip(poses, moves, poses[1:]):
        assert max(abs(after.x), abs(after.y)) <= 6
        gone = math.dist((pose.x, pose.y), (after.x, after.y))
        assert gone == pytest.approx(1 if move.name == "move_forward" else 0, abs=1e-5)
        turned = (pose.yaw_deg - after.yaw_deg + 180) % 360 - 180
        assert turned == pytest.approx({"turn_left": -15, "turn_right": 15}.get(move.name, 0))
        assert (move.forward_m, move.turn_deg) == pytest.approx((round(gone), turned))
        ahead = pose.after(_path.FORWARD)
        assert move.name != "move_forward" or max(abs(ahead.x), abs(ahead.y)) <= 6
    runs = [(name, len(list(run))) for name, run in groupby(move.name for move in moves)]
    for name, length in runs[1:-1]:
        assert name == "move_forward" or length >= 8


@few
@given(seeds)
def test_a_longer_walk_begins_with_the_shorter_one(seed: int) -> None:
    poses, moves = _path.walk(random.Random(seed), 9)
    longer, more = _path.walk(random.Random(seed), 40)
    assert (longer[:9], more[:8]) == (poses, moves)


@few
@given(seeds)
def test_behind_stands_the_mirrored_arrangement_of_other_kinds(seed: int) -> None:
    poses, moves = _path.spot(random.Random(seed))
    places = _layout.opposite(random.Random(seed), TURN_OBJECTS)
    check_places(places, poses)
    front, behind = places[:12], places[12:]
    for one, other in zip(front, behind):
        assert (other.x, other.y) == (-one.x, -one.y)
        assert one.x > 0
        assert one.thing.shape == other.thing.shape
    names = Counter(place.thing.name for place in places)
    twins = [name for name, count in names.items() if count == 2]
    assert 1 <= len(twins) <= 2
    assert max(names.values()) == 2
    assert all(
        name in {place.thing.name for place in front}
        and name in {place.thing.name for place in behind}
        for name in twins
    )
    assert len(moves) == 23
    assert len({move.name for move in moves}) == 1
    assert len({round(pose.yaw_deg) % 360 for pose in poses}) == 24


def test_one_thing_more_is_of_another_colour_where_there_is_one() -> None:
    chance = random.Random(1)
    poses, _ = _path.walk(chance, 4)
    for objects, duplicates in ((4, 1), (24, 10), (30, 6)):
        places = _layout.around(chance, _layout.kinds(chance, objects, duplicates), poses)
        there = {place.thing.colour for place in places}
        new = _layout.another(chance, places, poses, 1)[0].thing
        assert new.colour not in there or len(there) == 8
        unused = len({place.thing.name for place in places}) < len(KINDS)
        assert new.number == 1 or not unused


def test_numbers_take_turns_until_all_have_met() -> None:
    many = len(FRAMES) * len(OBJECTS) * 4
    met = {tuple(chosen("walk", number, {}).values()) for number in range(many)}
    assert len({one[:2] for one in met}) == len(FRAMES) * len(OBJECTS)
    assert len(met) > 100  # some duplicates are the same, as not all are possible
    for frames, objects, duplicates in met:
        assert 2 <= frames <= 64
        assert max(0, objects - 24) <= duplicates <= objects - 2


@pytest.mark.parametrize(
    ("kind", "options", "found"),
    [
        ("walk", {"frames": 8, "objects": 16}, (8, 16, 4)),
        ("walk", {"frames": 8, "objects": 48, "duplicates": VARIED}, (8, 48, 24)),
        ("walk", {"frames": 8, "objects": VARIED, "duplicates": 46}, (8, 48, 46)),
        ("frame", {"frames": 8, "objects": 30, "duplicates": 10}, (1, 30, 10)),
        ("rotation", {"frames": 8, "objects": 30, "duplicates": 20}, (24, 24)),
    ],
)
def test_what_is_ordered_is_had(
    kind: Kind, options: dict[str, int | str], found: tuple[int, ...]
) -> None:
    assert tuple(chosen(kind, 0, options).values()) == found


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"frames": 1}, "--frames 1: expected 2 to 64, or varied"),
        ({"objects": 56}, "--objects 56: expected 2 to 55, or varied"),
        ({"objects": 16, "duplicates": 15}, "of 16 objects 0 to 14 can be duplicates"),
        ({"objects": 48, "duplicates": 0}, "of 48 objects 24 to 46 can be duplicates"),
        ({"duplicates": 50}, "--duplicates 50: the most things drawn in turn"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, int | str], told: str) -> None:
    with pytest.raises(UsageProblem, match=told):
        chosen("walk", 0, options)


def test_what_is_no_number_is_refused_where_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="4"):
        cli.main(["build", "rem", "--frames", "some", "out"])
    assert "--frames: some: expected 2 to 64, or varied" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        cli.main(["build", "rem", "--help"])
    assert "--frames N|varied" in capsys.readouterr().out
