"""MR1 and MR2 against geometry: each table of labels is what vectors can do, no more and no less.

Nothing here knows a rule. Vectors are made, labelled and added; what the oracle forbids must
never come about, and what it allows must. ``test_against_reference.py`` compares rules.

There is one class of labels that the oracle allows and that sampling cannot reach: heights on
exact legs. Executed moves count as exact on level ground only, so sampled exact legs are all
level. RELATIONS lets exact legs fix bearings and leaves heights the labels they are, so exact
cases may show all heights that other cases may. Everything else that is allowed was sampled.
"""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from pytest_metaspace.geometry import opposite, planar_label, vertical_label
from tests.oracle.reference import LABELS, LEVELS, SECTORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from pytest_metaspace.oracle import Oracle

    Case = dict[str, Any]
    Vectors = NDArray[np.float64]
    Numbers = NDArray[np.int64]
    Table = set[tuple[str, ...]]

HALF = 0.5
"""All lengths here are in steps, and vectors are (forward, right)."""
TRIPLES = list(product(LABELS, repeat=3))
RISES = list(product(LEVELS, repeat=3))
WALKED = ("level", "level", "level")


# --- geometry ----------------------------------------------------------------------------------


def sectors_of(vectors: Vectors) -> Numbers:
    """Number the labels of ground-plane vectors as LABELS does: 8 is none."""
    bearings = np.degrees(np.arctan2(vectors[..., 1], vectors[..., 0]))
    numbers = np.floor((bearings + 22.5) / 45).astype(np.int64) % 8
    return np.where(np.hypot(vectors[..., 0], vectors[..., 1]) < HALF, 8, numbers)


def levels_of(rises: Vectors) -> Numbers:
    """Number the labels of rises as LEVELS does."""
    return np.where(rises >= HALF, 0, np.where(rises <= -HALF, 2, 1))


def lattice() -> tuple[Vectors, Vectors]:
    """Every two legs on quarters of a step, up to four steps ahead and aside: 1.2 million.

    Half a step and multiples of 45 degrees are met exactly.
    """
    line = np.arange(-16, 17) / 4
    points = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    return points[:, None], points[None, :]


def scattered(count: int = 600_000) -> tuple[Vectors, Vectors]:
    """Legs of all bearings: of many lengths, of nearly equal ones, and of about half a step."""
    rng = np.random.default_rng(2026)
    lengths = 10 ** rng.uniform(-2, 3, (2, count))
    lengths[1, ::3] = lengths[0, ::3] * 10 ** rng.uniform(-0.3, 0.3, lengths[0, ::3].shape)
    lengths[:, 1::3] = rng.uniform(0.45, 0.6, lengths[:, 1::3].shape)
    turns = rng.uniform(0, 2 * np.pi, (2, count))
    one, two = lengths[..., None] * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    return one, two


def named(first: Numbers, second: Numbers, third: Numbers, names: list[str]) -> Table:
    """Name the triples of labels that occur."""
    size = len(names)
    codes = np.unique((first * size + second) * size + third)
    return {
        tuple(names[place] for place in (code // size**2, code // size % size, code % size))
        for code in codes.tolist()
    }


def sampled_planar() -> Table:
    """Triples of planar labels that two vectors and their sum can have."""
    found: Table = set()
    for one, two in (lattice(), scattered()):
        found |= named(sectors_of(one), sectors_of(two), sectors_of(one + two), LABELS)
    return found | set(on_edges())


def on_edges() -> Iterator[tuple[str, ...]]:
    """Legs along edges between sectors and hairs beside them, labelled as perfect agents do."""
    turns = np.radians([22.5 + 45 * edge + hair for edge in range(8) for hair in (-1e-9, 0, 1e-9)])
    for first, second, length in product(turns, turns, (0.3, 0.5, 1.0, 3.0)):
        a = (0.0, 0.0, 0.0)
        b = (float(np.cos(first)), float(np.sin(first)), 0.0)
        c = (b[0] + length * float(np.cos(second)), b[1] + length * float(np.sin(second)), 0.0)
        yield tuple(label(*pair) for pair in ((a, b), (b, c), (a, c)))


def label(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    """Label a vector of (forward, right) as perfect agents do; right is minus y in the world."""
    ends = [(forward, -right, up) for forward, right, up in (start, end)]
    return planar_label(*ends, yaw_deg=0.0, step_m=1.0, labels=SECTORS)


def sampled_exact() -> Table:
    """Triples of the labels of whole steps along multiples of 45 degrees, and of their sum."""
    found: Table = set()
    legs = [("none", 0.0, 0.0)]
    for steps, (number, name) in product(range(1, 7), enumerate(SECTORS)):
        turn = np.radians(45 * number)
        legs.append((name, float(steps * np.cos(turn)), float(steps * np.sin(turn))))
    for (d12, ahead, aside), (d23, further, beside) in product(legs, legs):
        d13 = label((0.0, 0.0, 0.0), (ahead + further, aside + beside, 0.0))
        found.add((d12, d23, d13))
    return found


def sampled_vertical() -> Table:
    """Triples of vertical labels that two rises and their sum can have, eighths of a step apart."""
    rises = np.arange(-24, 25) / 8
    one, two = rises[:, None], rises[None, :]
    return named(levels_of(one), levels_of(two), levels_of(one + two), LEVELS)


# --- the oracle --------------------------------------------------------------------------------


def way(pair: str, planar: str, vertical: str | None = None) -> Case:
    entry = {"kind": "direction", "from": pair[0], "to": pair[1], "planar": planar}
    return entry if vertical is None else {**entry, "vertical": vertical}


def three(planar: tuple[str, ...], vertical: Iterable[str | None] = (None,) * 3) -> list[Case]:
    return [way(*entry) for entry in zip(("ab", "bc", "ac"), planar, vertical, strict=True)]


def verdicts(oracle: Oracle, cases: list[list[Case]], **keys: object) -> list[str]:
    """Judge observations under the law whose subjects they name."""
    records = []
    for number, entries in enumerate(cases):
        names = sorted({name for entry in entries for name in (entry["from"], entry["to"])})
        relation = {2: "MR2", 3: "MR1"}[len(names)]
        record = {"case": str(number), "relation": relation, "subjects": names, **keys}
        records.append({**record, "observations": entries})
    found = [result["verdict"] for result in oracle.judge(records)]
    assert set(found) <= {"satisfied", "violated", "inconclusive"}
    return found


def allowed(table: Mapping[tuple[str, ...], str]) -> Table:
    return {labels for labels, verdict in table.items() if verdict != "violated"}


def outside(one: Table, other: Table) -> list[str]:
    """Tell what is in one table and not in the other."""
    return [" ".join(labels) for labels in sorted(one - other)]


def planar_table(oracle: Oracle, *, exact: bool) -> dict[tuple[str, ...], str]:
    found = verdicts(oracle, [three(labels) for labels in TRIPLES], exact=exact)
    return dict(zip(TRIPLES, found, strict=True))


def vertical_table(oracle: Oracle, *, exact: bool) -> dict[tuple[str, ...], str]:
    still = ("none", "none", "none")  # nothing is wrong with the planar part
    found = verdicts(oracle, [three(still, rises) for rises in RISES], exact=exact)
    return dict(zip(RISES, found, strict=True))


class Planar(NamedTuple):
    """What vectors can have, and what the oracle says of each triple."""

    sampled: Table
    judged: dict[tuple[str, ...], str]


@pytest.fixture(scope="module", params=["any legs", "exact legs"])
def planar(request: pytest.FixtureRequest, oracle: Oracle) -> Planar:
    exact = request.param == "exact legs"
    return Planar(sampled_exact() if exact else sampled_planar(), planar_table(oracle, exact=exact))


# --- MR1 ---------------------------------------------------------------------------------------


def test_no_planar_triple_that_vectors_can_have_is_violated(planar: Planar) -> None:
    assert outside(planar.sampled, allowed(planar.judged)) == []


def test_no_planar_triple_is_allowed_that_vectors_cannot_have(planar: Planar) -> None:
    assert outside(allowed(planar.judged), planar.sampled) == []


def test_a_triple_is_undecided_exactly_where_every_third_label_can_be(planar: Planar) -> None:
    for (first, second, third), verdict in planar.judged.items():
        anything = all((first, second, label) in planar.sampled for label in LABELS)
        assert (verdict == "inconclusive") == anything, (first, second, third)


def test_no_vertical_triple_that_rises_can_have_is_violated(oracle: Oracle) -> None:
    assert outside(sampled_vertical(), allowed(vertical_table(oracle, exact=False))) == []


def test_no_vertical_triple_is_allowed_that_rises_cannot_have(oracle: Oracle) -> None:
    assert outside(allowed(vertical_table(oracle, exact=False)), sampled_vertical()) == []


def test_exact_legs_leave_heights_the_labels_they_are(oracle: Oracle) -> None:
    exact = allowed(vertical_table(oracle, exact=True))
    assert WALKED in exact
    assert exact == allowed(vertical_table(oracle, exact=False))


@pytest.mark.parametrize("exact", [False, True])
def test_planar_and_vertical_parts_are_violated_each_by_itself(
    oracle: Oracle, *, exact: bool
) -> None:
    """The ground plane and the height of a vector have nothing to do with each other."""
    pairs = random.Random(7).sample(list(product(TRIPLES, RISES)), 500)
    flat, high = sampled_exact() if exact else sampled_planar(), sampled_vertical()
    found = verdicts(oracle, [three(*pair) for pair in pairs], exact=exact)
    for (labels, rises), verdict in zip(pairs, found, strict=True):
        possible = labels in flat and rises in high
        assert (verdict != "violated") == possible, (labels, rises, verdict)


# --- MR2 ---------------------------------------------------------------------------------------


def test_a_way_back_is_allowed_exactly_where_a_vector_and_its_reverse_can_have_it(
    oracle: Oracle,
) -> None:
    one, two = scattered()
    vectors = np.concatenate([one, two, lattice()[1][0]])
    rises = np.arange(-24, 25) / 8
    flat = set(zip(sectors_of(vectors).tolist(), sectors_of(-vectors).tolist(), strict=True))
    high = set(zip(levels_of(rises).tolist(), levels_of(-rises).tolist(), strict=True))
    table = list(product(range(9), range(9), range(3), range(3)))
    cases = [
        [way("ab", LABELS[there], LEVELS[up]), way("ba", LABELS[back], LEVELS[down])]
        for there, back, up, down in table
    ]
    for (there, back, up, down), verdict in zip(table, verdicts(oracle, cases), strict=True):
        possible = (there, back) in flat and (up, down) in high
        assert verdict == ("satisfied" if possible else "violated"), (there, back, up, down)


# --- what the tests rest on --------------------------------------------------------------------


def test_the_labels_of_this_file_are_those_of_perfect_agents() -> None:
    one, _ = scattered(500)
    rises = np.concatenate([one[:, 0], np.arange(-24, 25) / 8])
    origin = (0.0, 0.0, 0.0)
    for vector, number in zip(one.tolist(), sectors_of(one).tolist(), strict=True):
        assert label(origin, (*vector, 0.0)) == LABELS[number]
        assert label((*vector, 0.0), origin) == opposite(LABELS[number], SECTORS)
    for rise, number in zip(rises.tolist(), levels_of(rises).tolist(), strict=True):
        assert vertical_label(origin, (0.0, 0.0, rise), step_m=1.0) == LEVELS[number]
