"""Cases of the anchored relations, made up; and an independent reading of what they demand."""

from __future__ import annotations

import cmath
import itertools
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

    Case = dict[str, Any]

SECTORS = ["front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left"]
LABELS = [*SECTORS, "none"]
LEVELS = ["above", "level", "below"]
TURNS = [0, 0, 90, -90, 30, 15, 45, -22.5, 180, 400]


# --- made up -----------------------------------------------------------------------------------


def boxes(rng: random.Random, a: str, b: str) -> Case:
    """Two boxes in one frame, or seldom in two, and an answer."""
    entries: list[Case] = []
    for name in (a, b):
        left = rng.choice([*range(0, 200, 20), 40.5])
        frame = "f" if rng.random() < 0.9 else "g"
        right = left + rng.choice([20, 60, 59.5])
        entries.append(
            {"kind": "columns", "frame": frame, "object": name, "left": left, "right": right}
        )
    entries += [{"kind": "principal_column", "frame": frame, "column": 100} for frame in "fg"]
    entries.append({"kind": "direction", "from": a, "to": b, "planar": rng.choice(LABELS)})
    rng.shuffle(entries)
    return {"relation": "A1", "subjects": [a, b], "observations": entries}


def moves(rng: random.Random, a: str, b: str, start: str) -> Case:
    """Three actions, the way between two of the states, and answers that are mostly near."""
    states = [start, a, b, f"{b}!"]
    step = rng.choice([0.25, 0.3, 1])
    entries: list[Case] = [
        {"kind": "heading", "at": start},
        {"kind": "step_length", "metres": step},
    ]
    for before, after in itertools.pairwise(states):
        lengths = [rng.choice([0, 0, 1, 2, 0.5, -1, rng.uniform(-3, 3)]) * step for _ in range(3)]
        move = dict(zip(("forward", "right", "up"), lengths))
        entries.append(
            {"kind": "action", "from": before, "to": after, **move, "turn": rng.choice(TURNS)}
        )
    said: list[Case] = []
    ends = {"from": a, "to": b}
    if rng.random() < 0.7:
        said.append({"kind": "direction", **ends, "planar": rng.choice(LABELS)})
        if rng.random() < 0.5:
            said[-1]["vertical"] = rng.choice(LEVELS)
    if not said or rng.random() < 0.5:
        said.append({"kind": "distance", **ends, "steps": rng.randrange(4)})
    entries += said
    rng.shuffle(entries)
    metric = {"distance_metric": rng.choice(["planar", "spatial"])}
    return {"relation": "A2", "subjects": [a, b], "observations": entries, **metric}


def truths(rng: random.Random, a: str, b: str) -> Case:
    """An answer of any kind, and the true one."""
    ends: Case = {"from": a, "to": b}
    kind = rng.choice(["direction", "distance", "depth", "size"])
    if kind in ("depth", "size"):
        pair = [
            {"kind": kind, "frame": "f", "object": a, "value": round(rng.uniform(1.8, 2.2), 2)}
            for _ in range(2)
        ]
        return _compared([a], *pair)
    if kind == "direction":
        answer, true = ({"kind": kind, **ends, "planar": rng.choice(LABELS[:3])} for _ in "ab")
        if rng.random() < 0.5:
            answer["vertical"], true["vertical"] = rng.choices(LEVELS, k=2)
    else:
        answer, true = ({"kind": kind, **ends, "steps": rng.randrange(4)} for _ in "ab")
    if rng.random() < 0.4:
        about: Case = {"kind": kind, **ends}
        if kind == "direction":
            about["planar"] = rng.choice(LABELS[:3])
        else:
            about[rng.choice(["at_least", "exactly"])] = rng.randrange(4)
        answer = {"kind": "claim", "holds": rng.random() < 0.5, "about": about}
    return _compared([a, b], answer, true)


def _compared(subjects: list[str], answer: Case, true: Case) -> Case:
    given = {"kind": "true", "about": true}
    return {"relation": "A3", "subjects": subjects, "observations": [answer, given]}


def made(rng: random.Random, relation: str, a: str, b: str, c: str) -> Case:
    """Make a case of an anchored relation about things of these names."""
    if relation == "A1":
        return boxes(rng, a, b)
    return moves(rng, a, b, c) if relation == "A2" else truths(rng, a, b)


# --- the reference -----------------------------------------------------------------------------


def projection(case: Case, paper: bool) -> Iterable[bool | None]:
    del paper
    a, b = case["subjects"]
    seen = {entry["object"]: entry for entry in _of(case, "columns")}
    column = {entry["frame"]: entry["column"] for entry in _of(case, "principal_column")}
    (answer,) = _of(case, "direction")
    if seen[a]["frame"] != seen[b]["frame"]:
        return [None]
    middle = column[seen[a]["frame"]]
    for here, there, wrong in ((a, b, "left"), (b, a, "right")):
        if seen[here]["right"] <= middle <= seen[there]["left"]:
            return [wrong not in answer["planar"]]
    return [None]


def odometry(case: Case, paper: bool) -> Iterable[bool | None]:
    """Dead reckoning in the complex plane: real is forward, imaginary is right."""
    del paper
    a, b = case["subjects"]
    (start,) = _of(case, "heading")
    (step,) = _of(case, "step_length")
    done = {entry["from"]: entry for entry in _of(case, "action")}
    at, state, heading = {}, start["at"], 0.0
    place, height = 0j, 0.0
    while True:
        at[state] = (place, height)
        if state not in done:
            break
        move = done[state]
        place += complex(move["forward"], move["right"]) * cmath.exp(1j * math.radians(heading))
        height += move["up"]
        heading += move["turn"]
        state = move["to"]
    way = (at[b][0] - at[a][0]) / step["metres"]
    rise = (at[b][1] - at[a][1]) / step["metres"]
    for answer in _of(case, "direction"):
        yield _right_sector(way, answer["planar"])
        if "vertical" in answer:
            yield _right_level(rise, answer["vertical"])
    planar = case.get("distance_metric") == "planar"
    length = abs(way) if planar else math.hypot(abs(way), rise)
    for answer in _of(case, "distance"):
        near = abs(length % 1 - 0.5) <= 0.1 + 1e-9
        yield None if near else answer["steps"] == math.floor(length + 0.5)


def _right_sector(way: complex, answer: str) -> bool | None:
    if abs(abs(way) - 0.5) <= 0.1 + 1e-9:
        return None
    if abs(way) < 0.5:
        return answer == "none"
    bearing = math.degrees(cmath.phase(way)) % 360
    off = (bearing + 22.5) % 45  # from the edge before it
    if min(off, 45 - off) <= 5 + 1e-9:
        return None
    return answer == SECTORS[int((bearing + 22.5) // 45) % 8]


def _right_level(rise: float, answer: str) -> bool | None:
    if abs(abs(rise) - 0.5) <= 0.1 + 1e-9:
        return None
    true = "level" if abs(rise) < 0.5 else "above" if rise > 0 else "below"
    return answer == true


def ground_truth(case: Case, paper: bool) -> Iterable[bool | None]:
    del paper
    answer, given = case["observations"]
    true = given["about"]
    if answer["kind"] == "claim":
        about = answer["about"]
        tests: dict[str, Callable[[], bool]] = {
            "planar": lambda: about["planar"] == true["planar"],
            "at_least": lambda: true["steps"] >= about["at_least"],
            "exactly": lambda: true["steps"] == about["exactly"],
        }
        (test,) = (tests[key] for key in tests if key in about)
        return [test() is answer["holds"]]
    if "value" in answer:
        allowed = {"depth": 0.1, "size": 0.05}[answer["kind"]]
        one, other = sorted((answer["value"], true["value"]))
        return [other <= one * (1 + allowed) + 1e-9]
    shared = [key for key in ("planar", "vertical", "steps") if key in answer and key in true]
    return [answer[key] == true[key] for key in shared]


def _of(case: Case, kind: str) -> list[Case]:
    return [entry for entry in case["observations"] if entry["kind"] == kind]
