"""Nets of the cube: how many there are, and a second truth beside the rolled die."""

from __future__ import annotations

import math
import random
from itertools import combinations, product

import pytest

from benchmarks.stare_fold_truth import sides
from pytest_metaspace.suites.stare import _folds, _space, nets

ALL = nets.shapes()


def test_there_are_35_shapes_of_which_11_are_nets() -> None:
    assert len(ALL) == 35
    assert len(nets.nets()) == 11
    assert len(nets.others()) == 24


def test_half_of_what_does_not_fold_is_given_away_at_once() -> None:
    easy, hard = nets.others(easy=True), nets.others(easy=False)
    assert (len(easy), len(hard)) == (12, 12)
    assert sum(map(nets.blocked, easy)) == 8
    assert not any(nets.blocked(shape) or nets.longest(shape) >= nets.LONG for shape in hard)


@pytest.mark.parametrize("shape", ALL)
def test_what_the_die_prints_is_what_comes_of_folding_in_space(shape: nets.Shape) -> None:
    for base in range(nets.FACES):
        squares = _space.folded(shape, base, range(nets.FACES))
        assert _space.apart(squares) == nets.folds(shape)


@pytest.mark.parametrize("shape", ALL)
def test_wherever_a_sheet_is_cut_it_is_a_net_or_none(shape: nets.Shape) -> None:
    whole = [len(set(looks)) == nets.FACES for looks in sides(shape)]
    assert whole == [nets.folds(shape)] * len(whole)
    assert (len(whole) > 1) == nets.blocked(shape)


@pytest.mark.parametrize("shape", nets.nets())
def test_opposite_squares_look_away_from_each_other(shape: nets.Shape) -> None:
    squares = _space.folded(shape, 0, range(nets.FACES))
    across = nets.opposite(shape)
    for place, other in across.items():
        assert across[other] == place
        assert squares[place].up == tuple(-part for part in squares[other].up)
    assert not any(across[first] == second for first, second in nets.joined(shape))


@pytest.mark.parametrize("shape", nets.nets())
def test_no_square_of_a_net_ever_lies_on_another(shape: nets.Shape) -> None:
    for base, count in product(range(nets.FACES), range(nets.FACES)):
        for up in combinations((child for _, child in nets.tree(shape, base)), count):
            assert _space.apart(_space.folded(shape, base, up))
    for size in range(1, nets.FACES + 1):
        for part in nets.parts(shape, size):
            kept = tuple(shape[place] for place in part)
            assert _space.apart(_space.folded(kept, 0, range(size)))


@pytest.mark.parametrize("shape", ALL)
def test_a_shape_stays_one_in_all_its_positions(shape: nets.Shape) -> None:
    for quarters, mirrored in product(range(4), (False, True)):
        other = nets.moved(shape, quarters, mirrored)
        assert nets.canonical(other) == shape
        assert nets.folds(other) == nets.folds(shape)
        assert min(other)[0] == min(column for _, column in other) == 0


def test_a_square_is_folded_after_the_one_it_hangs_on() -> None:
    chance = random.Random(3)
    for shape in ALL:
        way = _folds.folding(shape, chance)
        holds = {child: parent for parent, child in nets.tree(shape, way.base)}
        assert sorted([way.base, *way.order]) == list(range(nets.FACES))
        for place, square in enumerate(way.order):
            assert holds[square] in {way.base, *way.order[:place]}


def test_a_number_is_read_through_one_square_and_not_through_two() -> None:
    def lying(x: int, y: int, z: int) -> _space.Square:
        return _space.Square((x, y, z), (1, 0, 0), (0, -1, 0), (0, 0, 1))

    asked = lying(0, 0, 0)
    nearer = [
        lying(x, y, z)
        for x, y, z in product(range(-5, 6), repeat=3)
        if _space.seen((x, y, z))[2] > 0
        and 0.6 < math.dist(_space.seen((x, y, z))[:2], (0, 0)) < 0.9
        and max(abs(part) for part in _on_the_table((x, y, z))) < 0.9
    ]
    first, second = nearer[0], nearer[-1]
    assert first != second
    assert _space.readable([asked, first], 0)
    assert _space.readable([asked, second], 0)
    assert not _space.readable([asked, first, second], 0)


def _on_the_table(place: tuple[int, int, int]) -> tuple[float, float]:
    """Return where the table is seen behind the middle of a lying square, from its own centre."""
    along, across = _space.seen((1, 0, 0)), _space.seen((0, 1, 0))
    x, y, _ = _space.seen(place)
    whole = along[0] * across[1] - along[1] * across[0]
    return (x * across[1] - y * across[0]) / whole, (along[0] * y - along[1] * x) / whole
