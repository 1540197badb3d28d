"""``--metaspace-prompting`` in a run: asked, read, stored, told and explained under its strategy."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli, last_run, reviewing, settle
from tests.plugin.made import COUNTING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
DIRECTIONS = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
#  Reasons where it is asked to, and never answers a movement as it must.
THINKING = (
    COUNTING
    + """
if "11 rows of 11 cells" in prompt:
    return ". @ .\\nA map.\\nANSWER: right"
return "I go by the pictures.\\nANSWER: right" if "ANSWER:" in prompt else "right"
"""
)


def calls(project: Project) -> int:
    path = project.path / "calls.txt"
    return len(path.read_text().splitlines()) if path.exists() else 0


def kept(project: Project) -> list[dict[str, str]]:
    text = (project.path / ".metaspace_cache" / last_run.NAME).read_text(encoding="ascii")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("strategy", ["direct", "cot", "map", "likelihood"])
def test_truth_is_right_whatever_it_is_asked_to_write(
    project: Project, walk: Path, strategy: str
) -> None:
    plain = project.run("runs", TRUTH).parseoutcomes()
    assert set(plain) <= {"passed", "inconclusive"}
    put = f"--metaspace-prompting={strategy}"
    assert project.run("runs", TRUTH, put).parseoutcomes() == plain


def test_the_head_and_the_end_of_a_run_name_the_strategy(project: Project, walk: Path) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_prompting = map\n")
    from_ini = project.run(TRUTH, *DIRECTIONS)
    from_ini.stdout.fnmatch_lines(
        [
            "metaspace: agent truth, semantics sound, prompting map, capabilities SC1-a, *",
            "* distinct questions in 1 trajectory, * put to truth (prompting map)",
        ]
    )
    typed = project.run(TRUTH, *DIRECTIONS, "--metaspace-prompting=direct")
    typed.stdout.no_fnmatch_line("*prompting*")


def test_a_strategy_that_there_is_not_is_told(project: Project, walk: Path) -> None:
    typed = project.run(TRUTH, *DIRECTIONS, "--metaspace-prompting=tree")
    assert typed.ret == pytest.ExitCode.USAGE_ERROR
    typed.stderr.fnmatch_lines(["*--metaspace-prompting: invalid choice: 'tree'*"])
    project.write("pytest.ini", "[pytest]\nmetaspace_prompting = tree\n")
    written = project.run(TRUTH, *DIRECTIONS)
    assert written.ret == pytest.ExitCode.USAGE_ERROR
    written.stderr.fnmatch_lines(["*metaspace_prompting = tree: expected direct, cot, map*"])


def test_each_strategy_is_asked_once_and_its_answers_are_its_own(
    project: Project, walk: Path
) -> None:
    agent = project.brain(THINKING)
    counts, outcomes = [], []
    for strategy in ("direct", "cot", "map", "direct", "cot", "map"):
        result = project.run(agent, *DIRECTIONS, f"--metaspace-prompting={strategy}")
        outcomes.append(result.parseoutcomes())
        counts.append(calls(project))
    assert outcomes == [outcomes[0]] * 6
    assert "violated" in outcomes[0]
    once = counts[0]
    assert once > 0
    assert counts == [once, 2 * once, 3 * once, 3 * once, 3 * once, 3 * once]


def test_an_answer_that_is_not_on_the_last_line_is_invalid(project: Project, walk: Path) -> None:
    agent = project.brain("return 'forward'")
    assert "invalid" not in project.run(agent, *DIRECTIONS).parseoutcomes()
    result = project.run(agent, *DIRECTIONS, "--metaspace-prompting=cot")
    assert result.parseoutcomes() == {"invalid": 3}
    result.stdout.fnmatch_lines(["*no line begins with ANSWER:*"])


def test_a_violation_shows_the_last_line_and_explain_shows_everything(
    project: Project, walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = project.run(project.brain(THINKING), *DIRECTIONS, "--metaspace-prompting=map")
    result.stdout.fnmatch_lines(["*answer 1: '... ANSWER: right' to *"])
    head, *records = kept(project)
    assert head["prompting"] == "map"
    address = next(one["address"] for one in records if one.get("outcome") == "violated")
    capsys.readouterr()
    assert cli.main(["explain", address]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = lines.index("  answer 1: 26 characters")
    assert lines[said + 1 : said + 4] == ["    > . @ .", "    > A map.", "    > ANSWER: right"]
    questions = [line for line in lines if line.startswith("    | ")]
    assert sum("a grid of 11 rows of 11 cells" in line for line in questions) == 2
    assert lines[-1].endswith("with agent python:brain:answer, prompting map")


def test_the_command_that_derives_a_case_asks_under_the_same_strategy(
    project: Project,
    walk: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settle, "TOLD_PER_GROUP", 0)
    monkeypatch.setattr(reviewing, "MOST", 0)
    select = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2", "--metaspace-prompting=cot")
    project.run(project.brain("return 'ANSWER: left'"), *select)
    address = next(one["address"] for one in kept(project) if one.get("untold"))
    capsys.readouterr()
    assert cli.main(["explain", address]) == 0
    lines = capsys.readouterr().out.splitlines()
    (command,) = [line for line in lines if line.startswith("  pytest ")]
    result = project.run(*shlex.split(command)[1:])
    assert result.parseoutcomes() == {"violated": 1}
    result.stdout.fnmatch_lines(["*, 0 put to python:* (prompting cot)"])


def test_a_recording_is_of_its_strategy(project: Project, walk: Path) -> None:
    agent = project.brain(THINKING)
    project.run(agent, *DIRECTIONS, "--metaspace-prompting=cot", "--metaspace-record=said.jsonl")
    replay = ("--metaspace-agent=replay:said.jsonl", *DIRECTIONS)
    again = project.run(*replay, "--metaspace-prompting=cot")
    assert "violated" in again.parseoutcomes()
    assert set(project.run(*replay).parseoutcomes()) == {"errored"}


TESTS = """
import pytest

@pytest.mark.metaspace(sc="SC1-a", mr="MR2", trajectories="runs")
def test_a_case(metaspace_case, metaspace_agent, metaspace_trajectory):
    reply = metaspace_agent.ask_about("SC1-a", 0, 1)
    assert reply.value.planar == "right"
    assert reply.raw.startswith(STARTS)
    assert metaspace_agent.ask("Which way?") == "right"
"""


@pytest.mark.parametrize("workers", [False, True])
def test_tests_written_by_hand_ask_under_the_strategy_and_their_own_words_stay(
    project: Project, walk: Path, workers: bool
) -> None:
    agent = project.brain(THINKING)
    run = project.run_workers if workers else project.run
    starts = {"direct": "right", "cot": "I go by", "map": ". @ ."}
    for strategy in ("map",) if workers else starts:
        start = starts[strategy]
        looked = TESTS.replace("STARTS", repr(start)) + "    metaspace_case.outcome\n"
        project.write("test_it.py", looked)
        result = run("test_it.py", agent, f"--metaspace-prompting={strategy}")
        result.assert_outcomes(passed=3)


def test_a_plan_shows_a_question_of_each_capability_under_the_strategy(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        cli.main(
            ["plan", str(walk), "--sc=SC2-a,SC1-b", "--mr=MR2", "--prompting=map", "--example"]
        )
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line[:6] for line in lines if line.endswith(".png:")] == ["SC1-b,", "SC2-a,"]
    assert sum("11 rows of 11 cells" in line for line in lines) == 2
    assert cli.main(["plan", str(walk), "--sc=SC2-a", "--prompting=map"]) == 0
    assert "11 rows" not in capsys.readouterr().out
