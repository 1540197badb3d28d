"""What two runs must have in common for their cases to mean the same: words and pictures.

A case's id covers what the case is, never how it looks or is put. These fingerprints do.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from pytest_metaspace import observations
from pytest_metaspace.canonical import file_digest, sha256
from pytest_metaspace.domain import (
    Box,
    Camera,
    Capability,
    Claim,
    Form,
    Posing,
    Query,
    State,
    TrackedObject,
)
from pytest_metaspace.prompts import items, strategy
from pytest_metaspace.questions import question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_metaspace.domain import Item, Prompting, Trajectory, Truth

_DIGITS: Final = 12
_STATES: Final = 3
_THINGS: Final = ("one", "two")


def wordings(trajectories: Iterable[Trajectory], prompting: Prompting) -> dict[str, str]:
    """Return fingerprints of the words in which questions are put, by kind of trajectory.

    The same made-up questions are put about each kind: what trajectories show does not matter.
    """
    kinds = {_kind(one): one for one in trajectories}
    return {kind: _wording(kinds[kind], prompting) for kind in sorted(kinds)}


def _kind(trajectory: Trajectory) -> str:
    flat = "vertical" if trajectory.vertical else "flat"
    return f"{trajectory.scenario} {trajectory.mover} {flat} {trajectory.distance_metric}"


def _wording(like: Trajectory, prompting: Prompting) -> str:
    if like.only_items:
        return sha256(_item_texts(prompting))[:_DIGITS]
    box = Box(10.0, 10.0, 20.0, 30.0)
    states = range(_STATES)
    probe = replace(
        like,
        id="probe",
        step_length_m=0.5,
        rotation_deg=45.0,
        camera=Camera(width=64, height=48, fx=40.0, fy=40.0, cx=32.0, cy=24.0),
        states=tuple(State(index=number, frame=Path(f"{number}.png")) for number in states),
        objects=tuple(
            TrackedObject(
                id=name,
                label=name,
                boxes=dict.fromkeys(states, box),
                confidences=dict.fromkeys(states, 1.0),
            )
            for name in _THINGS
        ),
        truth=None,
    )
    put = [question(query, probe, prompting) for query in _probes()]
    texts = [[one.text, one.format.kind, *one.format.planar, *one.format.vertical] for one in put]
    return sha256(texts)[:_DIGITS]


def _item_texts(prompting: Prompting) -> list[str]:
    """Return a question of each form that questions of suites have."""
    plain = Posing(
        text=_THINGS[0], options=_THINGS, images=(Path("0.png"),), answer=None, context=_THINGS[1]
    )
    return [items.write(replace(plain, form=form), strategy(prompting)) for form in get_args(Form)]


def _probes() -> Iterator[Query]:
    """Yield a query of each kind that there is."""
    claims = {
        True: (None, Claim(planar="none")),
        False: (None, Claim(at_least=2), Claim(exactly=2)),
    }
    for capability in Capability:
        moves = capability.startswith("SC1")
        measured = not (capability.of_directions or capability.of_distances)
        for claim in (None,) if measured else claims[capability.of_directions]:
            for wording in (0,) if measured or claim else (0, 1):
                yield Query(
                    trajectory="probe",
                    capability=capability,
                    a=0 if moves else _THINGS[0],
                    b=None if measured else 2 if moves else _THINGS[1],
                    reference=None if capability.about_map else 0,
                    evidence=tuple(range(_STATES)) if moves or capability.about_map else (0,),
                    claim=claim,
                    wording=wording,
                )


def shown(trajectory: Trajectory) -> str:
    """Return a fingerprint of all that answers about a trajectory rest on or are held against."""
    camera = trajectory.camera
    told = {
        "scenario": trajectory.scenario,
        "step": [trajectory.step_length_m, trajectory.distance_metric, trajectory.vertical],
        "mover": trajectory.mover,
        "camera": [getattr(camera, one.name) for one in fields(camera)],
        "turn": trajectory.rotation_deg,
        "holds": [state.holds for state in trajectory.states],
        "truth": None if trajectory.truth is None else _true(trajectory.truth),
        "frames": [file_digest(state.frame) for state in trajectory.states],
        "moves": [
            None
            if state.action is None
            else [state.action.name, *state.action.move_m, state.action.turn_deg, state.succeeded]
            for state in trajectory.states
        ],
        "objects": [
            [
                thing.id,
                thing.label,
                [
                    [frame, box.x1, box.y1, box.x2, box.y2, thing.confidences.get(frame)]
                    for frame, box in sorted(thing.boxes.items())
                ],
            ]
            for thing in trajectory.objects
        ],
    }
    if trajectory.items:
        told["items"] = [
            [task, [[name, *_posed(one)] for name, one in item.posings.items()], _tied(item)]
            for task, item in trajectory.items.items()
        ]
    return sha256(told)[:_DIGITS]


def _posed(posing: Posing) -> list[object]:
    return [posing.text, posing.context, posing.options, posing.form, posing.answer]


def _tied(item: Item) -> list[object]:
    return [
        [tie.relation, tie.law, tie.posings, [observations.given(one) for one in tie.givens]]
        for tie in item.ties
    ]


def _true(truth: Truth) -> object:
    """Return ground truth, JSON-simple: anchored relations rest on it, and some agents know it."""
    return {
        "mover": truth.mover,
        "poses": [[getattr(pose, one.name) for one in fields(pose)] for pose in truth.poses],
        "objects": [
            [name, thing.center, thing.extent, thing.rest, thing.centers, thing.label]
            for name, thing in sorted(truth.objects.items())
        ],
        "visible": [
            [name, sorted(thing.visible.items())] for name, thing in sorted(truth.objects.items())
        ],
    }
