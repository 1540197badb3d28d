"""Puzzles of changes: what steps are, what options give away, and what answers owe each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageDraw

from benchmarks import stare_mutants, stare_shortcuts, stare_soundness
from pytest_metaspace.domain import AS_WRITTEN
from pytest_metaspace.suites.stare import (
    STARE,
    _asking,
    _offer,
    _shapes2d,
    _solids3d,
    _steps2d,
    _steps3d,
    transform2d,
)
from pytest_metaspace.suites.stare._affine import (
    Figure,
    identity,
    last,
    plus,
    product,
    rounded,
    states,
    times,
)
from pytest_metaspace.suites.stare._family import Made
from pytest_metaspace.suites.stare._world import LIKE

if TYPE_CHECKING:
    from benchmarks.stare_soundness import Made as Both
    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites.stare._affine import Matrix, Step, Vector
    from pytest_metaspace.suites.stare._world import Puzzle

COUNTS = {"2d": 24, "3d": 6}
MIRROR_2D: Matrix = ((-1.0, 0.0), (0.0, 1.0))
QUARTER: Matrix = ((0.0, -1.0), (1.0, 0.0))
BACK: Matrix = ((0.0, 1.0), (-1.0, 0.0))
MIRROR_3D: Matrix = ((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@pytest.fixture(scope="session")
def made() -> list[Both]:
    """Puzzles of both worlds with their items, not drawn."""
    return [
        stare_soundness.made(family, 5, number)
        for family, count in COUNTS.items()
        for number in range(count)
    ]


# ------------------------------------------------------------------------------------ steps


def _conjugated(step: Step, there: Matrix, back: Matrix) -> tuple[Matrix, Matrix, Vector]:
    (shift,) = zip(*product(there, tuple((one,) for one in step.shift)))
    linear, place = (
        rounded(product(there, product(one, back))) for one in (step.linear, step.place)
    )
    return linear, place, rounded((shift,))[0]


def _does(step: Step) -> tuple[Matrix, Matrix, Vector]:
    return rounded(step.linear), rounded(step.place), rounded((step.shift,))[0]


def test_a_step_in_a_changed_picture_is_the_step_seen_through_the_change() -> None:
    for step in _steps2d.catalogue():
        assert _does(_steps2d.mirrored(step)) == _conjugated(step, MIRROR_2D, MIRROR_2D)
        assert _does(_steps2d.turned(step)) == _conjugated(step, QUARTER, BACK)
    for step in _steps3d.catalogue():
        assert _does(_steps3d.mirrored(step)) == _conjugated(step, MIRROR_3D, MIRROR_3D)


def test_what_undoes_a_step_and_what_makes_it_up() -> None:
    for steps in (_steps2d, _steps3d):
        for step in steps.catalogue():
            start = _figure(len(step.shift))
            assert _where(last(start, (step, steps.inverse(step)))) == _where(start)
            halves = steps.halves(step)
            if halves is not None:
                assert _where(last(start, halves)) == _where(last(start, (step,)))


def test_steps_that_are_said_to_commute_do() -> None:
    for steps in (_steps2d, _steps3d):
        pairs = [pair for pair in combinations(steps.catalogue(), 2) if steps.commute(*pair)]
        start = _figure(len(pairs[0][0].shift))
        assert all(_where(last(start, pair)) == _where(last(start, pair[::-1])) for pair in pairs)
        assert not any("flip" in (one.kind, other.kind) for one, other in pairs)


def _figure(size: int) -> Figure:
    centre = (7.0, -3.0, 2.0)[:size]
    return Figure("", ((1.0, 2.0, 0.5)[:size], (-2.0, 0.3, 1.0)[:size]), identity(size), centre)


def _where(figure: Figure) -> Matrix:
    return rounded(figure.points)


# ---------------------------------------------------------------------------------- options


def _drawn(figure: Figure) -> Image.Image:
    image = Image.new("1", (400, 400))
    corners = [(200 + 4 * x, 200 - 4 * y) for x, y in figure.points]
    ImageDraw.Draw(image).polygon(corners, fill=1)
    return image


def _overlap(first: Figure, second: Figure) -> float:
    one, two = _drawn(first), _drawn(second)
    both, either = ImageChops.logical_and(one, two), ImageChops.logical_or(one, two)
    return both.histogram()[255] / either.histogram()[255]


def test_every_step_is_seen_and_no_two_options_look_alike(made: list[Both]) -> None:
    for puzzle, _ in made:
        likeness = puzzle.world.likeness
        for figures in (
            states(puzzle.model, puzzle.steps),
            states(puzzle.asked, puzzle.steps),
            puzzle.options,
        ):
            pairs = list(combinations(figures, 2))
            assert all(likeness(*pair) <= LIKE for pair in pairs)
            if puzzle.world.name == "2d":
                assert all(_overlap(*pair) <= LIKE + 0.03 for pair in pairs)


def test_overlap_is_that_of_a_raster(made: list[Both]) -> None:
    pairs = [(puzzle.options[0], puzzle.options[1]) for puzzle, _ in made[: COUNTS["2d"]]]
    for pair in pairs:
        assert _shapes2d.overlap(*pair) == pytest.approx(_overlap(*pair), abs=0.05)


def test_options_agree_with_each_other_equally(made: list[Both]) -> None:
    for puzzle, _ in made:
        assert len(set(stare_shortcuts.agreeing(puzzle))) == 1


def test_wrong_steps_show_on_the_figure_that_shows_the_steps(made: list[Both]) -> None:
    for puzzle, _ in made:
        true = last(puzzle.asked, puzzle.steps)
        assert rounded(puzzle.options[0].points) == rounded(true.points)
        others = puzzle.world.readings(
            puzzle.model, last(puzzle.model, puzzle.steps), len(puzzle.steps)
        )
        for linear, place, shift in others:
            read = Figure(
                "",
                puzzle.asked.corners,
                product(linear, puzzle.asked.linear),
                plus(times(place, puzzle.asked.centre), shift),
            )
            wrong = puzzle.options[1:]
            assert all(puzzle.world.likeness(read, one) <= LIKE for one in wrong)


def test_a_square_that_turns_by_30_degrees_can_have_turned_back_by_60() -> None:
    square = _shapes2d.draw("square", Random(1))
    end = last(square, (_steps2d.turn(30),))
    found = {rounded(linear) for linear, _, _ in transform2d.FLAT.readings(square, end, 1)}
    assert found == {rounded(_steps2d.turn(degrees).linear) for degrees in (30, -60)}


def test_no_option_is_one_that_another_reading_of_the_model_leads_to(made: list[Both]) -> None:
    def all_readings(*_: object) -> list[tuple[Matrix, Matrix, Vector]]:
        return [
            (product(b.linear, a.linear), product(b.place, a.place), plus(b.shift, a.shift))
            for a in _steps2d.catalogue()
            for b in _steps2d.catalogue()
        ]

    puzzle = next(one for one, _ in made if one.near == len(one.steps) == 1)
    world = replace(puzzle.world, readings=all_readings)
    offer = _offer.Offer(world, puzzle.steps, puzzle.model, puzzle.asked)
    dropped: Counter[str] = Counter()
    with pytest.raises(_offer.Unlucky):
        offer.options(2, dict.fromkeys(_offer.CUES, 1), Random(1), dropped)
    assert dropped["a wrong option fits another reading of the model"]


def test_letters_steps_and_difficulties_are_balanced(made: list[Both]) -> None:
    flat = [puzzle for puzzle, _ in made if puzzle.world.name == "2d"]
    for told in (True, False):
        some = [puzzle for puzzle in flat if puzzle.told is told]
        assert set(Counter(puzzle.place for puzzle in some).values()) == {len(some) // 4}
        assert set(Counter(len(puzzle.steps) for puzzle in some).values()) == {len(some) // 3}
        assert {puzzle.near for puzzle in some} == {1, 2, 3}


def test_the_number_of_pictures_says_nothing_of_the_answer(made: list[Both]) -> None:
    for puzzle, found in made:
        for _, item in found.items:
            asked = item.posings[AS_WRITTEN]
            if item.task.endswith(puzzle.world.name) and "words" not in item.task:
                assert len(asked.images) == len(asked.options) + _before(puzzle, item)


def _before(puzzle: Puzzle, item: Item) -> int:
    """Return how many pictures stand before the options, by what is known without the answer."""
    steps = len(puzzle.steps)
    between = item.slices.get("simulation") == "with"
    if item.task.startswith("STARE-final"):
        return steps + 1 if puzzle.told else 2 * steps + 2
    if item.task.startswith("STARE-pictures"):
        return 2 * steps + 1
    if puzzle.told:
        return steps if between else 1
    return 2 * steps + 1 if between else 3


def test_the_last_intermediate_picture_is_held_against_options(made: list[Both]) -> None:
    puzzles = [puzzle for puzzle, _ in made]
    several = [puzzle for puzzle in puzzles if len(puzzle.steps) > 1]
    again = [
        replace(one, options=(last(one.asked, one.steps[:-1]), *[one.options[0]] * 3))
        for one in puzzles
    ]
    count = len(several)
    assert [one[1:] for one in stare_shortcuts.next_to_last(again)] == [(count, count), (0, count)]
    swapped = [replace(one, options=one.options[::-1]) for one in again]
    least = count / 3
    assert [one[1:] for one in stare_shortcuts.next_to_last(swapped)] == [
        (0, count),
        (pytest.approx(least), count),
    ]


# -------------------------------------------------------------------------------- questions


def test_the_words_lead_to_the_true_option_and_every_tie_holds(made: list[Both]) -> None:
    for puzzle, found in made:
        for name, item in found.items:
            assert not list(stare_soundness.wrong(puzzle, item)), name


def test_a_solid_in_words_is_its_cubes() -> None:
    for name, cubes in _solids3d.CUBES.items():
        told = _solids3d.told(_solids3d.draw(name, Random(name)))
        points = stare_soundness.told_points(told)
        assert len(points) == len(cubes)
        scales = [
            dist(*(points[one] for one in pair)) / dist(*(sorted(cubes)[one] for one in pair))
            for pair in combinations(range(len(cubes)), 2)
        ]
        assert 0.75 < min(scales) <= max(scales) < 1.25


@pytest.mark.parametrize("family", COUNTS)
def test_the_own_centre_is_the_mean_of_the_points_as_words_say(family: str) -> None:
    world = stare_soundness.WORLDS[family]
    assert "own centre" in world.axes
    assert "the mean of" in world.axes
    for name in world.shapes:
        figure = world.draw(name, Random(name))
        points = world.landmarks(figure)
        mean = tuple(sum(axis) / len(points) for axis in zip(*points))
        tenth = stare_soundness.SQUARES[family] / 10
        assert mean == pytest.approx(figure.centre, abs=tenth / 2)


def test_the_own_centre_of_a_shape_is_its_centre_of_mass_as_questions_say(
    made: list[Both],
) -> None:
    """Of a triangle, the middle between its sides would lead to another option in one of ten."""
    flat = [puzzle for puzzle, _ in made if puzzle.world is transform2d.FLAT]
    assert {puzzle.asked.name for puzzle in flat} >= {"triangle", "pentagon", "ellipse"}
    for puzzle in flat:
        for figure in states(puzzle.asked, puzzle.steps):
            assert _middle(figure) == pytest.approx(figure.centre)
    for puzzle, found in made:
        asked = found.items[0][1].posings
        told = asked[AS_WRITTEN] if puzzle.told else asked["told in words"]
        assert "Its own centre is its centre of mass." in told.context


def _middle(figure: Figure) -> Vector:
    """Return the centre of mass of a shape, triangle by triangle."""
    a, *rest = figure.points
    parts = [
        (
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
            tuple(map(sum, zip(a, b, c))),
        )
        for b, c in pairwise(rest)
    ]
    mass = sum(size for size, _ in parts)
    return tuple(sum(size * at[axis] for size, at in parts) / mass / 3 for axis in (0, 1))


@pytest.mark.parametrize("family", COUNTS)
def test_words_alone_lead_to_the_answer_and_to_no_other_option(family: str) -> None:
    puzzle, _ = stare_soundness.made(family, 5, 2)
    found = Made()
    _asking.ask(puzzle, Path("pictures"), found, every=True)
    (item,) = (item for _, item in found.items if item.task.endswith(f"words-{family}"))
    asked = item.posings[AS_WRITTEN]
    leading = [
        option for option in asked.options if stare_soundness.leads(replace(asked, answer=option))
    ]
    assert leading == [asked.answer]


def test_ties_are_of_relations_that_are_about_their_tasks(made: list[Both]) -> None:
    for _, found in made:
        for _, item in found.items:
            task = item.task.partition("-")[2]
            for relation in {*item.unposed, *(tie.relation for tie in item.ties)}:
                short = relation.partition("-")[2]
                assert short in STARE.relations
                assert task in STARE.only.get(short, STARE.tasks)


def test_twins_are_one_puzzle_without_and_with_pictures_between(made: list[Both]) -> None:
    for puzzle, found in made:
        twins = {name: item for name, item in found.items if item.twin}
        ends = [name.rpartition("-")[2] for name in twins]
        assert ends == (["without", "with"] if len(puzzle.steps) > 1 else [])
        answers = [
            stare_soundness.figures(puzzle, item.posings[AS_WRITTEN])[
                str(item.posings[AS_WRITTEN].answer)
            ]
            for item in twins.values()
        ]
        assert all(one == answers[0] for one in answers)


def test_each_fault_is_told_by_accuracy_or_by_a_relation(made: list[Both]) -> None:
    found = stare_mutants.table(made)
    assert set(found["none"].values()) == {(0, found["none"][name][1]) for name in found["none"]}
    wrong, asked = found["ignores the last step"]["ACC"]
    assert wrong > asked / 3
    assert found["ignores the last step"]["COMPOSED"][0] > 3
    assert found["answers A"]["ORDER"][0] == found["answers A"]["ORDER"][1]
    assert found["takes left for right"]["MIRROR"][0] == 0
    assert found["takes left for right"]["ACC"][0] > 3


def test_flips_in_another_order_would_accuse_who_is_right(made: list[Both]) -> None:
    starts = [puzzle.asked for puzzle, _ in made if puzzle.world.name == "2d"]
    steps = _steps2d.catalogue()
    pairs = [(a, b) for a in steps for b in steps if {a.kind, b.kind} == {"flip", "move"}]
    accused = sum(
        _where(last(start, pair)) != _where(last(start, pair[::-1]))
        for start in starts[:3]
        for pair in pairs
    )
    assert accused > 0.8 * 3 * len(pairs)
    assert not any(_steps2d.commute(*pair) for pair in pairs)
