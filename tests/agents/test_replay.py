"""Recorded answers: what is in the file, and an error that names the line for what is not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.agents import replay
from pytest_metaspace.canonical import question_key
from pytest_metaspace.domain import Capability, Query, Reply
from pytest_metaspace.errors import AgentError, UsageProblem
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.questions import question
from tests.unit_support import FORWARD, pictured, trajectory

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Question


def asked(folder: Path, b: int = 1) -> Question:
    made = pictured(trajectory([FORWARD, FORWARD], folder=folder / "run"))
    query = Query(
        trajectory="made-up",
        capability=Capability.MOVEMENT_DISTANCE,
        a=0,
        b=b,
        reference=0,
        evidence=(0, b),
    )
    return question(query, made)


def recorded(folder: Path, *lines: str) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def entry(key: str, answer: str, **more: object) -> str:
    return json.dumps({"question": key, "answer": answer, **more})


def test_a_recorded_answer_comes_back(tmp_path: Path) -> None:
    one = asked(tmp_path)
    recorded(tmp_path, "", entry(question_key(one), "2 \u2603\n", note="mine"), "  ")
    agent = Registries.built_in().agent("replay:answers.jsonl", tmp_path)
    assert agent.ask(one) == Reply(text="2 \u2603\n")
    assert agent.identity is None


def test_the_last_of_two_answers_counts(tmp_path: Path) -> None:
    one = asked(tmp_path)
    key = question_key(one)
    path = recorded(tmp_path, entry(key, "2"), entry(key, "3"))
    assert replay.ReplayAgent(path, replay.load(path)).ask(one).text == "3"


def test_samples_and_troubles_come_back_as_they_were(tmp_path: Path) -> None:
    one = asked(tmp_path)
    key = question_key(one)
    path = recorded(tmp_path, entry(key, "no", trouble="refused", sample=2), entry(key, "2"))
    agent = replay.ReplayAgent(path, replay.load(path))
    assert agent.ask(one) == Reply(text="2")
    assert agent.ask(replace(one, sample=2)) == Reply(text="no", trouble="refused")
    with pytest.raises(AgentError, match="no sample 1 of the answers to this question") as caught:
        agent.ask(replace(one, sample=1))
    assert caught.value.kind == "no recording"


def test_a_question_that_is_not_recorded_says_how_to_record_it(tmp_path: Path) -> None:
    recorded(tmp_path, entry(question_key(asked(tmp_path)), "2"))
    agent = Registries.built_in().agent("replay:answers.jsonl", tmp_path)
    with pytest.raises(AgentError, match=r"answers\.jsonl holds no answer .* --metaspace-record"):
        agent.ask(asked(tmp_path, b=2))


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[]",
        "5",
        "null",
        '"text"',
        "{}",
        '{"question": "k"}',
        '{"answer": "2"}',
        '{"question": 5, "answer": "2"}',
        '{"question": "k", "answer": 2}',
        '{"question": "k", "answer": null}',
        "[" * 100_000,
        '{"question": "k", "answer": "2"} trailing',
        '{"question": "k", "answer": "2", "sample": "1"}',
        '{"question": "k", "answer": "2", "sample": -1}',
        '{"question": "k", "answer": "2", "sample": true}',
        '{"question": "k", "answer": "2", "trouble": "tired"}',
        '{"question": "k", "answer": "2", "trouble": ["refused"]}',
    ],
    ids=range(18),
)
def test_a_line_that_is_no_answer_is_named(tmp_path: Path, line: str) -> None:
    path = recorded(tmp_path, entry("k", "1"), "", line, entry("k", "2"))
    with pytest.raises(UsageProblem) as caught:
        replay.load(path)
    assert str(caught.value) == (
        f'metaspace: {path}:3: is no recorded answer; expected {{"question": KEY, "answer": TEXT}}.'
    )


def test_an_answer_with_odd_line_ends_is_one_line(tmp_path: Path) -> None:
    """JSON allows U+2028 and U+0085 as they are; they end no line of JSON Lines."""
    line = json.dumps({"question": "k", "answer": "a\u2028b\u0085c\x0bd"}, ensure_ascii=False)
    assert replay.load(recorded(tmp_path, line)) == {("k", 0): Reply(text="a\u2028b\u0085c\x0bd")}


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for content in (None, b"\xff\xfe"):
        if content is not None:
            (tmp_path / "answers.jsonl").write_bytes(content)
        with pytest.raises(UsageProblem, match=r"the recording .*answers\.jsonl cannot be read"):
            Registries.built_in().agent("replay:answers.jsonl", tmp_path)


def test_a_replay_of_nothing_says_what_to_write(tmp_path: Path) -> None:
    for name in ("replay", "replay:"):
        with pytest.raises(UsageProblem, match=r"names no file\. Write replay:answers\.jsonl"):
            Registries.built_in().agent(name, tmp_path)
