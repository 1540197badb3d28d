"""How a question points out its objects: what is said, what is drawn, and which key that gives.

Run with METASPACE_UPDATE_GOLDENS=1 to write the golden anew; review the diff.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pytest_metaspace.canonical import question_key
from pytest_metaspace.domain import Box, Boxes, Camera, Capability, DrawnPictures, Query, Showing
from pytest_metaspace.errors import AgentError
from pytest_metaspace.prompts import STRATEGIES, drawing
from pytest_metaspace.prompts.placing import places
from pytest_metaspace.questions import question
from tests.test_prompts import queries, scene
from tests.unit_support import HEIGHT, WIDTH, thing, trajectory

if TYPE_CHECKING:
    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.prompts.placing import Rect

GOLDEN = Path(__file__).with_name("goldens") / "prompts-boxes.txt"
MODES: tuple[Boxes, ...] = get_args(Boxes)
CAMERA = Camera(width=WIDTH, height=HEIGHT)
LAMP, BED = (50.0, 100.0, 110.0, 200.0), (400.0, 100.0, 560.0, 300.0)
VIEW = Query(
    trajectory="made-up", capability=Capability.OBJECT_DIRECTION, a="lamp", b="bed",
    reference=1, evidence=(1,),
)  # fmt: skip


def shown(made: Trajectory, boxes: Boxes, folder: Path | None = None) -> Trajectory:
    return replace(made, showing=Showing(boxes, folder))


@pytest.fixture
def room(tmp_path: Path) -> Trajectory:
    """Two things in two frames of which the files have another size than the camera."""
    objects = [thing("lamp", {0: LAMP, 1: LAMP}), thing("bed", {1: BED})]
    made = trajectory(objects=objects, folder=tmp_path)
    for state in made.states:
        Image.new("RGB", (320, 240), (40 * state.index, 90, 160)).save(state.frame)
    return made


# --- what is said ------------------------------------------------------------------------------


def test_prompts_are_as_they_were_reviewed() -> None:
    codes = (Capability.OBJECT_DIRECTION, Capability.SIZE, Capability.MAP_DISTANCE)
    texts = [
        f"=== {mode}, {code}\n{question(queries(code)['open'], shown(scene(), mode)).text}"
        for mode in MODES
        for code in codes
    ]
    if os.environ.get("METASPACE_UPDATE_GOLDENS"):
        GOLDEN.write_text("\n".join(texts), encoding="utf-8")
    assert "\n".join(texts) == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("put", STRATEGIES, ids=lambda put: put.name)
def test_movements_are_asked_alike_whatever_is_drawn(put: object, room: Trajectory) -> None:
    query = queries(Capability.MOVEMENT_DIRECTION)["open"]
    name = put.name  # type: ignore[attr-defined]
    plain = question(query, room, name)
    for mode in MODES:
        found = question(query, shown(room, mode), name)
        assert found.text == plain.text
        assert found.images == plain.images
        assert question_key(found) == question_key(plain)


def test_names_alone_do_not_do_for_two_of_a_name() -> None:
    lamps = [
        thing("one", {1: LAMP}, label="Lamp"),
        thing("two", {1: BED}, label="lamp"),
        thing("bed", {1: BED}),
    ]
    made = shown(trajectory(objects=lamps), "none")
    about = replace(VIEW, a="one", b="bed")
    assert "(50, 100, 110, 200)" in question(about, made).text
    alone = shown(trajectory(objects=[lamps[0], lamps[2]]), "none")
    assert "(50, 100, 110, 200)" not in question(about, alone).text
    elsewhere = shown(
        trajectory(objects=[lamps[0], thing("two", {2: BED}, label="lamp"), lamps[2]]), "none"
    )
    assert "(50, 100, 110, 200)" not in question(about, elsewhere).text


@given(label=st.text(max_size=80))
def test_a_label_has_one_line_of_its_own_and_is_not_drawn(label: str) -> None:
    made = shown(scene(labels=(label, "shelf")), "draw")
    query = queries(Capability.OBJECT_DIRECTION)["open"]
    text = question(query, made).text
    assert sum(line.startswith("  ") for line in text.splitlines()) == 2
    images = question(query, made).images
    assert isinstance(images, DrawnPictures)


# --- where tags go -----------------------------------------------------------------------------


@st.composite
def crowds(draw: st.DrawFn) -> tuple[list[Rect], tuple[int, int], tuple[int, int]]:
    """Up to a dozen boxes anywhere, also across the border, in a picture that has room for tags."""
    tag = draw(st.integers(6, 30)), draw(st.integers(6, 30))
    columns, rows = draw(st.sampled_from([(4, 3), (6, 2), (12, 1), (3, 7), (30, 20)]))
    image = tag[0] * columns + draw(st.integers(0, 5)), tag[1] * rows + draw(st.integers(0, 5))
    boxes: list[Rect] = []
    for _ in range(draw(st.integers(1, 12))):
        left, top = draw(st.integers(-20, image[0])), draw(st.integers(-20, image[1]))
        wide, high = draw(st.integers(1, image[0])), draw(st.integers(1, image[1]))
        boxes.append((left, top, left + wide, top + high))
    return boxes, tag, image


@given(crowd=crowds())
def test_no_tag_hides_another_or_leaves_the_picture(
    crowd: tuple[list[Rect], tuple[int, int], tuple[int, int]],
) -> None:
    boxes, (wide, high), image = crowd
    found = places(boxes, (wide, high), image)
    assert found is not None
    assert len(found) == len(boxes)
    for number, (x, y) in enumerate(found):
        assert 0 <= x <= image[0] - wide
        assert 0 <= y <= image[1] - high
        for ox, oy in found[:number]:
            assert abs(x - ox) >= wide or abs(y - oy) >= high
    assert places(boxes, (wide, high), image) == found


def test_a_tag_stands_on_its_box_and_off_the_other() -> None:
    box, other = (40, 40, 100, 100), (30, 10, 110, 38)
    assert places([box], (12, 14), (200, 200)) == [(40, 26)]
    ((x, y), _) = places([box, other], (12, 14), (200, 200)) or []
    assert (x, y) == (40, 100)
    at_the_top = (40, 0, 100, 60)
    assert places([at_the_top], (12, 14), (200, 200)) == [(40, 60)]
    everything = (0, 0, 200, 200)
    assert places([everything], (12, 14), (200, 200)) == [(0, 0)]


def test_tags_that_do_not_fit_have_no_place() -> None:
    assert places([(0, 0, 5, 5)] * 5, (10, 10), (20, 29)) is None
    assert places([(0, 0, 5, 5)], (10, 10), (9, 29)) is None


# --- what is drawn -----------------------------------------------------------------------------


def frame(folder: Path, size: tuple[int, int], ground: tuple[int, int, int] = (99, 99, 99)) -> Path:
    path = folder / f"frame-{size[0]}.png"
    Image.new("RGB", size, ground).save(path)
    return path


@pytest.mark.parametrize("size", [(64, 48), (320, 240), (1920, 1080)])
@pytest.mark.parametrize("ground", [(0, 0, 0), (255, 255, 255), (255, 221, 0)])
def test_a_tag_is_read_on_any_ground(
    tmp_path: Path, size: tuple[int, int], ground: tuple[int, int, int]
) -> None:
    """Its digit is dark on a bright tag within a dark line, and at least six pixels high."""
    path = frame(tmp_path, size, ground)
    picture = drawing.picture_of(path, ((1, Box(200.0, 200.0, 440.0, 400.0)),), CAMERA)
    assert picture.size == size
    bright = [
        (x, y) for x in range(size[0]) for y in range(size[1])
        if picture.getpixel((x, y)) == (255, 221, 0) != ground
    ] or [(0, 0)]  # fmt: skip
    if ground != (255, 221, 0):
        tag_top = min(y for _, y in bright)
        tag = [(x, y) for x, y in bright if y < tag_top + max(6, size[1] // 24)]
        assert len(tag) >= 30
    changed = sum(
        picture.getpixel((x, y)) != ground for x in range(size[0]) for y in range(size[1])
    )
    assert changed >= 2 * (size[0] * 240 / 640 + size[1] * 200 / 480)


def test_a_digit_is_as_large_as_the_picture_lets_it(tmp_path: Path) -> None:
    heights = []
    for size in ((64, 48), (640, 480), (1920, 1080)):
        font = drawing._font(max(11, round(min(size) / 20)))
        _, top, _, bottom = font.getbbox("8")
        heights.append(bottom - top)
        wide, high = drawing.tag_size([1, 2], font)
        assert 0.03 < high / size[1] < 0.3
        assert wide < size[0] / 4
    assert heights == sorted(heights)
    assert heights[0] >= 7


def test_the_same_boxes_give_the_same_bytes(tmp_path: Path, room: Trajectory) -> None:
    marks = ((1, Box(*LAMP)), (2, Box(*BED)))
    source = room.states[1].frame
    one = drawing.drawn(source, marks, CAMERA, tmp_path / "one")
    other = drawing.drawn(source, marks, CAMERA, tmp_path / "other")
    assert one.name == other.name
    assert one.name.startswith("001-")
    assert one.read_bytes() == other.read_bytes()
    assert {path.name for path in one.parent.iterdir()} == {one.name, ".gitignore"}
    made = one.stat().st_mtime_ns
    assert drawing.drawn(source, marks, CAMERA, tmp_path / "one").stat().st_mtime_ns == made
    moved = drawing.drawn(source, ((1, Box(*BED)), (2, Box(*LAMP))), CAMERA, tmp_path / "one")
    assert moved.name != one.name


def test_without_a_folder_to_write_to_it_is_one_of_the_process(
    tmp_path: Path, room: Trajectory
) -> None:
    (tmp_path / "file").write_text("in the way")
    marks = ((1, Box(*LAMP)),)
    for folder in (None, tmp_path / "file" / "drawn"):
        found = drawing.drawn(room.states[1].frame, marks, CAMERA, folder)
        assert found.is_file()
        assert not found.is_relative_to(tmp_path)
    with pytest.raises(FileNotFoundError):
        drawing.drawn(tmp_path / "gone.png", marks, CAMERA, tmp_path / "drawn")


def test_what_is_no_picture_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "003.png"
    broken.write_bytes(b"no picture")
    with pytest.raises(
        AgentError, match=r"^no boxes can be drawn on 003\.png, which cannot be read"
    ):
        drawing.drawn(broken, ((1, Box(*LAMP)),), CAMERA, tmp_path / "drawn")
    assert {path.name for path in (tmp_path / "drawn").iterdir()} == {".gitignore"}


# --- keys --------------------------------------------------------------------------------------


def test_what_is_seen_decides_the_key_and_is_drawn_only_when_looked_at(
    tmp_path: Path, room: Trajectory
) -> None:
    folder = tmp_path / "drawn"
    asked = {mode: question(VIEW, shown(room, mode, folder)) for mode in MODES}
    keys = {question_key(one) for one in asked.values()}
    assert len(keys) == len(MODES)
    assert question_key(question(VIEW, room)) == question_key(asked["text"])
    assert asked["text"].images == asked["none"].images == (room.states[1].frame,)
    for mode in ("draw", "both"):
        assert len(asked[mode].images) == 1
    assert not folder.exists()
    (path,) = asked["draw"].images
    assert path == asked["both"].images[0] == asked["draw"].images[:1][0]
    assert path.parent == folder


def test_the_text_may_be_the_same_and_the_key_is_not(room: Trajectory) -> None:
    def key(box: tuple[float, float, float, float]) -> str:
        objects = (replace(room.objects[0], boxes={1: Box(*box)}), room.objects[1])
        made = shown(replace(room, objects=objects), "draw")
        found = question(VIEW, made)
        texts.add(found.text)
        return question_key(found)

    texts: set[str] = set()
    assert len({key(LAMP), key(LAMP), key((51.0, 100.0, 110.0, 200.0))}) == 2
    assert len(texts) == 1
    Image.new("RGB", (320, 240), (1, 2, 3)).save(room.states[1].frame)
    before = key(LAMP)
    Image.new("RGB", (320, 240), (3, 2, 1)).save(room.states[1].frame)
    assert key(LAMP) != before


def test_a_frame_without_the_objects_is_shown_as_it_is(room: Trajectory) -> None:
    query = replace(VIEW, capability=Capability.MAP_DIRECTION, reference=None, evidence=(0, 1, 2))
    images = question(query, shown(room, "draw")).images
    first, second, third = images
    assert third == room.states[2].frame
    assert room.states[0].frame != first != second
    assert [path.name[:3] for path in images] == ["000", "001", "002"]
