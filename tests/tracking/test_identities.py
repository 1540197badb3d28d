"""Which detections are one object: by the log, by class, and never where two are as likely."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Action, Box
from pytest_metaspace.tracking import Detection, appearance, identities
from tests.tracking.tracking_support import (
    World,
    counted,
    forward,
    ids,
    right,
    thing,
    turn,
)

if TYPE_CHECKING:
    from collections import Counter

    from pytest_metaspace.domain import TrackedObject, Trajectory

HOUSEHOLD = Path(__file__).resolve().parents[2] / "fixtures" / "household"
CHAIRS = (thing("chair-1", 3.0, 0.6), thing("chair-2", 3.0, -0.6))


def identified(world: World) -> Counter[str]:
    found = world.seen()
    objects = identities.identify(found, world.trajectory)
    return counted(world.names(), ids(found, objects))


# --------------------------------------------------------------------------------- by the log


def test_a_thing_that_comes_back_into_view_has_its_id_again() -> None:
    """From two places one knows where it is; then the log says where to look for it."""
    world = World(CHAIRS, [right(), turn(90), turn(90), forward(), turn(-180), right()])
    assert identified(world) == {"kept": 6}


def test_a_thing_seen_once_is_not_looked_for_elsewhere() -> None:
    """From one place nobody knows how far it is, and after a walk anything may be it."""
    world = World([thing("chair-1", 4.0, 0.0)], [turn(90), right(2.0), forward(-1.0), turn(-90)])
    assert identified(world) == {"changed": 1}


def test_another_thing_of_the_class_behind_a_turn_has_an_id_of_its_own() -> None:
    world = World([thing("chair-1", 3.0, 0.0), thing("chair-2", 0.0, -3.0)], [turn(90), turn(-90)])
    assert identified(world) == {"kept": 1}


def test_like_things_that_swap_places_in_the_picture_keep_their_ids() -> None:
    """A step aside brings the far one to where the near one was."""
    near_and_far = (thing("chair-1", 2.0, 0.0), thing("chair-2", 4.0, 0.0, z=1.3))
    world = World(near_and_far, [right(), right(-1.0), right(), forward()])
    assert "taken over" not in identified(world)
    assert "changed" not in identified(world)


def test_an_action_that_failed_moved_nothing() -> None:
    world = World(CHAIRS, [forward(0.0), right(0.0), forward(0.0)])
    trajectory = world.trajectory
    failed = [
        replace(state, action=state.action and replace(state.action, move_m=(0.0, 1.2, 0.0)))
        for state in trajectory.states
    ]
    states = tuple(replace(state, succeeded=False) for state in failed)
    found = world.seen()
    objects = identities.identify(found, replace(trajectory, states=states))
    assert counted(world.names(), ids(found, objects)) == {"kept": 6}
    # Had it moved, each chair would stand where the other one is seen.
    done = tuple(replace(state, succeeded=True) for state in failed)
    objects = identities.identify(found, replace(trajectory, states=done))
    assert counted(world.names(), ids(found, objects)) != {"kept": 6}


def test_a_camera_that_is_not_the_mover_stands_still() -> None:
    world = World(CHAIRS, [forward(), right(), turn(90)], mover="gripper")
    assert identified(world) == {"kept": 6}


def test_a_thing_that_is_carried_before_a_camera_that_stands_keeps_its_id() -> None:
    world = World([thing("can-1", 3.0, 0.0, size=(0.2,) * 3)], [forward()] * 3, mover="gripper")
    found = [
        [replace(one, box=Box(b.x1 + 25 * frame, b.y1, b.x2 + 25 * frame, b.y2))]
        for frame, (one,) in enumerate(world.seen())
        for b in [one.box]
    ]
    (can,) = identities.identify(found, world.trajectory)
    assert sorted(can.boxes) == [0, 1, 2, 3]


# -------------------------------------------------------------------------------- never a lie


def test_where_two_are_as_likely_both_get_new_ids() -> None:
    """Nothing is known of how the camera moved, and two chairs may each be the one before."""
    box = Box(300, 200, 340, 280)
    aside = [Box(291, 200, 331, 280), Box(309, 200, 349, 280)]
    found = [
        [Detection(label="chair", box=box, confidence=0.9)],
        [Detection(label="chair", box=one, confidence=0.9) for one in aside],
    ]
    objects = identities.identify(found, World([], [forward(0.0)]).trajectory)
    assert [sorted(one.boxes) for one in objects] == [[0], [1], [1]]


def test_a_class_never_changes_within_a_track() -> None:
    box = Box(300, 200, 340, 280)
    found = [
        [Detection(label=label, box=box, confidence=0.9, track=7)]
        for label in ("chair", "stool", "chair")
    ]
    objects = identities.identify(found, World([], [forward(0.0)] * 2).trajectory)
    assert {one.label: sorted(one.boxes) for one in objects} == {"chair": [0, 2], "stool": [1]}


def test_a_track_that_is_brought_along_is_split_where_the_log_forbids_it() -> None:
    box = Box(300, 200, 340, 280)
    found = [[Detection(label="chair", box=box, confidence=0.9, track=7)] for _ in range(4)]
    world = World([], [forward(0.0), turn(90), forward(0.0)])
    objects = identities.identify(found, world.trajectory)
    assert [sorted(one.boxes) for one in objects] == [[0, 1], [2, 3]]


def test_things_that_look_otherwise_are_others() -> None:
    box = Box(300, 200, 340, 280)
    found = [
        [Detection(label="ball", box=box, confidence=0.9, appearance=colour)]
        for colour in ((1.0, 0.0), (0.0, 1.0))
    ]
    objects = identities.identify(found, World([], [forward(0.0)]).trajectory)
    assert len(objects) == 2


def test_of_two_boxes_of_one_thing_the_surer_is_kept() -> None:
    boxes = [(Box(300, 200, 340, 280), 0.7), (Box(301, 200, 340, 280), 0.8)]
    found = [[Detection(label="chair", box=box, confidence=sure) for box, sure in boxes]]
    (only,) = identities.identify(found, World([], []).trajectory)
    assert only.confidences == {0: 0.8}


def test_what_is_not_sure_enough_is_left_out() -> None:
    found = [[Detection(label="chair", box=Box(300, 200, 340, 280), confidence=0.59)]]
    assert identities.identify(found, World([], []).trajectory, confidence=0.6) == ()


def test_ids_are_made_of_labels_whatever_those_are() -> None:
    labels = ["Potted Plant", "../..", "椅子", "chair"]
    found = [
        [
            Detection(label=label, box=Box(9 + 99 * i, 9, 60 + 99 * i, 90), confidence=0.9)
            for i, label in enumerate(labels)
        ]
    ]
    objects = identities.identify(found, World([], []).trajectory)
    assert {one.label: one.id for one in objects} == {
        "Potted Plant": "potted_plant-1",
        "../..": "object-1",
        "椅子": "object-2",
        "chair": "chair-1",
    }


# ---------------------------------------------------------------------------------- properties

ACTIONS = st.one_of(
    st.sampled_from([0.5, -0.5]).map(forward),
    st.sampled_from([0.5, -0.5]).map(right),
    st.sampled_from([15.0, -30.0, 90.0]).map(turn),
)
THINGS = st.lists(
    st.tuples(
        st.sampled_from(["chair", "table"]), st.floats(-4, 4), st.floats(-4, 4), st.floats(0.2, 1.5)
    ),
    max_size=5,
).map(lambda drawn: [thing(f"{label}-{i}", x, y, z=z) for i, (label, x, y, z) in enumerate(drawn)])
WORLDS = st.builds(World, THINGS, st.lists(ACTIONS, max_size=4))


@settings(max_examples=40)
@given(world=WORLDS, seed=st.randoms(use_true_random=False))
def test_each_detection_has_one_id_in_whatever_order_they_come(
    world: World, seed: random.Random
) -> None:
    found = world.seen()
    objects = identities.identify(found, world.trajectory)
    assert len({one.id for one in objects}) == len(objects)
    for frame, some in enumerate(found):
        shown = [(one.label, one.boxes[frame]) for one in objects if frame in one.boxes]
        assert {(one.label, one.box) for one in some} >= set(shown)
        assert len(shown) == len(set(shown))
    shuffled = [seed.sample(some, len(some)) for some in found]
    assert identities.identify(shuffled, world.trajectory) == objects


def test_no_id_is_taken_over_in_worlds_of_like_things() -> None:
    """Seeded walks among chairs that all look alike, boxes off by a few per cent."""
    total = {"kept": 0, "changed": 0, "taken over": 0}
    for seed in range(15):
        drawn = random.Random(seed)
        world = _random_world(drawn)
        found = [[_shaken(one, drawn) for one in some] for some in world.seen()]
        objects = identities.identify(found, world.trajectory)
        for what, count in _counted_with_losses(world, found, objects).items():
            total[what] += count
    assert total["taken over"] == 0
    assert total["kept"] > 0.9 * sum(total.values())


def _random_world(drawn: random.Random) -> World:
    things = []
    for i in range(6):
        angle, far = math.radians(60 * i + drawn.uniform(-20, 20)), drawn.uniform(2.5, 4.5)
        things.append(thing(f"chair-{i}", far * math.cos(angle), far * math.sin(angle)))
    moves = [forward(), forward(-0.5), right(), right(-0.5), turn(30), turn(-30), turn(90)]
    return World(things, [drawn.choice(moves) for _ in range(10)])


def _shaken(one: Detection, drawn: random.Random) -> Detection:
    box = one.box
    across, down = (drawn.gauss(0, 0.02) * size for size in (box.width, box.height))
    x1 = box.x1 if box.x1 <= 0 else max(box.x1 + across, 0.0)
    y1 = box.y1 if box.y1 <= 0 else max(box.y1 + down, 0.0)
    return replace(one, box=Box(min(x1, box.x2 - 1), min(y1, box.y2 - 1), box.x2, box.y2))


def _counted_with_losses(
    world: World, found: list[list[Detection]], objects: tuple[TrackedObject, ...]
) -> Counter[str]:
    names, told = [], []
    for frame, (some, own) in enumerate(zip(found, world.names())):
        known = {(one.label, one.boxes[frame]): one.id for one in objects if frame in one.boxes}
        pairs = [(name, known.get((one.label, one.box))) for one, name in zip(some, own)]
        names.append([name for name, told_id in pairs if told_id is not None])
        told.append([told_id for _, told_id in pairs if told_id is not None])
    return counted(names, told)


# ------------------------------------------------------------------------------ shipped frames


@pytest.fixture(scope="module")
def shipped() -> list[tuple[Trajectory, list[list[Detection]]]]:
    """Shipped trajectories with like things, with large turns and with an action that failed."""
    paths = [HOUSEHOLD / name for name in ("kitchen-03", "study-01", "study-02")]
    loaded = pipeline.load(paths, pipeline.Registries.built_in())
    return [(one, _true_boxes(one)) for one in loaded]


def _true_boxes(trajectory: Trajectory) -> list[list[Detection]]:
    return [
        appearance.described(
            state.frame,
            [
                Detection(label=one.label, box=one.boxes[state.index], confidence=1.0)
                for one in trajectory.objects
                if state.index in one.boxes
            ],
        )
        for state in trajectory.states
    ]


def _names(trajectory: Trajectory) -> list[list[str]]:
    return [
        [one.id for one in trajectory.objects if state.index in one.boxes]
        for state in trajectory.states
    ]


def test_no_id_is_taken_over_on_shipped_frames(
    shipped: list[tuple[Trajectory, list[list[Detection]]]],
) -> None:
    total: dict[str, int] = {}
    for trajectory, found in shipped:
        objects = identities.identify(found, trajectory)
        for what, count in counted(_names(trajectory), ids(found, objects)).items():
            total[what] = total.get(what, 0) + count
    assert "taken over" not in total
    assert total["kept"] > 0.94 * sum(total.values())


def test_without_a_log_the_pictures_tell_how_they_moved(
    shipped: list[tuple[Trajectory, list[list[Detection]]]],
) -> None:
    pytest.importorskip("cv2")
    trajectory, found = next(one for one in shipped if one[0].id == "study-01")
    states = tuple(replace(state, action=None) for state in trajectory.states)
    objects = identities.identify(found, replace(trajectory, states=states))
    counts = counted(_names(trajectory), ids(found, objects))
    assert "taken over" not in counts
    assert counts["kept"] > 0.85 * sum(counts.values())


def test_without_a_log_and_without_eyes_nothing_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_metaspace.tracking._motion.util.find_spec", lambda _name: None)
    world = World(CHAIRS, [forward(), forward()])
    trajectory = world.trajectory
    states = tuple(replace(state, action=None) for state in trajectory.states)
    objects = identities.identify(world.seen(), replace(trajectory, states=states))
    assert len(objects) == 6


def test_a_drone_that_rises_keeps_what_it_sees() -> None:
    up = Action(name="move_up", move_m=(0.0, 0.0, 1.0))
    world = World(CHAIRS, [up, turn(15), up])
    assert "changed" not in identified(world)
