"""Faults of looking: the wrong picture, the wrong thing, or the picture taken for the world."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.agents.faults._fault import UNMOVED, Fault, chance_of
from pytest_metaspace.domain import EGOCENTRIC, NONE, Capability, Value
from pytest_metaspace.geometry import sector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.agents.faults._fault import Look
    from pytest_metaspace.domain import Query, Question, Subject, Trajectory

_TALLEST_M = 2.0
_SAME_PLACE = 0.03
_HALF = 0.5


def _only_last(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    """Look at the last picture only; nothing is seen of what it does not show."""
    last = query.evidence[-1]
    if isinstance(query.a, int):
        return ()
    shown = all(last in trajectory.by_id[str(name)].boxes for name in (query.a, query.b) if name)
    if not shown:
        return ()
    if query.capability.about_map:
        query = replace(query, reference=last, evidence=(last,))
    return ((query, trajectory),)


def _if_any(values: Sequence[Value], question: Question) -> Value:
    del question
    return values[0] if values else UNMOVED


def _one_frame_late(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    earliest = min(query.evidence)
    if query.capability.about_map or earliest == 0:
        return ((query, trajectory),)
    names = [name for name in (query.a, query.b) if isinstance(name, str)]
    if any(earliest - 1 not in trajectory.by_id[name].boxes for name in names):
        return ((query, trajectory),)
    return ((_earlier(query), trajectory),)


def _earlier(query: Query) -> Query:
    assert query.reference is not None
    a, b = (name - 1 if isinstance(name, int) else name for name in (query.a, query.b))
    assert a is not None
    evidence = tuple(frame - 1 for frame in query.evidence)
    return replace(query, a=a, b=b, reference=query.reference - 1, evidence=evidence)


def _the_other_one(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    """Take each object for another one of its kind, in one half of the pictures.

    The draw is by the pictures shown, so that in one picture all are swapped or none.
    """
    shown = [query.trajectory, *query.evidence]
    if not isinstance(query.a, str) or chance_of(shown).random() < _HALF:
        return ((query, trajectory),)
    b = query.b if query.b is None else _twin(query.b, query, trajectory)
    return ((replace(query, a=_twin(query.a, query, trajectory), b=b), trajectory),)


def _twin(name: Subject, query: Query, trajectory: Trajectory) -> str:
    """Return the next object with the same label that the pictures show, else the object."""
    label = trajectory.by_id[str(name)].label
    alike = sorted(
        thing.id
        for thing in trajectory.objects
        if thing.label == label and not thing.boxes.keys().isdisjoint(query.evidence)
    )
    if name not in alike:
        return str(name)
    return alike[(alike.index(str(name)) + 1) % len(alike)]


def _not_the_size(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    return () if query.capability is Capability.SIZE else ((query, trajectory),)


def _as_it_looks(values: Sequence[Value], question: Question) -> Value:
    if values:
        return values[0]
    return Value(metres=_TALLEST_M * _height_px(question) / question.trajectory.camera.height)


def _neither_size_nor_depth(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    return () if query.b is None else ((query, trajectory),)


def _one_metre_tall(values: Sequence[Value], question: Question) -> Value:
    if values:
        return values[0]
    if question.query.capability is Capability.SIZE:
        return Value(metres=1.0)
    return Value(metres=question.trajectory.camera.focal / _height_px(question))


def _height_px(question: Question) -> float:
    query = question.query
    assert query.reference is not None
    return question.trajectory.by_id[str(query.a)].boxes[query.reference].height


def _not_in_view(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    return () if query.capability is Capability.OBJECT_DIRECTION else ((query, trajectory),)


def _as_pictured(values: Sequence[Value], question: Question) -> Value:
    """Take up in the picture for farther, by the middles of the boxes."""
    if values:
        return values[0]
    query, trajectory = question.query, question.trajectory
    assert query.reference is not None
    (u, v), (u2, v2) = (
        ((box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2)
        for box in (trajectory.by_id[str(n)].boxes[query.reference] for n in (query.a, query.b))
    )
    if math.hypot(u2 - u, v2 - v) < _SAME_PLACE * trajectory.camera.width:
        return Value(planar=NONE, vertical="level")
    return Value(planar=EGOCENTRIC[sector((-v, u), (-v2, u2))], vertical="level")


FAULTS = (
    Fault(
        name="last-frame",
        does="sees only the last picture: no movement, and north is where it looks",
        who="Models do whose attention to earlier images fades, or whose endpoint drops all but "
        "one image.",
        looks=_only_last,
        sees=_if_any,
    ),
    Fault(
        name="late",
        does="answers about the picture before the one asked about",
        who="Robots do whose camera buffer lags, and loops that read the last frame too early.",
        looks=_one_frame_late,
    ),
    Fault(
        name="confused",
        does="takes each object for another one of its label, in half of the pictures",
        who="Trackers do whose identities switch, and people among identical chairs.",
        looks=_the_other_one,
    ),
    Fault(
        name="as-it-looks",
        does="judges size by how much of the picture a thing fills",
        who="Children before size constancy do, and models that read heights off pixels.",
        looks=_not_the_size,
        sees=_as_it_looks,
    ),
    Fault(
        name="one-size",
        does="takes everything for one metre tall, and tells its depth by that",
        who="Cheap range finders do that divide a focal length by a box height, whatever is in "
        "the box.",
        symmetry="Sizes that are all alike keep every ratio, and a depth told from the box alone "
        "is what size and depth are checked by.",
        looks=_neither_size_nor_depth,
        sees=_one_metre_tall,
    ),
    Fault(
        name="picture-plane",
        does="takes the picture for a map: higher up is farther away",
        who="Children's drawings do, and models that answer from box coordinates alone.",
        looks=_not_in_view,
        sees=_as_pictured,
    ),
)
