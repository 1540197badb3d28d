"""Prompting strategies: what each asks for is what is read, and nothing else is."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_metaspace import asking, pipeline
from pytest_metaspace.agents import AgentContext, mutant
from pytest_metaspace.answers import brief, read
from pytest_metaspace.domain import (
    Capability,
    Claim,
    Outcome,
    Prompting,
    Settings,
    Unreadable,
    Value,
)
from pytest_metaspace.prompts import STRATEGIES, Strategy, cognitive_map
from pytest_metaspace.questions import answer_format, question
from tests.answer_forms import query, scene
from tests.unit_support import HOUSEHOLD, thing, trajectory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import AnswerFormat, Query, Question

REASONED = [strategy for strategy in STRATEGIES if strategy.reasoned]
TALL = scene(vertical=True)
ASKED: Mapping[str, Query] = {
    **{code.value: query(code) for code in Capability},
    "claim of a direction": query(Capability.OBJECT_DIRECTION, Claim(planar="left")),
    "claim of a distance": query(Capability.MAP_DISTANCE, Claim(at_least=3)),
}


def form(asked: Query, put: Strategy, *, vertical: bool = False) -> AnswerFormat:
    return answer_format(asked, scene(vertical=vertical), put.name)


def wanted(text: str, put: Strategy) -> list[str]:
    """Return the answers that a prompt asks for, in its own words, as it says to write them."""
    last = text.rstrip().splitlines()[-1]
    head = "begins with ANSWER: and goes on with exactly " if put.reasoned else "with exactly "
    asked = last.partition(head)[2].partition(". Begin no other line")[0].rstrip(".")
    if asked == "one word: yes or no":
        found = ["yes", "no"]
    elif asked == "one whole number, 0 or more":
        found = ["0", "7", "40"]
    elif asked == "one number above 0, in metres":
        found = ["0.4", "12", "3.25"]
    elif asked.startswith("two words with a comma between them: one of "):
        planar, rise = re.findall(r"one of ([^;]+?)(?:;|, where)", asked)
        found = [f"{one}, {other}" for one in planar.split(", ") for other in rise.split(", ")]
    else:
        assert asked.startswith("one of: ")
        found = asked.removeprefix("one of: ").split(", ")
    return [f"ANSWER: {answer}" for answer in found] if put.reasoned else found


def test_the_strategies_are_those_of_the_option() -> None:
    assert tuple(put.name for put in STRATEGIES) == get_args(Prompting)
    assert [put.reasoned for put in STRATEGIES] == [False, True, True, False]
    assert [put.name for put in STRATEGIES if put.weighed] == ["likelihood"]


# ------------------------------------------------------------- what is asked for can be read


@pytest.mark.parametrize("vertical", [False, True])
@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("put", STRATEGIES, ids=lambda put: put.name)
def test_every_answer_that_a_prompt_asks_for_is_read_as_another_value(
    put: Strategy, kind: str, vertical: bool
) -> None:
    text = put.write(ASKED[kind], scene(vertical=vertical))
    allowed = form(ASKED[kind], put, vertical=vertical)
    read_as = [read(answer, allowed) for answer in wanted(text, put)]
    assert len(read_as) == len(set(read_as)) > 1
    assert all(isinstance(value, Value) for value in read_as), read_as
    if allowed.planar:
        assert len(read_as) == len(allowed.planar) * max(1, len(allowed.vertical))


REASONING = st.text(max_size=300).filter(lambda text: "answer" not in text.lower())


@settings(max_examples=150)
@given(st.data(), REASONING, st.sampled_from(["\n", "\n\n", "\r\n", " \n \n"]))
@pytest.mark.parametrize("put", REASONED, ids=lambda put: put.name)
def test_whatever_is_reasoned_the_last_line_decides(
    put: Strategy, data: st.DataObject, reasoning: str, gap: str
) -> None:
    asked = ASKED[data.draw(st.sampled_from(sorted(ASKED)))]
    line = data.draw(st.sampled_from(wanted(put.write(asked, TALL), put)))
    allowed = form(asked, put, vertical=True)
    value = read(line, allowed)
    assert isinstance(value, Value)
    assert read(f"{reasoning}{gap}{line}", allowed) == value
    assert read(f"left, no, 12 {reasoning}{gap}{line}\n", allowed) == value


@settings(max_examples=150)
@given(st.data(), REASONING)
@pytest.mark.parametrize("put", REASONED, ids=lambda put: put.name)
def test_near_misses_of_a_last_line_are_refused(
    put: Strategy, data: st.DataObject, reasoning: str
) -> None:
    asked = ASKED[data.draw(st.sampled_from(sorted(ASKED)))]
    allowed = form(asked, put, vertical=True)
    one, other = (data.draw(st.sampled_from(wanted(put.write(asked, TALL), put))) for _ in range(2))
    bare = one.removeprefix("ANSWER: ")
    for wrong in (
        f"{reasoning}\n{bare}",  # no marker
        f"{reasoning}\n{one}\n{other}",  # two answers, also where they are equal
        f"{one}\n{reasoning}\n{other}",
        f"{reasoning}\n{one}\nI hope that this helps.",
        f"{reasoning}\nANSWER:",  # cut off
        f"{reasoning}\nANSWER",
        f"{reasoning}\nSo my ANSWER: {bare}",  # another sentence
        f"{reasoning}\nANSWER {bare}",
        f"{reasoning}\nNot the ANSWER: {bare}",
    ):
        assert isinstance(read(wrong, allowed), Unreadable), wrong


@given(st.text(st.characters(codec=None), max_size=400))
@example("ANSWER:" * 1000)
@example("\n" * 1000 + "ANSWER:")
@example("*" * 100_000)
@example("\x1c")
@pytest.mark.parametrize("kind", ["SC2-a", "SC2-b", "SC3-a", "claim of a distance"])
def test_reading_what_was_reasoned_never_raises(kind: str, raw: str) -> None:
    allowed = form(ASKED[kind], REASONED[0])
    found = read(raw, allowed)
    assert isinstance(found, (Value, Unreadable))
    brief(raw, allowed)


def test_a_long_reasoning_is_read_and_a_long_answer_is_not() -> None:
    allowed = form(ASKED["SC2-a"], REASONED[0])
    assert read("so it goes. " * 100_000 + "\nANSWER: left", allowed) == Value(planar="left")
    found = read("ANSWER: " + "left " * 1000, allowed)
    assert isinstance(found, Unreadable)
    assert "characters" in found.reason


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("It is left.", "no line begins with ANSWER:"),
        ("ANSWER: left\nANSWER: right", "2 lines begin with ANSWER:; one ends an answer"),
        ("ANSWER: left\nANSWER: left", "2 lines begin with ANSWER:; one ends an answer"),
        ("ANSWER:", "the answer is empty"),
        ("ANSWER: left\nand so it is", "more than a direction: the word 'and'"),
        ("ANSWER: left or right", "several directions: left, right"),
        ("ANSWER: I cannot tell.", "the agent declined to answer"),
        ("I'm sorry, I can't help with that.", "the agent declined to answer"),
        ("I cannot see the lamp in frame 1.\nSo I go by frame 2.", "no line begins with ANSWER:"),
        (" \n", "the answer is empty"),
    ],
)
def test_the_reason_says_what_is_wrong_with_the_end(raw: str, reason: str) -> None:
    assert read(raw, form(ASKED["SC2-a"], REASONED[0])) == Unreadable(reason)


def test_a_report_shows_the_end_of_what_was_reasoned() -> None:
    reasoned, direct = form(ASKED["SC2-a"], REASONED[0]), form(ASKED["SC2-a"], STRATEGIES[0])
    assert brief("First.\nSecond.\nANSWER: left\n", reasoned) == "... ANSWER: left"
    assert brief("ANSWER: left", reasoned) == "ANSWER: left"
    assert brief("left\nright", direct) == "left\nright"


# ---------------------------------------------------------------------------------- the map


@pytest.mark.parametrize(
    ("scenario", "step", "cell"),
    [
        ("household", 0.25, "4 steps (1 m)"),
        ("household", 0.5, "2 steps (1 m)"),
        ("household", 0.75, "1 step (0.75 m)"),
        ("arm", 0.05, "4 steps (0.2 m)"),
        ("drone", 5.0, "3 steps (15 m)"),
        ("drone", 25.0, "1 step (25 m)"),
    ],
)
def test_a_cell_is_whole_steps_wide_and_fits_the_scene(
    scenario: str, step: float, cell: str
) -> None:
    made = replace(scene(vertical=False), scenario=scenario, step_length_m=step)
    text = cognitive_map.write(ASKED["SC2-a"], made)
    assert "a grid of 11 rows of 11 cells" in text
    assert f"A cell is {cell} wide and deep." in text
    moved = cognitive_map.write(ASKED["SC1-a"], made)
    assert f"A cell is 1 step ({step:g} m) wide and deep." in moved


def test_the_agent_is_in_the_middle_and_up_is_ahead() -> None:
    made = scene(vertical=False)
    view = cognitive_map.write(replace(ASKED["SC2-a"], reference=3), made)
    assert "The place where frame 3 was taken is the cell in the middle, row 6 from" in view
    assert "Up is the way the camera faced in frame 3, right is to the right of that." in view
    chart = cognitive_map.write(ASKED["SC4-a"], made)
    assert "The place where frame 0 was taken is the cell in the middle" in chart
    assert "Up is north, right is east." in chart


def test_a_map_of_movements_has_frames_and_one_of_things_has_things() -> None:
    agent = scene(vertical=False)
    arm = replace(agent, mover="gripper", scenario="arm")
    moved = replace(ASKED["SC1-a"], reference=2)
    assert "the number of each frame shown where it was taken" in cognitive_map.write(moved, agent)
    hand = cognitive_map.write(moved, arm)
    assert "the number of each frame shown where the gripper was in it" in hand
    assert "The place of the gripper in frame 2 is the cell in the middle" in hand
    assert ", A and B where the centre" in cognitive_map.write(ASKED["SC2-b"], agent)
    assert ", A where the centre" in cognitive_map.write(ASKED["SC3-a"], agent)


def test_what_stands_on_the_map_is_never_judged() -> None:
    grid = "\n".join([". " * 11] * 5 + [". . . . . @ . . A . ."] + [". " * 11] * 5)
    allowed = form(ASKED["SC2-b"], REASONED[1])
    assert read(f"{grid}\nA is 3 cells to the right.\nANSWER: 5", allowed) == Value(steps=5)


# ------------------------------------------------------------------------- agents that compute


@pytest.mark.parametrize(
    "agent",
    [
        "truth",
        "random",
        "collapsed",
        "mutant:yes-sayer:truth",
        "mutant:mirrored:truth",
        "mutant:frame-locked:random",
    ],
)
def test_a_computing_agent_answers_the_same_whatever_it_is_asked_to_write(agent: str) -> None:
    path = min(HOUSEHOLD.iterdir())
    some = Settings(sample=0.1)
    plain = pipeline.run([path], agent, some)
    assert len(plain.verdicts) > 100
    for put in REASONED:
        run = pipeline.run([path], agent, replace(some, prompting=put.name))
        assert [one.outcome for one in run.verdicts] == [one.outcome for one in plain.verdicts]
        assert Outcome.INVALID not in {one.outcome for one in run.verdicts}


class Asked:
    """An agent that keeps the questions that it gets."""

    identity: str | None = None

    def __init__(self) -> None:
        self.questions: list[Question] = []

    def ask(self, question: Question) -> str:
        self.questions.append(question)
        return "First this.\nANSWER: left"


@pytest.mark.parametrize("fault", ["mirrored", "frame-locked", "yes-sayer"])
def test_a_mutant_asks_whom_it_wraps_as_it_is_asked(fault: str) -> None:
    inner = Asked()
    context = AgentContext(build=lambda _: inner, question=question, read=read, root=HOUSEHOLD)
    agent = mutant.KIND.build(f"{fault}:inner", context)
    asked = question(ASKED["SC2-a"], scene(vertical=False), "cot")
    said = asking.ask([asked], agent, None).answers[asked.query].raw
    assert said is not None
    assert [one.prompting for one in inner.questions] == ["cot"]
    assert read(said, asked.format) == Value(planar="right" if fault == "mirrored" else "left")


def test_what_a_computing_agent_declines_it_declines_in_the_format() -> None:
    made = trajectory(
        objects=[thing("lamp", {0: (0, 0, 9, 9)}), thing("shelf", {0: (9, 9, 20, 20)})]
    )
    asked = question(ASKED["SC2-a"], made, "map")
    agent = pipeline.Registries.built_in().agent("geometric", HOUSEHOLD)
    raw = agent.ask(asked)
    assert raw == "ANSWER: I cannot tell."
    assert read(raw, asked.format) == Unreadable("the agent declined to answer")
