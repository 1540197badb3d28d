"""What builds of REM say: of walks that ask nothing, of what was there, of smaller orders."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.suites import Order
from pytest_metaspace.suites.rem import REM, _build, _render
from pytest_metaspace.suites.rem._questions import Questions
from pytest_metaspace.suites.writing import asks_nothing
from pytest_metaspace.trajectories import native
from tests.fixtures.shipped_support import skip_without_opengl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEED, IDLE = 1, 2
"""Of this order the walk with this number shows nothing that may be asked about."""
OPTIONS: dict[str, int | str] = {"kind": "walk", "frames": 2, "objects": 8, "duplicates": "varied"}


@pytest.fixture(scope="module")
def studio() -> Iterator[_render.Studio]:
    skip_without_opengl()
    with _render.Studio() as opened:
        yield opened


@pytest.fixture
def drawing(studio: _render.Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds draw with a studio that is open."""
    monkeypatch.setattr(_build, "Studio", lambda: nullcontext(studio))


@pytest.fixture(scope="module")
def built(studio: _render.Studio, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with walks, one of which asks nothing, and what was said of it."""
    folder = tmp_path_factory.mktemp("rem") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_build, "Studio", lambda: nullcontext(studio))
        return folder, "\n".join(build(folder))


def build(folder: Path, items: int = 3) -> list[str]:
    assert REM.build is not None
    return REM.build(Order(seed=SEED, items=items, folder=folder, options=OPTIONS))


def no_drawing(*_: object) -> None:
    pytest.fail("nothing is to be drawn")


def test_a_walk_that_asks_nothing_is_told_and_finished(
    built: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, said = built
    assert f"seed {SEED}\n  1 walk asks nothing\n" in said
    walk = folder / f"rem-{SEED}-{IDLE:04d}"
    assert [one.name for one in sorted(folder.glob("rem-*")) if asks_nothing(one)] == [walk.name]
    assert not asks_nothing(folder)
    monkeypatch.setattr(_build, "make", no_drawing)
    head, idle = build(folder)
    assert head.endswith(f"out: 3 walks, seed {SEED}: all are there already")
    assert idle == "  1 walk asks nothing"
    assert native.load(walk / "trajectory.json").items == {}


@pytest.mark.parametrize("lost", ["frames/001.webp", "trajectory.json", "questions.json"])
@pytest.mark.usefixtures("drawing")
def test_a_damaged_walk_that_asks_nothing_is_made_again(
    built: tuple[Path, str], tmp_path: Path, lost: str
) -> None:
    shutil.copytree(built[0], tmp_path / "out")
    walk = tmp_path / "out" / f"rem-{SEED}-{IDLE:04d}"
    (walk / lost).unlink()
    assert build(tmp_path / "out")[0].endswith("; 2 were there already")
    assert (walk / lost).read_bytes() == (built[0] / walk.name / lost).read_bytes()


@pytest.mark.usefixtures("drawing")
def test_what_is_counted_is_said_to_be_of_the_walks_made_now(
    built: tuple[Path, str], tmp_path: Path
) -> None:
    shutil.copytree(built[0], tmp_path / "out")
    head, idle, new, *counted = build(tmp_path / "out", 4)
    assert head.endswith(f"4 walks, seed {SEED}; 3 were there already")
    assert (idle, new) == ("  1 walk asks nothing", "  1 walk made now:")
    assert counted
    assert not [line for line in counted if "(0)" in line]
    assert "made now" not in built[1]


def test_no_filter_is_told_that_dropped_nothing() -> None:
    made = _build._Made()
    made.add(Questions([], Counter({"order: one": 0, "order: two": 2})), 0)
    assert list(made.lines()) == ["  dropped order: two (2)"]


def test_a_smaller_order_is_told_with_what_more_there_is(built: tuple[Path, str]) -> None:
    assert build(built[0], 1)[0].endswith("1 walk, seed 1: all are there already, and 2 more")
    assert build(built[0], 3)[0].endswith("3 walks, seed 1: all are there already")
