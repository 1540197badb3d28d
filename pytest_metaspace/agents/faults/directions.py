"""Faults of direction: the world turned, mirrored or flattened, or told in a wrong heading."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.agents.faults._fault import Fault, labels
from pytest_metaspace.domain import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_metaspace.agents.faults._fault import Look, Sees
    from pytest_metaspace.domain import Query, Question, Trajectory, Value

_UPSIDE_DOWN = {"above": "below", "below": "above"}


def _turned(change: Callable[[int], int]) -> Sees:
    """Return a fault that sees another sector for each one."""

    def sees(values: Sequence[Value], question: Question) -> Value:
        (value,) = values
        if value.planar in (None, NONE):
            return value
        names = labels(question)
        return replace(value, planar=names[change(names.index(value.planar)) % 8])

    return sees


def _upside_down(values: Sequence[Value], question: Question) -> Value:
    del question
    (value,) = values
    rise = value.vertical
    return value if rise is None else replace(value, vertical=_UPSIDE_DOWN.get(rise, rise))


def _flat(values: Sequence[Value], question: Question) -> Value:
    del question
    (value,) = values
    return value if value.vertical is None else replace(value, vertical="level")


def _converse(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    if query.b is None:
        return ((query, trajectory),)
    return ((replace(query, a=query.b, b=query.a), trajectory),)


def _in_own_frame(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    """Tell directions in the heading from which the first subject was seen, not as asked.

    For a movement that is the heading at the state where it starts, for a map the heading of
    the last picture shown that has the object from which the direction goes.
    """
    if not query.capability.of_directions:
        return ((query, trajectory),)
    if isinstance(query.a, int):
        return ((replace(query, reference=query.a), trajectory),)
    if not query.capability.about_map:
        return ((query, trajectory),)
    boxes = trajectory.by_id[query.a].boxes
    own = max((frame for frame in query.evidence if frame in boxes), default=query.evidence[-1])
    return ((replace(query, reference=own), trajectory),)


def _map_as_seen(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    if query.capability.value == "SC4-a":
        query = replace(query, reference=max(query.evidence))
    return ((query, trajectory),)


def _view_as_mapped(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    turns = not trajectory.watched  # a camera that stays has one heading, whatever it is called
    if turns and query.capability.of_directions and not query.capability.about_map:
        query = replace(query, reference=0, evidence=tuple(sorted({0, *query.evidence})))
    return ((query, trajectory),)


FAULTS = (
    Fault(
        name="mirrored",
        does="swaps left and right, east and west",
        who="People with left-right confusion do, and models trained on pictures that were "
        "flipped at random while their captions were not.",
        symmetry="A mirrored world is as consistent as ours.",
        sees=_turned(lambda sector: -sector),
    ),
    Fault(
        name="front-back",
        does="swaps farther and nearer, forward and backward, north and south",
        who="People do whose language faces an object the other way (Hausa speakers call the far "
        "side of a tree its front), and so do models that never settled on one convention.",
        symmetry="Seen in a mirror on the wall ahead, the world is as consistent as ours.",
        sees=_turned(lambda sector: 4 - sector),
    ),
    Fault(
        name="axis-swapped",
        does="takes ahead for right and right for ahead",
        who="Programs do that mix up x and y, or the axis conventions of two robot middlewares.",
        symmetry="Swapping two axes mirrors the world in a diagonal.",
        sees=_turned(lambda sector: 2 - sector),
    ),
    Fault(
        name="quarter-turn",
        does="tells every direction 90 degrees too far clockwise",
        who="A robot does whose camera or compass is mounted turned, and people who took a wrong "
        "exit and carry the error along.",
        symmetry="A world that is turned as a whole is as consistent as ours.",
        sees=_turned(lambda sector: sector + 2),
    ),
    Fault(
        name="converse",
        does="says where the first lies from the second",
        who="Models that take a relation for symmetric mix up subject and object, and children "
        "read it backwards; of movement, whoever feels the room move instead of themselves.",
        symmetry="Turning every arrow round turns the world by half a turn.",
        looks=_converse,
    ),
    Fault(
        name="upside-down",
        does="swaps above and below, up and down",
        who="Programs do whose image rows grow downwards while their heights grow upwards.",
        symmetry="A world on its head is as consistent as ours.",
        sees=_upside_down,
    ),
    Fault(
        name="flat",
        does="never says above or below",
        who="Agents trained on floor plans or by robots on wheels do, for whom height never "
        "mattered.",
        symmetry="A flat world is as consistent as ours.",
        sees=_flat,
    ),
    Fault(
        name="four-way",
        does="never says a diagonal: front-right is front, back-left is back",
        who="People do who fall back on four words in everyday speech, and models for which the "
        "compound words are rare.",
        sees=_turned(lambda sector: ((sector + 2) // 4 * 4) if sector % 2 else sector),
    ),
    Fault(
        name="frame-locked",
        does="tells directions in the heading it has at the time, not in the one asked for",
        who="Toddlers do, who look for a toy on the side where it was before they were carried "
        "round, and most vision-language models after a turn.",
        looks=_in_own_frame,
    ),
    Fault(
        name="map-as-seen",
        does="takes the last picture's heading for north",
        who="Beginners at map reading do, who do not turn the map: up on paper is ahead of them.",
        looks=_map_as_seen,
    ),
    Fault(
        name="view-as-mapped",
        does="tells what it sees and how it moves in the heading of the first picture",
        who="Robots do that report in their odometry frame what was asked in their camera's.",
        symmetry="All that is told of one view is turned by one angle.",
        looks=_view_as_mapped,
    ),
)
