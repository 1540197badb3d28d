"""Items of ours: exact truth, the same bytes again, and nothing to be had without looking."""

from __future__ import annotations

import base64
import io
import json
import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_metaspace import cli
from pytest_metaspace.domain import Box
from pytest_metaspace.suites import Order
from pytest_metaspace.suites.embspatial import TASKS, _asking, _build, _rooms
from pytest_metaspace.suites.embspatial._asking import askew, at_its_turn, item, lies
from pytest_metaspace.suites.embspatial._build import heights, sizes
from tests.suites.embspatial_seen import complaints
from tests.suites.embspatial_shortcuts import CONSTANT, ONE_SEEN, by_row, figures

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def records(built: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(built.read_text())
    return found


def test_an_item_follows_from_seed_and_number_alone(records: list[dict[str, Any]]) -> None:
    for number in (0, 3, 23):
        assert item(3, number) == records[number]
    assert item(4, 0) != records[0]


def test_relations_and_places_of_the_answer_are_balanced(records: list[dict[str, Any]]) -> None:
    for task in TASKS:
        answers = [one["answer"] for one in records if one["relation"] == task]
        assert sorted(answers) == [0, 1, 2, 3]


def test_a_second_look_at_depths_and_boxes_finds_the_same_truth(
    records: list[dict[str, Any]],
) -> None:
    for one in records:
        true = one["answer_options"][one["answer"]]
        if one["relation"] in ("close", "far"):
            depths = one["depths_m"]
            best = min(depths) if one["relation"] == "close" else max(depths)
            assert depths.index(best) == one["answer"]
            ordered = sorted(depths)
            assert all(b / a >= 1.1 for a, b in pairwise(ordered))
            assert [thing["name"] for thing in one["objects"]] == one["answer_options"]
            continue
        first, second = one["objects"]
        assert true == f"The {first['name']} is {_said(one['relation'])} the {second['name']}."
        (ax, ay, aw, ah), (bx, by, bw, bh) = first["bbox"], second["bbox"]
        apart = {
            "left": ax + aw < bx,
            "right": bx + bw < ax,
            "above": ay + ah < by,
            "under": by + bh < ay,
        }
        assert [name for name, is_so in apart.items() if is_so] == [one["relation"]]


def _said(relation: str) -> str:
    return f"{relation} of" if relation in ("left", "right") else relation


def test_a_picture_shows_each_object_where_its_box_is(records: list[dict[str, Any]]) -> None:
    for one in records[:6]:
        picture = Image.open(io.BytesIO(base64.b64decode(one["image"])))
        assert picture.size == _rooms.SIZE
        for thing in one["objects"]:
            x, y, width, height = thing["bbox"]
            seen = picture.getpixel((round(x + width / 2), round(y + height / 2)))
            assert seen == _rooms.COLOURS[thing["name"].split()[0]]


def test_each_foot_is_seen_and_tells_the_depth(records: list[dict[str, Any]]) -> None:
    for one in (one for one in records if "depths_m" in one):
        picture = Image.open(io.BytesIO(base64.b64decode(one["image"])))
        for thing, depth in zip(one["objects"], one["depths_m"]):
            x, _, width, _ = thing["bbox"]
            row = round(110 + 300 * 1.5 / depth) + 2
            across = range(round(x + width / 2) - 8, round(x + width / 2) + 9)
            assert sum(picture.getpixel((at, row)) == (84, 84, 86) for at in across) > 6


def test_a_second_truth_from_pixels_says_nothing_against_any_item() -> None:
    for seed in range(20, 30):
        for number in range(12):
            assert list(complaints(item(seed, number))) == []


def test_what_the_second_truth_would_say_of_a_wrong_answer(records: list[dict[str, Any]]) -> None:
    for one in records:
        wrong = {**one, "answer": (one["answer"] + 1) % 4}
        assert list(complaints(wrong))


def test_no_shortcut_is_much_better_than_guessing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_asking, "picture", lambda things: f"{len(things)} things")
    some = [item(11, number) for number in range(6 * 16)]
    assert heights(some) == (48, 48)
    farther, nearer = sizes(some)
    assert 0.45 <= farther / (farther + nearer) <= 0.55
    in_turn = ("highest", "lowest", "smallest", "biggest", "alphabetical", "last by alphabet")
    for row in by_row(some).values():
        found = figures(row)
        assert found[CONSTANT] == 0.25
        for name in ("first option", *in_turn):
            assert abs(found.get(name, 0.25) - 0.25) <= 0.05, name
    assert set(ONE_SEEN) <= set(found)


def test_boxes_that_overlap_in_neither_direction_are_not_asked_about() -> None:
    box = Box(100, 100, 150, 150)
    beside, below = Box(200, 110, 250, 160), Box(110, 200, 160, 250)
    for a, b, relation in (
        (box, beside, "left"),
        (beside, box, "right"),
        (box, below, "above"),
        (below, box, "under"),
    ):
        assert [name for name in TASKS[2:] if lies(a, b, name)] == [relation]
        assert not askew(a, b)
    assert askew(box, Box(200, 200, 250, 250))
    assert askew(box, Box(200, 130, 250, 180))


def test_building_says_what_to_type_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["build", "embspatial", "--seed", "5", "--items", "2", "out"]) == 0
    told = capsys.readouterr().out
    assert "out/embspatial_bench.json: 2 items of 2 relations, seed 5" in told
    assert "the higher one is farther in 3 pairs, nearer in 3; the smaller one is" in told
    assert "pytest --metaspace-agent=truth --metaspace-episodes=all out" in told
    assert cli.main(["build", "embspatial", "--seed", "5", "--items", "2", "out"]) == 0
    assert "all are there already" in capsys.readouterr().out
    assert cli.main(["build", "embspatial", "out"]) == 4
    assert "build.json there: --seed 5 there, 0 now" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="4"):
        cli.main(["build", "embspatal", "elsewhere"])
    assert "embspatial" in capsys.readouterr().err


def test_a_longer_build_adds_to_a_shorter_one(built: Path, tmp_path: Path) -> None:
    for items, said in (
        (1, "1 item of 1 relation"),
        (2, "2 items of"),
        (1, "1 item of 1 relation"),
    ):
        told, *_ = _build.build(Order(seed=3, items=items, folder=tmp_path))
        assert said in told
    assert told.endswith("seed 3: all are there already, and 1 more")
    whole = built.read_text().splitlines()
    assert (tmp_path / built.name).read_text().splitlines()[1:-1] == [whole[1], whole[2][:-1]]


def test_the_answer_is_where_its_turn_is() -> None:
    places = [
        at_its_turn("true", ["a", "b", "c"], turn, random.Random(turn)).index("true")
        for turn in range(16)
    ]
    assert [places.count(place) for place in range(4)] == [4] * 4
