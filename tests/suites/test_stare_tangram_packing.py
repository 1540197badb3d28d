"""The search for a filled board, beside one that knows nothing of it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest

from benchmarks.stare_fold_truth import fills
from pytest_metaspace.suites.stare import _cuts, nets, packing
from pytest_metaspace.suites.stare._cuts import Wanted

SETS = [
    (size, irregular, answer, seed)
    for size in (3, 4, 5)
    for irregular in _cuts.IRREGULAR
    for answer in (True, False)
    for seed in range(4)
]


@pytest.mark.parametrize(("size", "irregular", "answer", "seed"), SETS)
def test_two_searches_agree(size: int, irregular: int, answer: bool, seed: int) -> None:
    chance = random.Random(f"{size} {irregular} {answer} {seed}")
    plan = _cuts.wanted(size, irregular, chance)
    drawn = _cuts.puzzle(plan, answer, chance, Counter())
    assert drawn.solvable == answer == fills(size, drawn.pieces)
    assert len(drawn.pieces) == plan.count
    assert sum(not packing.rectangular(piece) for piece in drawn.pieces) == irregular
    assert len(drawn.found.deepest) > plan.begun
    if answer:
        _is_solution(drawn, size)


def _is_solution(drawn: _cuts.Puzzle, size: int) -> None:
    laid = drawn.found.solution
    assert laid is not None
    assert sorted(place for place, _ in laid) == list(range(len(drawn.pieces)))
    assert sorted(cell for _, cells in laid for cell in cells) == sorted(
        product(range(size), range(size))
    )
    for place, cells in laid:
        assert nets.canonical(cells) == nets.canonical(drawn.pieces[place])


def test_every_piece_is_used() -> None:
    square = ((0, 0), (0, 1), (1, 0), (1, 1))
    assert packing.solvable(2, [square])
    assert not packing.solvable(2, [square, ((0, 0),)])
    assert not packing.solvable(3, [square])


def test_pieces_may_be_flipped() -> None:
    s_shape = ((0, 1), (0, 2), (1, 0), (1, 1))
    z_shape = ((0, 0), (0, 1), (1, 1), (1, 2))
    rest = [((0, 0),), ((0, 0), (0, 1), (1, 0), (1, 1))]
    assert packing.solvable(3, [s_shape, *rest]) == packing.solvable(3, [z_shape, *rest])
    assert packing.positions(s_shape) == packing.positions(z_shape)
    assert [len(packing.polyominoes(cells)) for cells in range(1, 7)] == [1, 1, 2, 5, 12, 35]


def test_most_reshaped_pieces_fill_a_board_of_four_after_all() -> None:
    """In the benchmark's own way, a piece of another shape alone would make the answer "no"."""
    chance = random.Random(5)
    told: list[bool] = []
    while len(told) < 100:
        pieces = packing.cut(4, chance.choice(range(3, 9)), chance)
        place = chance.randrange(len(pieces))
        others = (
            [
                shape
                for shape in packing.polyominoes(len(pieces[place]))
                if packing.fits(shape, 4) and shape != nets.canonical(pieces[place])
            ]
            if 3 <= len(pieces[place]) <= 6
            else []
        )
        if others:
            pieces[place] = chance.choice(others)
            told.append(packing.solvable(4, pieces))
    assert sum(told) > 50


def test_a_piece_is_cut_into_two_that_make_it_up() -> None:
    chance = random.Random(2)
    for piece in packing.polyominoes(5):
        halves = packing.split(piece, chance)
        assert halves is not None
        assert sorted(halves[0] + halves[1]) == sorted(piece)
        assert all(map(packing.connected, halves))
    assert packing.split(((0, 0),), chance) is None


def test_two_pieces_are_glued_along_an_edge() -> None:
    chance = random.Random(2)
    for first, second in combinations(packing.polyominoes(4), 2):
        whole = packing.glued(first, second, 5, chance)
        assert whole is not None
        assert len(whole) == 8
        assert packing.connected(whole)
        assert packing.fits(whole, 5)
    row = tuple((0, column) for column in range(5))
    assert packing.glued(row, row, 2, chance) is None


def test_a_set_that_cannot_be_begun_far_enough_is_thrown_away() -> None:
    block = tuple(product(range(2), range(2)))
    found = packing.searched(3, [block, block, ((0, 0),)])
    assert len(found.deepest) == 2
    assert _cuts.missing(Wanted(3, 3, 0, 1), found, solvable=False) == ""
    assert "begun" in _cuts.missing(Wanted(3, 3, 0, 2), found, solvable=False)


def test_unsolvable_sets_keep_the_area_nineteen_times_of_twenty() -> None:
    chance = random.Random(4)
    kinds = Counter(
        _cuts.puzzle(Wanted(3, 3, 1, 1), False, chance, Counter()).kind for _ in range(200)
    )
    assert 2 <= kinds["too much area"] <= 24
    assert set(kinds) == {"too much area", "same area"}
