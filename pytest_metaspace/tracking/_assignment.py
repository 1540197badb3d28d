"""The assignment problem: who goes with whom, so that all together cost least."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_FAR = float("inf")


def assign(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row in the cheapest complete assignment.

    The Hungarian method in its O(n² m) form by shortest augmenting paths (Jonker and Volgenant,
    Computing 38, 1987).

    Args:
        costs: finite, with at least as many columns as rows.
    """
    rows, columns = len(costs), len(costs[0]) if costs else 0
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    taken_by = [0] * (columns + 1)
    for row in range(1, rows + 1):
        _augment(row, costs, row_price, column_price, taken_by)
    found = [0] * rows
    for column in range(1, columns + 1):
        if taken_by[column]:
            found[taken_by[column] - 1] = column - 1
    return found


def _augment(
    row: int,
    costs: Sequence[Sequence[float]],
    row_price: list[float],
    column_price: list[float],
    taken_by: list[int],
) -> None:
    """Give one more row its column, along the cheapest path; column 0 stands for none."""
    columns = len(column_price) - 1
    taken_by[0] = row
    least, came_from = [_FAR] * (columns + 1), [0] * (columns + 1)
    done = [False] * (columns + 1)
    here = 0
    while taken_by[here]:
        done[here] = True
        owner, step, there = taken_by[here], _FAR, 0
        for column in range(1, columns + 1):
            if done[column]:
                continue
            reduced = costs[owner - 1][column - 1] - row_price[owner] - column_price[column]
            if reduced < least[column]:
                least[column], came_from[column] = reduced, here
            if least[column] < step:
                step, there = least[column], column
        for column in range(columns + 1):
            if done[column]:
                row_price[taken_by[column]] += step
                column_price[column] -= step
            else:
                least[column] -= step
        here = there
    while here:
        before = came_from[here]
        taken_by[here] = taken_by[before]
        here = before
