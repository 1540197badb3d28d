"""A perfect agent never violates A1 or A2, whatever the geometry, and one in a mirror does."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_metaspace.domain import EGOCENTRIC, NONE, Box, Capability, Pose, Query, Settings
from pytest_metaspace.geometry import planar_label, vertical_label, whole_steps
from pytest_metaspace.mrs import Grounds, a1_projection
from pytest_metaspace.observations import record
from pytest_metaspace.oracle import Oracle
from pytest_metaspace.true_values import true_value
from tests.unit_support import FORWARD, HEIGHT, WIDTH, placed, thing, trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Trajectory, Vector

    Record = dict[str, Any]

SLOW = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
CODE = Capability.OBJECT_DIRECTION
FOCAL = 400.0


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with Oracle() as running:
        yield running


# --- A2 ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Walk:
    """Actions as (forward, right, up, turn), the step, and how directions and lengths are told."""

    moves: tuple[tuple[float, float, float, float], ...]
    step_m: float
    planar: bool
    yaw_deg: float
    off: tuple[Vector, ...]
    """How far each place is off from where the actions lead, in steps."""


@st.composite
def walks(draw: st.DrawFn, slip: float) -> Walk:
    step_m = draw(st.sampled_from([0.05, 0.25, 0.5, 1.0]))
    length = st.one_of(
        st.sampled_from([0.0, 1.0, -1.0, 2.0]), st.floats(-3, 3, allow_subnormal=False)
    )
    turn = st.one_of(st.sampled_from([0.0, 30.0, -45.0, 90.0]), st.floats(-180, 180))
    moves = [
        (draw(length) * step_m, draw(length) * step_m, draw(length) * step_m, draw(turn))
        for _ in range(3)
    ]
    small = st.floats(-slip, slip, allow_subnormal=False)
    off = tuple((draw(small), draw(small), draw(small)) for _ in range(4))
    return Walk(tuple(moves), step_m, draw(st.booleans()), draw(st.floats(-180, 180)), off)


def places(walk: Walk) -> list[Vector]:
    """Return where the actions lead in the world, and off from it as far as the walk says."""
    x = y = z = 0.0
    yaw = walk.yaw_deg
    found = [(x, y, z)]
    for forward, right, up, turn in walk.moves:
        cos, sin = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        x, y, z = x + forward * cos + right * sin, y + forward * sin - right * cos, z + up
        yaw -= turn
        found.append((x, y, z))
    step = walk.step_m
    return [
        (x + dx * step, y + dy * step, z + dz * step)
        for (x, y, z), (dx, dy, dz) in zip(found, walk.off)
    ]


def odometry(walk: Walk, *, mirrored: bool = False) -> Iterator[Record]:
    """Yield a case for each way between two states, answered from where they truly are."""
    at = places(walk)
    metric = "planar" if walk.planar else "spatial"
    given_: list[Record] = [
        {"kind": "heading", "at": "0"},
        {"kind": "step_length", "metres": walk.step_m},
        *(
            {"kind": "action", "from": str(i), "to": str(i + 1)}
            | dict(zip(("forward", "right", "up", "turn"), move))
            for i, move in enumerate(walk.moves)
        ),
    ]
    for a in range(4):
        for b in range(4):
            if a == b:
                continue
            planar = planar_label(
                at[a], at[b], yaw_deg=walk.yaw_deg, step_m=walk.step_m, labels=EGOCENTRIC
            )
            if mirrored and planar != NONE:
                planar = EGOCENTRIC[-EGOCENTRIC.index(planar) % 8]
            ends = {"from": str(a), "to": str(b)}
            level = vertical_label(at[a], at[b], step_m=walk.step_m)
            steps = whole_steps(at[a], at[b], walk.step_m, metric)  # type: ignore[arg-type]
            said = [
                {"kind": "direction", **ends, "planar": planar, "vertical": level},
                {"kind": "distance", **ends, "steps": steps},
            ]
            yield {
                "case": f"{a} {b} {walk}",
                "relation": "A2",
                "subjects": [str(a), str(b)],
                "observations": [*said, *given_],
                "distance_metric": metric,
            }


def verdicts(oracle: Oracle, records: list[Record]) -> set[str]:
    return {found["verdict"] for found in oracle.judge(records)}


@SLOW
@given(made=st.lists(walks(slip=0.0), min_size=4, max_size=4))
def test_who_is_where_the_actions_lead_is_never_accused(oracle: Oracle, made: list[Walk]) -> None:
    records = [record for walk in made for record in odometry(walk)]
    for told, found in zip(records, oracle.judge(records)):
        assert found["verdict"] in ("satisfied", "inconclusive"), (told, found)


@SLOW
@given(made=st.lists(walks(slip=0.018), min_size=4, max_size=4))
def test_who_slipped_by_less_than_the_margins_is_never_accused(
    oracle: Oracle, made: list[Walk]
) -> None:
    """1.8 % of a step on each axis at both ends turn a way of 0.6 steps by less than 5 degrees."""
    records = [record for walk in made for record in odometry(walk)]
    for told, found in zip(records, oracle.judge(records)):
        assert found["verdict"] in ("satisfied", "inconclusive"), (told, found)


def test_who_sees_the_world_in_a_mirror_is(oracle: Oracle) -> None:
    turn = ((0.0, 0.0, 0.0, 30.0), (0.5, 0.0, 0.0, 0.0), (0.0, 0.5, 0.0, 0.0))
    walk = Walk(turn, 0.5, planar=True, yaw_deg=0.0, off=((0.0, 0.0, 0.0),) * 4)
    assert "violated" in verdicts(oracle, list(odometry(walk, mirrored=True)))
    assert verdicts(oracle, list(odometry(walk))) == {"satisfied"}


# --- A1 ----------------------------------------------------------------------------------------


def seen(pose: Pose, center: Vector, extent: Vector) -> Box | None:
    """Return the box around the corners of a thing, or None where one is not before the camera."""
    pixels = []
    for corner in range(8):
        x, y, z = (
            middle + wide / 2 * (1 if corner >> axis & 1 else -1)
            for axis, (middle, wide) in enumerate(zip(center, extent))
        )
        found = _pixel(pose, (x, y, z))
        if found is None:
            return None
        pixels.append(found)
    columns, rows = zip(*pixels)
    return Box(min(columns), min(rows), max(columns), max(rows))


def _pixel(pose: Pose, point: Vector) -> tuple[float, float] | None:
    """Project a point: turn it into the heading, then by the pitch, then by the roll."""
    yaw, pitch, roll = (math.radians(a) for a in (pose.yaw_deg, pose.pitch_deg, pose.roll_deg))
    x, y, z = (p - o for p, o in zip(point, pose.position))
    ahead, right = x * math.cos(yaw) + y * math.sin(yaw), x * math.sin(yaw) - y * math.cos(yaw)
    depth = ahead * math.cos(pitch) + z * math.sin(pitch)
    up = z * math.cos(pitch) - ahead * math.sin(pitch)
    if depth < 0.1:
        return None
    across = right * math.cos(roll) - up * math.sin(roll)
    down = -(up * math.cos(roll) + right * math.sin(roll))
    return WIDTH / 2 + FOCAL * across / depth, HEIGHT / 2 + FOCAL * down / depth


def views(draw: random.Random, pitch_deg: float, roll_deg: float) -> Iterator[Trajectory]:
    """Yield what a camera sees that looks up or down and may be tilted to a side."""
    for _ in range(30):
        pose = Pose(
            position=(draw.uniform(-2, 2), draw.uniform(-2, 2), 1.5),
            yaw_deg=draw.uniform(-180, 180),
            pitch_deg=pitch_deg,
            roll_deg=roll_deg,
        )
        objects, truth = [], []
        for i in range(6):
            depth, aside, up = draw.uniform(1, 8), draw.uniform(-3, 3), draw.uniform(-3, 3)
            yaw, pitch = math.radians(pose.yaw_deg), math.radians(pitch_deg)
            ahead = depth * math.cos(pitch) - up * math.sin(pitch)
            center = (
                pose.position[0] + ahead * math.cos(yaw) + aside * math.sin(yaw),
                pose.position[1] + ahead * math.sin(yaw) - aside * math.cos(yaw),
                pose.position[2] + depth * math.sin(pitch) + up * math.cos(pitch),
            )
            extent = (draw.uniform(0.02, 1), draw.uniform(0.02, 1), draw.uniform(0.1, 1))
            box = seen(pose, center, extent)
            if box is not None:
                corners = (box.x1, box.y1, box.x2, box.y2)
                objects.append(thing(f"thing-{i}", {0: corners, 1: corners}))
                truth.append(placed(f"thing-{i}", center, extent=extent))
        yield trajectory([FORWARD], objects, places=truth, poses=(pose, pose), step_length_m=0.1)


@pytest.mark.parametrize(
    ("pitch_deg", "roll_deg"), [(0.0, 0.0), (-60.0, 0.0), (-20.0, 1.9), (35.0, -1.9)]
)
def test_what_is_seen_on_two_sides_lies_there(
    oracle: Oracle, pitch_deg: float, roll_deg: float
) -> None:
    """Directions are told on the ground; a camera that looks down does not change their sides."""
    records = [
        record(case, [true_value(case.queries[0], made)])
        for made in views(random.Random(3), pitch_deg, roll_deg)
        for case in a1_projection.instances(Grounds(made, Settings()), CODE)
    ]
    assert len(records) > 100
    for told, found in zip(records, oracle.judge(records)):
        assert found["verdict"] == "satisfied", (told, found)


def test_a_box_has_to_be_clear_of_what_a_tilt_can_do() -> None:
    """One above and one below, a hand's breadth aside: the tilt shows them the wrong way round."""
    pose = Pose(position=(0.0, 0.0, 1.5), yaw_deg=0.0, roll_deg=1.9)
    extent = (0.01, 0.01, 0.3)
    centers = {"high": (4.0, -0.03, 2.8), "low": (4.0, 0.03, 0.2)}
    boxes = {name: seen(pose, center, extent) for name, center in centers.items()}
    sides = {}
    objects = []
    for name, box in boxes.items():
        assert box is not None
        sides[name] = (box.x2 < WIDTH / 2, box.x1 > WIDTH / 2)
        corners = (box.x1, box.y1, box.x2, box.y2)
        objects.append(thing(name, {0: corners, 1: corners}))
    assert sides == {"high": (True, False), "low": (False, True)}
    truth = [placed(name, center, extent=extent) for name, center in centers.items()]
    made = trajectory([FORWARD], objects, places=truth, poses=(pose, pose), step_length_m=0.1)
    there = Query(trajectory=made.id, capability=CODE, a="high", b="low", reference=0)
    assert true_value(there, made).planar == "left"
    grounds = Grounds(made, Settings())
    assert not list(a1_projection.instances(grounds, CODE))
    assert set(grounds.drops) == {"A1: the objects are not on two sides of where the camera looks"}
