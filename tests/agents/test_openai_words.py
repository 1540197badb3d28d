"""What a person is told of a reply that is no answer: the endpoint's words and the next step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.asking import ask
from pytest_metaspace.domain import AnswerFormat, Capability, Query, Question
from tests.agents.endpoint import Reply, serving
from tests.unit_support import pictured, trajectory

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("openai")
KEY = "sk-planted-0123456789abcdef"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def question(tmp_path: Path) -> Question:
    made = pictured(trajectory(folder=tmp_path / "run"))
    return Question(
        query=Query(trajectory="t", capability=Capability.MAP_DISTANCE, a="a", b="b"),
        trajectory=made,
        text="how far?",
        images=(made.states[0].frame,),
        format=AnswerFormat(kind="steps"),
    )


def agent(url: str, **options: Any) -> OpenAIAgent:
    return OpenAIAgent("some-model", ModelOptions(base_url=url, **options))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("No such key", "the endpoint answered 401: No such key. The endpoint does not accept"),
        ("No such key.", "the endpoint answered 401: No such key. The endpoint does not accept"),
    ],
)
def test_what_the_endpoint_said_and_the_next_step_are_two_sentences(
    said: str, told: str, question: Question
) -> None:
    with serving(lambda *_: Reply.failing(401, said)) as endpoint:
        asked = ask([question], agent(endpoint.url), None)
    assert told in str(asked.stopped)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            f"<html>  <h1>Welcome {KEY}</h1></html>" + "x" * 99,
            (
                "the endpoint's reply is no JSON ('<html> <h1>Welcome [key]</h1></html>"
                f"{'x' * 24}'): look at --metaspace-base-url, which mostly ends in /v1"
            ),
        ),
        (
            {"error": {"message": f"provider of {KEY} is down", "code": 502}},
            "the endpoint's reply is an error: provider of [key] is down",
        ),
        ({"error": "overloaded"}, "the endpoint's reply is an error: overloaded"),
        ({"error": None, "choices": []}, "the endpoint's reply has no answer in it"),
    ],
)
def test_a_reply_without_an_answer_is_told_in_the_endpoints_words(
    body: Any, told: str, question: Question
) -> None:
    with serving(lambda *_: Reply(body=body)) as endpoint:
        asked = ask([question], agent(endpoint.url, tries=1), None)
    (answer,) = asked.answers.values()
    assert (answer.error, answer.kind) == (told, "server error")
