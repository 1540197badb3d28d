"""Quantiles of beta and Student distributions, by the standard library alone.

These two are all that intervals need of scipy, and importing it for them would cost every run a
third of a second and 26 MB. tests/scoring/test_beta.py holds them against scipy.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt
from typing import Final

_TINY: Final = 1e-300
_EXACT: Final = 1e-15
_STEPS: Final = 200
#  About the square root of the larger number of both is what it takes.
_TERMS: Final = 100_000


def share(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function: how much of Beta(a, b) lies below x.

    The continued fraction of the NIST Digital Library of Mathematical Functions, 8.17.22, by
    Lentz's algorithm, on the side of the mean where it converges fast.

    Args:
        a: above 0.
        b: above 0.
        x: between 0 and 1.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - share(b, a, 1 - x)
    return _power(a, b, x) / a * _fraction(a, b, x)


def quantile(a: float, b: float, level: float) -> float:
    """Return below which number a share of Beta(a, b) lies.

    Args:
        a: above 0.
        b: above 0.
        level: the share, between 0 and 1.
    """
    return _sides(a, b, level)[0]


def student(freedom: float, level: float) -> float:
    """Return below which number a share of Student's distribution lies.

    Args:
        freedom: degrees of freedom, above 0; not only whole ones.
        level: the share, above a half and below 1.
    """
    x, rest = _sides(freedom / 2, 0.5, 2 * (1 - level))
    return sqrt(freedom * rest / x)


def _sides(a: float, b: float, level: float) -> tuple[float, float]:
    """Return a quantile and what it lacks to 1, of which the smaller is as exact as the other."""
    if share(a, b, 0.5) < level:
        rest = _lower(b, a, 1 - level)
        return 1 - rest, rest
    found = _lower(a, b, level)
    return found, 1 - found


def _lower(a: float, b: float, level: float) -> float:
    """Return a quantile of at most a half.

    Newton's steps, and halving where one would leave what is known to hold the number.
    """
    low, high = 0.0, 0.5
    at = (a - 1) / (a + b - 2) if min(a, b) > 1 else a / (a + b)  # the steepest place, or the mean
    at = min(at, high)
    for _ in range(_STEPS):
        off = share(a, b, at) - level
        low, high = (at, high) if off < 0 else (low, at)
        steep = _power(a, b, at) / (at * (1 - at))
        step = at - off / steep if steep > _TINY else low
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - at) <= _EXACT * at:
            break
        at = step
    return at


def _power(a: float, b: float, x: float) -> float:
    """Return x^a (1 - x)^b / B(a, b); the density itself has no number close to 0."""
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))


def _fraction(a: float, b: float, x: float) -> float:
    """Return the value of the continued fraction."""
    c, d = 1.0, 1 / _off_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _off_zero(1 + term * d)
            c = _off_zero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return value


def _off_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
