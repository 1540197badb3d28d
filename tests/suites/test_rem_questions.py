"""Questions about walks: each has one answer, and what answers owe each other is owed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace.suites.rem import REM, _asks, _course, _pairs, _relations, _rules, _slices
from pytest_metaspace.suites.rem._names import RELATIONS, TASKS, about
from pytest_metaspace.suites.rem._questions import items, questions
from tests.suites.rem_agents import complaints
from tests.suites.rem_walks import staged, walk, walks

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.suites.rem._asks import Category
    from pytest_metaspace.suites.rem._questions import Questions
    from pytest_metaspace.suites.rem._seen import Walk

    Asked = list[tuple[Walk, Questions]]


def test_who_looks_closely_is_right_and_breaks_nothing(asked: Asked) -> None:
    assert [one for walked, made in asked for one in complaints(walked, made.items)] == []


@settings(max_examples=25)
@given(st.one_of(walks(), walks("frame"), walks("rotation")))
def test_no_walk_is_asked_about_unfairly(walked: Walk) -> None:
    assert complaints(walked, items(walked)) == []


def test_each_relation_has_cases_on_each_of_its_tasks(asked: Asked) -> None:
    found = {
        (str(item.task), tie.relation)
        for _, made in asked
        for item in made.items
        for tie in item.ties
    }
    due = {(f"REM-{task}", f"REM-{one}") for task in TASKS for one in about(task)}
    assert found == due
    assert REM.relations == RELATIONS


# ----------------------------------------------------------------- each condition is needed


def always(value: bool) -> Callable[..., bool]:
    return lambda *_: value


def _accused() -> str:
    """Return the first complaint about walks in which much is hidden and much comes twice."""
    made = (walk(number, frames=8, objects=20, doubles=5) for number in range(80))
    return next((told for one in made for told in complaints(one, items(one))), "")


def test_a_walk_turned_round_accuses_the_right_where_ends_do_not_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_relations, "ends_agree", always(True))
    assert _accused().startswith("REM-REVERSED")


A, B, C = "red_box_1", "blue_cone_1", "green_sphere_1"
IN_A_CIRCLE = ({A: 100, B: 200}, {B: 100, C: 200}, {C: 100, A: 200})
"""Each is left of the next one, and the last of the first, in pictures that show two."""


def test_three_in_a_row_accuse_the_right_where_no_frame_shows_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = staged(*IN_A_CIRCLE)
    (item,) = [one for one in items(made) if one.task == "REM-left-right"]
    assert "REM-TRANSITIVE" in item.unposed
    monkeypatch.setattr(_rules, "shown_together", always(True))
    assert any(one.startswith("REM-TRANSITIVE") for one in complaints(made, items(made)))


def _all_seen(self: Category, course: Any) -> tuple[int, int]:
    seen = len(self.of(course, course.seen))
    return seen, seen


def _first_seen(course: Any, name: str) -> tuple[int, int]:
    thing = course.sights.unique[name]
    place = [thing in course.sights.seen[one] for one in course.frames].index(True)
    return place, place


def _any_of(sights: Any) -> dict[str, str]:
    return {sights.things[one].name: one for one in sorted(frozenset().union(*sights.seen))}


@pytest.mark.parametrize(
    ("what", "name", "changed"),
    [
        (_asks.Category, "between", _all_seen),
        (_asks.Category, "apart_from", lambda self, other: self != other),
        (_asks, "_first", _first_seen),
        (_course.Sights, "unique", property(_any_of)),
        (_pairs, "_slivers_share", always(False)),
    ],
)
def test_without_a_filter_questions_are_unfair(
    monkeypatch: pytest.MonkeyPatch, what: object, name: str, changed: object
) -> None:
    monkeypatch.setattr(what, name, changed)
    assert _accused()


CLEAR = [{A: 100, B: 200}]
UNSURE: dict[str, list[Any]] = {
    "no image shows both clearly": [{A: 100, B: (200, 200, 59)}, {B: 200}],
    "the side is another one in another image": [*CLEAR, {A: 200, B: 100}],
    "middles of objects and of their pixels lie otherwise": [*CLEAR, {A: (150, 210), B: 200}],
    "they are less than 10 pixels apart": [*CLEAR, {A: 100, B: 109.9}],
    "names that more than one object has": [*CLEAR, {"red_box_2": 300}],
}


@pytest.mark.parametrize("why", UNSURE)
def test_a_side_that_is_not_sure_is_not_asked_for(why: str) -> None:
    assert "REM-left-right" in {item.task for item in items(staged(*CLEAR))}
    made = questions(staged(*UNSURE[why]))
    assert "REM-left-right" not in {item.task for item in made.items}
    assert made.dropped[f"left-right: {why}"] == 1


def test_sides_are_asked_where_things_are_ten_pixels_apart() -> None:
    assert "REM-left-right" in {one.task for one in items(staged({A: 100, B: 110}))}


LATE = {A: 100, B: (200, 200, 59)}
"""The second thing is a sliver."""


@pytest.mark.parametrize(
    ("why", "frames"),
    [
        ("order: the answer depends on slivers", (LATE, {B: 200})),
        ("order: one of them is not seen clearly", (LATE,)),
        ("order: there is no pair of another answer", ({A: 100, B: 200},)),
        ("order: names that more than one object has", ({A: 100, B: 200, "red_box_2": 9},)),
        ("count: the answer depends on slivers", (LATE,)),
        ("count: nothing like it has another number", ({A: 100, B: 200},)),
        (
            "compare-in: the answer depends on slivers",
            ({A: 9, B: 9}, {A: 9, "blue_cone_2": (9, 9, 1)}),
        ),
        ("compare-out: they share an image as slivers only", (LATE, {B: 200})),
        ("compare-in: there is no pair of another answer", ({A: 100, B: 200},)),
    ],
)
def test_what_is_dropped_is_counted_with_its_reason(why: str, frames: Any) -> None:
    assert questions(staged(*frames)).dropped[why] > 0


def test_a_thing_that_hides_another_one_is_not_added() -> None:
    made = next(one for one in (walk(number) for number in range(20)) if one.added)
    assert made.added
    hidden = tuple(dict(list(frame.items())[1:]) for frame in made.added.frames)
    spoilt = replace(made, added=replace(made.added, frames=hidden))
    whys = {item.unposed["REM-ADDED"] for item in items(spoilt)}
    assert whys == {"the object that comes in hides another one"}


def test_a_thing_that_is_asked_for_is_not_added() -> None:
    for made in (walk(number, frames=8, objects=20) for number in range(12)):
        if made.added is None:
            continue
        *things, more = made.added.things
        first = next(one for one in things if one.id in made.frames[0])
        twin = replace(more, colour=first.colour, shape=first.shape)
        spoilt = replace(made, added=replace(made.added, things=(*things, twin)))
        assert complaints(spoilt, items(spoilt)) == []


def test_where_there_is_no_place_for_a_thing_it_is_said() -> None:
    made = items(replace(walk(1), added=None))
    assert {item.unposed["REM-ADDED"] for item in made} == {
        "there was no place for one object more"
    }


def test_what_is_no_circle_is_not_begun_elsewhere() -> None:
    made = walk(3, kind="rotation", frames=12)
    for spoilt, why in (
        (replace(made, frames=made.frames[:-1], moves=made.moves[:-1]), "do not close a circle"),
        (
            replace(made, moves=(*made.moves[:-1], replace(made.moves[0], turn_deg=1.0))),
            "no circle of equal turns",
        ),
    ):
        (item,) = items(spoilt)
        assert why in item.unposed["REM-SHIFTED"]
        assert why in item.unposed["REM-CLOSED"]


def test_of_one_image_there_are_no_halves() -> None:
    made = {str(item.task): item for item in items(walk(0, frames=1))}
    for relation in ("PREFIX", "PARTS", "COARSER", "RETURNED"):
        assert made["REM-count"].unposed[f"REM-{relation}"] == "there are too few images"


# ------------------------------------------------------------------------------ as written


def test_the_same_walk_is_asked_the_same(asked: Asked) -> None:
    walked, made = asked[0]
    again = questions(replace(walked, options={"frames": 99}))
    assert [item.ties for item in again.items] == [item.ties for item in made.items]
    assert again.dropped == made.dropped
    other = questions(replace(walked, number=walked.number + 1000))
    assert [set(item.posings) for item in other.items] != [set(item.posings) for item in made.items]


def test_each_walk_has_as_many_questions_as_rem(asked: Asked) -> None:
    most = {"count": 5, "compare-in": 5, "compare-out": 8, "left-right": 5, "order": 5}
    counts = {
        task: [
            sum(one.written for one in item.posings.values())
            for _, made in asked
            for item in made.items
            if item.task == f"REM-{task}"
        ]
        for task in most
    }
    assert {task: max(found) for task, found in counts.items()} == most


def test_an_item_says_how_long_its_walk_is_and_what_stands_there(asked: Asked) -> None:
    walked, made = asked[0]
    names = {thing.name for thing in walked.things}
    told = {
        "frames": str(len(walked.frames)),
        "objects": str(len(walked.things)),
        "duplicates": str(len(walked.things) - len(names)),
        "objects seen": _slices.grouped(len(frozenset().union(*walked.frames))),
    }
    assert all(item.slices == told for item in made.items)


def test_a_question_says_what_tells_it_from_others_about_its_walk() -> None:
    walked = staged(
        {"red_box_1": 100.0, "blue_cone_1": 200.0, "blue_cone_2": 300.0},
        {"red_box_1": 100.0, "blue_cone_1": 200.0},
        {"blue_cone_1": 100.0, "blue_cone_3": 300.0},
    )
    course = _course.Course.whole(_course.Sights(walked))
    cones, boxes = _asks.Category(None, "cone"), _asks.Category(None, "box")
    white = _asks.Category("white", "cone")
    assert [
        dict(_slices.of_ask(ask, course))
        for ask in (
            _asks.Counting(cones),
            _asks.Counting(white),
            _asks.Comparing(boxes, cones),
            _asks.Comparing(cones, boxes),
            _asks.Ordering("red box", "blue cone"),
        )
    ] == [
        {"most in one frame": "2"},
        {"most in one frame": "0"},
        {"difference": "2"},
        {"difference": "2"},
        {},
    ]


def test_a_question_of_a_side_says_how_many_frames_show_both() -> None:
    walked = staged({"red_box_1": 100.0, "blue_cone_1": 200.0}, {"red_box_1": 90.0}, {})
    course = _course.Course.whole(_course.Sights(walked))
    assert _slices.of_ask(_asks.Side("red box", "left", "blue cone"), course) == {
        "common frames": "1"
    }


def test_large_numbers_share_a_slice() -> None:
    told = [_slices.grouped(one) for one in (0, 1, 2, 3, 4, 7, 8, 15, 16, 48, 64)]
    assert told == ["0", "1", "2", "3", "4-7", "4-7", "8-15", "8-15", "16-31", "32-63", "64-127"]


def test_every_question_as_written_but_of_order_has_a_slice_of_its_own(asked: Asked) -> None:
    due = {
        "REM-count": "most in one frame",
        "REM-single-frame": "most in one frame",
        "REM-full-rotation": "most in one frame",
        "REM-compare-in": "difference",
        "REM-compare-out": "difference",
        "REM-left-right": "common frames",
    }
    for _, made in asked:
        for item in made.items:
            for one in item.posings.values():
                name = due.get(str(item.task)) if one.written else None
                assert list(one.slices) == ([] if name is None else [name])
