"""Items about nets: true answers keep every tie, and nothing but the sheet tells the answer."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from benchmarks import stare_fold_shortcuts as shortcuts
from pytest_metaspace.suites import Order
from pytest_metaspace.suites.stare import (
    _build,
    _fold_seen,
    _folds,
    _net_drawing,
    _space,
    folding,
    nets,
)
from pytest_metaspace.suites.stare._family import Made, chance_of
from pytest_metaspace.trajectories.items import ITEMS
from tests.suites import held

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Item, Posing

COUNT, MANY = 72, 432
"""Whole blocks of numbers, each with draws of its own."""
TASKS = {
    "STARE-folding",
    "STARE-fold-words",
    "STARE-fold-final",
    "STARE-fold-opposite",
    "STARE-fold-seen",
    "STARE-fold-connected",
    "STARE-fold-colour",
}


@pytest.fixture(scope="module")
def made() -> list[Made]:
    return shortcuts.numbers(folding.make, COUNT)


@pytest.fixture(scope="module")
def items(made: list[Made]) -> list[Item]:
    return [item for one in made for _, item in one.items]


def of(items: list[Item], task: str) -> list[Item]:
    return [item for item in items if item.task == f"STARE-{task}"]


def test_truth_breaks_no_tie_and_what_looks_at_no_sheet_does_not_tell_the_answer() -> None:
    items = shortcuts.items_of(shortcuts.numbers(folding.make, MANY))
    assert {item.task for item in items} == TASKS
    assert not [tie for item in items for tie in held.broken(item, held.truth)]
    scored = shortcuts.shares(items)
    assert len(scored) > 20
    for told, (share, constant) in scored.items():
        assert share <= constant + 0.05, told


def test_each_relation_has_cases_or_a_reason(items: list[Item]) -> None:
    told = Counter(tie.relation.partition("-")[2] for item in items for tie in item.ties)
    assert set(told) == {
        "MIRROR", "TURNED", "NUMBERED", "PART", "STEPS", "BASE", "SEQUENCE",
        "OPPOSITE", "NEIGHBOUR", "ORDER", "FEWER", "UNFOLDED", "FORMS",
    }  # fmt: skip
    for item in of(items, "folding"):
        for relation in ("PART", "STEPS", "BASE", "SEQUENCE"):
            name = f"STARE-{relation}"
            assert (name in item.unposed) != any(tie.relation == name for tie in item.ties)


def always_folds(name: str, posing: Posing) -> str:
    return "yes" if "closed cube, so that" in posing.text else held.truth(name, posing)


def test_who_finds_that_all_sheets_fold_is_caught_by_their_parts(items: list[Item]) -> None:
    bad = [
        item
        for item in of(items, "folding")
        if item.posings["unchanged"].answer == "no" and "asked about a part" in item.posings
    ]
    caught = [{tie.relation for tie in held.broken(item, always_folds)} for item in bad]
    overlaps = [item.posings["asked about a part"].answer == "no" for item in bad]
    assert caught == [{"STARE-PART"} if one else set() for one in overlaps]
    assert sum(overlaps) > len(bad) / 2 > COUNT / 10


def test_who_takes_a_joined_square_for_the_opposite_one_is_caught(items: list[Item]) -> None:
    def next_one(name: str, posing: Posing) -> str:
        numbers = [int(one) for one in re.findall(r"\d", posing.text)]
        if len(numbers) != 1:
            return held.truth(name, posing)
        wanted = f"square {numbers[0] % 6 + 1}"
        return wanted if wanted in posing.options else posing.options[0]

    asked = of(items, "fold-opposite")
    caught = sum(
        any(tie.relation == "STARE-OPPOSITE" for tie in held.broken(item, next_one))
        for item in asked
    )
    assert caught == len(asked)


def test_twins_differ_in_their_pictures_alone(made: list[Made]) -> None:
    pairs = defaultdict(list)
    for one in made:
        for _, item in one.items:
            if item.twin:
                pairs[item.twin].append(item)
    assert len(pairs) > COUNT / 2
    for without, stepped in pairs.values():
        first, second = (item.posings["unchanged"] for item in (without, stepped))
        assert (first.text, first.answer) == (second.text, second.answer)
        assert first.images[0] == second.images[0]
        assert len(second.images) == 1 + int(stepped.slices["steps"])
        differing = dict(set(without.slices.items()) ^ set(stepped.slices.items()))
        assert set(differing) == {"simulation"}


def test_all_shapes_occur_and_steps_show_no_square_on_another() -> None:
    seen: dict[str, set[Any]] = defaultdict(set)
    for number in range(500):
        chance = chance_of("folding", 5, number)
        drawn = folding.sheet(5, number, {}, chance, Counter())
        cells = drawn.net.cells
        seen[drawn.difficulty, drawn.folds].add(nets.canonical(cells))  # type: ignore[index]
        assert drawn.folds == nets.folds(cells)
        assert (drawn.way is None) == (drawn.difficulty == "easy")
        if drawn.way is not None:
            assert _folds.clear(cells, drawn.way, drawn.steps)
    found = set().union(*seen.values())
    assert found == set(nets.shapes())
    assert seen["hard", False] == set(nets.others(easy=False))  # type: ignore[index]


def test_answers_steps_and_difficulties_are_even_over_24_numbers() -> None:
    drawn = [
        folding.sheet(2, number, {}, chance_of("folding", 2, number), Counter())
        for number in range(24)
    ]
    assert len({(one.folds, one.steps, one.difficulty) for one in drawn}) == 24
    assert all(one.folds != other.folds for one, other in zip(drawn[::2], drawn[1::2]))


def test_a_line_is_asked_about_whose_squares_can_be_read(made: list[Made]) -> None:
    chance = random.Random(6)
    for place in range(60):
        net = nets.numbered(chance.choice(nets.nets()), chance)
        yes, steps = bool(place % 2), 1 + place % 4
        way, line = _fold_seen.line_of(net, steps, chance, Counter(), yes=yes)
        squares = _space.folded(net.cells, way.base, way.order[:steps])
        assert all(_space.readable(squares, one) for one in line)
        first, second = (squares[one].up for one in line)
        assert (first != second) == yes
    behind = nets.Net(nets.nets()[0], (1, 2, 3, 4, 5, 6))
    closed = _space.folded(behind.cells, 0, range(nets.FACES))
    assert not all(_space.readable(closed, place) for place in range(nets.FACES))
    assert sum(one.dropped["a square that is asked about is hidden"] for one in made) > 0


def test_what_is_built_is_read_again_with_its_pictures(tmp_path: Path) -> None:
    order = Order(seed=3, items=1, folder=tmp_path, options={"family": "folding"})
    _build.build(order)
    for name, item in folding.make(3, 0, {}, tmp_path / "pictures").items:
        found = ITEMS.load(tmp_path / "items.json" / name).items[item.task]
        assert (found.ties, found.twin) == (item.ties, item.twin)
        answers = {one: posing.answer for one, posing in item.posings.items()}
        assert {one: posing.answer for one, posing in found.posings.items()} == answers


def test_a_number_is_made_again_whatever_else_is_built(tmp_path: Path) -> None:
    first = folding.make(7, 12, {}, tmp_path)
    assert first.items[0][0] == "folding-7-0012"
    assert first.items == folding.make(7, 12, {}, tmp_path).items
    drawing = next(iter(first.pictures.values()))
    assert drawing() == drawing()


def test_folded_squares_show_in_the_picture(tmp_path: Path) -> None:
    net = nets.Net(nets.nets()[3], (1, 2, 3, 4, 5, 6))
    look = _net_drawing.Look((0, 1, 2, 3, 4, 5))
    way = _folds.folding(net.cells, chance_of("folding", 1, 1))
    pictures = [_net_drawing.folded(net, look, way.base, way.order, count) for count in range(6)]
    assert len(set(pictures)) == 6
    path = tmp_path / "a.png"
    path.write_bytes(pictures[0])
    with Image.open(path) as image:
        assert image.size == (_net_drawing.SIZE, _net_drawing.SIZE)
        assert len(image.convert("RGB").getcolors(100_000) or ()) > 6


def test_easy_sheets_show_no_steps_with_either_answer(tmp_path: Path) -> None:
    for number in range(8):
        found = folding.make(3, number, {"difficulty": "easy"}, tmp_path).items
        assert not [name for name, _ in found if name.endswith("steps")]
        _, sheet = found[0]
        assert not sheet.twin
        assert sheet.unposed["STARE-STEPS"] == "no folding is shown"


def test_one_question_of_each_item_is_scored(items: list[Item]) -> None:
    assert [sum(one.written for one in item.posings.values()) for item in items] == [1] * len(items)
    for task, options in (("fold-opposite", 5), ("fold-colour", 4)):
        places = Counter(
            item.posings["unchanged"].options.index(str(item.posings["unchanged"].answer))
            for item in of(items, task)
        )
        assert len(places) == options
        assert max(places.values()) - min(places.values()) <= 1


def test_parts_are_not_asked_about_where_there_is_a_block(items: list[Item]) -> None:
    reasons = [item.unposed.get("STARE-PART", "") for item in of(items, "folding")]
    assert any("block" in reason for reason in reasons)


def test_another_square_lies_still_and_another_order_is_one(items: list[Item]) -> None:
    for item in of(items, "folding"):
        told = item.posings["unchanged"].context
        for name in ("another square lies still", "folded in another order"):
            if name in item.posings:
                other = item.posings[name].context
                same = re.findall(r"Square (\d)", told) == re.findall(r"Square (\d)", other)
                assert same == (name == "folded in another order")
                assert other != told
                assert len(other) == len(told)


def test_ties_are_broken_where_one_answer_is_turned(items: list[Item]) -> None:
    """What the ties hold is not empty: each law is broken by the answer of a wrong agent."""
    for item in of(items, "folding")[:20]:
        wrong = {"yes": "no", "no": "yes"}
        posings = dict(item.posings)
        main = posings["unchanged"]
        posings["unchanged"] = replace(main, answer=wrong[str(main.answer)])
        turned = replace(item, posings=posings)
        mapped = [tie for tie in item.ties if tie.law == "MAP"]
        assert set(held.broken(turned, held.truth)) >= set(mapped)
