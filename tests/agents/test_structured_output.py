"""Answers held to a schema by the endpoint: asked for only when wished, and never by accident."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import structured
from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.asking import ask
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Capability
from pytest_metaspace.questions import own_words, question
from tests.agents.endpoint import Reply, serving
from tests.answer_forms import query, scene
from tests.unit_support import pictured

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Prompting, Question

pytest.importorskip("openai")
SAID = json.dumps({"answer": "left"})
REFUSALS = [
    Reply.failing(
        400,
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this "
        "model.",
        param="response_format",
    ),
    Reply(body={"detail": "Unsupported parameter: response_format"}, status=400),
    Reply.failing(400, "Extra inputs are not permitted: response_format"),
    Reply.failing(400, "This response_format type is unavailable now"),
    Reply.failing(
        400, "Invalid schema for response_format 'answer'", param="response_format", code="invalid"
    ),
]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")


@pytest.fixture
def asked(tmp_path: Path) -> Callable[..., list[Question]]:
    made = pictured(scene(vertical=False, folder=tmp_path / "run"))

    def put(prompting: Prompting = "direct") -> list[Question]:
        codes = (Capability.OBJECT_DIRECTION, Capability.MAP_DIRECTION, Capability.OBJECT_DISTANCE)
        return [question(query(code), made, prompting) for code in codes]

    return put


def agent(url: str, **options: Any) -> OpenAIAgent:
    return OpenAIAgent("some-model", ModelOptions(base_url=url, concurrency=1, **options))


def obeying(request: dict[str, Any], _number: int) -> Reply:
    return Reply.saying(SAID if "response_format" in request else "left")


@pytest.mark.parametrize("prompting", ["direct", "cot", "map"])
def test_each_question_is_sent_with_its_own_schema(
    prompting: Prompting, asked: Callable[..., list[Question]]
) -> None:
    questions = asked(prompting)
    with serving(obeying) as endpoint:
        answers = ask(questions, agent(endpoint.url, structured="on"), None).answers
    assert [one["response_format"] for one in endpoint.requests] == [
        structured.response_format(one) for one in questions
    ]
    # What came back is kept as it came.
    assert {answer.raw for answer in answers.values()} == {SAID}
    assert {answer.trouble for answer in answers.values()} == {None}


def test_no_schema_is_sent_unless_it_is_asked_for(asked: Callable[..., list[Question]]) -> None:
    with serving(obeying) as endpoint:
        ask(asked(), agent(endpoint.url), None)
    assert all("response_format" not in request for request in endpoint.requests)


def test_a_question_in_own_words_is_sent_without_one() -> None:
    with serving(obeying) as endpoint:
        ask([own_words("How many doors?", [])], agent(endpoint.url, structured="on"), None)
    assert "response_format" not in endpoint.requests[0]


@pytest.mark.parametrize("refusal", REFUSALS, ids=range(len(REFUSALS)))
def test_auto_goes_without_where_the_model_takes_no_schema(
    refusal: Reply, asked: Callable[..., list[Question]]
) -> None:
    def script(request: dict[str, Any], _number: int) -> Reply:
        return refusal if "response_format" in request else Reply.saying("left")

    with serving(script) as endpoint:
        answers = ask(asked(), agent(endpoint.url, structured="auto"), None).answers
    assert [answer.raw for answer in answers.values()] == ["left"] * 3
    assert len(endpoint.requests) == 4  # told once, heeded ever after


@pytest.mark.parametrize("refusal", REFUSALS, ids=range(len(REFUSALS)))
def test_on_stops_at_once_where_the_model_takes_no_schema(
    refusal: Reply, asked: Callable[..., list[Question]]
) -> None:
    with serving(lambda *_: refusal) as endpoint:
        done = ask(asked(), agent(endpoint.url, structured="on"), None)
    assert len(endpoint.requests) == 1
    assert all(answer.raw is None for answer in done.answers.values())
    assert done.stopped is not None
    assert "--metaspace-structured=on needs a schema for each answer" in done.stopped


@pytest.mark.parametrize(("mode", "trouble"), [("on", "malformed"), ("auto", None)])
def test_a_text_where_json_was_insisted_on_is_kept_and_is_no_answer(
    mode: str, trouble: str | None, asked: Callable[..., list[Question]], tmp_path: Path
) -> None:
    (one, *_) = asked()
    with serving(lambda *_: Reply.saying("left")) as endpoint:
        for cached in (False, True):
            with AnswerStore(tmp_path / "cache") as store:
                answer = ask([one], agent(endpoint.url, structured=mode), store).answers[one.query]
            assert (answer.raw, answer.trouble, answer.cached) == ("left", trouble, cached)
    assert len(endpoint.requests) == 1


def test_json_that_was_cut_off_is_cut_off(asked: Callable[..., list[Question]]) -> None:
    (one, *_) = asked()
    with serving(lambda *_: Reply.saying('{"answer": "le', finish="length")) as endpoint:
        answer = ask([one], agent(endpoint.url, structured="on"), None).answers[one.query]
    assert (answer.raw, answer.trouble) == ('{"answer": "le', "truncated")


def test_answers_with_and_without_a_schema_are_different_answers() -> None:
    modes = [{}, {"structured": "off"}, {"structured": "auto"}, {"structured": "on"}]
    plain, off, auto, on = (agent("http://a/v1", **mode).identity for mode in modes)
    assert plain == off
    assert len({plain, auto, on}) == 3


def test_another_version_of_the_schemas_is_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = agent("http://a/v1", structured="on").identity
    monkeypatch.setattr(structured, "VERSION", structured.VERSION + 1)
    assert agent("http://a/v1", structured="on").identity != before
