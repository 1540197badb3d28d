"""Paired tests over trajectories: as scipy computes them, and exact where they are few."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pytest_metaspace.scoring import paired

#  In 512ths, whose sums are exact: SciPy takes sums that differ by a rounding for different ones.
DIFFERENCES = st.lists(st.integers(-512, 512).map(lambda one: one / 512), min_size=2, max_size=7)
PS = st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=9)


@given(DIFFERENCES)
def test_a_few_differences_are_tested_exactly(differences: list[float]) -> None:
    low, high = paired.sign_flip(differences)
    for p, alternative in ((low, "less"), (high, "greater")):
        found = stats.permutation_test(
            (np.array(differences),),
            lambda sample, axis: np.sum(sample, axis=axis),
            permutation_type="samples",
            vectorized=True,
            alternative=alternative,
            n_resamples=np.inf,
        )
        assert p == pytest.approx(found.pvalue)


def test_many_differences_are_tested_by_drawn_flips() -> None:
    differences = np.random.default_rng(3).normal(-0.02, 0.08, 40)
    found = stats.permutation_test(
        (differences,),
        lambda sample, axis: np.mean(sample, axis=axis),
        vectorized=True,
        permutation_type="samples",
        alternative="less",
        n_resamples=9999,
        rng=np.random.default_rng(4),
    )
    assert paired.sign_flip(differences.tolist())[0] == pytest.approx(found.pvalue, abs=0.015)


@pytest.mark.parametrize("count", [1, 5, 10, 13])
def test_where_all_fell_only_one_flip_is_as_low(count: int) -> None:
    assert paired.sign_flip([-0.1] * count) == (2.0**-count, 1.0)


def test_where_all_of_many_fell_p_is_never_nothing() -> None:
    assert paired.sign_flip([-0.1] * 50) == (1 / 10_000, 1.0)


def test_what_did_not_change_is_no_evidence() -> None:
    assert paired.sign_flip([0.0] * 20) == (1.0, 1.0)
    assert paired.sign_flip([0.0] * 19 + [-1.0])[0] == pytest.approx(0.5, abs=0.02)


@given(PS)
def test_holm_adjusts_upwards_and_keeps_the_order(ps: list[float]) -> None:
    adjusted = paired.holm(ps)
    assert all(before <= after <= 1 for before, after in zip(ps, adjusted))
    order = sorted(range(len(ps)), key=lambda place: (ps[place], adjusted[place]))
    assert [adjusted[place] for place in order] == sorted(adjusted)


def test_holm_is_that_of_the_textbook() -> None:
    assert paired.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_more_trajectories_show_smaller_changes() -> None:
    few, many = [0.1, -0.1] * 5, [0.1, -0.1] * 50
    smallest = [paired.detectable(one, 8) or 0 for one in (few, many)]
    assert smallest[0] > 3 * smallest[1] > 0
    assert paired.needed(few, smallest[1], 8) == pytest.approx(100, rel=0.1)
    assert paired.detectable([0.1], 8) is None
    assert paired.needed([0.1], 0.1, 8) == paired.FEWEST


def test_sums_that_are_equal_but_for_rounding_are_ties() -> None:
    differences = [0.235, 0.235, 0.22, -0.23, -0.23, -0.23]
    assert paired.sign_flip(differences) == (33 / 64, 33 / 64)
