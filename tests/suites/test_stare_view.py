"""Views of a place and frames of a ride: one answer, which geometry of its own confirms."""

from __future__ import annotations

import io
import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image, ImageChops, ImageOps

from pytest_metaspace.domain import AS_WRITTEN, Becomes
from pytest_metaspace.suites.stare import _room, perspective, temporal
from pytest_metaspace.suites.stare._family import Made, chance_of
from pytest_metaspace.suites.stare._panels import PALETTE
from pytest_metaspace.suites.stare._room import Eye, Thing

if TYPE_CHECKING:
    from pytest_metaspace.domain import Item, Posing

FOLDER = Path("pictures")
SEED = 5
AROUND = {"red": (0, 3), "blue": (3, 1), "green": (1, -3), "teal": (-3, 1)}


def made(family: Any, number: int, **options: str) -> Made:
    found: Made = family.make(SEED, number, options, FOLDER)
    return found


def item_of(found: Made) -> Item:
    ((_, item),) = found.items
    return item


def names(posing: Posing) -> list[str]:
    parts = getattr(posing.images, "parts", None)
    files = [path for path, _ in parts] if parts else list(posing.images)
    return [path.name for path in files]


def chosen(posing: Posing, answer: object) -> str:
    """Return the picture that an answer names."""
    return names(posing)[int(str(answer).removeprefix("image ")) - 1]


def ending(name: str) -> str:
    """Return what a file of a picture ends in, behind the number of its item."""
    return name.split("-", 3)[3]


def open_(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


# ------------------------------------------------------------------------------- perspective


def ahead(place: perspective.Place, degrees: int) -> list[str]:
    """Return the colours that lie within 45 degrees of a heading, from left to right.

    By the sides of a square that lie to the right and to the left of the line of sight.
    """
    angle = math.radians(place.eye.heading + degrees)
    look = (math.sin(angle), math.cos(angle))
    found = []
    for thing in place.things:
        x, y = thing.x - place.eye.x, thing.y - place.eye.y
        forward = x * look[0] + y * look[1]
        right = x * look[1] - y * look[0]
        if forward > abs(right):
            found.append((right / forward, thing.colour))
    return [colour for _, colour in sorted(found)]


@pytest.mark.parametrize("level", perspective.LEVELS)
def test_four_views_part_what_is_around(level: str) -> None:
    for number in range(25):
        chance = chance_of("perspective", SEED, number)
        draws = (perspective.drawn(chance, level) for _ in range(4000))
        place = next(found for found, problem in draws if not problem)
        views = [[thing.colour for thing in view] for view in place.views()]
        assert views == [ahead(place, degrees) for degrees in (0, 90, 180, 270)]
        assert sorted(colour for view in views for colour in view) == sorted(
            thing.colour for thing in place.things
        )


def test_the_true_view_is_the_answer_in_every_way_of_asking() -> None:
    for number in range(60):
        found = made(perspective, number)
        item = item_of(found)
        true = chosen(item.posings[AS_WRITTEN], item.posings[AS_WRITTEN].answer)
        assert looks(found, true) == (0, False)
        for tie in item.ties:
            first, *others = (item.posings[name] for name in tie.posings)
            if tie.law == "DIFF":
                answers = [one.answer for one in (first, *others)]
                assert len(set(answers)) == len(answers) == 4
                continue
            (other,) = others
            follows = {one.option: one.becomes for one in tie.givens if isinstance(one, Becomes)}
            assert follows[str(first.answer)] == other.answer
            for option, becomes in follows.items():
                assert chosen(first, option) == chosen(other, becomes)
        shown = {name for posing in item.posings.values() for name in names(posing)}
        assert shown == set(found.pictures)


def looks(found: Made, view: str) -> tuple[int, bool]:
    """Return how far a view is turned from where the person looks, and whether it is mirrored.

    By the arguments that the picture is drawn with.
    """
    (above,) = [name for name in found.pictures if name.endswith("-map.png")]
    things, eye = found.pictures[above].args  # type: ignore[attr-defined]
    seen, looking = found.pictures[view].args  # type: ignore[attr-defined]
    mirrored = seen != things
    assert not mirrored or seen == tuple(one.mirrored() for one in things)
    heading = -looking.heading if mirrored else looking.heading
    return round(heading - eye.heading) % 360, mirrored


def test_a_turned_person_sees_another_of_the_views() -> None:
    found = made(perspective, 0, difficulty="easy")
    asked = {name: item_of(found).posings[name] for name in perspective.TURNS}
    answers = {name: looks(found, chosen(one, one.answer)) for name, one in asked.items()}
    assert answers == {
        "turned right": (90, False),
        "turned round": (180, False),
        "turned left": (270, False),
    }


def test_hard_options_are_two_views_and_their_mirror_images() -> None:
    for number in range(13):
        found = made(perspective, number, difficulty="hard")
        item = item_of(found)
        assert item.slices["difficulty"] == "hard"
        views = [looks(found, name) for name in names(item.posings[AS_WRITTEN])[1:]]
        turns = {turn for turn, _ in views}
        assert 0 in turns
        assert len(turns) == 2
        assert sorted(views) == sorted((turn, way) for turn in turns for way in (False, True))
        assert item.unposed == {"STARE-HEADINGS": "the options are not four headings"}


def test_a_mirrored_view_is_drawn_as_its_mirror_image() -> None:
    found = made(perspective, 2, difficulty="hard")
    views = {looks(found, name): name for name in found.pictures if "-view-" in name}
    plain = open_(found.pictures[views[0, False]]())
    mirrored = open_(found.pictures[views[0, True]]())
    assert far_off(ImageOps.mirror(plain), mirrored) < 0.01
    assert far_off(plain, mirrored) > 0.02


def far_off(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ clearly."""
    grey = ImageChops.difference(one, other).convert("L")
    return sum(grey.histogram()[40:]) / (grey.width * grey.height)


def test_things_are_drawn_where_they_are_seen() -> None:
    eye = Eye(0, 0, 90)
    things = [
        Thing("red", "ball", 3, 1),
        Thing("blue", "cone", 3, -1),
        Thing("green", "post", -3, 0),
    ]
    assert [one.thing.colour for one in _room.seen(things, eye)] == ["red", "blue"]
    image = open_(_room.view(things, eye))
    for colour, side in (("red", range(160)), ("blue", range(160, 320))):
        wanted = PALETTE[colour]
        columns = columns_of(image, wanted)
        assert columns
        assert set(columns) <= set(side)
        right, forward = eye.place(*next((t.x, t.y) for t in things if t.colour == colour))
        assert sum(columns) / len(columns) == pytest.approx(
            160 + eye.focal * right / forward, abs=3
        )


def columns_of(image: Image.Image, wanted: tuple[int, int, int]) -> list[int]:
    """Return the column of each pixel that has a colour."""
    flat = Image.new("RGB", image.size, wanted)
    far = ImageChops.difference(image, flat).convert("L").point(lambda level: 255 * (level < 5))
    return [place % image.width for place, hit in enumerate(far.tobytes()) if hit]


def test_a_map_turned_by_a_quarter_is_the_map_turned() -> None:
    eye = Eye(1, -2, 30)
    things = [Thing("red", "ball", 3, 1), Thing("blue", "cone", -3, -1)]
    once = open_(_room.from_above(things, eye, 1))
    assert far_off(open_(_room.from_above(things, eye)).rotate(-90), once) < 0.01
    four = _room.from_above(things, eye, 4)
    assert four == _room.from_above(things, eye)


@pytest.mark.parametrize(
    ("things", "told"),
    [
        ([Thing("red", "ball", 0, 3), Thing("blue", "ball", 0.5, 4)], "hides or touches"),
        ([Thing("red", "ball", 3, 3), Thing("blue", "ball", -3, 0)], "cut off by a border"),
        ([Thing("red", "ball", 0, 3), Thing("blue", "ball", 3, 0)], "a view is empty"),
        ([Thing(one, "ball", *at) for one, at in AROUND.items()], "looks like its mirror image"),
        ([Thing("red", "ball", 0, 3)], "had no room"),
    ],
)
def test_places_without_one_answer_are_left_out(things: list[Thing], told: str) -> None:
    place = perspective.Place(tuple(things), Eye(0, 0, 0))
    assert told in perspective._problem(place, "hard", max(2, len(things)))


# ---------------------------------------------------------------------------------- temporal


def test_the_missing_picture_is_the_answer_in_every_way_of_asking() -> None:
    for number in range(60):
        found = made(temporal, number)
        item = item_of(found)
        written = item.posings[AS_WRITTEN]
        place = ("first", "second", "third", "fourth").index(item.slices["missing"])
        given = [int(name.rpartition("-")[2][:-4]) for name in names(written)[:3]]
        assert given == [one for one in (1, 2, 3, 4) if one != place + 1]
        ride = [x_of(found, name) for name in names(written)[:3]]
        ride.insert(place, x_of(found, chosen(written, written.answer)))
        first, *steps = (after - before for before, after in pairwise(ride))
        assert steps == pytest.approx([first, first])
        back = item.posings["the frames come the other way round"]
        assert names(back)[:3] == names(written)[:3][::-1]
        assert chosen(back, back.answer) == chosen(written, written.answer)
        assert ("first", "second", "third", "fourth")[3 - place] in back.text


def ride_of(missing: int, level: str = "medium") -> temporal.Ride:
    chance = chance_of("temporal", SEED, missing)
    draws = (temporal.drawn(chance, level, missing) for _ in range(4000))
    return next(found for found, problem in draws if not problem)


def test_a_camera_that_moves_right_sees_things_move_left() -> None:
    for missing in range(4):
        ride = ride_of(missing)
        columns = [ride.columns(way) for way in sorted([*ride.options(), *ride.shown(1)])]
        for before, after in pairwise(columns):
            for colour in before.keys() & after.keys():
                assert (after[colour] < before[colour]) == (ride.step[0] > 0)


@pytest.mark.parametrize("missing", range(4))
def test_each_option_may_be_the_true_one_and_only_one_fits_the_shown(missing: int) -> None:
    """Pictures are at equal distances where the true option is put in, and nowhere else."""
    ride = ride_of(missing)
    for true, right in enumerate(ride.options()):
        shown = ride.shown(true)
        for way in ride.options():
            whole = [*shown[:missing], way, *shown[missing:]]
            steps = [after - before for before, after in pairwise(whole)]
            assert all(step == pytest.approx(1) for step in steps) == (way == right)
            assert near(way, shown) > 0.33
        if missing in (1, 2):
            others = sorted(near(way, shown) for way in ride.options() if way != right)
            assert others[0] < near(right, shown) < others[1]


def near(way: float, shown: list[float]) -> float:
    return min(abs(way - other) for other in shown)


def test_the_true_option_is_the_first_middle_and_last_of_the_ride_as_often() -> None:
    found: Counter[tuple[str, int, str]] = Counter()
    for number in range(108):
        one = made(temporal, number)
        written = item_of(one).posings[AS_WRITTEN]
        drawn = {name: x_of(one, name) for name in names(written)}
        ways = sorted(drawn[name] for name in names(written)[3:])
        if drawn[names(written)[0]] > drawn[names(written)[2]]:
            ways = ways[::-1]
        place = ways.index(drawn[chosen(written, written.answer)])
        found[item_of(one).slices["missing"], place, str(written.answer)] += 1
    assert len(found) == 36
    assert set(found.values()) == {3}


def x_of(one: Made, name: str) -> float:
    """Return where on the map a picture is taken, from left to right."""
    _, eye = one.pictures[name].args  # type: ignore[attr-defined]
    return float(eye.x)


def test_pictures_that_are_too_much_alike_are_left_out() -> None:
    ride = ride_of(0, "easy")
    assert not temporal._problem(ride)
    slow = replace(ride, step=(0.01, 0.0))
    assert temporal._problem(slow) in ("two pictures are too much alike", "too little is seen")
    assert temporal._problem(replace(ride, things=())) == "too little is seen"


# ------------------------------------------------------------------------------------ both


@pytest.mark.parametrize(("family", "chance"), [(perspective, 1 / 4), (temporal, 1 / 3)])
def test_no_place_and_no_file_tells_the_answer(family: Any, chance: float) -> None:
    """An agent may be handed paths: options are named by the places in which they are shown."""
    total = 240
    items = [item_of(made(family, number)) for number in range(total)]
    written = [one.posings[AS_WRITTEN] for one in items]
    assert len({tuple(map(ending, names(one)[-len(one.options) :])) for one in written}) == 1
    places = Counter(str(one.answer) for one in written)
    assert len({len(one.images) for one in written}) == 1
    assert len(places) == round(1 / chance)
    for count in places.values():
        assert abs(count / total - chance) < 0.05
    assert len({one.answer for one in written[: len(places)]}) == len(places)


@pytest.mark.parametrize("family", [perspective, temporal])
def test_the_same_number_is_the_same_item_and_the_same_bytes(family: Any) -> None:
    one, other = made(family, 1), made(family, 1)
    assert item_of(one).posings[AS_WRITTEN] == item_of(other).posings[AS_WRITTEN]
    name = next(iter(one.pictures))
    assert one.pictures[name]() == other.pictures[name]()
    assert item_of(made(family, 2)).posings[AS_WRITTEN] != item_of(one).posings[AS_WRITTEN]
