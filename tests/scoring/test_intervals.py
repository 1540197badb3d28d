"""Intervals: what trajectories say, and no more; docs/statistics.md has their coverage at length."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.coverage import World, coverage
from pytest_metaspace.domain import Cluster, Interval, Outcome, Selection, Settings
from pytest_metaspace.scoring import Counts, Intervals, smallest_drop
from pytest_metaspace.scoring._intervals import draws, interval
from pytest_metaspace.summary import Summing, summarise

OUTCOMES = (Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID, Outcome.INCONCLUSIVE)


def of(*sizes: tuple[int, int]) -> Interval | None:
    """Return the interval of trajectories with so many satisfied of so many judged cases."""
    right, judged = (np.array([[pair[i]] for pair in sizes]) for i in (0, 1))
    return interval(right, judged, lambda many: draws(many, 0))


def certain(found: Interval | None) -> Interval:
    assert found is not None
    return found


@pytest.mark.parametrize("trajectories", [3, 5, 10, 30, 158])
def test_an_interval_holds_the_true_score_as_often_as_it_says(trajectories: int) -> None:
    """Seeded and small; 0.88 is four standard errors of such a share below 0.95."""
    world, runs = World(0.8, 0.7, 60), 150
    found = coverage(world, trajectories, runs, seed=7)
    assert found["ours"][0] > 0.88
    if trajectories <= 5:
        assert found["percentile"][0] < 0.88  # why it is not the one


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), min_size=2, max_size=12))
@settings(deadline=None, max_examples=60)
def test_an_interval_lies_around_its_score_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    sizes = [(min(right, judged), judged) for right, judged in pairs]
    found = of(*sizes)
    if found is not None:
        value = sum(right for right, _ in sizes) / sum(judged for _, judged in sizes)
        assert 0 <= found.low <= value + 1e-6
        assert value - 1e-6 <= found.high <= 1
        assert found.low < found.high


def test_one_trajectory_has_no_interval_however_many_cases_it_has() -> None:
    assert of((900, 1000)) is None


def test_trajectories_that_agree_tell_more_than_some_that_do_not() -> None:
    alike, apart = of(*[(8, 10)] * 10), of(*[(10, 10), (6, 10)] * 5)
    assert certain(alike).low > certain(apart).low
    assert certain(alike).high < certain(apart).high


def test_more_cases_of_the_same_trajectories_hardly_tell_more() -> None:
    few, many = of(*[(10, 10), (6, 10)] * 5), of(*[(100, 100), (60, 100)] * 5)
    assert certain(many).low == pytest.approx(certain(few).low, abs=0.02)


def test_a_perfect_score_has_an_interval_that_shrinks_with_trajectories() -> None:
    lows = [certain(of(*[(50, 50)] * many)).low for many in (2, 3, 10, 30, 158)]
    assert lows == sorted(lows)
    assert lows[0] < 0.6
    assert lows[-1] > 0.99


def test_these_intervals_are_always_these() -> None:
    """Found once, by the steps of docs/statistics.md; any other step gives other numbers."""
    found = certain(of((9, 10), (14, 20), (6, 10), (8, 8)))
    assert [found.low, found.high] == pytest.approx([0.397, 0.969], abs=1e-3)
    perfect = certain(of(*[(50, 50)] * 10))  # 500 cases that count for 64, as all are satisfied
    assert [perfect.low, perfect.high] == pytest.approx([0.944, 1.0], abs=1e-3)


def test_one_violation_narrows_nothing() -> None:
    """Where hardly any trajectory is violated, that none varies is no knowledge."""
    none, one = of(*[(60, 60)] * 10), of((59, 60), *[(60, 60)] * 9)
    assert certain(one).low < certain(none).low + 0.01


def test_a_trajectory_that_has_most_of_the_cases_counts_for_little_more_than_one() -> None:
    even, uneven = of(*[(8, 10), (7, 10)] * 4), of((7500, 10_000), *[(8, 10)] * 7)
    assert certain(uneven).high - certain(uneven).low > certain(even).high - certain(even).low


def counts(trajectories: int, seed: int = 0) -> dict[tuple[str, str, str, Outcome], int]:
    draw = np.random.default_rng(seed)
    return {
        (f"t{number}", code, relation, outcome): int(draw.integers(1, 20))
        for number in range(trajectories)
        for code in ("SC1-a", "SC2-b")
        for relation in ("MR1", "MR2")
        for outcome in OUTCOMES
    }


def test_the_same_counts_give_the_same_interval_in_any_order() -> None:
    found = counts(6)
    forward, backward = found, dict(reversed(found.items()))
    first, second = (
        Intervals(some, "sound").of(lambda *_: True, mean=True) for some in (forward, backward)
    )
    assert first == second


def test_the_resamples_are_those_that_were_always_drawn() -> None:
    """A generator that drew otherwise would change every number that was ever printed."""
    assert draws(4, 1)[:3].tolist() == [[0, 1, 2, 1], [2, 1, 1, 0], [1, 1, 2, 0]]
    assert (draws(5, 3).sum(axis=1) == 5).all()


def test_an_interval_is_of_the_part_that_is_asked_for() -> None:
    found = counts(8)
    clusters = {name: Cluster(scenario="arm", objects=1) for name in ("t0", "t1", "t2")}
    clusters |= {f"t{number}": Cluster(scenario="drone", objects=1) for number in range(3, 8)}

    def summing(some: dict[Any, int]) -> Summing:
        return Summing(
            Counts(some), Settings(), anchored=frozenset(), clusters=clusters, intervals=True
        )

    whole = summing(found)
    alone = summing({key: number for key, number in found.items() if key[0] in ("t0", "t1", "t2")})
    arm = whole.of(Selection("arm"))
    assert arm.interval is not None
    other = certain(alone.of(Selection()).interval)  # other draws, as the counts are others
    assert arm.interval.low == pytest.approx(other.low, abs=0.02)
    assert (
        whole.of(Selection(None, "SC1-a")).interval != whole.of(Selection(None, "SC2-b")).interval
    )


def test_a_paper_score_has_the_interval_of_its_own_formula() -> None:
    found = counts(8)
    sound, paper = (
        certain(Intervals(found, semantics).of(lambda *_: True)) for semantics in ("sound", "paper")
    )
    assert paper.low > sound.high  # invalid and inconclusive cases count as not violated


def test_the_intervals_of_a_large_run_take_well_under_a_second() -> None:
    large = {
        (f"t{number}", code, relation, outcome): number % 7 + 1
        for number in range(158)
        for code in ("SC1-a", "SC1-b", "SC2-a", "SC2-b", "SC3-a", "SC3-b", "SC4-a", "SC4-b")
        for relation in ("MR1", "MR2", "MR3")
        for outcome in OUTCOMES[:2]
    }
    assert sum(large.values()) > 30_000 / 2
    started = time.process_time()
    run = _summed(large)
    assert run.overall.interval is not None
    assert time.process_time() - started < 1


def _summed(some: dict[Any, int]) -> Any:
    return summarise(
        agent="a",
        settings=Settings(),
        titles={},
        trajectories=(),
        outcomes=Counts(some).elements(),
        drops={},
        questions=0,
    )


def test_a_run_with_intervals_does_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert _summed(counts(3)).overall.interval is not None


@given(st.floats(0.02, 1), st.floats(2, 500))
@settings(deadline=None, max_examples=50)
def test_the_smallest_drop_is_where_the_interval_ends_at_the_threshold(
    threshold: float, size: float
) -> None:
    from scipy.special import betaincinv

    least = smallest_drop(Interval(0.1, 0.9, size), threshold)
    if least is None:
        assert 1 - 0.025 ** (1 / size) >= threshold - 1e-6
    else:
        value = max(threshold - least, 1e-9)
        high = betaincinv(value * size + 1, (1 - value) * size, 0.975)
        assert high == pytest.approx(threshold, abs=1e-3)


def test_more_trajectories_show_smaller_drops() -> None:
    drops = [smallest_drop(certain(of(*[(9, 10), (7, 10)] * many)), 0.8) for many in (3, 10, 50)]
    assert None not in drops
    assert drops == sorted(drops, key=lambda drop: -(drop or 0))
