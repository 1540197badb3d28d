"""An independent reading of RELATIONS.md, in Python, to hold against the oracle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tests.oracle import anchored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Case = dict[str, Any]

SECTORS = [
    "front",
    "front-right",
    "right",
    "back-right",
    "back",
    "back-left",
    "left",
    "front-left",
]
LABELS = [*SECTORS, "none"]
LEVELS = ["above", "level", "below"]
TINY = 1e-9


# --- the reference -----------------------------------------------------------------------------


def reference(case: Case) -> str:
    """Judge a well-formed case whose values are all allowed."""
    rules: dict[str, Callable[[Case, bool], Iterable[bool | None]]] = {
        "MR1": transitivity,
        "MR2": symmetry,
        "MR3": contradiction,
        "MR4": triangle,
        "MR5": size_depth,
        "MR6": size_ratio,
        "A1": anchored.projection,
        "A2": anchored.odometry,
        "A3": anchored.ground_truth,
    }
    paper = case.get("semantics") == "paper"
    parts = list(rules[case["relation"]](case, paper))
    if False in parts:
        return "violated"
    return "satisfied" if True in parts else "inconclusive"


def found(case: Case, kind: str, a: str, b: str) -> list[Any]:
    key = {"direction": "planar", "distance": "steps"}[kind]
    return [
        entry[key]
        for entry in case["observations"]
        if entry["kind"] == kind and (entry["from"], entry["to"]) == (a, b)
    ]


def levels(case: Case, a: str, b: str) -> list[str]:
    directions = [entry for entry in case["observations"] if entry["kind"] == "direction"]
    if not all("vertical" in entry for entry in directions):
        return []
    return [entry["vertical"] for entry in directions if (entry["from"], entry["to"]) == (a, b)]


def vector(planar: str, level: str) -> tuple[int, int, int]:
    x = ("front" in planar) - ("back" in planar)
    y = ("right" in planar) - ("left" in planar)
    return x, y, {"above": 1, "level": 0, "below": -1}[level]


def transitivity(case: Case, paper: bool) -> Iterable[bool | None]:
    s1, s2, s3 = case["subjects"]
    pairs = [(s1, s2), (s2, s3), (s1, s3)]
    d12, d23, d13 = (found(case, "direction", *pair)[0] for pair in pairs)
    heights = [levels(case, *pair) for pair in pairs]
    judged = all(heights)
    v12, v23, v13 = (height[0] for height in heights) if judged else ("level",) * 3
    if paper:
        one, two, three = vector(d12, v12), vector(d23, v23), vector(d13, v13)
        if any(a * b < 0 for a, b in zip(one, two, strict=True)):
            return [None]
        sums = (a + b for a, b in zip(one, two, strict=True))
        return [three == tuple((s > 0) - (s < 0) for s in sums)]
    planar = exact_ends(d12, d23) if case.get("exact") else ends(d12, d23)
    verdicts = [None if planar is None else d13 in planar]
    if judged:
        rises = {
            ("above", "above"): ["above"],
            ("above", "level"): ["above", "level"],
            ("level", "above"): ["above", "level"],
            ("below", "below"): ["below"],
            ("below", "level"): ["below", "level"],
            ("level", "below"): ["below", "level"],
        }.get((v12, v23))
        verdicts.append(None if rises is None else v13 in rises)
    return verdicts


def arc(i: int, j: int) -> set[str]:
    g = (j - i) % 8
    steps = range(g + 1) if g < 4 else range(g - 8, 1)
    return {SECTORS[(i + step) % 8] for step in steps}


def ends(d12: str, d23: str) -> set[str] | None:
    known = [SECTORS.index(label) for label in (d12, d23) if label != "none"]
    if not known:
        return None
    if len(known) == 1:
        return {"none", *(SECTORS[(known[0] + step) % 8] for step in (-2, -1, 0, 1, 2))}
    g = (known[1] - known[0]) % 8
    if g == 4:
        return None
    return arc(*known) | ({"none"} if min(g, 8 - g) >= 2 else set())


def exact_ends(d12: str, d23: str) -> set[str]:
    if d12 == "none":
        return {d23}
    if d23 == "none":
        return {d12}
    i, j = SECTORS.index(d12), SECTORS.index(d23)
    return {d12, d23, "none"} if (j - i) % 8 == 4 else arc(i, j)


def inverse(label: str) -> str:
    return label if label == "none" else SECTORS[(SECTORS.index(label) + 4) % 8]


def symmetry(case: Case, paper: bool) -> Iterable[bool | None]:
    a, b = case["subjects"]
    there, back = found(case, "direction", a, b), found(case, "direction", b, a)
    if there:
        yield back[0] == inverse(there[0])
    if levels(case, a, b):
        swapped = {"above": "below", "below": "above", "level": "level"}
        yield levels(case, b, a)[0] == swapped[levels(case, a, b)[0]]
    lengths = found(case, "distance", a, b), found(case, "distance", b, a)
    if lengths[0]:
        allowed = 0 if paper else case.get("tolerance", {}).get("steps", 0)
        yield abs(lengths[0][0] - lengths[1][0]) <= allowed + TINY


def contradiction(case: Case, paper: bool) -> Iterable[bool | None]:
    a, b = case["subjects"]
    directions, distances = found(case, "direction", a, b), found(case, "distance", a, b)
    yield len(set(directions)) <= 1
    yield len(set(levels(case, a, b))) <= 1
    yield len(set(distances)) <= 1
    for entry in case["observations"]:
        if entry["kind"] != "claim" or (entry["about"]["from"], entry["about"]["to"]) != (a, b):
            continue
        about, yes = entry["about"], entry["holds"]
        truths = []
        if about["kind"] == "direction":
            truths = [answer == about["planar"] for answer in directions]
        elif "at_least" in about:
            truths = [answer >= about["at_least"] for answer in distances]
        else:
            truths = [answer == about["exactly"] for answer in distances]
        yield all(truths) if yes else (paper or not any(truths))


def closing(p: int, q: int, low: float, high: float) -> tuple[float, float]:
    """Range of the third side, from the parallelograms of all end points."""
    ps, qs = ((max(m - 0.5, 0), m + 0.5) for m in (p, q))

    def corners(degrees: float) -> list[complex]:
        turned = complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
        return [ps[i] + qs[j] * turned for i, j in ((0, 0), (0, 1), (1, 1), (1, 0))]

    longest = max(abs(corner) for degrees in (low, high) for corner in corners(degrees))
    shape = corners(high)
    edges = list(zip(shape, shape[1:] + shape[:1], strict=True))
    shortest = min(from_origin(start, stop) for start, stop in edges)
    return shortest, longest


def from_origin(start: complex, stop: complex) -> float:
    along = stop - start
    share = -(start.real * along.real + start.imag * along.imag) / abs(along) ** 2
    return abs(start + along * min(max(share, 0), 1))


def triangle(case: Case, paper: bool) -> Iterable[bool | None]:
    s1, s2, s3 = case["subjects"]
    pairs = [(s1, s2), (s2, s3), (s1, s3)]
    m12, m23, m13 = (found(case, "distance", *pair)[0] for pair in pairs)
    d12, d23, d13 = ((found(case, "direction", *pair) or [None])[0] for pair in pairs)
    if paper:
        yield paper_triangle(case, m12, m23, m13)
        return
    if case.get("exact") and d12 is not None and d23 is not None:
        p, q = m12 * (d12 != "none"), m23 * (d23 != "none")
        k = 0
        if "none" not in (d12, d23):
            k = abs(SECTORS.index(d12) - SECTORS.index(d23)) % 8
        side = math.sqrt(max(p * p + q * q + 2 * p * q * math.cos(math.radians(45 * k)), 0))
        yield m13 == math.floor(side + 0.5 + TINY)
        return
    back12, back23 = (None if label is None else inverse(label) for label in (d12, d23))
    checks = [(m12, d12, m23, d23, m13)]
    if d13 is not None:
        checks += [(m12, back12, m13, d13, m23), (m13, d13, m23, back23, m12)]
    for p, first, q, second, answer in checks:
        low, high = 0.0, 180.0
        known = None not in (first, second) and "none" not in (first, second)
        if known and case.get("distance_metric") == "planar":
            g = (SECTORS.index(second) - SECTORS.index(first)) % 8
            k = min(g, 8 - g)
            low, high = max(45 * k - 45, 0), min(45 * k + 45, 180)
        least, most = closing(p, q, low, high)
        yield max(answer - 0.5, 0) <= most + TINY and answer + 0.5 >= least - TINY


def paper_triangle(case: Case, m12: int, m23: int, m13: int) -> bool:
    s1, s2, s3 = case["subjects"]
    one, two = found(case, "direction", s1, s2), found(case, "direction", s2, s3)
    if one and two:
        first = (one[0], *levels(case, s1, s2))
        second = (two[0], *levels(case, s2, s3))
        swapped = {"above": "below", "below": "above", "level": "level"}
        opposed = (inverse(one[0]), *(swapped[level] for level in levels(case, s1, s2)))
        if first == second:
            return m13 == m12 + m23
        if second == opposed:
            return m13 == abs(m12 - m23)
    return m13 < m12 + m23


def measured(case: Case, kind: str, frame: str, thing: str) -> float:
    (value,) = (
        entry["value"]
        for entry in case["observations"]
        if (entry["kind"], entry.get("frame"), entry.get("object")) == (kind, frame, thing)
    )
    return float(value)


def size_depth(case: Case, paper: bool) -> Iterable[bool | None]:
    f1, f2 = case["subjects"]
    s1, s2 = (measured(case, "size_px", f, case["object"]) for f in (f1, f2))
    z1, z2 = (measured(case, "depth", f, case["object"]) for f in (f1, f2))
    if paper:
        return [not abs(s1 / s2 - z2 / z1) >= 0.1 - TINY]
    q = s1 * z1 / (s2 * z2)
    return [not max(q, 1 / q) - 1 > case.get("tolerance", {}).get("depth", 0.1) + TINY]


def size_ratio(case: Case, paper: bool) -> Iterable[bool | None]:
    first, second = case["objects"]
    r1, r2 = (
        measured(case, "size", f, first) / measured(case, "size", f, second)
        for f in case["subjects"]
    )
    if paper:
        return [not abs(r1 - r2) >= 0.05 - TINY]
    return [not max(r1 / r2, r2 / r1) - 1 > case.get("tolerance", {}).get("size", 0.05) + TINY]
