"""Walks of REM as they are drawn and written: what is seen is what stands there."""

from __future__ import annotations

import random
import shutil
import sys
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.suites import Order
from pytest_metaspace.suites.rem import REM, _build, _layout, _making, _path, _render, _sightings
from pytest_metaspace.suites.rem._scene import COLOURS, WIDTH, Pose
from pytest_metaspace.trajectories import native
from pytest_metaspace.trajectories.items import ITEMS
from tests.fixtures.shipped_support import skip_without_opengl
from tests.suites import rem_rays

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.suites.rem._scene import Place

SEED = 5
OPTIONS: dict[str, int | str] = {"kind": "walk", "frames": 3, "objects": 14, "duplicates": 4}
CHOSEN = {"frames": 3, "objects": 14, "duplicates": 4}


@pytest.fixture(scope="module")
def studio() -> Iterator[_render.Studio]:
    skip_without_opengl()
    with _render.Studio() as opened:
        yield opened


@pytest.fixture(scope="module")
def built(studio: _render.Studio, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one walk."""
    folder = tmp_path_factory.mktemp("rem") / "out"
    with pytest.MonkeyPatch.context() as patch:
        share(studio, patch)
        build(folder)
    return folder


@pytest.fixture(scope="module")
def made(studio: _render.Studio, built: Path) -> _making.Made:
    """The same walk, in memory."""
    return _making.make(studio, built / "rem-5-0000", "walk", SEED, 0, CHOSEN)


def share(studio: _render.Studio, patch: pytest.MonkeyPatch) -> None:
    """Let builds draw with a studio that is open."""
    patch.setattr(_build, "Studio", lambda: nullcontext(studio))


def build(folder: Path, **options: Any) -> list[str]:
    assert REM.build is not None
    return REM.build(Order(seed=SEED, items=1, folder=folder, options={**OPTIONS, **options}))


def scene(seed: int) -> tuple[tuple[Place, ...], tuple[Pose, ...]]:
    chance = random.Random(seed)
    poses, _ = _path.walk(chance, 24)
    return _layout.around(chance, _layout.kinds(chance, 30, 8), poses), poses


def test_rays_find_what_masks_show(studio: _render.Studio) -> None:
    places, poses = scene(2)
    studio.arrange(places)
    for pose in (poses[0], poses[17]):
        drawn, met = studio.masks(pose), rem_rays.owners(places, pose)
        assert set(np.unique(drawn)) == set(np.unique(met))
        assert (drawn != met).sum() <= 0.015 * (met >= 0).sum()  # drawn cones have 24 sides


def test_a_sight_says_what_the_mask_of_a_thing_is_like(studio: _render.Studio) -> None:
    places, poses = scene(3)
    (sights,) = _sightings.frames(studio, places, poses[:1])
    mask = studio.masks(poses[0])
    assert list(sights) == sorted(sights)
    assert {places[one].thing.id for one in np.unique(mask) if one >= 0} == set(sights)
    for number, place in enumerate(places):
        rows, columns = np.nonzero(mask == number)
        if place.thing.id in sights:
            sight = sights[place.thing.id]
            assert sight.pixels == len(rows)
            assert sight.height_px == rows.max() - rows.min() + 1
            assert sight.pixels_x == pytest.approx(columns.mean() + 0.5, abs=1e-3)
            assert sight.clear == (sight.pixels >= 60 and sight.height_px >= 12)


def test_how_much_of_a_thing_is_hidden_is_told(studio: _render.Studio) -> None:
    chance = random.Random(9)
    poses, _ = _path.still()
    places = _layout.ahead(chance, _layout.kinds(chance, 36, 12))
    (boxed,) = _sightings.boxes(studio, places, poses[:1])
    mask = studio.masks(poses[0])
    hidden = 0
    for number, place in enumerate(places):
        rows = np.nonzero(mask == number)[0]
        assert (place.thing.id in boxed) == (len(rows) >= 60)
        if place.thing.id in boxed:
            alone = np.nonzero(studio.masks(poses[0], alone=number) == number)[0]
            share = boxed[place.thing.id].height_fraction
            assert share == pytest.approx((np.ptp(rows) + 1) / (np.ptp(alone) + 1), abs=1e-5)
            hidden += share < 1
    assert hidden


def test_single_frames_show_hardly_a_thing_as_a_sliver(studio: _render.Studio) -> None:
    poses, _ = _path.still()
    seen: list[bool] = []
    for seed in range(10):
        chance = random.Random(seed)
        places = _layout.ahead(chance, _layout.kinds(chance, 40, 16))
        (sights,) = _sightings.frames(studio, places, poses)
        seen += [sight.clear for sight in sights.values()]
    assert len(seen) >= 150
    assert seen.count(False) <= 3


def test_a_walk_that_shows_next_to_nothing_is_drawn_anew(
    studio: _render.Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_making, "_draw", lambda *_: None)
    monkeypatch.setattr(_making, "_ADDED_TRIES", 0)
    wanted = {"frames": 2, "objects": 8, "duplicates": 0}
    made = [_making.make(studio, tmp_path, "walk", 1, number, wanted) for number in range(8)]
    assert all(len(one.walk.seen_in_all(clearly=True)) >= 3 for one in made)
    assert any(one.redrawn for one in made)


def test_a_thing_in_the_middle_is_seen_in_the_middle_and_one_to_the_right_on_the_right() -> None:
    pose = Pose(x=1.0, y=2.0, yaw_deg=90.0)
    assert pose.seen_at(1.0, 5.0) == pytest.approx((3.0, WIDTH / 2))
    assert pose.seen_at(2.0, 4.0) == pytest.approx((2.0, WIDTH * 3 / 4))


def test_a_mirrored_scene_has_the_mirrored_masks(studio: _render.Studio) -> None:
    places, _ = scene(4)
    pose = Pose(x=0.0, y=0.0, yaw_deg=0.0)
    studio.arrange(places)
    plain = studio.masks(pose)
    studio.arrange([replace(place, y=-place.y) for place in places])
    assert (studio.masks(pose) != plain[:, ::-1]).sum() <= 20


def test_opposite_views_of_a_full_rotation_show_one_arrangement(studio: _render.Studio) -> None:
    places = _layout.opposite(random.Random(6), 24)
    poses, _ = _path.spot(random.Random(6))
    studio.arrange(places)
    half = len(places) // 2
    for number in (0, 5):
        here, there = studio.masks(poses[number]), studio.masks(poses[number + 12])
        swapped = np.where(there >= half, there - half, there + half)
        differs = here != np.where(there < 0, there, swapped)
        assert differs.sum() <= 20
        assert not (studio.picture(poses[number]) == studio.picture(poses[number + 12])).all()


def test_what_is_seen_clearly_has_the_colour_of_its_name(studio: _render.Studio) -> None:
    palette = np.array(list(COLOURS.values()))
    names = list(COLOURS)
    for seed in (7, 8):
        places, poses = scene(seed)
        for pose in poses[::12]:
            (sights,) = _sightings.frames(studio, places, [pose])
            mask, picture = studio.masks(pose), studio.picture(pose)
            for number, place in enumerate(places):
                if place.thing.id in sights and sights[place.thing.id].clear:
                    seen = np.median(picture[mask == number], axis=0)
                    nearest = names[int(((palette - seen) ** 2).sum(axis=1).argmin())]
                    assert nearest == place.thing.colour


def test_one_thing_more_changes_nothing_else(made: _making.Made) -> None:
    walk = made.walk
    assert walk.added is not None
    (new,) = set(walk.added.things) - set(walk.things)
    for clearly in (False, True):
        for frame in range(len(walk.frames)):
            more = walk.added.seen(frame, clearly=clearly)
            assert more - {new.id} == walk.seen(frame, clearly=clearly)
    assert new.id in walk.added.seen_in_all(clearly=True)
    for one, two, sights in zip(walk.pictures, walk.added.pictures, walk.added.frames):
        assert (one.read_bytes() != two.read_bytes()) >= (new.id in sights)


def test_what_hides_another_thing_is_not_added(made: _making.Made) -> None:
    (name, sight), *_ = made.walk.frames[0].items()
    rest = made.walk.frames[1:]
    sliver = replace(sight, pixels=59)
    seen = {**made.walk.frames[0], "new": sight}
    assert _making._as_before([seen, *rest], made.walk, "new") == (seen, *rest)
    for worse in ({**seen, name: sliver}, {key: one for key, one in seen.items() if key != name}):
        assert _making._as_before([worse, *rest], made.walk, "new") is None


def test_a_built_folder_is_a_native_trajectory(built: Path, made: _making.Made) -> None:
    loaded = native.load(built / "rem-5-0000" / "trajectory.json")
    assert (loaded.id, len(loaded.states)) == ("rem-5-0000", 3)
    assert loaded.truth is not None
    assert not loaded.warnings
    walk = made.walk
    assert set(loaded.by_id) == {
        name
        for frame in walk.frames
        for name, sight in frame.items()
        if sight.pixels >= _sightings.LEAST_PX
    }
    for thing in loaded.objects:
        assert set(loaded.truth.objects[thing.id].visible) == set(thing.boxes)
        for frame, box in thing.boxes.items():
            assert box.height == walk.frames[frame][thing.id].height_px
    assert [state.action.name for state in loaded.states if state.action] == [
        move.name for move in walk.moves
    ]
    with Image.open(loaded.states[0].frame) as picture:
        assert picture.size == (walk.width, walk.height)


def test_a_stopped_build_goes_on_to_the_same_bytes(
    studio: _render.Studio, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share(studio, monkeypatch)
    folder = tmp_path / "out"
    shutil.copytree(built, folder)
    walk = folder / "rem-5-0000"
    for name in ("questions.json", "truth.json", "frames/001.webp", "added/000.webp"):
        (walk / name).unlink()
    kept = walk / "frames" / "002.webp"
    before = kept.stat().st_mtime_ns
    build(folder)
    assert kept.stat().st_mtime_ns == before
    assert contents(folder) == contents(built)


def test_a_finished_build_says_so(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_render, "_mujoco", lambda: pytest.fail("nothing is to be drawn"))
    (line,) = build(built)
    assert line.endswith("1 walk, seed 5: all are there already")


@pytest.mark.parametrize(
    "lost", ["garbage", "frames", "added/001.webp", "trajectory.json", "questions.json"]
)
def test_a_damaged_walk_is_made_again(
    lost: str,
    studio: _render.Studio,
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    share(studio, monkeypatch)
    folder = tmp_path / "out"
    shutil.copytree(built, folder)
    walk = folder / "rem-5-0000"
    if lost == "garbage":
        (walk / "questions.json").write_text("garbage")
    elif lost == "frames":
        shutil.rmtree(walk / lost)
    else:
        (walk / lost).unlink()
    assert "already" not in build(folder)[0]
    assert contents(folder) == contents(built)


def test_another_order_is_refused(built: Path) -> None:
    with pytest.raises(
        UsageProblem, match=r"see build\.json there: --objects 14 there, 16 now\. Name"
    ):
        build(built, objects=16)


def test_a_folder_with_items_of_another_suite_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "items.json").write_text("[]")
    with pytest.raises(
        UsageProblem, match=r"is there already, and no build\.json says what made it"
    ):
        build(tmp_path)


def test_single_frames_are_items(
    studio: _render.Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share(studio, monkeypatch)
    with pytest.raises(UsageProblem, match="--frames is of no use with --kind frame: each has one"):
        build(tmp_path, kind="frame")
    wanted = {"kind": "frame", "frames": "varied", "objects": 24, "duplicates": 8}
    lines = build(tmp_path, **wanted)
    assert lines[0].endswith("1 single frame, seed 5")
    path = tmp_path / "items.json"
    assert ITEMS.episodes is not None
    assert list(ITEMS.episodes(path)) == ["rem-frame-5-0000"]
    loaded = ITEMS.load(path / "rem-frame-5-0000")
    assert loaded.only_items
    assert set(loaded.items) == {"REM-single-frame"}
    assert build(tmp_path, **wanted)[0].endswith("1 single frame, seed 5: all are there already")
    path.write_text("garbage")
    build(tmp_path, **wanted)
    assert list(ITEMS.episodes(path)) == ["rem-frame-5-0000"]


def test_what_is_missing_is_said_with_what_to_type(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    folder = tmp_path / "out"
    with pytest.raises(UsageProblem, match=r"pip install 'pytest-metaspace\[build\]'"):
        build(folder)
    assert not folder.exists()


def test_both_contexts_are_freed_where_the_second_one_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mujoco = pytest.importorskip("mujoco", reason="it draws")
    freed: list[Renderer] = []

    class Renderer:
        def __init__(self, *_: object) -> None:
            self.close = lambda: freed.append(self)

        def enable_segmentation_rendering(self) -> None:
            raise RuntimeError("no context")

    monkeypatch.setattr(mujoco, "Renderer", Renderer)
    with pytest.raises(UsageProblem, match=r"cannot be drawn here \(RuntimeError: no context\)"):
        _render.Studio()
    assert len(freed) == 2


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
