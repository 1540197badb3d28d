"""A mutant of a model: what it hides of the model would be paid for without a cap, or misread."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

from pytest_metaspace.agents import AgentContext, mutant
from pytest_metaspace.agents.mutant import Mutant
from pytest_metaspace.answers import read
from pytest_metaspace.asking import ask
from pytest_metaspace.domain import Question, Reply, Trouble, Value
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.questions import question
from tests.agents.test_mutant import every_question

if TYPE_CHECKING:
    from pytest_metaspace.agents import Agent


class Dear:
    """A model that is paid for, as far as anybody can tell."""

    identity: str | None = "dear@1"
    paid = greedy = structured = True
    concurrency = 3

    def __init__(self, said: Reply) -> None:
        self.said = said
        self.open = False

    def ask(self, _question: Question) -> Reply:
        return self.said

    async def __aenter__(self) -> None:
        self.open = True

    async def __aexit__(self, *_: object) -> None:
        self.open = False


def wrapping(fault: str, inner: Agent) -> Mutant:
    def build(_name: str) -> Agent:
        return inner

    context = AgentContext(build=build, question=question, read=read, root=Path("/nowhere"))
    made = mutant.KIND.build(f"{fault}:dear", context)
    assert isinstance(made, Mutant)
    return made


def test_a_mutant_of_a_model_is_asked_as_the_model_is() -> None:
    inner = Dear(Reply(text="left"))
    made = wrapping("mirrored", inner)
    assert (made.paid, made.greedy, made.structured, made.concurrency) == (True, True, True, 3)

    async def opened_by() -> bool:
        async with made:
            return inner.open

    assert asyncio.run(opened_by())
    assert not inner.open


def test_a_mutant_of_a_model_needs_a_cap_as_the_model_does() -> None:
    some = every_question()
    many = [replace(some[0], text=f"{some[0].text} {number}") for number in range(1001)]
    with pytest.raises(UsageProblem, match="no cap is set"):
        ask(many, wrapping("mirrored", Dear(Reply(text="left"))), None)
    assert wrapping("random", Dear(Reply(text="left"))).paid is None  # it never asks the model


@pytest.mark.parametrize("fault", ["mirrored", "yes-sayer"])
@pytest.mark.parametrize("trouble", get_args(Trouble))
def test_what_the_endpoint_calls_no_answer_is_none_of_a_mutant_either(
    fault: str, trouble: Trouble
) -> None:
    asked = next(one for one in every_question() if one.format.planar)
    told = Reply(text=next(iter(asked.format.planar)), trouble=trouble, tokens_in=9, tokens_out=1)
    assert asyncio.run(wrapping(fault, Dear(told)).ask(asked)) == told


def test_a_mutant_counts_the_tokens_of_the_model() -> None:
    asked = next(one for one in every_question() if "left" in one.format.planar.values())
    word = next(word for word, label in asked.format.planar.items() if label == "left")
    made = wrapping("mirrored", Dear(Reply(text=word, tokens_in=9, tokens_out=1)))
    reply: Any = asyncio.run(made.ask(asked))
    assert (reply.tokens_in, reply.tokens_out) == (9, 1)
    found = read(reply.text, asked.format)
    assert isinstance(found, Value)
    assert found.planar == "right"
