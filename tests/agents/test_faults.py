"""What each fault makes of what is there, on a made-up scene."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pytest_metaspace.agents.faults import FAULTS, fault_of
from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Capability, Query, Value
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.questions import question
from tests.agents.test_mutant import every_question, opened, said, scene, value
from tests.unit_support import FORWARD, RIGHT, TURN, placed, thing, trajectory


def ask(fault: str, query: Query, made: object = None) -> Value:
    there = scene() if made is None else made
    return value(f"mutant:{fault}:truth", question(query, there))  # type: ignore[arg-type]


def movement(a: int, b: int, **more: object) -> Query:
    return Query(
        trajectory="made-up",
        capability=Capability.MOVEMENT_DISTANCE,
        a=a,
        b=b,
        reference=min(a, b),
        evidence=tuple(range(min(a, b), max(a, b) + 1)),
        **more,  # type: ignore[arg-type]
    )


DEPTH = Query(trajectory="made-up", capability=Capability.DEPTH, a="a", reference=2, evidence=(2,))
SIZE = replace(DEPTH, capability=Capability.SIZE)
VIEW = replace(DEPTH, capability=Capability.OBJECT_DIRECTION, b="b")


def test_each_fault_says_what_it_does_and_who_really_fails_so() -> None:
    assert len(FAULTS) >= 15
    for name, fault in FAULTS.items():
        assert fault.name == name
        assert fault.does
        assert not fault.does.endswith(".")
        for sentence in (fault.who, fault.symmetry):
            assert not sentence or (sentence[0].isupper() and sentence.endswith("."))


@pytest.mark.parametrize(
    ("fault", "becomes"),
    [
        ("mirrored", (0, 7, 6, 5, 4, 3, 2, 1)),
        ("front-back", (4, 3, 2, 1, 0, 7, 6, 5)),
        ("axis-swapped", (2, 1, 0, 7, 6, 5, 4, 3)),
        ("quarter-turn", (2, 3, 4, 5, 6, 7, 0, 1)),
        ("four-way", (0, 0, 2, 4, 4, 4, 6, 0)),
    ],
)
def test_a_fault_of_direction_sees_another_sector_for_each(
    fault: str, becomes: tuple[int, ...]
) -> None:
    sees = FAULTS[fault].sees
    for capability, labels in (
        (Capability.OBJECT_DIRECTION, EGOCENTRIC),
        (Capability.MAP_DIRECTION, ALLOCENTRIC),
    ):
        asked = question(replace(VIEW, capability=capability), scene())
        for sector, other in enumerate(becomes):
            there = Value(planar=labels[sector], vertical="above")
            assert sees([there], asked) == replace(there, planar=labels[other])
        for same in (Value(planar="none"), Value(steps=3), Value(metres=0.8)):
            assert sees([same], asked) == same


@pytest.mark.parametrize(
    ("fault", "becomes"),
    [("upside-down", ("below", "level", "above")), ("flat", ("level", "level", "level"))],
)
def test_a_fault_of_height_changes_the_vertical_part_only(
    fault: str, becomes: tuple[str, str, str]
) -> None:
    asked = question(VIEW, scene())
    for rise, other in zip(("above", "level", "below"), becomes):
        seen = FAULTS[fault].sees([Value(planar="left", vertical=rise)], asked)
        assert seen == Value(planar="left", vertical=other)
    assert FAULTS[fault].sees([Value(planar="left")], asked) == Value(planar="left")


def test_converse_says_where_the_first_lies_from_the_second() -> None:
    for asked in map(opened, every_question()):
        query = asked.query
        if query.b is None:
            continue
        turned = question(replace(query, a=query.b, b=query.a), asked.trajectory)
        assert said("mutant:converse:truth", asked) == said("truth", turned)


def test_two_faults_tell_directions_in_a_heading_that_was_not_asked_for() -> None:
    for asked in map(opened, every_question()):
        query = asked.query
        map_, view = query.capability == "SC4-a", query.capability in ("SC1-a", "SC2-a")
        for fault, reference in (
            ("map-as-seen", max(query.evidence) if map_ else query.reference),
            ("view-as-mapped", 0 if view else query.reference),
        ):
            there = question(replace(query, reference=reference), asked.trajectory)
            assert said(f"mutant:{fault}:truth", asked) == said("truth", there)


@pytest.mark.parametrize(
    ("fault", "steps", "depth", "size"),
    [
        ("nearsighted", (0, 1, 2, 3, 4), (4.0, 2.0), (0.81, 0.81)),
        ("drifting", (0, 1, 5, 11, 19), (4.0, 4.8), (0.8, 0.96)),
        ("fives", (0, 0, 5, 10, 15), (1.3, 1.5), (0.1, 0.5)),
        ("saturated", (0, 1, 4, 4, 4), (2.6, 2.0), (0.9, 0.9)),
    ],
)
def test_a_fault_of_magnitude_bends_numbers(
    fault: str,
    steps: tuple[int, ...],
    depth: tuple[float, float],
    size: tuple[float, float],
) -> None:
    sees = FAULTS[fault].sees
    far = question(movement(1, 2), scene())
    assert tuple(sees([Value(steps=n)], far).steps for n in (0, 1, 4, 9, 16)) == steps
    for query, (true, seen) in ((DEPTH, depth), (SIZE, size)):
        found = sees([Value(metres=true)], question(query, scene())).metres
        assert found == pytest.approx(seen)


def test_half_stride_is_right_in_its_own_unit() -> None:
    made = scene()
    short = replace(made, step_length_m=made.step_length_m / 2)
    for asked in map(opened, every_question()):
        true = value("truth", question(asked.query, short))
        seen = ask("half-stride", asked.query)
        if true.metres is None:
            assert seen == true
        else:
            assert seen.metres == pytest.approx(2 * true.metres, abs=1e-5)


def test_path_length_adds_up_what_was_walked() -> None:
    made = trajectory([FORWARD, RIGHT, TURN, FORWARD], places=[])
    for a, b, walked, straight in ((0, 1, 1, 1), (0, 2, 2, 1), (0, 4, 3, 2), (4, 1, 2, 2)):
        assert ask("path-length", movement(a, b), made) == Value(steps=walked)
        assert ask("mirrored", movement(a, b), made) == Value(steps=straight)


# ----------------------------------------------------------------------------------- looking


def test_last_frame_sees_no_movement_and_nothing_that_it_is_not_shown() -> None:
    assert ask("last-frame", movement(0, 2)) == Value(steps=0)
    turned = replace(movement(0, 2), capability=Capability.MOVEMENT_DIRECTION)
    assert ask("last-frame", turned) == Value(planar="none")
    far = Query(
        trajectory="made-up",
        capability=Capability.MAP_DIRECTION,
        a="a",
        b="b",
        evidence=(0, 2),
    )
    assert ask("last-frame", far) == ask("map-as-seen", far)
    assert ask("last-frame", replace(far, evidence=(0, 4))) == Value(planar="none")
    for query in (DEPTH, SIZE, VIEW):
        assert ask("last-frame", query) == value("truth", question(query, scene()))


def test_late_tells_of_the_frame_before() -> None:
    late = replace(DEPTH, reference=3, evidence=(3,))
    assert ask("late", late) == value("truth", question(DEPTH, scene()))
    assert ask("late", DEPTH) == value("truth", question(DEPTH, scene()))  # not seen in frame 1
    assert ask("late", movement(2, 3)) == value("truth", question(movement(1, 2), scene()))
    assert ask("late", movement(0, 1)) == value("truth", question(movement(0, 1), scene()))


def test_confused_takes_like_things_for_each_other_in_half_of_the_pictures() -> None:
    frames = range(40)
    boxes = dict.fromkeys(frames, (40.0, 100.0, 100.0, 200.0))
    made = trajectory(
        [FORWARD] * len(frames),
        [
            thing("left chair", boxes, label="chair"),
            thing("lamp", boxes),
            thing("right chair", boxes, label="chair"),
        ],
        places=[placed("left chair", (30.0, 1.0, 0.5)), placed("right chair", (40.0, 0.0, 0.5)),
                placed("lamp", (50.0, 0.0, 0.5))],
    )  # fmt: skip
    seen = Counter[bool]()
    for frame in frames:
        queries = [
            replace(DEPTH, a=name, reference=frame, evidence=(frame,))
            for name in ("left chair", "right chair", "lamp")
        ]
        left, right, lamp = (value("truth", question(query, made)) for query in queries)
        found = [ask("confused", query, made) for query in queries]
        assert found in ([left, right, lamp], [right, left, lamp])
        seen[found == [left, right, lamp]] += 1
    assert min(seen[True], seen[False]) > 10


def test_two_faults_read_sizes_and_depths_off_the_picture() -> None:
    """The box is 100 of 480 pixels high and the focal length is 400 pixels."""
    assert ask("as-it-looks", SIZE).metres == pytest.approx(2.0 * 100 / 480, abs=1e-6)
    assert ask("as-it-looks", DEPTH) == value("truth", question(DEPTH, scene()))
    assert ask("one-size", SIZE) == Value(metres=1.0)
    assert ask("one-size", DEPTH) == Value(metres=4.0)


def test_picture_plane_takes_up_for_farther() -> None:
    boxes = {"a": (100.0, 100.0, 140.0, 140.0), "b": (100.0, 20.0, 140.0, 60.0),
             "c": (300.0, 100.0, 340.0, 140.0), "d": (104.0, 100.0, 144.0, 140.0)}  # fmt: skip
    made = trajectory([FORWARD], [thing(name, {0: box}) for name, box in boxes.items()], places=[])
    view = replace(VIEW, reference=0, evidence=(0,))
    for name, label in (("b", "front"), ("c", "right"), ("d", "none")):
        assert ask("picture-plane", replace(view, b=name), made) == Value(planar=label)


# ---------------------------------------------------------------------------------- answering


def test_no_sayer_denies_every_claim_and_first_option_says_what_is_listed_first() -> None:
    found: dict[str, set[str]] = {}
    for asked in every_question(vertical=True):
        claimed = asked.query.claim is not None
        assert said("mutant:no-sayer:truth", asked) == ("no" if claimed else said("truth", asked))
        first = said("mutant:first-option:truth", asked)
        if claimed:
            assert first == "yes"
        elif asked.query.capability.of_directions:
            place = asked.text.index("exactly two words")
            options = asked.text[place:].split("one of ", 2)
            assert first == ", ".join(part.split(",")[0].split(" ")[0] for part in options[1:])
            found.setdefault(asked.query.capability, set()).add(first)
        else:
            assert first == said("truth", asked)
    assert all(len(words) == 2 for words in found.values())  # reworded, the list begins elsewhere


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_noisy_sees_anything_in_its_share_of_the_questions(rate: float) -> None:
    asked = list({one.query: one for one in map(opened, every_question())}.values())
    wrong = sum(said(f"mutant:noisy={rate}:truth", one) != said("truth", one) for one in asked)
    assert rate * 0.6 <= wrong / len(asked) <= rate * 1.3


@pytest.mark.parametrize(
    ("spelled", "told"),
    [
        ("mirrored=0.1", r"fault 'mirrored' has no rate, .* write mirrored, or noisy=0.1\."),
        ("noisy=", r"'' is no rate; write a number from 0 to 1, as in noisy=0.1\."),
        ("noisy=2", "'2' is no rate"),
        ("noisy=nan", "'nan' is no rate"),
        ("nosy=0.1", r"fault 'nosy' is not known. Did you mean 'noisy'.* metaspace mutants --list"),
    ],
)
def test_a_rate_that_is_none_says_what_to_write(spelled: str, told: str) -> None:
    with pytest.raises(UsageProblem, match=told):
        fault_of(spelled)
