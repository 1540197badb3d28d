"""The assignment is the cheapest there is, as trying all of them shows."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace.tracking._assignment import assign

COSTS = st.integers(1, 4).flatmap(
    lambda rows: st.integers(rows, 5).flatmap(
        lambda columns: st.lists(
            st.lists(st.floats(-9, 9), min_size=columns, max_size=columns),
            min_size=rows,
            max_size=rows,
        )
    )
)


@given(costs=COSTS)
def test_no_other_assignment_is_cheaper(costs: list[list[float]]) -> None:
    found = assign(costs)
    assert len(set(found)) == len(costs)
    cheapest = min(
        sum(row[column] for row, column in zip(costs, chosen))
        for chosen in permutations(range(len(costs[0])), len(costs))
    )
    assert sum(row[column] for row, column in zip(costs, found)) == pytest.approx(cheapest)


def test_nothing_is_assigned_to_nobody() -> None:
    assert assign([]) == []
