"""What is told of a walk, and how questions are worded."""

from __future__ import annotations

import pytest

from pytest_metaspace.prompts import strategy
from pytest_metaspace.prompts.items import write
from pytest_metaspace.suites.rem import _wording
from pytest_metaspace.suites.rem._asks import Category, Comparing, Counting, Ordering, Side, posing
from pytest_metaspace.suites.rem._course import Course, Sights, Unmet
from pytest_metaspace.suites.rem._questions import items
from pytest_metaspace.suites.rem._seen import Move, Walk
from pytest_metaspace.trajectories._altered import Altered
from tests.suites.rem_walks import staged, walk

A, B = "red_box_1", "blue_cone_1"
HEAD = "Nothing moves in this scene except the camera. "
FORWARD = Move(name="move_forward", forward_m=1.0)
LEFT = Move(name="turn_left", turn_deg=-15.0)
RIGHT = Move(name="turn_right", turn_deg=15.0)


def course(*moves: Move) -> Course:
    made = staged(*({A: 100, B: 200} for _ in range(len(moves) + 1)))
    told = {one: getattr(made, one) for one in Walk.__dataclass_fields__}
    return Course.whole(Sights(Walk(**{**told, "moves": moves})))


WHOLE = course(FORWARD, LEFT, LEFT, RIGHT)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (
            WHOLE.part(0, 3),
            "Image 1. Then: move forward 1 m. Image 2. Then: turn left 15 degrees. Image 3.",
        ),
        (
            WHOLE.part(0, 3).backwards(),
            "Image 1. Then: turn right 15 degrees. Image 2. Then: move backward 1 m. Image 3.",
        ),
        (
            WHOLE.part(0, 3).mirror(),
            "Image 1. Then: move forward 1 m. Image 2. Then: turn right 15 degrees. Image 3.",
        ),
        (
            WHOLE.coarser(),
            (
                "Image 1. Then: move forward 1 m, turn left 15 degrees. Image 2. "
                "Then: turn left 15 degrees, turn right 15 degrees. Image 3."
            ),
        ),
        (
            WHOLE.part(1, 4).coarser(),
            "Image 1. Then: turn left 30 degrees. Image 2.",
        ),
        (
            WHOLE.part(0, 2).repeated(0),
            "Image 1. Then: no move. Image 2. Then: move forward 1 m. Image 3.",
        ),
        (
            WHOLE.part(0, 2).there_and_back(),
            "Image 1. Then: move forward 1 m. Image 2. Then: move backward 1 m. Image 3.",
        ),
    ],
)
def test_between_images_it_is_said_what_is_done(shown: Course, told: str) -> None:
    assert _wording.context(shown) == HEAD + told


def test_the_frames_of_a_course_are_those_that_are_said() -> None:
    assert WHOLE.backwards().frames == (4, 3, 2, 1, 0)
    assert WHOLE.coarser().frames == (0, 2, 4)
    assert WHOLE.repeated(2).frames == (0, 1, 2, 2, 3, 4)
    assert WHOLE.there_and_back().frames == (0, 1, 2, 3, 4, 3, 2, 1, 0)
    with pytest.raises(Unmet, match="too few images"):
        WHOLE.part(2, 2)


def test_a_circle_may_begin_anywhere_and_be_closed() -> None:
    turn = Move(name="turn_left", turn_deg=-90.0)
    circle = course(turn, turn, turn)
    assert circle.shifted(1).frames == (1, 2, 3, 0)
    assert circle.closed().frames == (0, 1, 2, 3, 0)
    for one in (circle.shifted(1), circle.closed()):
        assert one.moves == ((turn,),) * (len(one.frames) - 1)


def test_one_image_needs_no_story() -> None:
    made = posing(Counting(Category("red", "box")), WHOLE.part(0, 1))
    assert made.context == ""
    assert made.text == "How many red boxes can be seen?"


WORDS = {
    Counting(Category("red", "box")): "How many different red boxes can be seen in all? Count each "
    "of them once, no matter how many images show it.",
    Counting(Category("red", None)): "How many different red objects can be seen in all? Count "
    "each of them once, no matter how many images show it.",
    Comparing(Category(None, "box"), Category("blue", "cone")): "Count every object once, no "
    "matter how many images show it. Can you see more different boxes or more different blue "
    "cones in all, or is it equal?",
    Ordering("red box", "blue cone"): "Is the red box seen for the first time before the blue "
    "cone, after it, or at the same time, in one and the same image?",
    Side("red box", "right", "blue cone"): "In the images that show both of them, is the red box "
    "to the right of the blue cone?",
}


@pytest.mark.parametrize("ask", WORDS)
def test_questions_are_plain(ask: Counting | Comparing | Ordering | Side) -> None:
    made = posing(ask, WHOLE)
    assert made.text == WORDS[ask]
    assert made.text in write(made, strategy("direct"))


def test_a_mirrored_course_shows_mirrored_pictures_and_its_sides() -> None:
    ask = Side("red box", "left", "blue cone")
    plain, mirrored = posing(ask, WHOLE), posing(ask, WHOLE.mirror())
    assert (plain.answer, mirrored.answer) == ("yes", "no")
    assert isinstance(mirrored.images, Altered)
    assert {change for _, change in mirrored.images.parts} == {"mirrored"}
    assert [path for path, _ in mirrored.images.parts] == list(plain.images)


def test_the_longest_walk_is_told_whole() -> None:
    made = items(walk(1, frames=64, objects=24))
    longest = max(len(one.context) for item in made for one in item.posings.values())
    assert 4000 < longest < 20_000
    assert max(len(one.images) for item in made for one in item.posings.values()) <= 256
    assert max(len(one) for item in made for one in item.posings) <= 200
