"""The geometric agent on what ships of a drone and of an arm: mostly right, and never in trouble."""

from __future__ import annotations

from functools import cache
from statistics import median
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.agents import geometric
from pytest_metaspace.agents._perceiving import opened
from pytest_metaspace.domain import Capability, Settings, Value
from pytest_metaspace.questions import distinct
from pytest_metaspace.true_values import true_value
from tests.unit_support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Query, Trajectory

pytest.importorskip("cv2")
KNOWN = pipeline.Registries.built_in()
EARLY = 4  # frames
MOST = 20
SCENES = ["drone/avenue-01", "arm/milk-01"]


@cache
def shipped(scene: str) -> Trajectory:
    (made,) = pipeline.load([ROOT / "fixtures" / scene], KNOWN)
    return made


@cache
def looked() -> geometric.GeometricAgent:
    return geometric.GeometricAgent()


def queries(made: Trajectory, capability: Capability) -> list[Query]:
    """Return a few open questions about early frames, spread over all."""
    settings = Settings(capabilities=frozenset({capability.value}))
    asked = distinct(pipeline.plan(made, KNOWN, settings).cases)
    early = dict.fromkeys(opened(one) for one in asked if max(one.evidence) < EARLY)
    few = list(early)
    return few[:: max(len(few) // MOST, 1)]


def answers(scene: str, capability: Capability) -> Iterator[tuple[Value | None, Value]]:
    made = shipped(scene)
    for query in queries(made, capability):
        yield looked().perceive(query, made), true_value(query, made)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(
    ("code", "right"), [("SC1-a", 0.9), ("SC1-b", 0.8), ("SC2-a", 0.6), ("SC4-a", 0.5)]
)
def test_it_mostly_tells_directions_and_movements_right(
    scene: str, code: str, right: float
) -> None:
    pairs = list(answers(scene, Capability(code)))
    assert len(pairs) >= 4
    told = [(found, true) for found, true in pairs if found is not None]
    assert len(told) >= 0.8 * len(pairs)
    assert sum(found == true for found, true in told) >= right * len(told)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("capability", [Capability.SIZE, Capability.DEPTH], ids=["size", "depth"])
def test_sizes_and_depths_are_about_right(scene: str, capability: Capability) -> None:
    shares = [
        found.metres / true.metres
        for found, true in answers(scene, capability)
        if found is not None and found.metres is not None and true.metres is not None
    ]
    assert len(shares) >= 10
    assert 0.8 < median(shares) < 1.25


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("capability", [Capability.OBJECT_DISTANCE, Capability.MAP_DISTANCE])
def test_distances_between_things_are_a_step_or_two_off(scene: str, capability: Capability) -> None:
    off = [
        abs(found.steps - true.steps)
        for found, true in answers(scene, capability)
        if found is not None and found.steps is not None and true.steps is not None
    ]
    assert len(off) >= 4
    assert median(off) <= 2
