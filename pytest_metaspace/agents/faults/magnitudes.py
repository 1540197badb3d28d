"""Faults of magnitude: distances, sizes and depths that are bent, scaled or rounded."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.agents.faults._fault import Fault, whole
from pytest_metaspace.domain import Capability, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_metaspace.agents.faults._fault import Look, Sees
    from pytest_metaspace.domain import Query, Question, Trajectory

_LONGER = 2
_DRIFT = 0.1
_FARTHEST_STEPS, _FARTHEST_M = 4, 2.0


def _bent(
    steps: Callable[[float, Question], float], metres: Callable[[float, Question], float]
) -> Sees:
    def sees(values: Sequence[Value], question: Question) -> Value:
        (value,) = values
        if value.steps is not None:
            return replace(value, steps=whole(steps(value.steps, question)))
        if value.metres is not None:
            return replace(value, metres=metres(value.metres, question))
        return value

    return sees


def _root(number: float, question: Question) -> float:
    return number if question.query.capability is Capability.SIZE else math.sqrt(number)


def _drifted(number: float, question: Question) -> float:
    return number * (1 + _DRIFT * max(question.query.evidence))


def _short_strides(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    return ((query, replace(trajectory, step_length_m=trajectory.step_length_m / _LONGER)),)


def _doubled(values: Sequence[Value], question: Question) -> Value:
    del question
    (value,) = values
    return value if value.metres is None else replace(value, metres=value.metres * _LONGER)


def _along_path(query: Query, trajectory: Trajectory) -> Sequence[Look]:
    """Look at each step between two states, instead of at where they lie."""
    if query.capability is not Capability.MOVEMENT_DISTANCE:
        return ((query, trajectory),)
    assert isinstance(query.a, int)
    assert isinstance(query.b, int)
    legs = range(*sorted((query.a, query.b)))
    return [
        (replace(query, a=leg, b=leg + 1, reference=leg, evidence=(leg, leg + 1)), trajectory)
        for leg in legs
    ]


def _added(values: Sequence[Value], question: Question) -> Value:
    if question.query.capability is not Capability.MOVEMENT_DISTANCE:
        return values[0]
    return Value(steps=sum(value.steps or 0 for value in values))


FAULTS = (
    Fault(
        name="nearsighted",
        does="sees a distance D as its square root; sizes as they are",
        who="People do, whose judged distances are compressed the more the farther they are, and "
        "more so in virtual reality; monocular depth networks do beyond their training range.",
        sees=_bent(_root, _root),
    ),
    Fault(
        name="half-stride",
        does="counts in a unit of half the length, and takes everything for twice as large",
        who="Programs do that read feet for metres, and monocular SLAM that guessed its scale.",
        symmetry="A world twice as large is as consistent as ours.",
        looks=_short_strides,
        sees=_doubled,
    ),
    Fault(
        name="drifting",
        does="distances, sizes and depths grow by 10 % with each frame",
        who="Monocular visual odometry does, whose scale drifts as it goes along.",
        sees=_bent(_drifted, _drifted),
    ),
    Fault(
        name="fives",
        does="rounds steps to multiples of five and metres to halves",
        who="People do, whose estimates heap on round numbers, and language models with them.",
        sees=_bent(
            lambda steps, _: 5 * whole(steps / 5), lambda metres, _: max(whole(2 * metres), 1) / 2
        ),
    ),
    Fault(
        name="saturated",
        does=f"never says more than {_FARTHEST_STEPS} steps or {_FARTHEST_M:g} m",
        who="Depth sensors do beyond their range, and models that hardly ever met large numbers.",
        sees=_bent(
            lambda steps, _: min(steps, _FARTHEST_STEPS), lambda metres, _: min(metres, _FARTHEST_M)
        ),
    ),
    Fault(
        name="path-length",
        does="adds up every step of a movement instead of measuring it straight",
        who="Children and wheel odometers do, and models that count actions.",
        looks=_along_path,
        sees=_added,
    ),
)
