"""Cases to hold hosts of the engine against each other: made up, and of what we ship."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import pipeline
from pytest_metaspace.answers import read
from pytest_metaspace.domain import Missing, Settings, Unreadable
from pytest_metaspace.observations import record
from pytest_metaspace.questions import answer_format
from tests.oracle import anchored

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

    from pytest_metaspace import domain

    Case = dict[str, Any]

HOUSEHOLD = Path(__file__).resolve().parents[2] / "fixtures" / "household"
ALL = frozenset({"all"})
AGENTS = ("truth", "mutant:off-by-one:truth", "mutant:random:truth")
PLANAR = ["front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left"]
LABELS = [*PLANAR, "none", "north", "", "FRONT", None]
NAMES = ["chair-1", "lamp-2", "table-3", "Küche", "\u202edrow", "it's", "\ud800", "🤖"]
NUMBERS = [0, 1, 2, 3, 7, 2.5, 1e-9, 0.1 + 0.2, 1e17, 2e-300, 1e100, 123456.789, -1, True, "4"]


def direction(rng: random.Random, a: str, b: str) -> Case:
    entry = {"kind": "direction", "from": a, "to": b, "planar": label(rng)}
    if rng.random() < 0.4:
        entry["vertical"] = rng.choice(["above", "level", "below"])
    return entry


def label(rng: random.Random) -> str | None:
    return rng.choice(PLANAR) if rng.random() < 0.95 else rng.choice(LABELS)


def number(rng: random.Random) -> Any:
    return round(rng.uniform(0.5, 9), rng.choice([0, 2, 9])) if rng.random() < 0.9 else odd(rng)


def odd(rng: random.Random) -> Any:
    return rng.choice(NUMBERS)


def distance(rng: random.Random, a: str, b: str) -> Case:
    steps = rng.randrange(12) if rng.random() < 0.95 else odd(rng)
    return {"kind": "distance", "from": a, "to": b, "steps": steps}


def measure(rng: random.Random, kind: str, frame: str, thing: str) -> Case:
    return {"kind": kind, "frame": frame, "object": thing, "value": number(rng)}


def varied(rng: random.Random) -> Iterator[Case]:
    """Make cases of each relation, with right, wrong, odd and missing values, without an end."""
    while True:
        a, b, c = rng.sample(NAMES, 3)
        relation = rng.choice(list(BODIES))
        yield {
            "case": relation,
            "relation": relation,
            "semantics": rng.choice(["sound", "sound", "paper"]),
            **BODIES[relation](rng, a, b, c),
        }


def with_three(rng: random.Random, a: str, b: str, c: str) -> Case:
    entries = [direction(rng, *pair) for pair in ((a, b), (b, c), (a, c))]
    return {"subjects": [a, b, c], "exact": rng.random() < 0.3, "observations": entries}


def with_two(rng: random.Random, a: str, b: str, _: str) -> Case:
    kind = rng.choice([direction, distance])
    return {"subjects": [a, b], "observations": [kind(rng, a, b), kind(rng, b, a)]}


def with_claim(rng: random.Random, a: str, b: str, _: str) -> Case:
    steps = distance(rng, a, b)
    about = {"kind": "distance", "from": a, "to": b, "at_least": rng.randrange(1, 12)}
    claim = {"kind": "claim", "holds": rng.choice([True, False]), "about": about}
    return {"subjects": [a, b], "observations": [steps, claim]}


def with_metres(rng: random.Random, a: str, b: str, c: str) -> Case:
    case = with_three(rng, a, b, c)
    pairs = ((a, b), (b, c), (a, c))
    case["observations"] += [distance(rng, *pair) for pair in pairs]
    return {**case, "distance_metric": rng.choice(["planar", "spatial"])}


def with_boxes(rng: random.Random, thing: str, *_: str) -> Case:
    kinds = [("size_px", "f"), ("depth", "f"), ("size_px", "g"), ("depth", "g")]
    entries = [measure(rng, kind, frame, thing) for kind, frame in kinds]
    tolerance = {"tolerance": {"depth": rng.choice([0, 0.05, 0.9])}} if rng.random() < 0.5 else {}
    return {"subjects": ["f", "g"], "object": thing, "observations": entries, **tolerance}


def with_sizes(rng: random.Random, a: str, b: str, _: str) -> Case:
    entries = [measure(rng, "size", frame, thing) for frame in "fg" for thing in (a, b)]
    return {"subjects": ["f", "g"], "objects": [a, b], "observations": entries}


BODIES: dict[str, Callable[[random.Random, str, str, str], Case]] = {
    "MR1": with_three,
    "MR2": with_two,
    "MR3": with_claim,
    "MR4": with_metres,
    "MR5": with_boxes,
    "MR6": with_sizes,
    "A1": lambda rng, a, b, c: anchored.made(rng, "A1", a, b, c),
    "A2": lambda rng, a, b, c: anchored.made(rng, "A2", a, b, c),
    "A3": lambda rng, a, b, c: anchored.made(rng, "A3", a, b, c),
}


# --- what we ship ------------------------------------------------------------------------------


def shipped(most: int | None = None) -> Iterator[Case]:
    """Make the cases of all shipped trajectories, answered by three agents in turn.

    One question in 29 is answered unreadably, one in 29 not at all.

    Args:
        most: as many cases of each capability and relation of a trajectory, evenly spread.
    """
    known = pipeline.Registries.built_in()
    for trajectory in pipeline.load([HOUSEHOLD], known):
        cases = spread(pipeline.plan(trajectory, known, Settings(anchors=ALL)).cases, most)
        for turn, name in enumerate(AGENTS):
            yield from answered(cases[turn :: len(AGENTS)], trajectory, name, known)


def spread(cases: Sequence[domain.Case], most: int | None) -> list[domain.Case]:
    groups = defaultdict(list)
    for case in cases:
        groups[case.capability, case.relation].append(case)
    return [
        case
        for group in groups.values()
        for case in islice(group, 0, None, -(-len(group) // most) if most else 1)
    ]


def answered(
    cases: Sequence[domain.Case],
    trajectory: domain.Trajectory,
    name: str,
    known: pipeline.Registries,
) -> Iterator[Case]:
    agent = known.agent(name, HOUSEHOLD)
    answers = pipeline.ask(cases, {trajectory.id: trajectory}, agent, None).answers
    readings: dict[domain.Query, domain.Reading] = {}
    for place, (query, answer) in enumerate(answers.items()):
        assert answer.raw is not None, answer.error
        readings[query] = read(answer.raw, answer_format(query, trajectory))
        if place % 29 in SPOILT:
            readings[query] = SPOILT[place % 29]
    for case in cases:
        yield record(case, [readings[query] for query in case.queries])


SPOILT: dict[int, domain.Reading] = {5: Unreadable("it rambles"), 19: Missing("the line was dead")}
