"""A question that is put several times: majority, self-disagreement, and what is kept of it."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import reviewing, settle
from pytest_metaspace.cli import main
from tests.agents.endpoint import Reply, serving, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

FEW = ("runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
#  Answers "2" but in the second round of the six questions that FEW are: then "3".
WAVERING = """
from pathlib import Path
log = Path(__file__).with_name("heard.txt")
with log.open("a") as file:
    file.write("x")
return "3" if 6 < log.stat().st_size <= 12 else "2"
"""
#  As many different answers as it is asked: 1, 2, 3, ...
COUNTING = WAVERING[: WAVERING.index("return")] + "return str(log.stat().st_size)"


def heard(project: Project) -> int:
    log = project.path / "heard.txt"
    return log.stat().st_size if log.exists() else 0


def last_run(project: Project) -> list[dict[str, Any]]:
    path = project.path / ".metaspace_cache" / "last_run.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_verdicts_rest_on_the_majority_and_the_table_tells_of_the_rest(
    project: Project, walk: Path
) -> None:
    result = project.run(project.brain(WAVERING), *FEW, "--metaspace-samples=3")
    assert result.ret == 0
    assert result.parseoutcomes() == {"passed": 3}
    result.stdout.fnmatch_lines(
        [
            "metaspace: agent python:brain:answer, *, 3 samples of each question",
            "capability * score * disagrees",
            "SC1-b * 1.000 *100.0 %",
            "total * 1.000 *100.0 %",
            "6 distinct questions x 3 samples in 1 trajectory, 18 put to python:brain:answer",
        ]
    )
    assert heard(project) == 18


def test_without_samples_the_table_has_no_such_column(project: Project, walk: Path) -> None:
    result = project.run(project.brain("return '2'"), *FEW)
    result.stdout.no_fnmatch_line("*disagrees*")
    result.stdout.no_fnmatch_line("* samples *")


def test_more_samples_and_another_run_ask_nothing_twice(project: Project, walk: Path) -> None:
    agent = project.brain(WAVERING)
    project.run(agent, *FEW)
    assert heard(project) == 6
    first = project.run(agent, *FEW, "--metaspace-samples=5")
    assert heard(project) == 6 * 5
    again = project.run(agent, *FEW, "--metaspace-samples=5")
    assert heard(project) == 6 * 5
    assert first.parseoutcomes() == again.parseoutcomes()
    again.stdout.fnmatch_lines(["*, 0 put to *"])


def test_a_tie_is_invalid_and_says_so(project: Project, walk: Path) -> None:
    result = project.run(project.brain(COUNTING), *FEW, "--metaspace-samples=2")
    assert result.parseoutcomes() == {"invalid": 3}
    result.stdout.fnmatch_lines(
        [
            "invalid * tied * 6 * 100.0 % * an odd --metaspace-samples has fewer ties",
            "invalid: 1 case: the 2 samples of this question are tied: '1' (1), '7' (1)",
        ]
    )


@pytest.mark.parametrize("workers", [False, True], ids=["serial", "workers"])
def test_the_agent_that_is_right_scores_1_with_samples_and_is_asked_once(
    project: Project, walk: Path, workers: bool
) -> None:
    run = project.run_workers if workers else project.run
    result = run("--metaspace-agent=truth", "runs", "--metaspace-samples=4")
    assert result.ret == 0
    outcomes = result.parseoutcomes()
    assert not {"violated", "invalid", "errored"} & outcomes.keys()
    (closing,) = [line for line in result.outlines if "x 4 samples" in line]
    questions, put = re.findall(r"^(\d+) distinct .* (\d+) put to truth", closing)[0]
    assert questions == put
    result.stdout.fnmatch_lines(["total * 1.000 *0.0 %"])


def test_explain_shows_the_samples_of_an_answer(
    project: Project, walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = COUNTING.replace("return ", "return 'what?' if log.stat().st_size == 1 else ")
    project.run(project.brain(body), *FEW, "--metaspace-samples=2")
    head, *records = last_run(project)
    case = next(record for record in records if record.get("outcome") == "invalid")
    assert head["samples"] == 2
    (totals,) = [record for record in records if "failures" in record]
    assert totals == {
        "questions": 6,
        "failures": {"tied": 6},
        "disagreement": {"SC1-b": [6, 6]},
    }
    asked = case["asked"][0]
    assert asked["kind"] == "tied"
    assert [one["raw"] for one in asked["samples"]] == ["what?", "7"]
    assert [one["kind"] for one in asked["samples"]] == ["unreadable", None]
    capsys.readouterr()
    assert main(["explain", case["address"], f"--cache-dir={project.path}/.metaspace_cache"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "    sample 0: 'what?' (unreadable)" in lines
    assert "    sample 1: '7'" in lines
    told = "  answer 1: no answer: the 2 samples of this question are tied: "
    assert told + "unreadable (1), '7' (1) (tied)" in lines


def test_a_recording_has_every_sample_and_gives_the_same_verdicts(
    project: Project, walk: Path
) -> None:
    samples = "--metaspace-samples=3"
    first = project.run(project.brain(WAVERING), *FEW, samples, "--metaspace-record=said.jsonl")
    lines = [json.loads(line) for line in (project.path / "said.jsonl").read_text().splitlines()]
    assert sorted(line.get("sample", 0) for line in lines) == sorted([0, 1, 2] * 6)
    replayed = project.run("--metaspace-agent=replay:said.jsonl", *FEW, samples)
    assert replayed.parseoutcomes() == first.parseoutcomes()
    replayed.stdout.fnmatch_lines(["SC1-b * 1.000 *100.0 %"])
    short = project.run("--metaspace-agent=replay:said.jsonl", *FEW, "--metaspace-samples=7")
    assert short.parseoutcomes() == {"errored": 3}
    short.stdout.fnmatch_lines(["error * no recording * 6 * 100.0 % *"])


@pytest.mark.parametrize("value", ["0", "-1", "2.5", "many"])
def test_a_number_of_samples_that_is_none_is_refused(
    project: Project, walk: Path, value: str
) -> None:
    result = project.run("--metaspace-agent=truth", "runs", f"--metaspace-samples={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = f"--metaspace-samples {value}: expected a whole number from 1 on"
    assert told in result.stderr.str() + result.stdout.str()


def test_the_ini_file_can_say_how_many(project: Project, walk: Path) -> None:
    agent = project.brain(WAVERING)
    project.write("pytest.ini", "[pytest]\npythonpath = .\nmetaspace_samples = 3\n")
    project.run(agent, *FEW)
    assert heard(project) == 18


def test_waves_ask_each_sample_once_and_count_each_question_once(
    project: Project, walk: Path
) -> None:
    options = ("--metaspace-samples=2", "--metaspace-lookahead=1", "--maxfail=9")
    result = project.run(project.brain(COUNTING), *FEW, *options)
    assert heard(project) == 12
    result.stdout.fnmatch_lines(
        ["invalid * tied * 6 * 100.0 % *", "SC1-b * 100.0 %", "6 distinct questions x 2 samples *"]
    )
    (totals,) = [record for record in last_run(project) if "disagreement" in record]
    assert totals["disagreement"] == {"SC1-b": [6, 6]}


def test_the_plan_counts_samples(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(walk), "--sc=SC1-b", "--mr=MR2", "--samples=5"]) == 0
    assert "with 5 samples of each question that is 30 calls" in capsys.readouterr().out
    assert main(["plan", str(walk), "--sc=SC1-b", "--mr=MR2"]) == 0
    assert "samples" not in capsys.readouterr().out


def test_the_repeats_of_a_run_are_tested_by_one_command(
    project: Project, walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy")
    agent = project.brain(WAVERING)
    project.run(agent, *FEW, "--metaspace-samples=3")
    words = ["friedman", str(walk), "--sc=SC1-b", "--mr=MR2", "--samples=3", "--blocks=case"]
    store = f"--cache-dir={project.path / '.metaspace_cache'}"
    capsys.readouterr()
    assert main([*words, agent.replace("--metaspace-", "--"), store]) == 0
    assert "2 degrees of freedom" in capsys.readouterr().out
    assert heard(project) == 18


# --------------------------------------------------------------------- models behind endpoints


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    return ("--metaspace-agent=openai:m", *FEW, "--metaspace-samples=3")


def two(_request: dict[str, Any], _number: int) -> Reply:
    return Reply.saying("2")


def test_a_seed_is_another_one_for_each_sample(
    project: Project, walk: Path, model: tuple[str, ...]
) -> None:
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        project.run(*model, url, "--metaspace-model-seed=40", "--metaspace-temperature=1")
        seeds: dict[str, set[int]] = {}
        for request in endpoint.requests:
            seeds.setdefault(text_of(request), set()).add(request["seed"])
        assert list(seeds.values()) == [{40, 41, 42}] * 6
        endpoint.requests.clear()
        project.run(*model, url, "--metaspace-temperature=1")
        assert len(endpoint.requests) == 18
        assert not [request for request in endpoint.requests if "seed" in request]


@pytest.mark.parametrize(
    ("options", "noted"),
    [
        (("--metaspace-temperature=0",), True),
        ((), True),
        (("--metaspace-temperature=0.7",), False),
        (("--metaspace-temperature=none",), False),
        (("--metaspace-samples=1",), False),
    ],
)
def test_temperature_0_with_samples_is_noted(
    project: Project, walk: Path, model: tuple[str, ...], options: tuple[str, ...], noted: bool
) -> None:
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        result = project.run(*model, url, *options)
    assert result.ret == 0
    assert ("metaspace: note: at temperature 0 the samples" in result.stdout.str()) == noted


def test_caps_count_samples(project: Project, walk: Path, model: tuple[str, ...]) -> None:
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        capped = project.run(*model, url, "--metaspace-max-calls=10", "--metaspace-concurrency=1")
        assert len(endpoint.requests) == 10
        assert capped.ret == 1
        capped.stdout.fnmatch_lines(["error * not asked *", "*--metaspace-max-calls=10*"])
        whole = project.run(*model, url)
        assert len(endpoint.requests) == 18
    assert whole.ret == 0


#  Unreadable where a question is put for the first time, "left" from then on.
LATE = """
from pathlib import Path
log = Path(__file__).with_name("heard.txt")
asked = repr((prompt, [str(image) for image in images])) + "\\n"
known = log.exists() and asked in log.read_text().splitlines(keepends=True)
with log.open("a") as file:
    file.write(asked)
return "left" if known else "what?"
"""


def test_the_command_that_derives_a_case_puts_it_as_often(
    project: Project,
    walk: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settle, "TOLD_PER_GROUP", 0)
    monkeypatch.setattr(reviewing, "MOST", 0)
    select = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2", "--metaspace-samples=3")
    project.run(project.brain(LATE), *select)
    address = next(one["address"] for one in last_run(project) if one.get("untold"))
    capsys.readouterr()
    assert main(["explain", address]) == 0
    lines = capsys.readouterr().out.splitlines()
    (command,) = [line for line in lines if line.startswith("  pytest ")]
    result = project.run(*shlex.split(command)[1:])
    assert result.parseoutcomes() == {"violated": 1}
    result.stdout.fnmatch_lines(["*, 0 put to python:*"])


def test_a_recording_stays_where_nothing_came_to_take_its_place(
    project: Project, walk: Path
) -> None:
    record = "--metaspace-record=said.jsonl"
    project.run(project.brain("return '2'"), *FEW, record)
    before = (project.path / "said.jsonl").read_text()
    assert len(before.splitlines()) == 6
    project.run(project.brain("raise OSError"), *FEW, record)
    assert (project.path / "said.jsonl").read_text() == before
