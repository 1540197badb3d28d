"""Truth is told of tracked objects by the boxes they share with true ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Box, Capability, Query, TrackedObject
from pytest_metaspace.tracking.matching import iou, projection, retold
from pytest_metaspace.true_values import unknown_to_truth

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
STUDY = FIXTURES / "household" / "study-01"
(TRAJECTORY,) = pipeline.load([STUDY], pipeline.Registries.built_in())


def renamed() -> dict[str, TrackedObject]:
    """The recorded objects under other ids, by the true ones; boxes a little off."""
    return {
        one.id: replace(
            one,
            id=f"other-{number}",
            boxes={f: Box(b.x1 + 2, b.y1, b.x2, b.y2 - 1) for f, b in one.boxes.items()},
        )
        for number, one in enumerate(TRAJECTORY.objects)
    }


def test_things_that_are_seen_whole_are_where_their_extent_is_projected() -> None:
    assert TRAJECTORY.truth is not None
    shared = [
        iou(one.boxes[frame], found)
        for one in TRAJECTORY.objects
        for frame, share in TRAJECTORY.truth.objects[one.id].visible.items()
        if share > 0.99 and frame in one.boxes and one.boxes[frame].height > 40
        if (
            found := projection(
                TRAJECTORY.truth.objects[one.id], TRAJECTORY.truth.poses[frame], TRAJECTORY.camera
            )
        )
    ]
    assert len(shared) > 20
    assert sum(share > 0.7 for share in shared) > 0.85 * len(shared)


def test_truth_speaks_of_tracked_objects_by_their_ids() -> None:
    assert TRAJECTORY.truth is not None
    objects = renamed()
    for trajectory in (TRAJECTORY, replace(TRAJECTORY, objects=())):
        truth = retold(trajectory, tuple(objects.values())).truth
        assert truth is not None
        told = {true: truth.objects.get(one.id) for true, one in objects.items()}
        wrong = [
            true
            for true, found in told.items()
            if found is not None and found.center != TRAJECTORY.truth.objects[true].center
        ]
        assert wrong == []
        assert sum(found is not None for found in told.values()) > 0.7 * len(objects)


def test_what_was_carried_elsewhere_is_found_where_it_is() -> None:
    (arm,) = pipeline.load([FIXTURES / "arm" / "cube-01"], pipeline.Registries.built_in())
    assert arm.truth is not None
    (moved,) = (one for one in arm.truth.objects.values() if one.centers is not None)
    last = len(arm.states) - 1
    there = replace(
        arm.by_id[moved.id],
        id="found",
        boxes={last: arm.by_id[moved.id].boxes[last]},
        confidences={last: 0.9},
    )
    truth = retold(replace(arm, objects=()), (there,)).truth
    assert truth is not None
    assert truth.objects["found"].centers == moved.centers


def test_what_is_nothing_real_has_no_truth() -> None:
    """Its id may even be that of a true object, which it is not."""
    name = TRAJECTORY.objects[0].id
    nowhere = TrackedObject(
        id=name, label="chair", boxes={0: Box(0, 0, 9, 9)}, confidences={0: 0.9}
    )
    found = retold(TRAJECTORY, (nowhere,))
    assert found.truth is not None
    assert found.truth.objects == {}
    size = Query(trajectory=found.id, capability=Capability.SIZE, a=name, b=None, reference=0)
    assert "may be nothing real, if a tracker found it" in (unknown_to_truth(size, found) or "")
