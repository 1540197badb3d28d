"""Walks through flat scenes without pictures: a pinhole eye, things that hide each other."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from pytest_metaspace.suites.rem._questions import Questions, questions
from pytest_metaspace.suites.rem._seen import Move, Sight, Thing, Walk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.suites.rem._seen import Kind

COLOURS = ("red", "green", "blue", "yellow", "purple", "orange")
SHAPES = ("box", "cone", "sphere")
WIDTH, HEIGHT = 480, 270
FOCAL = WIDTH / 2
ASKED = (40, 16, 10)
"""Walks, turns on the spot and single frames that tests share."""
HALF_M, NEAREST_M = 6.0, 0.8
WIDE_M = {"box": 2.4, "cone": 1.0, "sphere": 0.5}
Place = tuple[float, float]


@dataclass(frozen=True)
class Pose:
    """Where the eye stands and looks; clockwise is to the right."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0

    def after(self, move: Move) -> Pose:
        heading = self.heading + math.radians(move.turn_deg)
        forward = move.forward_m
        return Pose(
            self.x + forward * math.cos(heading), self.y - forward * math.sin(heading), heading
        )


def walk(
    number: int, *, kind: Kind = "walk", frames: int = 6, objects: int = 12, doubles: int = 4
) -> Walk:
    """Return a walk by chance, the same for the same arguments."""
    chance = random.Random(f"{kind} {number} {frames} {objects} {doubles}")
    moves = _moves(chance, kind, frames)
    poses = [Pose(heading=chance.uniform(0, 7))]
    for move in moves:
        poses.append(poses[-1].after(move))
    things = _things(chance, objects, doubles)
    places = {one.id: _place(chance, poses) for one in things}
    made = _walk(number, kind, things, poses, moves, places, "")
    return replace(made, added=_added(chance, made, poses, places))


def asked_about(count: int, turns: int, frames: int) -> list[tuple[Walk, Questions]]:
    """Return so many walks, turns on the spot and single frames, with what is asked about them."""
    sizes: dict[Kind, tuple[int, tuple[int, ...], tuple[int, ...]]] = {
        "walk": (count, (4, 8, 12), (8, 16, 24)),
        "rotation": (turns, (12,), (16, 24)),
        "frame": (frames, (1,), (12, 20)),
    }
    made = [
        walk(
            number,
            kind=kind,
            frames=lengths[number % len(lengths)],
            objects=objects[number % len(objects)],
            doubles=(4, 0, 8)[number // 3 % 3],
        )
        for kind, (some, lengths, objects) in sizes.items()
        for number in range(some)
    ]
    return [(one, questions(one)) for one in made]


def walks(kind: Kind = "walk") -> st.SearchStrategy[Walk]:
    """Walks of all sizes."""
    return st.builds(
        walk,
        st.integers(0, 10**9),
        kind=st.just(kind),
        frames=st.just(12) if kind == "rotation" else st.integers(1, 9),
        objects=st.integers(2, 16),
        doubles=st.integers(0, 6),
    )


def staged(*frames: Mapping[str, Any]) -> Walk:
    """Return a walk straight on past what each frame is said to show.

    Args:
        frames: by thing, where its centre is, or that, where its pixels are, and how many.
    """

    def sight(centre: float, across: float | None = None, pixels: int = 900) -> Sight:
        where = centre if across is None else across
        return Sight(pixels=pixels, height_px=30.0, centre_x=centre, pixels_x=where)

    ids = sorted({name for frame in frames for name in frame})
    kinds = [name.split("_") for name in ids]
    return Walk(
        seed=5,
        number=0,
        kind="walk",
        things=tuple(
            Thing(id=name, colour=colour, shape=shape, number=int(number))
            for name, (colour, shape, number) in zip(ids, kinds)
        ),
        frames=tuple(
            {name: sight(*(x if isinstance(x, tuple) else (x,))) for name, x in frame.items()}
            for frame in frames
        ),
        moves=(Move(name="move_forward", forward_m=1.0),) * (len(frames) - 1),
        pictures=tuple(Path(f"{place}.png") for place in range(len(frames))),
    )


def _moves(chance: random.Random, kind: Kind, frames: int) -> tuple[Move, ...]:
    if kind == "frame":
        return ()
    if kind == "rotation":
        side = chance.choice((-1, 1))
        return (Move(name="turn", turn_deg=side * 360 / frames),) * (frames - 1)
    turns = [
        Move(name="turn_left", turn_deg=-30.0),
        Move(name="turn_right", turn_deg=30.0),
        Move(name="move_forward", forward_m=1.0),
    ]
    return tuple(chance.choice(turns) for _ in range(frames - 1))


def _things(chance: random.Random, objects: int, doubles: int) -> tuple[Thing, ...]:
    kinds = [(colour, shape) for colour in COLOURS for shape in SHAPES]
    apart = max(1, min(objects - doubles, len(kinds) - 1))
    chosen = chance.sample(kinds, apart)
    chosen += [chosen[at % max(1, apart // 2)] for at in range(objects - apart)]
    numbers = {kind: count(1) for kind in kinds}
    told = [(*kind, next(numbers[kind])) for kind in chosen]
    return tuple(
        Thing(id=f"{colour}_{shape}_{n}", colour=colour, shape=shape, number=n)
        for colour, shape, n in told
    )


def _place(chance: random.Random, poses: Sequence[Pose]) -> Place:
    while True:
        x, y = chance.uniform(-HALF_M, HALF_M), chance.uniform(-HALF_M, HALF_M)
        if all(math.hypot(x - one.x, y - one.y) > NEAREST_M for one in poses):
            return x, y


def _walk(
    number: int,
    kind: Kind,
    things: tuple[Thing, ...],
    poses: Sequence[Pose],
    moves: tuple[Move, ...],
    places: Mapping[str, Place],
    prefix: str,
) -> Walk:
    return Walk(
        seed=5,
        number=number,
        kind=kind,
        things=things,
        frames=tuple(_looked(pose, places) for pose in poses),
        moves=moves,
        pictures=tuple(Path(f"{prefix}{place}.png") for place in range(len(poses))),
        width=WIDTH,
        height=HEIGHT,
    )


def _looked(pose: Pose, places: Mapping[str, Place]) -> dict[str, Sight]:
    """Return what is seen: columns of things, less what nearer ones hide."""
    found: dict[str, Sight] = {}
    taken: set[int] = set()
    near = sorted((_ahead(pose, place), name) for name, place in places.items())
    for (depth, right), name in near:
        if depth < NEAREST_M / 2:
            continue
        wide = WIDE_M.get(name.split("_")[1], 1.0)
        centre, half = WIDTH / 2 + FOCAL * right / depth, FOCAL / depth * wide / 2
        inside = range(max(0, round(centre - half)), min(WIDTH, round(centre + half)))
        columns = [one for one in inside if one not in taken]
        taken.update(inside)
        if columns:
            found[name] = Sight(
                pixels=max(1, round(len(columns) * half)),
                height_px=2 * half,
                centre_x=centre,
                pixels_x=sum(columns) / len(columns) + 0.5,
            )
    return found


def _ahead(pose: Pose, place: Place) -> Place:
    """Return how far ahead and how far right a place lies."""
    x, y = place[0] - pose.x, place[1] - pose.y
    cos, sin = math.cos(pose.heading), math.sin(pose.heading)
    return x * cos - y * sin, -x * sin - y * cos


def _added(
    chance: random.Random, made: Walk, poses: Sequence[Pose], places: Mapping[str, Place]
) -> Walk | None:
    """Return the walk with one thing more that hides no other one; None by bad luck."""
    more = Thing(id="white_cylinder_1", colour="white", shape="cylinder", number=1)
    for _ in range(5):
        new = {**places, more.id: _place(chance, poses)}
        things = (*made.things, more)
        one = _walk(made.number, made.kind, things, poses, made.moves, new, "more-")
        frames = range(len(made.frames))
        if all(
            one.seen(at, clearly=clearly) - {more.id} == made.seen(at, clearly=clearly)
            for at in frames
            for clearly in (False, True)
        ):
            return one
    return None
