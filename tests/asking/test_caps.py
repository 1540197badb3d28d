"""Caps on calls, tokens and money: checked before each call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.asking import Caps, ask
from tests.agents.endpoint import Reply, serving

if TYPE_CHECKING:
    from collections.abc import Callable

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
