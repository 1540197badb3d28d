"""Every request of a model waits for its turn, whatever round or question it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents._pace import Pace
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.asking import ask
from tests.agents.endpoint import Reply, serving

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.domain import Question

pytest.importorskip("openai")


def test_every_request_waits_for_its_turn_tries_that_failed_too(
    questions: Callable[[int], list[Question]],
) -> None:
    class Counted(Pace):
        turns, held = 0, 0.0

        async def turn(self) -> None:
            self.turns += 1

        def hold(self, seconds: float) -> None:
            self.held = seconds

    def script(_request: dict[str, Any], number: int) -> Reply:
        if number == 2:
            return Reply.failing(429, headers={"Retry-After": "7"})
        return Reply.failing(500) if number == 3 else Reply.saying("2")

    with serving(script) as endpoint:
        model = OpenAIAgent("m", ModelOptions(base_url=endpoint.url, rate=600.0))
        assert model._pace._gap == pytest.approx(0.1)
        model._pace = paced = Counted()
        asked = ask(questions(5), model, None)
    assert all(answer.raw is not None for answer in asked.answers.values())
    assert paced.turns == len(endpoint.requests) == 7
    assert paced.held == 7.0
