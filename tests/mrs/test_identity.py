"""Claims and ids: seeded by what a case is, and the same whatever else is in the run."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Capability, State, Trajectory
from pytest_metaspace.mrs import _ids
from tests.unit_support import FORWARD, HOUSEHOLD, TURN, cases_of, thing, trajectory

BOX = (50.0, 100.0, 110.0, 200.0)
DIRECTIONS = [code for code in Capability if code.of_directions]
DISTANCES = [code for code in Capability if code.of_distances]


def long_walk() -> Trajectory:
    return trajectory(
        [FORWARD, TURN] * 300,
        [thing(f"thing{i:02d}", {0: BOX, 1: BOX}) for i in range(30)],
    )


def claims(code: Capability, **settings: Any) -> list[tuple[Any, Any]]:
    """The two claims of each pair."""
    pairs = defaultdict(list)
    for case in cases_of(long_walk(), only=code, relation="MR3", **settings):
        claim = case.queries[1].claim
        if claim is not None:
            pairs[case.subjects].append(claim)
    return [(first, second) for first, second in pairs.values()]


@pytest.mark.parametrize("code", [Capability.MOVEMENT_DIRECTION, Capability.MAP_DIRECTION])
def test_claimed_directions_are_drawn_from_all_nine_labels_alike(code: Capability) -> None:
    drawn = claims(code)
    labels = [*(ALLOCENTRIC if code.about_map else EGOCENTRIC), "none"]
    assert len(drawn) > 400
    assert all(first.planar != second.planar for first, second in drawn)
    for position in (0, 1):
        counts = Counter(pair[position].planar for pair in drawn)
        assert set(counts) == set(labels)
        for label in labels:
            assert counts[label] == pytest.approx(len(drawn) / 9, rel=0.5)


@pytest.mark.parametrize("code", [Capability.MOVEMENT_DISTANCE, Capability.MAP_DISTANCE])
def test_claimed_distances_are_drawn_from_1_to_12_alike(code: Capability) -> None:
    drawn = claims(code)
    assert all(first.at_least != second.at_least for first, second in drawn)
    for position in (0, 1):
        counts = Counter(pair[position].at_least for pair in drawn)
        assert set(counts) == set(range(1, 13))
        for k in range(1, 13):
            assert counts[k] == pytest.approx(len(drawn) / 12, rel=0.6)


def test_under_paper_distances_are_claimed_exactly() -> None:
    code = Capability.MOVEMENT_DISTANCE
    for both, others in zip(claims(code), claims(code, semantics="paper")):
        for sound, paper in zip(both, others):
            assert (paper.at_least, sound.exactly) == (None, None)
            assert paper.exactly == sound.at_least


@pytest.mark.parametrize("code", [*DIRECTIONS, *DISTANCES])
def test_each_pair_has_two_claims_and_one_rewording(code: Capability) -> None:
    made = trajectory([FORWARD, TURN], [thing(n, {0: b, 1: b}) for n, b in BESIDE.items()])
    pairs = defaultdict(list)
    for case in cases_of(made, only=code, relation="MR3"):
        pairs[case.queries[0].reference, case.subjects].append(case)
    assert pairs
    for one, other, reworded in pairs.values():
        assert one.id.split("-")[-2] == "claim1"
        assert other.id.split("-")[-2] == "claim2"
        assert reworded.id.split("-")[-2] == "reworded"
        opened = one.queries[0]
        assert opened.claim is None
        assert opened.wording == 0
        assert other.queries[0] == reworded.queries[0] == opened
        assert replace(one.queries[1], claim=None) == opened
        assert replace(other.queries[1], claim=None) == opened
        assert replace(reworded.queries[1], wording=0) == opened
        assert reworded.queries[1].wording == 1


BESIDE = {"a": BOX, "b": (250.0, 100.0, 310.0, 200.0), "c": (450.0, 100.0, 510.0, 200.0)}


# --------------------------------------------------------------------------------------- ids


ODD_IDS = [
    "a",
    "A",
    "a.b",
    "a b",
    "\u706f",
    "x" * 200,
    "-",
    "s000",
    "../..",
    "\n",
]


def odd() -> Trajectory:
    """Objects with odd ids, side by side in the same two frames."""
    boxes = [(20.0 + 50 * i, 100.0, 60.0 + 50 * i, 200.0) for i in range(len(ODD_IDS))]
    return trajectory(
        [FORWARD, TURN, FORWARD], [thing(n, {0: b, 1: b}) for n, b in zip(ODD_IDS, boxes)]
    )


def test_ids_are_unique_short_and_plain() -> None:
    cases = cases_of(odd())
    assert len(cases) > 1000
    assert len({case.id for case in cases}) == len(cases)
    assert len({case.address for case in cases}) == len(cases)
    for case in cases:
        assert re.fullmatch(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*", case.id), case.id
        assert len(case.id) <= 80


def test_ids_of_the_shipped_trajectories_are_unique() -> None:
    from pytest_metaspace.trajectories import native

    paths = sorted(HOUSEHOLD.glob("*/trajectory.json"))[:3]
    assert paths
    addresses = [case.address for path in paths for case in cases_of(native.load(path))]
    assert len(set(addresses)) == len(addresses)


def test_an_id_never_changes() -> None:
    """When this fails, no baseline of any user pairs any more."""
    made = trajectory([FORWARD, TURN], [thing(n, {0: b, 1: b}) for n, b in BESIDE.items()])
    found = {
        case.id
        for case in cases_of(made)
        if (case.capability.value, case.relation) in (("SC1-a", "MR1"), ("SC3-b", "MR5"))
        or (case.capability.value == "SC4-b" and case.subjects == ("a", "b"))
    }
    assert found == GOLDEN_IDS


GOLDEN_IDS = {
    "map-a-b-7c879e21",
    "map-a-b-claim1-2751d1de",
    "map-a-b-claim2-1eb1927b",
    "map-a-b-reworded-629e4d6a",
    "s000-s001-a-2422c287",
    "s000-s001-b-5d650729",
    "s000-s001-c-632363fd",
    "s000-s001-s002-c4c8867c",
}


def test_old_cases_keep_their_ids_when_an_object_or_a_state_is_added() -> None:
    made = odd()
    more = trajectory(
        [FORWARD, TURN, FORWARD, FORWARD],
        [*made.objects, thing("zz", {2: BOX, 3: BOX}), thing("0", {2: BOX, 3: BOX})],
    )
    before, after = cases_of(made), {case.address: case for case in cases_of(more)}
    for case in before:
        assert after[case.address] == case


def test_old_cases_keep_their_ids_under_other_settings() -> None:
    before = {case.id for case in cases_of(odd())}
    assert {case.id for case in cases_of(odd(), epsilon=0.2, delta=0.1, seed=9)} <= before
    kept = cases_of(odd(), relations=frozenset({"MR2"}))
    assert {case.id for case in kept} <= before


def test_the_same_case_of_another_trajectory_has_another_id() -> None:
    made = trajectory([FORWARD, TURN])
    ids = {case.id for case in cases_of(made)}
    assert not ids & {case.id for case in cases_of(replace(made, id="another"))}


def test_new_pictures_change_no_id() -> None:
    made = odd()
    states = tuple(
        State(index=s.index, frame=s.frame.with_suffix(".jpg"), action=s.action, succeeded=True)
        for s in made.states
    )
    assert [c.id for c in cases_of(replace(made, states=states))] == [c.id for c in cases_of(made)]


@given(
    st.lists(st.one_of(st.integers(0, 10**6), st.text(st.characters(codec=None))), max_size=4),
    st.text(st.sampled_from("abc123-"), max_size=90),
)
@example(["x" * 200] * 4, "claim1-" * 12)
def test_any_subjects_make_a_plain_id(subjects: list[int | str], suffix: str) -> None:
    identity = _ids.digest(subjects, suffix)
    made = _ids.case_id("f000", subjects, suffix, identity)
    assert re.fullmatch(r"[A-Za-z0-9-]+", made)
    assert len(made) <= 80
    assert made.endswith("-" + identity.hex()[:8])


def test_an_id_is_cut_at_80_characters_and_a_subject_at_14() -> None:
    identity = _ids.digest("a")
    assert _ids.word("x" * 200) == "x" * 14
    assert _ids.word("...") == "object"
    words = "-".join(["x" * 14] * 4)
    assert _ids.case_id("f000", ["x" * 20] * 6, "", identity) == (
        f"f000-{words}-{'x' * 6}-{identity.hex()[:8]}"
    )
    assert len(_ids.case_id("f000", ["x" * 20] * 6, "", identity)) == 80


def test_an_identity_does_not_depend_on_the_order_of_its_keys() -> None:
    assert _ids.digest({"a": 1, "b": 2}) == _ids.digest({"b": 2, "a": 1})


SIMPLE = st.one_of(st.none(), st.booleans(), st.integers(), st.text(st.characters(codec=None)))


@given(
    st.tuples(*[st.text(st.characters(codec=None), max_size=9)] * 4),
    st.lists(st.one_of(st.booleans(), st.integers(0, 3), st.text()), max_size=4),
    st.text(max_size=9),
    st.lists(st.one_of(SIMPLE, st.lists(SIMPLE, max_size=2)), max_size=3),
)
@example(("a", "b", "c", ""), [1, True], "", [])
def test_what_is_written_once_for_many_cases_makes_the_same_identity(
    group: tuple[str, str, str, str], subjects: list[int | str], suffix: str, more: list[object]
) -> None:
    assert _ids.identity(group, subjects, suffix, more) == _ids.digest(
        *group, subjects, suffix, more
    )


# -------------------------------------------------------------------------------- sampling


def test_a_sample_is_stable_nested_and_roughly_as_large_as_asked() -> None:
    everything = cases_of(odd())
    some = cases_of(odd(), sample=0.3, seed=1)
    assert some == cases_of(odd(), sample=0.3, seed=1)
    assert len(some) / len(everything) == pytest.approx(0.3, abs=0.05)
    addresses = {case.address for case in some}
    assert addresses < {case.address for case in cases_of(odd(), sample=0.6, seed=1)}
    other = {case.address for case in cases_of(odd(), sample=0.3, seed=2)}
    assert len(addresses & other) / len(everything) == pytest.approx(0.09, abs=0.03)


def test_a_sample_of_everything_is_everything() -> None:
    assert cases_of(odd(), sample=1.0, seed=5) == cases_of(odd())
    assert cases_of(odd(), sample=0.0) == []


def test_a_sample_does_not_depend_on_what_else_is_asked() -> None:
    mine = [case for case in cases_of(odd(), sample=0.3) if case.relation == "MR2"]
    assert cases_of(odd(), sample=0.3, relations=frozenset({"MR2"})) == mine
