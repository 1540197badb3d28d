"""Relations on the benchmark's own walks: where they are sound, and why not elsewhere."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Outcome, Settings
from pytest_metaspace.suites import rem
from pytest_metaspace.suites.rem._own_walk import CLEAR_PERCENT, kind_of
from pytest_metaspace.suites.rem._seen import Move, Thing, Walk
from pytest_metaspace.trajectories import Reading
from tests.suites import rem_own
from tests.suites.rem_agents import kept, perfect
from tests.suites.rem_own import (
    COMPARED,
    NUMBERS,
    ORDERS,
    PLACES,
    SIDES,
    TWO,
    loaded,
    posed,
    straight,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Item, Trajectory
    from tests.suites.rem_own import Scene


# ------------------------------------------------------------------- relations, and where none


def tied(item: Item) -> set[str]:
    return {name for tie in item.ties for name in tie.posings}


def seen_by(scene: Scene, found: Trajectory) -> Walk:
    """Return what was really seen at the pictures of a walk."""
    assert scene.sights is not None
    things = [name.split("_") for name in scene.places]
    turn = {"rotate_left_15": -15.0, "rotate_right_15": 15.0}
    return Walk(
        seed=0,
        number=0,
        kind=kind_of(
            [
                Move(one, turn_deg=turn.get(one, 0.0), forward_m=float(one not in turn))
                for one in scene.moves
            ]
        ),
        things=tuple(
            Thing(id="_".join(one), colour=one[0], shape=one[1], number=int(one[2]))
            for one in things
        ),
        frames=tuple(scene.sights),
        moves=(),
        pictures=tuple(one.frame for one in found.states),
    )


@pytest.mark.parametrize("kind", ["walk", "rotation", "frame"])
def test_who_sees_everything_or_no_sliver_keeps_every_relation(tmp_path: Path, kind: str) -> None:
    posings: Counter[str] = Counter()
    for number in range(12):
        scene = rem_own.by_chance(number, kind=kind, frames=5 + number, objects=12 + number)
        main = rem_own.write(tmp_path / f"{number}-run", scene)
        found = rem.load(main, Reading(frames=tmp_path))
        for item in found.items.values():
            names = tied(item)
            for agent in perfect(seen_by(scene, found)):
                asked = {name: item.posings[name] for name in names}
                said = {name: agent.answer(posing) for name, posing in asked.items()}
                assert said == {name: posing.answer for name, posing in asked.items()}
                assert all(kept(tie, said) is not False for tie in item.ties)
                posings.update(tie.relation for tie in item.ties)
    assert min(posings.values()) >= 3
    assert len(posings) >= (6 if kind == "frame" else 11)


def test_truth_is_right_about_all_that_is_asked(tmp_path: Path) -> None:
    for number, kind in enumerate(("walk", "rotation", "frame", "walk")):
        rem_own.write(tmp_path / f"{number}-run", rem_own.by_chance(number + 20, kind=kind))
    found = pipeline.run([tmp_path], "truth", Settings())
    assert {one.outcome for one in found.verdicts} == {Outcome.SATISFIED}
    assert {str(one.case.capability) for one in found.verdicts} == {
        "SC1-a", "SC1-b", *(f"REM-{one}" for one in rem.REM.tasks)
    }  # fmt: skip


def only(tmp_path: Path, file: str, text: str, answer: str, scene: Scene | None = None) -> Item:
    found = loaded(tmp_path, scene or straight(), {file: [(text, answer)]})
    (item,) = found.items.values()
    return item


SLIVER = "in no relation: the answer depends on slivers"
OTHERWISE = "in no relation: annotations.csv says otherwise"


@pytest.mark.parametrize(
    ("file", "text", "answer", "reason"),
    [
        (NUMBERS, "How many cuboids are there?", "2", SLIVER),
        (NUMBERS, "How many cones are there?", "2", OTHERWISE),
        (COMPARED, "Are there more cuboids or cones?", "cuboids", SLIVER),
        (COMPARED, "Are there more cones or spheres?", "cones", OTHERWISE),
        (COMPARED, "Are there more red objects or red cones?", "equal",
         "in no relation: the two categories overlap"),
        (SIDES, "Is the green cuboid to the left of the red cone?", "no",
         "in no relation: more than one object has this name"),
        (SIDES, "Is the green cuboid to the left of the green cuboid?", "yes",
         "in no relation: both have one name"),
        (SIDES, "Is the red cone to the right of the blue sphere?", "yes", OTHERWISE),
        (ORDERS, "Did we see the green cuboid before, after, or same time as the red cone?",
         "after", "in no relation: more than one object has this name"),
        (ORDERS, "Did we see the red cone before, after, or same time as the blue sphere?",
         "before", OTHERWISE),
        (ORDERS, "Did we see the red cone before, after, or same time as the black cone?",
         "before", OTHERWISE),
    ],
)  # fmt: skip
def test_what_ours_would_not_be_asked_is_asked_in_no_relation(
    tmp_path: Path, file: str, text: str, answer: str, reason: str
) -> None:
    item = only(tmp_path, file, text, answer)
    assert [str(one) for one in posed(item).values()] == [answer]
    assert item.ties == ()
    assert item.dropped == {reason: 1}


def test_an_answer_that_the_annotation_contradicts_is_named(tmp_path: Path) -> None:
    rows = {NUMBERS: [("How many spheres are there?", "1"), ("How many cones are there?", "2")]}
    found = loaded(tmp_path, straight(), rows)
    (told,) = [str(one) for one in found.defects if "says" in str(one)]
    assert told.startswith(str(found.source.with_name(NUMBERS)))
    assert ":3: field answer: is 2, and annotations.csv says 1;" in told
    assert found.items["REM-count"].posings["asked for cones"].answer == 2


def test_a_thing_is_seen_clearly_from_a_share_of_the_picture_on(tmp_path: Path) -> None:
    def relations(share: float) -> int:
        frames = [[*frame] for frame in TWO]
        frames[2][2] = ("green_cuboid_3", share)
        folder = tmp_path / f"{share}"
        item = only(folder, NUMBERS, "How many cuboids are there?", "2", straight(frames))
        return len(item.ties)

    assert relations(CLEAR_PERCENT) > 0
    assert relations(CLEAR_PERCENT - 0.01) == 0


BESIDE = ("Is the red cone to the left of the blue sphere?", "yes")


def test_sides_rest_on_places_that_a_file_tells(tmp_path: Path) -> None:
    assert only(tmp_path / "a", SIDES, *BESIDE).ties
    main = rem_own.write(tmp_path / "b" / "run", straight(), {SIDES: [BESIDE]})
    main.parent.with_name("scene_config.json").unlink()
    (item,) = rem.load(main).items.values()
    assert item.dropped == {"in no relation: how far apart they are seen is not known": 1}


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        (3.0, 2.0, "middles of objects and of their pixels lie otherwise"),
        (8.0, 4.2, "middles of objects and of their pixels lie otherwise"),
        (2.0, 1.3, "they are less than 10 pixels apart"),
    ],
)
def test_things_that_may_hide_each_other_are_in_no_relation(
    tmp_path: Path, x: float, y: float, reason: str
) -> None:
    places = {**PLACES, "blue_sphere_1": (x, y)}
    item = only(tmp_path, SIDES, *BESIDE, straight(places=places))
    assert item.dropped == {f"in no relation: {reason}": 1}


def test_of_a_thing_at_the_camera_no_place_is_known(tmp_path: Path) -> None:
    places = {**PLACES, "red_cone_0": (-4.5, 0.2)}
    item = only(tmp_path, SIDES, *BESIDE, straight(places=places))
    assert item.dropped == {"in no relation: how far apart they are seen is not known": 1}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"objects": [{"name": "red_cone_0", "position": [2, -3]},
                      {"name": "blue_sphere_1", "position": [3, 0]}]},
         "csv:2: field visible_objects: has 'red_cone_0' left of 'blue_sphere_1', and by"),
        ({"objects": [{"name": "red_cone_0", "position": [-4, 6]},
                      {"name": "blue_sphere_1", "position": [3, 0]}]},
         "csv:2: field visible_objects: has 'red_cone_0', and by scene_config.json it is not in"),
        ({"objects": [{"name": "red_cone_0", "position": "there"}]},
         "scene_config.json: field objects.0: is {'name'"),
        ({"objects": 5}, "scene_config.json: field objects: is a number, expected a list."),
    ],
)  # fmt: skip
def test_places_that_contradict_the_annotation_are_named_and_not_used(
    tmp_path: Path, change: object, told: str
) -> None:
    main = rem_own.write(tmp_path / "run", straight(), {SIDES: [BESIDE]})
    main.parent.with_name("scene_config.json").write_text(json.dumps(change))
    found = rem.load(main)
    assert any(told in str(one) for one in found.defects)
    (item,) = found.items.values()
    assert item.ties == ()


# ----------------------------------------------------------------------------- as a trajectory


def test_moves_and_places_make_it_a_trajectory(tmp_path: Path) -> None:
    found = loaded(tmp_path, rem_own.by_chance(5))
    assert not found.only_items
    assert found.truth is not None
    for one, other in pairwise(found.truth.poses):
        assert abs(one.yaw_deg - other.yaw_deg) in (0.0, 15.0, 345.0)
    assert {one.action.name for one in found.states if one.action} > {"move_forward"}


def test_places_that_moves_do_not_lead_to_are_named_and_not_used(tmp_path: Path) -> None:
    scene = straight()
    scene.camera[1] = (-3.0, 0.0)
    found = loaded(tmp_path, scene)
    assert found.only_items
    assert found.truth is None
    (told,) = [str(one) for one in found.defects if "camera" in str(one)]
    assert f"{found.source}:3: field annotation: says that the camera is at (-3, 0)" in told


def test_without_places_there_are_questions_alone(tmp_path: Path) -> None:
    main = rem_own.write(tmp_path / "run", straight())
    text = main.read_text()
    main.write_text(
        "\n".join(line.replace("Position relative", "") for line in text.splitlines()).replace(
            "0.000)", "east)"
        )
    )
    assert rem.load(main).only_items
