"""Scores follow RELATIONS, "Verdicts and scores"."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace.domain import (
    Capability,
    Cluster,
    Mean,
    Outcome,
    Score,
    Selection,
    Semantics,
)
from pytest_metaspace.scoring import (
    Entry,
    by_anchor,
    by_capability,
    by_relation,
    count,
    selected,
    total,
)

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTS = st.integers(0, 50)


def score(semantics: Semantics = "sound", /, **counts: Any) -> Score:
    return Score(name="SC1-a", title="t", semantics=semantics, **counts)


@pytest.mark.parametrize(
    ("counts", "value", "readable", "decided"),
    [
        ({"satisfied": 4}, 1.0, 1.0, 1.0),
        ({"violated": 4}, 0.0, 0.0, 1.0),
        ({"satisfied": 3, "violated": 1}, 0.75, 0.75, 1.0),
        ({"satisfied": 3, "violated": 1, "invalid": 2}, 0.5, 0.75, 4 / 6),
        ({"satisfied": 3, "violated": 1, "inconclusive": 4}, 0.75, 0.75, 0.5),
        ({"satisfied": 3, "violated": 1, "error": 12}, 0.75, 0.75, 0.25),
        ({"inconclusive": 4}, None, None, 0.0),
        ({"invalid": 4}, None, None, 0.0),
        ({"error": 4}, None, None, 0.0),
        ({}, None, None, None),
    ],
)
def test_a_sound_score_leaves_out_what_says_nothing(
    counts: dict[str, int], value: float | None, readable: float | None, decided: float | None
) -> None:
    one = score(**counts)
    assert (one.value, one.readable, one.decided_share) == (value, readable, decided)


@pytest.mark.parametrize(
    ("counts", "value"),
    [
        ({"satisfied": 3, "violated": 1}, 0.75),
        ({"satisfied": 3, "violated": 1, "inconclusive": 4}, 0.875),
        ({"satisfied": 3, "violated": 1, "inconclusive": 2, "invalid": 1, "error": 1}, 0.875),
        ({"inconclusive": 4}, None),
        ({}, None),
    ],
)
def test_a_paper_score_is_one_less_the_violated_share(
    counts: dict[str, int], value: float | None
) -> None:
    assert score("paper", **counts).value == value


@pytest.mark.parametrize(
    ("counts", "half"),
    [
        ({"satisfied": 1, "inconclusive": 1}, True),
        ({"violated": 1, "invalid": 1}, True),
        ({"satisfied": 49, "inconclusive": 51}, False),
        ({"satisfied": 1, "error": 2}, False),
        ({}, False),
    ],
)
def test_half_of_the_cases_must_be_decided(counts: dict[str, int], half: bool) -> None:
    assert score(**counts).half_decided is half


@given(COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, st.sampled_from(["sound", "paper"]))
def test_scores_stay_in_range_and_follow_the_formula(
    satisfied: int, violated: int, inconclusive: int, invalid: int, error: int, semantics: Semantics
) -> None:
    one = score(
        semantics,
        satisfied=satisfied,
        violated=violated,
        inconclusive=inconclusive,
        invalid=invalid,
        error=error,
    )
    if one.value is None:
        assert satisfied + violated == 0
        return
    assert 0 <= one.value <= 1
    if semantics == "sound":
        judged = satisfied + violated + invalid
        assert one.value == pytest.approx(1 - (violated + invalid) / judged)
    else:
        assert one.value == pytest.approx(1 - violated / one.cases)


def outcomes() -> list[Entry]:
    draw = random.Random(3)
    return [
        (
            draw.choice(["walk", "flight"]),
            draw.choice(["SC4-a", "SC1-b", "SC2-a"]),
            draw.choice(["MR2", "MR1"]),
            draw.choice(list(Outcome)),
        )
        for _ in range(200)
    ]


def test_every_outcome_is_counted_once_for_its_capability_and_its_relation() -> None:
    found = outcomes()
    scores = by_capability(count(found), "sound")
    parts = by_relation(count(found), "sound", {"MR1": "transitivity"})
    assert [one.name for one in scores] == ["SC1-b", "SC2-a", "SC4-a"]
    assert sum(one.cases for one in scores) == sum(one.cases for one in parts) == 200
    for one in scores:
        mine = [outcome for _, code, _, outcome in found if code == one.name]
        for outcome in Outcome:
            field = str(outcome)
            assert getattr(one, field) == mine.count(outcome)
            assert getattr(one, field) == sum(
                getattr(part, field) for part in parts if part.name.startswith(one.name)
            )
    assert {part.title for part in parts} == {"transitivity", "MR2"}
    assert {one.title for one in scores} == {Capability(one.name).meaning for one in scores}


def test_the_order_of_cases_does_not_matter() -> None:
    found = outcomes()
    for order in itertools.islice(itertools.permutations(range(3)), 6):
        mixed = [found[i] for start in order for i in range(start, 200, 3)]
        assert by_capability(count(mixed), "sound") == by_capability(count(found), "sound")
        assert by_relation(count(mixed), "paper", {}) == by_relation(count(found), "paper", {})


def test_the_total_is_the_plain_mean_over_capabilities_with_a_score() -> None:
    many, few, none = (
        score(satisfied=99, violated=1),
        score(violated=1, satisfied=1),
        score(error=3),
    )
    assert total([many, few]) == pytest.approx(0.745)
    assert total([many, few, none]) == pytest.approx(0.745)
    assert total([none]) is None
    assert total([]) is None


# ------------------------------------------------------------------- parts of what was counted

CLUSTERS = {
    "walk": Cluster(scenario="household", objects=3),
    "flight": Cluster(scenario="drone", objects=2),
}


def part(name: str) -> Score | Mean:
    return selected(count(outcomes()), Selection.of(name), "sound", CLUSTERS)


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("SC1-b", lambda entry: entry[1] == "SC1-b"),
        ("MR2", lambda entry: entry[2] == "MR2"),
        ("SC1-b/MR2", lambda entry: entry[1:3] == ("SC1-b", "MR2")),
        ("drone/SC1-b/MR2", lambda entry: entry[:3] == ("flight", "SC1-b", "MR2")),
        ("drone/SC2-a", lambda entry: entry[:2] == ("flight", "SC2-a")),
        ("arm/SC2-a", lambda entry: entry[0] == "reach"),
        ("drone", lambda entry: entry[0] == "flight"),
        ("total", bool),
    ],
)
def test_a_part_is_scored_over_the_cases_it_has(name: str, takes: Callable[[Entry], bool]) -> None:
    found, mine = part(name), [entry[3] for entry in outcomes() if takes(entry)]
    assert found.name == name
    assert found.cases == len(mine)
    assert found.violated == mine.count(Outcome.VIOLATED)
    assert isinstance(found, Mean) == (name in ("drone", "total"))


def test_a_scenario_is_scored_like_a_total_of_its_own() -> None:
    drone = part("drone")
    assert isinstance(drone, Mean)
    assert drone.value == total(drone.parts)
    assert (drone.trajectories, drone.objects) == (1, 2)
    whole = part("total")
    assert (whole.trajectories, whole.objects) == (2, 5)


@given(st.permutations(["drone", "SC1-a", "MR2"]), st.sets(st.sampled_from(["SC1-a", "MR2"])))
def test_a_name_says_the_same_in_any_order(parts: list[str], left: set[str]) -> None:
    kept = [one for one in parts if one not in left]
    assert Selection.of("/".join(kept)).name == "/".join(
        one for one in ("drone", "SC1-a", "MR2") if one in kept
    )


def test_accuracy_on_a_suite_of_which_no_answer_can_be_read_is_nothing_and_not_unknown() -> None:
    """Relations between answers have nothing to go by then."""
    entries: list[Entry] = [
        ("t", "EMB-far", "EMB-ACC", Outcome.INVALID),
        ("t", "EMB-far", "EMB-ORDER", Outcome.INVALID),
        ("t", "SC1-a", "X-ACC", Outcome.INVALID),
    ]
    found = {one.name: one.value for one in by_anchor(count(entries), {})}
    assert found == {"EMB-ACC": 0.0, "EMB-ORDER": None, "X-ACC": None}
    (part,) = by_relation(count(entries[:1]), "sound", {})
    assert (part.name, part.value) == ("EMB-far EMB-ACC", 0.0)
