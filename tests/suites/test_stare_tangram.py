"""Items about boards: true answers keep every tie, and nothing but the pieces tells the answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pytest

from benchmarks import stare_fold_shortcuts as shortcuts
from benchmarks.stare_fold_truth import told_pieces
from pytest_metaspace.suites import Order
from pytest_metaspace.suites.stare import _board_drawing, _build, nets, packing, tangram
from pytest_metaspace.suites.writing import as_json
from pytest_metaspace.trajectories.items import ITEMS
from tests.suites import held

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._family import Made

COUNT, MANY = 72, 432
"""Whole blocks of numbers, each with draws of its own."""


@pytest.fixture(scope="module")
def made() -> list[Made]:
    return shortcuts.numbers(tangram.make, COUNT)


@pytest.fixture(scope="module")
def items(made: list[Made]) -> list[Item]:
    return shortcuts.items_of(made)


def of(items: list[Item], task: str) -> list[Item]:
    return [item for item in items if item.task == f"STARE-{task}"]


def test_truth_breaks_no_tie_and_what_looks_at_no_piece_does_not_tell_the_answer() -> None:
    items = shortcuts.items_of(shortcuts.numbers(tangram.make, MANY))
    assert {item.task for item in items} == {
        f"STARE-tangram{end}" for end in ("", "-words", "-final")
    }
    assert not [tie for item in items for tie in held.broken(item, held.truth)]
    told = Counter(tie.relation for item in items for tie in item.ties)
    assert set(told) == {
        f"STARE-{one}" for one in ("PIECES", "MIRROR", "TURNED", "CUT", "STEPS", "FORMS")
    }
    _counted_area(items)
    for shortcut, (share, constant) in shortcuts.shares(items).items():
        assert share <= constant + 0.05, shortcut


def test_what_is_told_in_words_is_what_the_answer_is_about(items: list[Item]) -> None:
    for item in of(items, "tangram-words"):
        asked = item.posings["unchanged"]
        size = int(item.slices["board"][0])
        pieces = told_pieces(asked.context)
        assert len(pieces) == int(item.slices["pieces"])
        assert packing.solvable(size, pieces) == (asked.answer == "yes")


def counts_area(_: str, posing: Posing) -> str:
    return "no" if shortcuts.missed(posing) else "yes"


def _counted_area(items: list[Item]) -> None:
    """Who counts area is right about all sets that fill the board, and few of the others."""
    right: dict[str, list[bool]] = defaultdict(list)
    for item in of(items, "tangram-words"):
        asked = item.posings["unchanged"]
        right[str(asked.answer)].append(counts_area("", asked) == asked.answer)
    shares = {answer: sum(told) / len(told) for answer, told in right.items()}
    assert shares["yes"] == 1
    assert 0 < shares["no"] <= 0.1


def test_who_goes_by_the_number_of_pieces_is_caught_by_cutting_and_glueing(
    items: list[Item],
) -> None:
    def few(name: str, _: Posing) -> str:
        return {"a piece cut in two": "no", "two pieces glued": "yes"}.get(name, "yes")

    def many(name: str, _: Posing) -> str:
        return {"a piece cut in two": "yes", "two pieces glued": "yes"}.get(name, "no")

    asked = [item for item in of(items, "tangram") if "two pieces glued" in item.posings]
    assert len(asked) > COUNT / 2
    for agent in (few, many):
        caught = [{tie.relation for tie in held.broken(item, agent)} for item in asked]
        assert caught == [{"STARE-CUT"}] * len(asked)


def test_twins_show_as_many_pieces_laid_whatever_the_answer(made: list[Made]) -> None:
    for one in made:
        (_, without), (_, begun), *_ = one.items
        first, second = (item.posings["unchanged"] for item in (without, begun))
        assert without.twin == begun.twin
        assert (first.text, first.answer) == (second.text, second.answer)
        assert first.images[0] == second.images[0]
        assert len(second.images) == 1 + int(begun.slices["steps"])


def test_changed_pictures_show_the_same_pieces(tmp_path: Path) -> None:
    made = tangram.make(3, 5, {}, tmp_path)
    shown = {
        name: [sorted(map(nets.canonical, _shapes(made, path.name))) for path in posing.images[:1]]
        for name, posing in made.items[0][1].posings.items()
        if name not in ("mirrored", "turned")
    }
    for name in ("pieces in another order", "pieces turned and flipped", "in other colours"):
        assert shown[name] == shown["unchanged"]
    assert shown["a piece cut in two"] != shown["unchanged"]


def _shapes(made: Made, name: str) -> list[nets.Shape]:
    scene: _board_drawing.Scene = made.pictures[name].args[0]  # type: ignore[attr-defined]
    return [one.piece for one in scene.pieces]


def test_what_is_built_is_read_again_with_its_pictures(tmp_path: Path) -> None:
    order = Order(seed=3, items=2, folder=tmp_path, options={"family": "tangram"})
    assert "8 items of 2 puzzles, 2 of tangram; seed 3" in _build.build(order)[0]
    for number in range(2):
        made = tangram.make(3, number, {}, tmp_path / "pictures")
        for name, item in made.items:
            found = ITEMS.load(tmp_path / "items.json" / name).items[item.task]
            assert found.ties == item.ties
            assert found.twin == item.twin
            answers = {one: posing.answer for one, posing in item.posings.items()}
            assert {one: posing.answer for one, posing in found.posings.items()} == answers


def test_a_number_is_made_again_and_drawn_alike(tmp_path: Path) -> None:
    first, again = (tangram.make(7, 12, {"difficulty": "medium"}, tmp_path) for _ in range(2))
    assert first.items[0][0] == "tangram-7-0012"
    told, same = ([as_json(item, tmp_path) for _, item in one.items] for one in (first, again))
    assert told == same
    name = next(iter(first.pictures))
    assert first.pictures[name]() == again.pictures[name]()
    assert {item.slices["board"] for _, item in first.items} == {"4x4"}
