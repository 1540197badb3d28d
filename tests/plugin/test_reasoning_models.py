"""A model that reasons first, behind an endpoint: room to answer in, cut-off answers, schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.agents.endpoint import Reply, serving

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

pytest.importorskip("openai")
FEW = ("--metaspace-agent=openai:blind", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
COT = "--metaspace-prompting=cot"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def reasoned(_request: dict[str, Any], _number: int) -> Reply:
    return Reply.saying("Two tiles.\nANSWER: 2")


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ((), {None}),
        ((COT,), {4096}),
        (("--metaspace-prompting=map",), {4096}),
        ((COT, "--metaspace-max-output-tokens=50"), {50}),
        ((COT, "--metaspace-max-output-tokens=none"), {None}),
        (("--metaspace-max-output-tokens=50",), {50}),
    ],
)
def test_who_reasons_has_room_for_it(
    project: Project, options: tuple[str, ...], sent: set[int | None]
) -> None:
    walk = str(project.walk())
    with serving(reasoned) as endpoint:
        project.run(walk, *FEW, f"--metaspace-base-url={endpoint.url}", *options)
    assert {request.get("max_tokens") for request in endpoint.requests} == sent


def test_an_answer_that_is_cut_off_is_invalid_whatever_can_be_read(project: Project) -> None:
    walk = str(project.walk())
    with serving(lambda *_: Reply.saying("So.\nANSWER: 2", finish="length")) as endpoint:
        result = project.run(walk, *FEW, f"--metaspace-base-url={endpoint.url}", COT)
    assert set(result.parseoutcomes()) == {"invalid"}
    result.stdout.fnmatch_lines(["*the answer was cut off before its end*"])


@pytest.mark.parametrize("strategy", ["direct", "cot"])
def test_json_by_the_schema_is_judged_as_text_is(project: Project, strategy: str) -> None:
    walk = str(project.walk())

    def obeying(request: dict[str, Any], _number: int) -> Reply:
        schema = request["response_format"]["json_schema"]["schema"]
        said = dict.fromkeys(schema["required"], "so")
        return Reply.saying(json.dumps({**said, "answer": 2}))

    put = f"--metaspace-prompting={strategy}"
    with serving(obeying) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        result = project.run(walk, *FEW, url, put, "--metaspace-structured=on")
    assert set(result.parseoutcomes()) == {"passed"}


def test_a_text_where_json_was_insisted_on_is_told(project: Project) -> None:
    walk = str(project.walk())
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        insisting = project.run(walk, *FEW, url, "--metaspace-structured=on")
        asking = project.run(walk, *FEW, url, "--metaspace-structured=auto")
    assert set(insisting.parseoutcomes()) == {"invalid"}
    insisting.stdout.fnmatch_lines(["*the answer is not the JSON that was asked for*"])
    insisting.stdout.fnmatch_lines(["invalid * malformed * 6 * 100.0 % *structured=auto*"])
    assert set(asking.parseoutcomes()) == {"passed"}


def test_the_ini_file_asks_for_json_too(project: Project) -> None:
    walk = str(project.walk())
    project.write("pytest.ini", "[pytest]\nmetaspace_structured = auto\n")
    with serving(reasoned) as endpoint:
        project.run(walk, *FEW, f"--metaspace-base-url={endpoint.url}")
    assert all("response_format" in request for request in endpoint.requests)


ON_THE_SPOT = """
import pytest

@pytest.mark.metaspace(trajectories="runs")
def test_it(metaspace_agent, metaspace_trajectory):
    reply = metaspace_agent.ask_about("SC1-b", 0, 1)
    assert (reply.raw, reply.reading.reason) == (
        "So.\\nANSWER: 2", "the answer was cut off before its end"
    )
"""


@pytest.mark.parametrize("workers", [False, True])
def test_a_test_of_ones_own_is_told_that_an_answer_was_cut_off(
    project: Project, workers: bool
) -> None:
    project.walk()
    project.write("test_it.py", ON_THE_SPOT)
    run = project.run_workers if workers else project.run
    with serving(lambda *_: Reply.saying("So.\nANSWER: 2", finish="length")) as endpoint:
        for _ in range(2):  # asked, and stored
            result = run("test_it.py", FEW[0], COT, f"--metaspace-base-url={endpoint.url}")
            result.assert_outcomes(passed=1)
    assert len(endpoint.requests) == 1


def test_a_text_where_json_was_insisted_on_counts_for_the_gate(project: Project) -> None:
    walk = str(project.walk())
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        more = ("--metaspace-structured=on", "--metaspace-max-invalid=2%")
        result = project.run(walk, *FEW, url, *more)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*invalid: 6 of 6 questions (100 %), above 2 %*"])


OWN_WORDS = """
def test_it(metaspace_agent):
    assert metaspace_agent.ask("How many doors?") == "2"
"""


def test_a_question_in_own_words_has_no_answer_where_it_was_cut_off(project: Project) -> None:
    project.write("test_it.py", OWN_WORDS)
    with serving(lambda *_: Reply.saying("2", finish="length")) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        result = project.run("test_it.py", FEW[0], url, "--metaspace-record=said.jsonl")
    told = "*AgentError: metaspace: there is no answer to 'How many doors?': the answer was cut off"
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E {told} before its end ('2')."])
    (line,) = (project.path / "said.jsonl").read_text().splitlines()
    assert json.loads(line)["trouble"] == "truncated"
    replayed = project.run("test_it.py", "--metaspace-agent=replay:said.jsonl")
    replayed.assert_outcomes(failed=1)
    replayed.stdout.fnmatch_lines([f"E {told} *"])
