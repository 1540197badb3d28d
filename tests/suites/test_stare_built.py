"""Puzzles in files: the same bytes, gone on with after a kill, asked and right."""

from __future__ import annotations

import io
import json
import shutil
from random import Random
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageOps

from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.suites import Order
from pytest_metaspace.suites.building import ORDER_FILE
from pytest_metaspace.suites.stare import FAMILIES, _build, _solids3d
from pytest_metaspace.suites.stare._affine import Figure, identity
from pytest_metaspace.suites.stare._family import PICTURES
from pytest_metaspace.trajectories.items import ITEMS, MAIN_FILE
from tests.suites.test_suites import run, scores
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from pathlib import Path


SHIPPED = HOUSEHOLD.parent / "stare" / MAIN_FILE


def order(folder: Path, items: int = 2, seed: int = 1, family: str = "2d") -> Order:
    options = {"family": family, "steps": "2", "difficulty": "varied"}
    return Order(seed=seed, items=items, folder=folder, options=options)


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stare")
    _build.build(order(folder))
    return folder


def test_a_build_that_was_killed_goes_on_to_the_same_bytes(flat: Path, tmp_path: Path) -> None:
    _build.build(order(tmp_path))
    (tmp_path / MAIN_FILE).unlink()
    (tmp_path / PICTURES / "2d-1-0001-o3.png").unlink()
    kept = tmp_path / PICTURES / "2d-1-0000-o0.png"
    kept.write_bytes(kept.read_bytes() + b"kept")
    told = _build.build(order(tmp_path))
    assert told[0].endswith("6 items of 2 puzzles, 2 of 2d; seed 1")
    assert all(line.startswith("dropped, 2d: ") for line in told[1:])
    assert kept.read_bytes().endswith(b"kept")
    ours = content(tmp_path)
    ours.pop(f"{PICTURES}/{kept.name}")
    assert ours.items() <= content(flat).items()


def test_a_finished_build_is_not_made_again_and_another_one_is_refused(flat: Path) -> None:
    before = content(flat)
    for items, said in (
        (2, "2 puzzles, seed 1: all are there already"),
        (1, "1 puzzle, seed 1: all are there already, and 1 more"),
    ):
        (told,) = _build.build(order(flat, items=items))
        assert told.endswith(said)
    for other, differs in (
        (order(flat, seed=2), "--seed 1 there, 2 now"),
        (order(flat, items=3, family="3d"), "--family 2d there, 3d now"),
    ):
        with pytest.raises(UsageProblem, match=f"build.json there: {differs}. Name another"):
            _build.build(other)
    assert content(flat) == before


@pytest.mark.parametrize(("name", "value"), [("steps", "3"), ("pictures", "last")])
def test_options_of_changes_are_of_no_use_elsewhere(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=f"--{name} is of no use with --family temporal: it"):
        _build.build(
            Order(seed=1, items=1, folder=tmp_path, options={"family": "temporal", name: value})
        )
    assert not list(tmp_path.iterdir())


def test_a_longer_build_adds_to_a_shorter_one(flat: Path, tmp_path: Path) -> None:
    _build.build(order(tmp_path, items=1))
    kept = (tmp_path / PICTURES / "2d-1-0000-o0.png").stat().st_mtime_ns
    _build.build(order(tmp_path))
    assert (tmp_path / PICTURES / "2d-1-0000-o0.png").stat().st_mtime_ns == kept
    assert content(tmp_path) == content(flat)
    assert json.loads((tmp_path / ORDER_FILE).read_bytes())["items"] == 2


def test_a_picture_that_is_lost_is_drawn_again(flat: Path, tmp_path: Path) -> None:
    shutil.copytree(flat, tmp_path, dirs_exist_ok=True)
    (tmp_path / PICTURES / "2d-1-0001-o3.png").unlink()
    assert "already" not in _build.build(order(tmp_path))[0]
    assert content(tmp_path) == content(flat)


def test_items_that_nobody_ordered_are_left_alone(flat: Path, tmp_path: Path) -> None:
    (tmp_path / MAIN_FILE).write_bytes((flat / MAIN_FILE).read_bytes())
    with pytest.raises(UsageProblem, match=r"no build\.json says what made it"):
        _build.build(order(tmp_path))


def test_the_first_items_of_a_longer_build_are_the_same(flat: Path, tmp_path: Path) -> None:
    pictures = tmp_path / PICTURES
    longer = list(_build.puzzles(1, 3, order(tmp_path).options, pictures))
    names = [name for _, made in longer for name, _ in made.items]
    assert ITEMS.episodes is not None
    assert list(ITEMS.episodes(flat / MAIN_FILE)) == names[:6]


def test_truth_is_right_and_breaks_nothing(tmp_path: Path) -> None:
    found = run(SHIPPED, tmp_path, "truth")
    assert set(scores(found).values()) == {1.0}
    assert {"STARE-ACC", "STARE-ORDER", "STARE-COMPOSED"} <= set(scores(found))
    assert all(one.outcome is Outcome.SATISFIED for one in found.verdicts)


def test_every_family_is_shipped_in_less_than_400_kilobytes() -> None:
    assert ITEMS.episodes is not None
    families = {name.partition("-")[0] for name in ITEMS.episodes(SHIPPED)}
    assert families == set(FAMILIES)
    assert sum(map(len, content(SHIPPED.parent).values())) < 400_000


def test_a_mirrored_scene_is_the_mirrored_picture() -> None:
    one = _solids3d.draw("hook", Random(3))
    flipped = tuple((-x, y, z) for x, y, z in one.corners)
    x, y, z = one.centre
    other = Figure(one.name, flipped, identity(3), (-x, y, z))
    pictures = [
        Image.open(io.BytesIO(_solids3d.picture(figure, 1))).convert("L") for figure in (one, other)
    ]
    difference = ImageChops.difference(ImageOps.mirror(pictures[0]), pictures[1])
    differ = sum(difference.histogram()[40:])
    assert differ < 0.02 * pictures[0].width * pictures[0].height
