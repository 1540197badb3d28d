"""Each mutant has the one fault it is named after, and stands by it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.agents import faults
from pytest_metaspace.agents.mutant import FAULTS
from pytest_metaspace.answers import read
from pytest_metaspace.domain import (
    EGOCENTRIC,
    Capability,
    Claim,
    Query,
    Question,
    Trajectory,
    Unreadable,
    Value,
)
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.questions import distinct, question
from tests.unit_support import (
    FORWARD,
    ODD_TURN,
    RIGHT,
    ROOT,
    TURN,
    cases_of,
    placed,
    thing,
    trajectory,
)

if TYPE_CHECKING:
    from pytest_metaspace.agents import Agent

CORNERS = {"a": 40.0, "b": 240.0, "c": 440.0}
PLACES = {"a": (3.0, 1.5, 0.4), "b": (4.0, -0.2, 0.7), "c": (6.0, -2.0, 1.0)}


def scene(*, vertical: bool = False) -> Trajectory:
    boxes = {n: dict.fromkeys((0, 2, 3), (x, 100.0, x + 60, 200.0)) for n, x in CORNERS.items()}
    return trajectory(
        [FORWARD, TURN, RIGHT, ODD_TURN, FORWARD],
        [thing(name, box) for name, box in boxes.items()],
        places=[placed(name, place) for name, place in PLACES.items()],
        vertical=vertical,
    )


def every_question(*, vertical: bool = False) -> list[Question]:
    made = scene(vertical=vertical)
    return [question(query, made) for query in distinct(cases_of(made))]


def made_agent(name: str) -> Agent:
    return Registries.built_in().agent(name, Path("/nowhere"))


def said(agent: str | Agent, asked: Question) -> str:
    made = made_agent(agent) if isinstance(agent, str) else agent
    reply = made.ask(asked)
    if inspect.iscoroutine(reply):  # it never waits, so it needs no event loop
        with pytest.raises(StopIteration) as done:
            reply.send(None)
        reply = done.value.value
    assert isinstance(reply, str)
    return reply


def value(agent: str | Agent, asked: Question) -> Value:
    found = read(said(agent, asked), asked.format)
    assert isinstance(found, Value), found
    return found


def opened(asked: Question) -> Question:
    query = replace(asked.query, claim=None, wording=0)
    return question(query, asked.trajectory)


@pytest.mark.parametrize("vertical", [False, True])
@pytest.mark.parametrize("fault", FAULTS)
def test_every_answer_of_a_mutant_can_be_read(fault: str, vertical: bool) -> None:
    agent = made_agent(f"mutant:{fault}:truth")
    for asked in every_question(vertical=vertical):
        value(agent, asked)


@pytest.mark.parametrize("fault", [name for name, one in faults.FAULTS.items() if not one.says])
def test_a_mutant_of_seeing_stands_by_what_it_saw(fault: str) -> None:
    agent = made_agent(f"mutant:{fault}:truth")
    claims = 0
    for asked in every_question():
        seen = value(agent, opened(asked))
        claim = asked.query.claim
        if claim is None:
            assert value(agent, asked) == seen
            continue
        claims += 1
        true = (
            seen.planar == claim.planar
            if claim.planar is not None
            else (seen.steps or 0) >= (claim.at_least or 0)
        )
        assert value(agent, asked).holds is true
    assert claims > 20


def test_mirrored_swaps_left_and_right_and_nothing_else() -> None:
    swapped = {
        "left": "right", "front-left": "front-right", "back-left": "back-right",
        "west": "east", "northwest": "northeast", "southwest": "southeast",
    }  # fmt: skip
    swapped |= {there: here for here, there in swapped.items()}
    changed = 0
    for asked in map(opened, every_question(vertical=True)):
        true = value("truth", asked)
        seen = value("mutant:mirrored:truth", asked)
        assert seen == replace(true, planar=swapped.get(true.planar or "", true.planar))
        changed += seen != true
    assert changed > 10
    query = Query(
        trajectory="made-up", capability=Capability.SIZE, a="a", reference=0, evidence=(0,)
    )
    assert value("mutant:mirrored:truth", question(query, scene())) == Value(metres=0.8)


def test_constant_always_says_the_same() -> None:
    found = {
        (asked.query.capability.value, said("mutant:constant:truth", opened(asked)))
        for asked in every_question()
    }
    assert found == {
        ("SC1-a", "forward"), ("SC2-a", "farther"), ("SC4-a", "north"),
        ("SC1-b", "3"), ("SC2-b", "3"), ("SC4-b", "3"),
        ("SC3-a", "1.000000"), ("SC3-b", "1.000000"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["collapsed", "mutant:collapsed:truth"])
def test_collapsed_sees_everything_in_one_spot(name: str) -> None:
    found = {said(name, opened(asked)) for asked in every_question(vertical=True)}
    assert found == {"none, level", "0", "1.000000"}
    assert {said(name, opened(asked)) for asked in every_question()} == {"none", "0", "1.000000"}


def test_blind_mutants_need_no_ground_truth() -> None:
    bare = replace(scene(), truth=None)
    for asked in every_question()[:40]:
        for name in ("collapsed", "mutant:constant:truth", "random"):
            said(name, question(asked.query, bare))


def test_off_by_one_misses_by_one_to_both_sides() -> None:
    agent, misses = made_agent("mutant:off-by-one:truth"), Counter[str]()
    for asked in map(opened, every_question()):
        true, seen = value("truth", asked), value(agent, asked)
        if true.steps is not None:
            assert seen.steps is not None
            assert abs(seen.steps - true.steps) == 1
            misses["longer" if seen.steps > true.steps else "shorter"] += 1
        elif true.metres is not None:
            assert seen.metres is not None
            share = round(seen.metres / true.metres, 3)
            assert share in (0.9, 1.1)
            misses[str(share)] += 1
        elif true.planar == "none":
            assert seen.planar == "none"
        elif true.planar in EGOCENTRIC:
            turn = (EGOCENTRIC.index(str(seen.planar)) - EGOCENTRIC.index(true.planar)) % 8
            assert turn in (1, 7)
            misses[f"turn {turn}"] += 1
    assert set(misses) == {"longer", "shorter", "0.9", "1.1", "turn 1", "turn 7"}


def test_yes_sayer_agrees_with_every_claim_and_sees_the_truth() -> None:
    for asked in every_question():
        found = said("mutant:yes-sayer:truth", asked)
        assert found == ("yes" if asked.query.claim is not None else said("truth", asked))


def test_frame_locked_errs_only_where_the_camera_has_turned() -> None:
    """Distances, sizes and depths have no frame; without a turn the frames are one."""
    wrong = Counter[str]()
    for asked in map(opened, every_question()):
        query = asked.query
        differs = said("mutant:frame-locked:truth", asked) != said("truth", asked)
        if differs:
            wrong[query.capability.value] += 1
            assert query.capability.of_directions
            own = query.a if isinstance(query.a, int) else max(query.evidence)
            assert asked.trajectory.turns_between(query.reference or 0, own)
    assert set(wrong) == {"SC1-a", "SC4-a"}


def test_frame_locked_is_perfect_on_a_walk_without_turns() -> None:
    boxes = {n: dict.fromkeys(range(3), (x, 100.0, x + 60, 200.0)) for n, x in CORNERS.items()}
    made = trajectory(
        [FORWARD, RIGHT, FORWARD],
        [thing(name, box) for name, box in boxes.items()],
        places=[placed(name, place) for name, place in PLACES.items()],
    )
    for query in distinct(cases_of(made)):
        asked = question(query, made)
        assert said("mutant:frame-locked:truth", asked) == said("truth", asked)


# ----------------------------------------------------------------------------------- random


def test_random_guesses_anew_for_each_question_and_the_same_each_time() -> None:
    asked = every_question()
    once = [said("random", one) for one in asked]
    assert once == [said("mutant:random:truth", one) for one in asked]
    directions = Counter(
        guess
        for one, guess in zip(asked, once)
        if one.query.capability is Capability.OBJECT_DIRECTION and one.query.claim is None
    )
    assert len(directions) > 5
    assert {guess for one, guess in zip(asked, once) if one.query.claim} == {"yes", "no"}


def test_random_guesses_every_allowed_answer_about_alike() -> None:
    made = scene()
    base = Query(trajectory="made-up", capability=Capability.MAP_DIRECTION, a="a", b="b")
    guesses = Counter(
        said("random", question(replace(base, evidence=(0,), reference=n), made))
        for n in range(400)
    )
    assert len(guesses) == 9
    assert min(guesses.values()) > 20
    steps = replace(base, capability=Capability.MAP_DISTANCE)
    found = {said("random", question(replace(steps, reference=n), made)) for n in range(400)}
    assert found == {str(n) for n in range(13)}


def test_random_contradicts_itself() -> None:
    """It draws for a claim anew, so that it does not stand by what it said."""
    kept = broken = 0
    for asked in every_question():
        claim = asked.query.claim
        if claim is not None and claim.planar is not None:
            seen = value("random", opened(asked)).planar == claim.planar
            kept += value("random", asked).holds is seen
            broken += value("random", asked).holds is not seen
    assert kept > 10
    assert broken > 10


PROCESS = """
import sys
sys.path.insert(0, sys.argv[1])
from importlib import import_module
mutants = import_module("tests.agents.test_mutant")
for name in ("random", "mutant:off-by-one:truth"):
    print([mutants.said(name, asked) for asked in mutants.every_question()[:60]])
"""


def test_draws_are_the_same_in_every_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROCESS, str(ROOT)],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    }
    here = "".join(
        f"{[said(name, asked) for asked in every_question()[:60]]}\n"
        for name in ("random", "mutant:off-by-one:truth")
    )
    assert outputs == {here}


# ---------------------------------------------------------------------------- what is wrapped


class Reluctant:
    """Declines to answer anything."""

    identity: str | None = "reluctant@7"

    async def ask(self, question: Question) -> str:
        del question
        return "I'm sorry, I cannot tell."


def wrapping(inner: Agent, fault: str) -> Agent:
    from pytest_metaspace.agents import AgentContext
    from pytest_metaspace.agents.mutant import KIND

    context = AgentContext(
        build=lambda _: inner, question=question, read=read, root=Path("/nowhere")
    )
    return KIND.build(f"{fault}:whatever:it:is", context)


def test_what_the_wrapped_agent_declines_stays_declined() -> None:
    asked = every_question()[0]
    for fault in ("mirrored", "off-by-one", "frame-locked", "yes-sayer"):
        agent = wrapping(Reluctant(), fault)
        assert isinstance(read(said(agent, opened(asked)), asked.format), Unreadable)


def test_a_mutant_is_as_costly_as_what_it_wraps() -> None:
    assert wrapping(Reluctant(), "mirrored").identity == "mutant:mirrored:reluctant@7"
    assert made_agent("mutant:mirrored:truth").identity is None
    assert made_agent("random").identity is None


def test_mutants_of_mutants_undo_each_other() -> None:
    for asked in map(opened, every_question()[:60]):
        assert said("mutant:mirrored:mutant:mirrored:truth", asked) == said("truth", asked)


def test_an_unknown_fault_lists_near_matches() -> None:
    with pytest.raises(UsageProblem, match=r"fault 'miror' is not known. Did you mean 'mirrored'"):
        made_agent("mutant:miror:truth")


@pytest.mark.parametrize("name", ["mutant:mirrored", "mutant:mirrored:"])
def test_a_mutant_of_nothing_says_what_to_write(name: str) -> None:
    with pytest.raises(UsageProblem, match=r"wraps no agent\. Write mutant:mirrored:truth, say\."):
        made_agent(name)


def test_a_mutant_of_nobody_known_lists_the_agents() -> None:
    with pytest.raises(UsageProblem, match=r"agent 'truht' is not known. Did you mean 'truth'"):
        made_agent("mutant:mirrored:truht")


def test_a_claim_about_none_is_answered_from_what_is_seen() -> None:
    made = scene()
    query = Query(
        trajectory="made-up",
        capability=Capability.MAP_DIRECTION,
        a="a",
        b="b",
        evidence=(0, 1),
        claim=Claim(planar="none"),
    )
    assert said("collapsed", question(query, made)) == "yes"
    assert said("truth", question(query, made)) == "no"
