"""Steps that change a figure in two or three dimensions, composed exactly.

A figure is its corners around its centre, a matrix that they went through, and where the centre
is. A step has a matrix for the corners around the centre and a rule for the centre itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from collections.abc import Iterable

Vector = tuple[float, ...]
Matrix = tuple[Vector, ...]
Value = Union[float, str]


@dataclass(frozen=True)
class Step:
    """One change of a figure.

    Attributes:
        kind: turn, flip, move, size or skew.
        value: what tells it from others of its kind, and what its words are made of.
        linear: what happens to corners around the centre.
        place: what happens to the centre, around the origin.
        shift: what is added to the centre then.
    """

    kind: str
    value: tuple[Value, ...]
    linear: Matrix
    place: Matrix
    shift: Vector


@dataclass(frozen=True, eq=False)
class Figure:
    """A shape or solid, where it is; equal to itself alone.

    Attributes:
        name: of the shape.
        corners: around its centre, as it began.
        linear: what they went through.
        centre: where it is.
    """

    name: str
    corners: tuple[Vector, ...]
    linear: Matrix
    centre: Vector

    @cached_property
    def points(self) -> tuple[Vector, ...]:
        """The corners where they are."""
        return tuple(plus(times(self.linear, one), self.centre) for one in self.corners)

    def after(self, step: Step) -> Figure:
        """Return the figure after a step."""
        return replace(
            self,
            linear=product(step.linear, self.linear),
            centre=plus(times(step.place, self.centre), step.shift),
        )


def states(figure: Figure, steps: Iterable[Step]) -> list[Figure]:
    """Return a figure, and the figure after each step."""
    found = [figure]
    for step in steps:
        found.append(found[-1].after(step))
    return found


def last(figure: Figure, steps: Iterable[Step]) -> Figure:
    """Return a figure after all steps."""
    return states(figure, steps)[-1]


def identity(size: int) -> Matrix:
    """Return the matrix that changes nothing."""
    return tuple(tuple(float(i == j) for j in range(size)) for i in range(size))


def scaled(size: int, factor: float) -> Matrix:
    """Return the matrix that makes larger."""
    return tuple(tuple(factor * (i == j) for j in range(size)) for i in range(size))


def product(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix of doing the second, then the first."""
    columns = tuple(zip(*second))
    return tuple(
        tuple(sum(a * b for a, b in zip(row, column)) for column in columns) for row in first
    )


def times(matrix: Matrix, vector: Vector) -> Vector:
    """Return a vector that went through a matrix."""
    return tuple(sum(a * b for a, b in zip(row, vector)) for row in matrix)


def plus(first: Vector, second: Vector) -> Vector:
    """Return the sum of two vectors."""
    return tuple(a + b for a, b in zip(first, second))


def rounded(matrix: Matrix) -> Matrix:
    """Return a matrix by which equal ones are known as equal."""
    return tuple(tuple(round(one, 6) + 0.0 for one in row) for row in matrix)
