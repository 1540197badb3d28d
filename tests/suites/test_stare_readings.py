"""Analogies have one answer: whatever steps somebody reads in the model, it is the same option."""

from __future__ import annotations

from itertools import permutations, product
from math import prod

import pytest

from benchmarks import stare_readings, stare_soundness
from pytest_metaspace.suites.stare import _offer, _solids3d

Cubes = frozenset[tuple[int, ...]]


@pytest.mark.parametrize(("family", "count"), [("2d", 18), ("3d", 3)])
def test_no_way_to_read_the_steps_leads_to_a_wrong_option(family: str, count: int) -> None:
    for number in range(count):
        puzzle, _ = stare_soundness.made(family, 5, number)
        assert not list(stare_readings.misled(puzzle)), number


def test_without_the_filter_who_reads_otherwise_is_misled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_offer, "_RATHER", 1.0)
    puzzles = [stare_soundness.made("2d", 1, number)[0] for number in (3, 10, 14)]
    assert any(list(stare_readings.misled(puzzle)) for puzzle in puzzles)


def test_no_turn_brings_a_solid_back_onto_itself() -> None:
    for name, cubes in _solids3d.CUBES.items():
        assert sum(turned == _at_origin(cubes) for turned in _turned(cubes)) == 1, name


def _turned(cubes: tuple[tuple[int, ...], ...]) -> list[Cubes]:
    """Return a solid in the 24 ways in which a cube can be turned."""
    return [
        _at_origin(tuple(tuple(sign * one[axis] for sign, axis in zip(signs, axes))
                         for one in cubes))
        for axes in permutations(range(3))
        for signs in product((1, -1), repeat=3)
        if _parity(axes) * prod(signs) == 1
    ]  # fmt: skip


def _parity(axes: tuple[int, ...]) -> int:
    return -1 if sum(a > b for place, b in enumerate(axes) for a in axes[:place]) % 2 else 1


def _at_origin(cubes: tuple[tuple[int, ...], ...]) -> Cubes:
    least = [min(axis) for axis in zip(*cubes)]
    return frozenset(tuple(a - b for a, b in zip(one, least)) for one in cubes)
