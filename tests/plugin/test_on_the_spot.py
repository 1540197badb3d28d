"""Questions that only a hand-written test thinks of: asked once, stored, by one process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking.spare import Spare
from pytest_metaspace.asking.store import AnswerStore, StoreError
from tests.plugin.made import BROKEN, COUNTING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
SAYS_LEFT = COUNTING + "return 'left'"
SPATIAL = """
import pytest

@pytest.mark.metaspace(trajectories="runs")
def test_it(metaspace_agent, metaspace_trajectory):
    reply = metaspace_agent.ask_about(ASKED)
    assert EXPECTED
"""
OWN_WORDS = """
def test_it(metaspace_agent):
    assert metaspace_agent.ask("Where is the door?", ["door.png"]) == "left"
"""


def calls(project: Project) -> list[str]:
    path = project.path / "calls.txt"
    return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def door(project: Project) -> Path:
    """A picture of the project."""
    return project.write("door.png", "not really a picture")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("'SC1-a', 0, 1", "reply.value.planar == 'front' and reply.raw == 'forward'"),
        ("'SC1-b', 1, 0", "reply.value.steps == 1"),
        ("'SC2-a', 'chair-1', 'lamp-1', frame=2", "reply.value.planar == 'right'"),
        ("'SC2-b', 'chair-1', 'lamp-1', frame=0", "reply.value.steps == 5"),
        ("'SC3-a', 'table-1', frame=1", "reply.value.metres == 1.0"),
        ("'SC3-b', 'table-1', frame=0", "reply.value.metres == 6.0"),
        ("'SC4-a', 'chair-1', 'lamp-1'", "reply.value.planar == 'east'"),
        ("'SC4-b', 'lamp-1', 'chair-1', wording=1", "reply.value.steps == 5"),
    ],
)
def test_every_capability_can_be_asked_about(
    project: Project, walk: Path, asked: str, expected: str
) -> None:
    project.write("test_it.py", SPATIAL.replace("ASKED", asked).replace("EXPECTED", expected))
    project.run("test_it.py", TRUTH).assert_outcomes(passed=1)


def test_a_claim_is_confirmed_or_denied(project: Project, walk: Path) -> None:
    asked = "'SC1-b', 0, 1, claim=Claim(at_least=2)"
    body = SPATIAL.replace("ASKED", asked).replace("EXPECTED", "reply.value.holds is False")
    project.write("test_it.py", "from pytest_metaspace.domain import Claim\n" + body)
    project.run("test_it.py", TRUTH).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("'SC9-a', 0, 1", "capability 'SC9-a' is not known.*Known: SC1-a*"),
        ("'SC1-a', 0, 4", "states of 'walk', from 0 to 3, not about 4."),
        ("'SC1-a', 2, 2", "two different states, not about state 2 twice.*"),
        ("'SC1-a', 0, 1, frame=2", "two different states, not about frame 2.*"),
        ("'SC2-a', 'char-1', 'lamp-1', frame=2", "'char-1' is not known. Did you mean 'chair-1'*"),
        ("'SC2-a', 'chair-1', 'lamp-1', frame=9", "frame=9 is none. Frames that show them: 0, 1*"),
        ("'SC2-a', 'chair-1', 'chair-1', frame=0", "two different objects, not 'chair-1'."),
        ("'SC3-a', 'chair-1'", "a picture that shows chair-1, and frame=None is none.*"),
        ("'SC3-a', 'chair-1', 'lamp-1', frame=0", "SC3-a asks about one object*"),
        ("'SC3-a', 'chair-1', frame=0, claim=Claim(exactly=2)", "is no claim about SC3-a, size.*"),
        ("'SC1-a', 0, 1, claim='left'", "'left' is no claim. Write claim=Claim(planar='left')*"),
        ("'SC1-a', 0, 1, claim=Claim()", "exactly one of planar, at_least and exactly is set."),
        (
            "'SC1-a', 0, 1, claim=Claim(planar='upwards')",
            "direction 'upwards' is not known.*Known: back, *These are the directions of SC1-a*",
        ),
        ("'SC1-a', 0, 1, claim=Claim(planar='north')", "Known: back, *directions of SC1-a*"),
        ("'SC1-b', 0, 1, claim=Claim(at_least='2')", "distances are whole steps, from 0."),
        ("'SC4-a', 'chair-1', 'lamp-1', frame=0", "SC4-a asks about a map, not about frame 0."),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(
    project: Project, walk: Path, asked: str, expected: str
) -> None:
    body = SPATIAL.replace("ASKED", asked).replace("EXPECTED", "False")
    project.write("test_it.py", "from pytest_metaspace.domain import Claim\n" + body)
    result = project.run("test_it.py", TRUTH)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *UsageProblem: metaspace: *{expected}"])
    assert not any("pytest_metaspace/" in line for line in result.outlines)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("3", "a question is a str, not 3."),
        ("'hi', None", "a list of paths, as in ['door.png'], not None. Leave them out*"),
        ("'hi', 'nope.png'", "a list of paths, as in ['door.png'], not 'nope.png'.*"),
        ("'hi', pathlib.Path('nope.png')", "a list of paths, as in ['door.png'], not *"),
        ("'hi', [3]", "a picture of a question is a path, not 3. Save it to a file first."),
    ],
)
def test_a_question_in_own_words_that_is_none_is_refused(
    project: Project, asked: str, expected: str
) -> None:
    test = f"import pathlib\ndef test_it(metaspace_agent):\n    metaspace_agent.ask({asked})\n"
    project.write("test_it.py", test)
    result = project.run("test_it.py", TRUTH)
    result.assert_outcomes(failed=1)
    expected = expected.replace("[", "[[]")
    result.stdout.fnmatch_lines([f"E *UsageProblem: metaspace: *{expected}"])
    assert not any("pytest_metaspace/" in line for line in result.outlines)


def test_what_no_map_shows_is_refused_with_what_it_shows(project: Project) -> None:
    path = project.walk()
    truth = json.loads(path.with_name("truth.json").read_text())
    truth["objects"][0]["rest"] = [[0, 1]]
    path.with_name("truth.json").write_text(json.dumps(truth))
    body = SPATIAL.replace("ASKED", "'SC4-a', 'chair-1', 'lamp-1'").replace("EXPECTED", "False")
    project.write("test_it.py", body)
    project.run("test_it.py", TRUTH).stdout.fnmatch_lines(
        ["E *no map can show chair-1: it was moved*On the map of 'walk': lamp-1, table-1."]
    )


def test_an_unreadable_answer_is_told_when_its_value_is_needed(
    project: Project, walk: Path
) -> None:
    body = SPATIAL.replace("ASKED", "'SC1-a', 0, 1")
    body = body.replace("EXPECTED", "reply.raw == 'hm' and reply.reading.reason and reply.value")
    project.write("test_it.py", body)
    result = project.run("test_it.py", project.brain("return 'hm'"))
    result.stdout.fnmatch_lines(
        [
            (
                "E *AgentError: metaspace: the answer 'hm' to 'In which direction is the movement "
                "from *' cannot be read: no direction out of *"
            )
        ]
    )


def test_replies_can_be_judged_by_the_oracle(project: Project, walk: Path) -> None:
    body = """
import pytest

@pytest.mark.metaspace(trajectories="runs")
def test_it(metaspace_agent, metaspace_oracle, metaspace_objects):
    a, b, c = metaspace_objects
    there = metaspace_agent.ask_about("SC2-a", a, b, frame=0)
    back = metaspace_agent.ask_about("SC2-a", b, a, frame=0)
    metaspace_oracle.assert_consistent(
        [there.observation, back.observation], relation="MR2", subjects=[a, b]
    )
"""
    project.write("test_it.py", body)
    project.run("test_it.py", TRUTH).assert_outcomes(passed=1)
    result = project.run("test_it.py", project.brain("return 'left'"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["violated: These answers cannot all be true*"])


def test_a_question_in_own_words_reaches_the_agent_as_it_is(project: Project, door: Path) -> None:
    project.write("test_it.py", OWN_WORDS)
    result = project.run("test_it.py", project.brain(SAYS_LEFT))
    result.assert_outcomes(passed=1)
    assert calls(project) == ["Where is the door?['door.png']"]


def test_an_answer_is_stored_and_never_asked_for_again(project: Project, door: Path) -> None:
    project.write("test_it.py", OWN_WORDS + OWN_WORDS.replace("test_it", "test_again"))
    agent = project.brain(SAYS_LEFT)
    for _ in range(2):
        project.run("test_it.py", agent).assert_outcomes(passed=2)
    project.run("test_it.py", agent, "--metaspace-answers=offline").assert_outcomes(passed=2)
    assert len(calls(project)) == 1
    door.write_text("another picture")
    project.run("test_it.py", agent).assert_outcomes(passed=2)
    assert len(calls(project)) == 2


def test_a_question_that_a_case_asks_too_is_one_question(project: Project, walk: Path) -> None:
    """Also when all is asked anew."""
    asks = SPATIAL.replace("ASKED", "'SC1-a', 0, 1").replace("EXPECTED", "reply.raw == 'left'")
    project.write("test_it.py", asks)
    agent = project.brain(SAYS_LEFT)
    select = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2", "--metaspace-violations=report")
    project.run("runs", "test_it.py", agent, *select)
    assert len(calls(project)) == len(set(calls(project))) == 6
    again = ("--metaspace-answers=refresh", "--metaspace-record=answers.jsonl")
    project.run("runs", "test_it.py", agent, *select, *again)
    assert len(calls(project)) == 12
    assert len((project.path / "answers.jsonl").read_text().splitlines()) == 6


def test_what_was_asked_on_the_spot_counts_as_asked(project: Project, walk: Path) -> None:
    asks = SPATIAL.replace("ASKED", "'SC1-b', 0, 1").replace("EXPECTED", "reply.raw == 'left'")
    project.write("test_it.py", asks)
    select = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2", "--metaspace-violations=report")
    result = project.run("runs", "test_it.py", project.brain(SAYS_LEFT), *select)
    result.stdout.fnmatch_lines(["7 distinct questions in 1 trajectory, 7 put to *"])


def test_offline_asks_nothing_and_says_how_to_record(project: Project, door: Path) -> None:
    project.write("test_it.py", OWN_WORDS)
    agent = project.brain(SAYS_LEFT)
    result = project.run("test_it.py", agent, "--metaspace-answers=offline")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            (
                "E *AgentError: metaspace: there is no answer to 'Where is the door?': this question "
                "has no stored answer and --metaspace-answers=offline asks nothing; run once with *"
            )
        ]
    )
    assert not calls(project)


def test_a_recording_holds_planned_answers_and_those_of_the_spot(
    project: Project, walk: Path, door: Path
) -> None:
    project.write("test_it.py", OWN_WORDS)
    select = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2", "--metaspace-violations=report")
    agent = project.brain(SAYS_LEFT)
    project.run("runs", "test_it.py", agent, *select, "--metaspace-record=answers.jsonl")
    lines = (project.path / "answers.jsonl").read_text().splitlines()
    assert len(lines) == 7
    replay = ("--metaspace-agent=replay:answers.jsonl", *select)
    project.run("runs", "test_it.py", *replay).assert_outcomes(passed=1)
    project.run("test_it.py", *replay, "--metaspace-record=more.jsonl").assert_outcomes(passed=1)
    assert (project.path / "more.jsonl").read_text() == lines[-1] + "\n"


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (
            "python:brain:answer",
            "the agent raised RuntimeError (brain.py:2): the battery is empty.",
        ),
        ("truth", "this agent computes its answers and does not read; it answers *"),
        ("mutant:mirrored:truth", "this agent computes its answers and does not read; *"),
        ("random", "this agent computes its answers and does not read; *"),
        ("geometric", "this agent computes its answers and does not read; *"),
    ],
)
def test_an_agent_without_an_answer_says_why(
    project: Project, door: Path, agent: str, expected: str
) -> None:
    project.write("test_it.py", OWN_WORDS)
    project.brain(BROKEN)
    result = project.run("test_it.py", f"--metaspace-agent={agent}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *metaspace: there is no answer to 'Where *': {expected}"])
    assert not any("pytest_metaspace/" in line for line in result.outlines)


def test_an_answer_that_cannot_be_stored_is_handed_on_and_no_other_is_asked_for(
    project: Project, door: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("metaspace: an answer could not be stored in x (disk full). Free it.")

    monkeypatch.setattr(AnswerStore, "put", full)
    monkeypatch.setattr(Spare, "put", full)
    other = OWN_WORDS.replace("test_it", "test_other").replace("door?", "window?")
    project.write("test_it.py", OWN_WORDS + other)
    result = project.run("test_it.py", project.brain(SAYS_LEFT), "-Wdefault")
    result.assert_outcomes(passed=1, failed=1, warnings=2)
    result.stdout.fnmatch_lines(
        [
            "E *no answer to 'Where is the window?': *could not be stored in x (disk full)*",
            "*test_it.py:3: UserWarning: metaspace: an answer could not be stored in x*",
        ]
    )
    assert len(calls(project)) == 1


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("source=pathlib.Path('made-up.json')", "made-up.json is no trajectory of a known format."),
        ("step_length_m=0.25", "*trajectory.json is not the trajectory that was handed in, and *"),
    ],
)
def test_a_trajectory_that_is_not_the_one_on_disk_is_refused(
    project: Project, walk: Path, changed: str, expected: str
) -> None:
    """Another process could not know of it."""
    asked = f"'SC1-b', 0, 1, trajectory=replace(metaspace_trajectory, {changed})"
    body = SPATIAL.replace("ASKED", asked).replace("EXPECTED", "False")
    project.write("test_it.py", "import pathlib\nfrom dataclasses import replace\n" + body)
    result = project.run("test_it.py", TRUTH)
    result.stdout.fnmatch_lines([f"E *there is no answer to 'How many steps *': {expected}"])


def test_a_picture_that_is_not_there_is_named(project: Project) -> None:
    project.write("test_it.py", OWN_WORDS)
    result = project.run("test_it.py", project.brain(SAYS_LEFT))
    result.stdout.fnmatch_lines(["E *the picture '*door.png' cannot be read (No such file *"])
    assert not calls(project)


def test_a_spatial_question_without_a_trajectory_is_refused(project: Project) -> None:
    project.write(
        "test_it.py",
        OWN_WORDS.replace('ask("Where is the door?", ["door.png"])', "ask_about('SC1-a', 0, 1)"),
    )
    result = project.run("test_it.py", TRUTH)
    result.stdout.fnmatch_lines(["E *ask_about needs a trajectory. Ask for metaspace_trajectory *"])


def test_it_can_be_asked_inside_a_running_event_loop(project: Project, door: Path) -> None:
    body = """
import asyncio

def test_it(metaspace_agent):
    async def inside():
        return metaspace_agent.ask("Where is the door?", ["door.png"])
    assert asyncio.run(inside()) == "left"
"""
    project.write("test_it.py", body)
    project.run("test_it.py", project.brain(SAYS_LEFT)).assert_outcomes(passed=1)


def test_what_the_agent_prints_belongs_to_the_test(project: Project, door: Path) -> None:
    project.write("test_it.py", OWN_WORDS.replace("left", "right"))
    agent = project.brain("print('thinking hard')\nreturn 'left'")
    for result in (
        project.run("test_it.py", agent),
        project.run_workers("test_it.py", agent, "--metaspace-answers=refresh"),
    ):
        result.stdout.fnmatch_lines(["*Captured stdout call*", "thinking hard"])
        assert result.outlines[3:].count("thinking hard") == 1
