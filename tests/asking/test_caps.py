"""Caps on calls, tokens and money: checked before each call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.asking import Caps, Spent, ask
from pytest_metaspace.asking.store import AnswerStore
from tests.agents.endpoint import Reply, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Question

pytest.importorskip("openai")


def agent(url: str, **options: Any) -> OpenAIAgent:
    return OpenAIAgent("some-model", ModelOptions(base_url=url, **options))


def test_calls_are_capped_exactly(questions: Callable[[int], list[Question]]) -> None:
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        asked = ask(questions(20), agent(endpoint.url), None, caps=Caps(calls=7))
    assert len(endpoint.requests) == 7
    assert sum(answer.raw is not None for answer in asked.answers.values()) == 7
    assert asked.stopped is not None
    assert "--metaspace-max-calls=7" in asked.stopped


def test_tokens_and_money_are_capped_with_what_is_in_flight(
    questions: Callable[[int], list[Question]],
) -> None:
    for caps in (Caps(tokens=1000), Caps(usd=1.0, usd_in=1000.0, usd_out=1000.0)):
        with serving(lambda *_: Reply.saying("2")) as endpoint:
            asked = ask(questions(40), agent(endpoint.url, concurrency=4), None, caps=caps)
        assert 4 <= asked.fresh <= 9, caps
        assert asked.spent.tokens_in == 100 * asked.fresh
        assert asked.stopped is not None


def test_a_cap_is_not_passed_by_what_was_in_flight(
    questions: Callable[[int], list[Question]],
) -> None:
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        asked = ask(questions(40), agent(endpoint.url, concurrency=16), None, caps=Caps(tokens=950))
    assert asked.spent.tokens_in + asked.spent.tokens_out == 9 * 102
    assert asked.capped
    assert asked.stopped is not None
    assert "918 tokens used, the next question takes about 102" in asked.stopped


def test_what_turns_out_cheaper_than_feared_stops_nothing(
    questions: Callable[[int], list[Question]],
) -> None:
    """Before the first answer a question is taken for 300 tokens or so; then for its 102."""
    caps = Caps(tokens=12 * 102)
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        asked = ask(questions(12), agent(endpoint.url, concurrency=12), None, caps=caps)
    assert (asked.fresh, asked.stopped, asked.capped) == (12, None, False)
    assert endpoint.most_at_once < 12  # not all at first


def test_an_endpoint_that_tells_no_tokens_is_capped_by_estimates(
    questions: Callable[[int], list[Question]],
) -> None:
    def silent(*_: object) -> Reply:
        reply = Reply.saying("2")
        del reply.body["usage"]
        return reply

    with serving(silent) as endpoint:
        asked = ask(questions(40), agent(endpoint.url), None, caps=Caps(tokens=3000))
        uncapped = ask(questions(3), agent(endpoint.url), None)
    assert 3 < asked.fresh < 40
    assert asked.spent.guessed == asked.fresh
    assert asked.spent.tokens_in + asked.spent.tokens_out <= 3000
    assert "about " in str(asked.stopped)
    assert (uncapped.spent.guessed, uncapped.spent.tokens_in) == (0, 0)


def test_what_earlier_rounds_used_counts(questions: Callable[[int], list[Question]]) -> None:
    before = Spent(calls=5, tokens_in=500, tokens_out=10, most_in=100, most_out=2)
    for caps in (Caps(calls=7, before=before), Caps(tokens=714, before=before)):
        with serving(lambda *_: Reply.saying("2")) as endpoint:
            asked = ask(questions(9), agent(endpoint.url), None, caps=caps)
        assert asked.fresh == 2, caps


def test_a_model_that_counts_more_for_a_picture_is_taken_for_more(
    questions: Callable[[int], list[Question]],
) -> None:
    (one,) = questions(1)
    caps = Caps(tokens=2000)
    assert caps.forbids(Spent(), 1, one) is None
    assert replace(caps, picture_scale=10.0).forbids(Spent(), 1, one) is not None


def test_after_a_stop_nobody_is_asked_and_what_is_stored_is_told(
    questions: Callable[[int], list[Question]], tmp_path: Path
) -> None:
    with serving(lambda *_: Reply.saying("2")) as endpoint, AnswerStore(tmp_path / "c") as store:
        ask(questions(2), agent(endpoint.url), store)
        asked = ask(questions(4), agent(endpoint.url), store, stopped="the disk is full")
        assert len(endpoint.requests) == 2
    answers = list(asked.answers.values())
    assert [answer.raw for answer in answers] == ["2", "2", None, None]
    assert {(answer.kind, answer.error) for answer in answers[2:]} == {
        ("not asked", "the disk is full")
    }


class Paid:
    """A model that is paid for, and counts."""

    identity: str | None = "paid@1"
    paid = True

    def __init__(self) -> None:
        self.heard = 0

    def ask(self, _question: Question) -> str:
        self.heard += 1
        return "2"


def test_what_is_asked_without_a_cap_is_counted_over_all_rounds_of_a_run(
    questions: Callable[[int], list[Question]],
) -> None:
    """Waves of a hundred would otherwise ask thirty thousand."""
    agent = Paid()
    assert ask(questions(3), agent, None, caps=Caps(before=Spent(calls=997))).stopped is None
    assert agent.heard == 3
    asked = ask(questions(3), agent, None, caps=Caps(before=Spent(calls=998)))
    assert agent.heard == 3
    assert asked.stopped is not None
    assert "no cap is set; add --metaspace-max-calls=N" in asked.stopped
    assert {answer.kind for answer in asked.answers.values()} == {"not asked"}
