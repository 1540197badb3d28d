"""The perfect agent: what RELATIONS calls true, on a scene computed by hand, and on the shipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.agents.truth import TruthAgent
from pytest_metaspace.domain import Capability, Claim, Pose, Query, Settings, Trajectory
from pytest_metaspace.errors import AgentError
from pytest_metaspace.questions import question
from tests.unit_support import FORWARD, HOUSEHOLD, RIGHT, TURN, placed, thing, trajectory

BOX = {0: (10.0, 10.0, 60.0, 60.0), 1: (10.0, 10.0, 60.0, 60.0)}

# Seen from above, the camera starts at the origin and looks along +y (yaw 90), so +x is right.
POSES = (
    Pose(position=(0.0, 0.0, 1.0), yaw_deg=90.0),
    Pose(position=(0.0, 1.0, 1.0), yaw_deg=90.0),
    Pose(position=(0.0, 1.0, 1.0), yaw_deg=0.0),
    Pose(position=(2.0, 1.0, 1.5), yaw_deg=0.0, pitch_deg=-30.0),
)
PLACES = {
    "lamp": ((0.0, 3.0, 1.0), (0.3, 0.3, 1.7)),
    "bed": ((3.0, 0.0, 0.3), (2.0, 1.0, 0.6)),
    "cup": ((0.1, 3.1, 0.9), (0.1, 0.1, 0.12)),
    "bird": ((0.0, 3.0, 3.25), (0.1, 0.1, 0.1)),
}


def scene(**more: object) -> Trajectory:
    return trajectory(
        [FORWARD, TURN, FORWARD],
        [thing(name, BOX) for name in PLACES],
        places=[placed(name, center, extent=extent) for name, (center, extent) in PLACES.items()],
        poses=POSES,
        **more,  # type: ignore[arg-type]
    )


def answer(code: str, a: int | str, b: int | str | None = None, *, reference: int | None = 0,
           claim: Claim | None = None, **more: object) -> str:  # fmt: skip
    query = Query(
        trajectory="made-up",
        capability=Capability(code),
        a=a,
        b=b,
        reference=reference,
        evidence=(0, 1),
        claim=claim,
    )
    return TruthAgent().ask(question(query, scene(**more)))


@pytest.mark.parametrize(
    ("code", "a", "b", "reference", "said"),
    [
        ("SC1-a", 0, 1, 0, "forward"),
        ("SC1-a", 1, 0, 0, "backward"),
        ("SC1-a", 1, 2, 0, "none"),
        ("SC1-a", 2, 3, 0, "right"),
        ("SC1-a", 2, 3, 2, "forward"),
        ("SC1-a", 0, 3, 0, "forward-right"),
        ("SC1-a", 0, 3, 2, "forward-left"),
        ("SC1-b", 0, 1, 0, "2"),
        ("SC1-b", 1, 2, 0, "0"),
        ("SC1-b", 0, 3, 0, "4"),
        ("SC2-a", "bed", "lamp", 0, "farther-left"),
        ("SC2-a", "lamp", "bed", 0, "nearer-right"),
        ("SC2-a", "bed", "lamp", 3, "nearer-left"),
        ("SC2-a", "lamp", "cup", 0, "none"),
        ("SC2-b", "bed", "lamp", 0, "8"),
        ("SC2-b", "lamp", "cup", 0, "0"),
        ("SC4-a", "bed", "lamp", None, "northwest"),
        ("SC4-a", "lamp", "bed", None, "southeast"),
        ("SC4-b", "lamp", "bed", None, "8"),
        ("SC3-a", "lamp", None, 0, "1.700000"),
        ("SC3-a", "cup", None, 1, "0.120000"),
        ("SC3-b", "lamp", None, 0, "3.000000"),
        ("SC3-b", "lamp", None, 1, "2.000000"),
        ("SC3-b", "bed", None, 3, "1.466025"),
    ],
)
def test_truth_is_what_a_hand_computes(
    code: str, a: int | str, b: int | str | None, reference: int | None, said: str
) -> None:
    """Distances in steps of half a metre along the ground: bed to lamp is 3 sqrt 2 m."""
    assert answer(code, a, b, reference=reference) == said


@pytest.mark.parametrize(
    ("code", "a", "b", "said"),
    [
        ("SC1-a", 0, 3, "forward-right, up"),
        ("SC1-a", 3, 0, "backward-left, down"),
        ("SC1-a", 0, 1, "forward, level"),
        ("SC2-a", "lamp", "bird", "none, above"),
        ("SC2-a", "bird", "lamp", "none, below"),
        ("SC2-a", "lamp", "cup", "none, level"),
        ("SC4-a", "lamp", "bed", "southeast, below"),
        ("SC2-b", "lamp", "bird", "5"),
        ("SC1-b", 0, 3, "5"),
    ],
)
def test_truth_in_space_tells_height_too(code: str, a: int | str, b: int | str, said: str) -> None:
    """Lamp to bird is 2.25 m, a half step up; 0 to 3 is sqrt 5.25 m, 4.58 steps."""
    assert answer(code, a, b, vertical=True, distance_metric="spatial") == said


@pytest.mark.parametrize(
    ("code", "claim", "said"),
    [
        ("SC2-a", Claim(planar="front-left"), "yes"),
        ("SC2-a", Claim(planar="front"), "no"),
        ("SC2-a", Claim(planar="none"), "no"),
        ("SC4-a", Claim(planar="northwest"), "yes"),
        ("SC2-b", Claim(at_least=8), "yes"),
        ("SC2-b", Claim(at_least=9), "no"),
        ("SC4-b", Claim(exactly=8), "yes"),
        ("SC4-b", Claim(exactly=7), "no"),
    ],
)
def test_claims_are_answered_from_the_truth(code: str, claim: Claim, said: str) -> None:
    reference = None if code.startswith("SC4") else 0
    assert answer(code, "bed", "lamp", reference=reference, claim=claim) == said


def test_without_ground_truth_there_is_no_answer() -> None:
    query = Query(trajectory="made-up", capability=Capability.MOVEMENT_DIRECTION, a=0, b=1)
    bare = trajectory([FORWARD], folder=Path("/somewhere/run"))
    with pytest.raises(AgentError, match=r"/somewhere/run has no truth\.json"):
        TruthAgent().ask(question(query, bare))


def test_an_object_that_truth_does_not_know_is_named() -> None:
    made = trajectory([RIGHT], [thing("cat\n", BOX), thing("dog", BOX)], places=[])
    for code, b in ((Capability.SIZE, None), (Capability.MAP_DISTANCE, "dog")):
        query = Query(trajectory="t", capability=code, a="cat\n", b=b, reference=0, evidence=(0,))
        with pytest.raises(AgentError, match=r"the place of 'cat\\n' .*\. Add it"):
            TruthAgent().ask(question(query, made))


# The camera looks along +y from above the origin; the gripper goes right, then away and up.
CARRIED = ((0.0, 2.0, 1.0), (0.5, 2.0, 1.0), (0.5, 3.0, 1.5))


def before_a_camera(**more: Any) -> Trajectory:
    made = trajectory(
        [RIGHT, FORWARD],
        [thing(name, BOX) for name in ("mug", "lamp")],
        places=[
            replace(placed("mug", CARRIED[0], rest=((0, 0),)), centers=CARRIED),
            placed("lamp", (0.0, 3.0, 1.0)),
        ],
        poses=(Pose(position=(0.0, 0.0, 1.0), yaw_deg=90.0),) * 3,
        mover="gripper",
        vertical=True,
        distance_metric="spatial",
    )
    assert made.truth is not None
    return replace(made, truth=replace(made.truth, **{"mover": CARRIED, **more}))


def said_before_a_camera(code: str, *subjects: int | str, frame: int | None, **more: Any) -> str:
    a, b = (*subjects, None)[:2]
    query = Query(
        trajectory="made-up",
        capability=Capability(code),
        a=a,  # type: ignore[arg-type]
        b=b,
        reference=frame,
        evidence=(0,),
    )
    return TruthAgent().ask(question(query, before_a_camera(**more)))


@pytest.mark.parametrize(
    ("code", "subjects", "frame", "said"),
    [
        ("SC1-a", (0, 1), 0, "right, level"),
        ("SC1-a", (1, 2), 1, "farther, up"),
        ("SC1-a", (2, 0), 0, "nearer-left, down"),
        ("SC1-b", (0, 1), 0, "1"),
        ("SC1-b", (0, 2), 0, "2"),
        ("SC2-a", ("lamp", "mug"), 0, "nearer, level"),
        ("SC2-a", ("lamp", "mug"), 1, "nearer-right, level"),
        ("SC2-a", ("mug", "lamp"), 2, "left, below"),
        ("SC2-b", ("lamp", "mug"), 2, "1"),
        ("SC3-b", ("mug",), 0, "2.000000"),
        ("SC3-b", ("mug",), 2, "3.000000"),
    ],
)
def test_truth_knows_where_a_gripper_and_what_it_carried_were(
    code: str, subjects: tuple[int | str, ...], frame: int, said: str
) -> None:
    """From 0 to 2 the gripper goes sqrt 1.5 m, 2.45 steps."""
    assert said_before_a_camera(code, *subjects, frame=frame) == said


def test_truth_without_the_places_of_the_mover_tells_things_only() -> None:
    assert said_before_a_camera("SC2-b", "lamp", "mug", frame=0, mover=None) == "2"
    with pytest.raises(AgentError, match=r"where the 'gripper' was\. Add `mover`"):
        said_before_a_camera("SC1-b", 0, 1, frame=0, mover=None)


def test_truth_without_the_places_of_a_thing_tells_where_it_was_at_first() -> None:
    places = {
        "mug": placed("mug", CARRIED[0], rest=((1, 1),)),
        "lamp": placed("lamp", (0.0, 3.0, 1.0)),
    }
    assert said_before_a_camera("SC2-b", "lamp", "mug", frame=0, objects=places) == "2"
    for code, subjects in (("SC2-b", ("lamp", "mug")), ("SC3-b", ("mug",))):
        with pytest.raises(AgentError, match=r"'mug' moved, but not where to\. Add its `centers`"):
            said_before_a_camera(code, *subjects, frame=1, objects=places)
    places["mug"] = placed("mug", CARRIED[0], rest=((0, 1),))
    assert said_before_a_camera("SC2-b", "lamp", "mug", frame=1, objects=places) == "2"


def test_asking_the_truth_costs_nothing_so_nothing_is_stored() -> None:
    assert TruthAgent().identity is None


@pytest.mark.parametrize(
    ("agent", "names", "sample"),
    [
        ("truth", ("bathroom-01", "study-01"), 1.0),
        ("mutant:mirrored:truth", ("bathroom-01",), 0.5),
    ],
)
def test_truth_and_its_mirror_image_score_1_on_everything(
    agent: str, names: tuple[str, ...], sample: float
) -> None:
    """No relation among answers can see an agent that is consistently wrong."""
    run = pipeline.run([HOUSEHOLD / name for name in names], agent, Settings(sample=sample))
    assert [score.name for score in run.scores] == [code.value for code in Capability]
    for score in run.scores:
        assert (score.name, score.value) == (score.name, 1.0)
        assert score.violated == score.invalid == score.error == 0
        assert score.half_decided
    assert run.total == 1.0
    assert len(run.verdicts) > 1000
