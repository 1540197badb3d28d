"""Quantiles, as scipy computes them."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import betainc, betaincinv, stdtrit

from pytest_metaspace.scoring._beta import quantile, share, student

COUNTS = st.floats(-2, 5).map(lambda power: 10**power)
LEVELS = st.one_of(st.sampled_from((0.025, 0.975)), st.floats(1e-4, 1 - 1e-4))


# Of numbers below 2e-308, which are stored with few digits, scipy has some shares wrong by 1e-3.
@given(COUNTS, COUNTS, st.floats(0, 1, allow_subnormal=False))
@example(0.01, 1.0, 5e-324)
@settings(deadline=None)
def test_the_share_below_a_number_is_that_of_scipy(a: float, b: float, x: float) -> None:
    assert share(a, b, x) == pytest.approx(betainc(a, b, x), rel=1e-8, abs=1e-12)


@given(COUNTS, COUNTS, LEVELS)
@settings(deadline=None)
def test_a_quantile_is_that_of_scipy(a: float, b: float, level: float) -> None:
    assert quantile(a, b, level) == pytest.approx(betaincinv(a, b, level), abs=1e-7)


@given(st.floats(0, 4).map(lambda power: 10**power), st.floats(0.51, 0.9999))
@settings(deadline=None)
def test_a_quantile_of_student_is_that_of_scipy(freedom: float, level: float) -> None:
    assert student(freedom, level) == pytest.approx(stdtrit(freedom, level), rel=1e-9)


def test_quantiles_are_those_of_printed_tables() -> None:
    """Student's table, and Clopper and Pearson's: 0.692 to 1 for 10 of 10, 0.187 to 0.813 for 5."""
    assert round(student(1, 0.975), 3) == 12.706
    assert round(student(10, 0.975), 3) == 2.228
    assert round(quantile(10, 1, 0.025), 3) == 0.692
    assert [round(quantile(*at), 3) for at in ((5, 6, 0.025), (6, 5, 0.975))] == [0.187, 0.813]
