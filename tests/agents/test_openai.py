"""Models behind an OpenAI-compatible endpoint: what is sent, what is survived, what is told."""

from __future__ import annotations

import base64
import random
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents import _failures as failures
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.asking import ask
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import AnswerFormat, Capability, Query, Question
from pytest_metaspace.errors import UsageProblem
from tests.agents.endpoint import Reply, serving, text_of
from tests.unit_support import pictured, trajectory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


pytest.importorskip("openai")
KEY = "sk-planted-0123456789abcdef"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr("pytest_metaspace.agents.openai_compatible._FIRST_PAUSE_S", 0.001)


@pytest.fixture
def questions(tmp_path: Path) -> Callable[[int], list[Question]]:
    """Make questions with two pictures each."""
    made = pictured(trajectory(folder=tmp_path / "run"))

    def make(count: int) -> list[Question]:
        return [
            Question(
                query=Query(trajectory="t", capability=Capability.MAP_DISTANCE, a="a", b=str(n)),
                trajectory=made,
                text=f"question {n}",
                images=(made.states[n % 3].frame, made.states[(n + 1) % 3].frame),
                format=AnswerFormat(kind="steps"),
            )
            for n in range(count)
        ]

    return make


def agent(url: str, **options: Any) -> OpenAIAgent:
    return OpenAIAgent("some-model", ModelOptions(base_url=url, **options))


def echo(request: dict[str, Any], _number: int) -> Reply:
    return Reply.saying(f"answer to {text_of(request)}")


# ------------------------------------------------------------------------------ what is sent


def test_pictures_come_in_order_under_their_numbers_and_the_question_last(
    questions: Callable[[int], list[Question]],
) -> None:
    (one,) = questions(1)
    with serving(echo) as endpoint:
        asked = ask([one], agent(endpoint.url), None)
    assert asked.answers[one.query].raw == "answer to question 0"
    (request,) = endpoint.requests
    (message,) = request["messages"]
    first, picture, second, other, text = message["content"]
    assert (first["text"], second["text"], text["text"]) == ("Image 1:", "Image 2:", "question 0")
    for part, path in zip((picture, other), one.images):
        head, _, body = part["image_url"]["url"].partition(",")
        assert head == "data:image/png;base64"
        assert base64.b64decode(body) == path.read_bytes()
    assert (request["model"], request["temperature"], request["top_p"]) == ("some-model", 0.0, 0.9)
    assert "max_tokens" not in request
    assert "seed" not in request
    assert endpoint.authorizations == [f"Bearer {KEY}"]


def test_every_generation_field_and_the_endpoint_are_part_of_the_identity() -> None:
    plain = agent("http://a/v1")
    others = [
        agent("http://b/v1"),
        agent("http://a/v1", temperature=0.5),
        agent("http://a/v1", temperature=None),
        agent("http://a/v1", top_p=1.0),
        agent("http://a/v1", seed=1),
        agent("http://a/v1", max_output_tokens=5),
        OpenAIAgent("other", ModelOptions(base_url="http://a/v1")),
    ]
    assert len({one.identity for one in [plain, *others]}) == len(others) + 1


def test_patience_and_speed_are_not_part_of_the_identity() -> None:
    slow = agent("http://a/v1/", timeout_s=1.0, tries=1, concurrency=1, rate=5.0)
    assert slow.identity == agent("http://a/v1").identity


def test_a_password_in_the_address_is_not_part_of_the_identity() -> None:
    assert agent("http://me:secret@a/v1?key=secret").identity == agent("http://a/v1").identity


def test_as_many_questions_as_wished_are_in_flight(
    questions: Callable[[int], list[Question]],
) -> None:
    def slow(request: dict[str, Any], number: int) -> Reply:
        reply = echo(request, number)
        reply.stall_s = 0.05
        return reply

    with serving(slow) as endpoint:
        ask(questions(24), agent(endpoint.url, concurrency=6), None)
    assert endpoint.most_at_once == 6


# --------------------------------------------------------------------------- what is survived


def faulty(fault: int, request: dict[str, Any]) -> Reply:
    """Return one of eight ways in which an endpoint fails for now."""
    return (
        Reply.failing(429, headers={"Retry-After": "0.01"}),
        Reply.failing(500),
        Reply(cut=True),
        Reply(body=echo(request, 0).body, stall_s=1.0),
        Reply(body="<html>busy</html>"),
        Reply(body='{"choices": [tru', status=200),
        Reply(body={"unexpected": True}),
        Reply.failing(503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    )[fault]


def test_an_endpoint_that_fails_a_third_of_the_time_changes_no_answer(
    questions: Callable[[int], list[Question]],
) -> None:
    draw = random.Random(1)

    def script(request: dict[str, Any], number: int) -> Reply:
        if draw.random() < 0.3:
            return faulty(draw.randrange(8), request)
        return echo(request, number)

    asking = questions(80)
    with serving(script) as endpoint:
        asked = ask(asking, agent(endpoint.url, timeout_s=0.4, tries=12), None)
    assert [asked.answers[one.query].raw for one in asking] == [
        f"answer to question {n}" for n in range(80)
    ]
    assert asked.fresh == 80 < len(endpoint.requests)


@pytest.mark.parametrize("fault", range(8))
def test_each_passing_failure_is_tried_again(
    fault: int, questions: Callable[[int], list[Question]]
) -> None:
    def script(request: dict[str, Any], number: int) -> Reply:
        return faulty(fault, request) if number == 1 else echo(request, number)

    (one,) = questions(1)
    with serving(script) as endpoint:
        asked = ask([one], agent(endpoint.url, timeout_s=0.4), None)
    assert asked.answers[one.query].raw == "answer to question 0"
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (0, "rate limited"),
        (1, "server error"),
        (2, "no connection"),
        (3, "timed out"),
        (4, "server error"),
        (5, "server error"),
        (6, "server error"),
    ],
)
def test_a_failure_that_stays_is_told_by_its_kind(
    fault: int, kind: str, questions: Callable[[int], list[Question]]
) -> None:
    (one,) = questions(1)
    with serving(lambda request, _: faulty(fault, request)) as endpoint:
        patience = 0.2 if kind == "timed out" else 20.0
        asked = ask([one], agent(endpoint.url, timeout_s=patience, tries=2), None)
    answer = asked.answers[one.query]
    assert (answer.raw, answer.kind) == (None, kind)
    assert len(endpoint.requests) == 2


def test_what_the_endpoint_asks_one_to_wait_all_wait(
    questions: Callable[[int], list[Question]],
) -> None:
    import time

    moments: list[float] = []

    def script(request: dict[str, Any], number: int) -> Reply:
        moments.append(time.monotonic())
        if number == 1:
            return Reply.failing(429, headers={"Retry-After": "0.5"})
        return echo(request, number)

    with serving(script) as endpoint:
        ask(questions(3), agent(endpoint.url, concurrency=1), None)
    assert moments[1] - moments[0] >= 0.5


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "99999"}, 120.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_is_asked_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert failures.wait_of(headers) == seconds


@pytest.mark.parametrize(
    ("message", "more", "field", "instead"),
    [
        (
            "Unsupported value: 'temperature' does not support 0",
            {"param": "temperature", "code": "unsupported_value"},
            "temperature",
            None,
        ),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model.",
            {"param": "max_tokens", "code": "unsupported_parameter"},
            "max_tokens",
            "max_completion_tokens",
        ),
        (
            "`temperature` and `top_p` cannot both be specified: top_p is not supported",
            {},
            "temperature",
            None,
        ),
        ("Extra inputs are not permitted: seed", {}, "seed", None),
    ],
)
def test_a_field_that_a_model_does_not_take_is_left_out(
    message: str,
    more: dict[str, str],
    field: str,
    instead: str | None,
    questions: Callable[[int], list[Question]],
) -> None:
    def script(request: dict[str, Any], number: int) -> Reply:
        if field in request:
            return Reply.failing(400, message, **more)
        return echo(request, number)

    options = {"seed": 7, "max_output_tokens": 9, "concurrency": 1}
    with serving(script) as endpoint:
        asked = ask(questions(3), agent(endpoint.url, **options), None)
    assert all(answer.raw is not None for answer in asked.answers.values())
    assert len(endpoint.requests) == 4  # told once, heeded ever after
    assert field not in endpoint.requests[-1]
    if instead is not None:
        assert endpoint.requests[-1][instead] == 9


# -------------------------------------------------------------------------------- what stops


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        (Reply.failing(401, f"Incorrect API key provided: {KEY}"), "not allowed", "OPENAI_API_KEY"),
        (Reply.failing(403, "not yours"), "not allowed", "not yours"),
        (Reply.failing(404, "no model some-model"), "unknown model", "--metaspace-base-url"),
        (Reply.failing(429, "broke", code="insufficient_quota"), "quota", "no credit"),
    ],
)
def test_what_would_fail_for_every_question_is_asked_once(
    reply: Reply, kind: str, told: str, questions: Callable[[int], list[Question]]
) -> None:
    with serving(lambda _request, _number: reply) as endpoint:
        asked = ask(questions(50), agent(endpoint.url, concurrency=2), None)
    assert len(endpoint.requests) <= 2
    assert len(asked.answers) == 50
    assert {answer.kind for answer in asked.answers.values()} == {kind, "not asked"}
    assert asked.stopped is not None
    assert told in asked.stopped
    assert KEY not in str(asked)


def test_a_model_that_never_answers_is_given_up_after_twenty_questions(
    questions: Callable[[int], list[Question]],
) -> None:
    with serving(lambda _request, _number: Reply.failing(400, "bad picture")) as endpoint:
        asked = ask(questions(50), agent(endpoint.url, concurrency=1), None)
    assert len(endpoint.requests) == 20
    assert asked.stopped is not None
    assert "the first 20 questions all failed" in asked.stopped
    assert "bad picture" in asked.stopped


def test_a_missing_key_is_told_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, questions: Callable[[int], list[Question]]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UsageProblem, match="Set the environment variable OPENAI_API_KEY"):
        ask(questions(1), OpenAIAgent("gpt-4o", ModelOptions()), None)


def test_what_is_stored_needs_no_key_and_no_package(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    questions: Callable[[int], list[Question]],
) -> None:
    with serving(echo) as endpoint, AnswerStore(tmp_path / "cache") as store:
        first = agent(endpoint.url)
        ask(questions(3), first, store)
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with AnswerStore(tmp_path / "cache") as store:
        asked = ask(questions(3), agent(endpoint.url), store)
    assert asked.fresh == 0
    assert all(answer.cached for answer in asked.answers.values())


# ------------------------------------------------------------------------- answers that are none


@pytest.mark.parametrize(
    ("reply", "trouble", "text"),
    [
        (Reply.saying(None, refusal="I will not."), "refused", "I will not."),
        (Reply.saying("", finish="content_filter"), "filtered", ""),
        (Reply.saying("lef", finish="length"), "truncated", "lef"),
    ],
)
def test_what_a_model_says_instead_of_an_answer_is_kept_and_never_asked_again(
    reply: Reply,
    trouble: str,
    text: str,
    tmp_path: Path,
    questions: Callable[[int], list[Question]],
) -> None:
    (one,) = questions(1)
    with serving(lambda _request, _number: reply) as endpoint:
        for cached in (False, True):
            with AnswerStore(tmp_path / "cache") as store:
                answer = ask([one], agent(endpoint.url), store).answers[one.query]
            assert (answer.trouble, answer.raw, answer.cached) == (trouble, text, cached)
    assert len(endpoint.requests) == 1


def test_a_filter_that_answers_with_an_error_is_a_filter(
    questions: Callable[[int], list[Question]],
) -> None:
    reply = Reply.failing(400, "content management policy", code="content_filter")
    (one,) = questions(1)
    with serving(lambda _request, _number: reply) as endpoint:
        answer = ask([one], agent(endpoint.url), None).answers[one.query]
    assert answer.trouble == "filtered"


# ------------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    "text",
    [f"bad key {KEY}!", "Bearer abcdef0123456789", "key sk-proj-aaaaaaaaaaaaaaaaaaaaaaa was"],
)
def test_keys_are_taken_out_of_what_is_told(text: str) -> None:
    cleaned = failures.clean(text)
    assert "[key]" in cleaned
    assert "0123456789" not in cleaned
    assert "aaaaaaaa" not in cleaned
