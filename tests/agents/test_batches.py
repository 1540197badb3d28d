"""Questions asked one by one become batches of a like length; each asker hears of its own."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.agents._batches import Batches
from pytest_metaspace.domain import Reply
from pytest_metaspace.errors import AgentError
from pytest_metaspace.questions import own_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Question


def question(text: str, pictures: int = 1) -> Question:
    return own_words(text, [Path(f"{n}.png") for n in range(pictures)])


class Model:
    """Echoes, and remembers the batches that it was given."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def answer(self, questions: Sequence[Question]) -> list[Reply | AgentError]:
        self.batches.append([one.text.strip() for one in questions])
        return [
            AgentError("no", kind="made up")
            if "fail" in one.text
            else Reply(text=f"re: {one.text.strip()}")
            for one in questions
        ]


def ask_all(model: Model, size: int, questions: Sequence[Question]) -> list[object]:
    """Ask everything at once; return texts and failures, in order."""

    async def inside() -> list[object]:
        batches = Batches(size, model.answer)

        async def heard(one: Question) -> object:
            try:
                return (await batches.ask(one)).text
            except AgentError as problem:
                return problem

        told = await asyncio.gather(*map(heard, questions))
        await batches.close()
        return list(told)

    return asyncio.run(asyncio.wait_for(inside(), 10))


def test_what_is_asked_at_once_comes_in_full_batches_and_a_rest() -> None:
    model = Model()
    told = ask_all(model, 4, [question(str(n)) for n in range(10)])
    assert told == [f"re: {n}" for n in range(10)]
    assert [len(batch) for batch in model.batches] == [4, 4, 2]


def test_who_asks_again_after_an_answer_finds_a_place_in_the_next_batch() -> None:
    model = Model()

    async def inside() -> None:
        batches = Batches(4, model.answer)
        todo = iter(range(12))

        async def worker() -> None:
            for n in todo:
                await batches.ask(question(str(n)))
                for _ in range(3 * (n % 3)):
                    await asyncio.sleep(0)  # as whoever stores the answer may do

        await asyncio.gather(*(worker() for _ in range(4)))

    asyncio.run(asyncio.wait_for(inside(), 10))
    assert [len(batch) for batch in model.batches] == [4, 4, 4]


def test_like_lengths_and_like_numbers_of_pictures_go_together() -> None:
    model = Model()
    words = ["short", "long" * 50, "brief", "wide" * 51]
    ask_all(model, 2, [question(word) for word in words])
    assert model.batches == [["short", "brief"], ["long" * 50, "wide" * 51]]
    model = Model()
    ask_all(model, 2, [question("a", 1), question("b", 9), question("c" * 99, 1), question("d", 8)])
    assert model.batches == [["a", "c" * 99], ["b", "d"]]


def test_the_oldest_question_is_in_the_next_batch_however_odd_it_is() -> None:
    model = Model()
    ask_all(model, 2, [question("odd" * 500), *(question(str(n)) for n in range(5))])
    assert "odd" * 500 in model.batches[0]


def test_questions_without_pictures_are_never_mixed_with_others() -> None:
    model = Model()
    ask_all(model, 4, [question("a", 0), question("b", 1), question("c", 0)])
    assert model.batches == [["a", "c"], ["b"]]


def test_a_failure_is_heard_by_its_own_asker_only() -> None:
    told = ask_all(Model(), 4, [question("a"), question("fail"), question("c")])
    assert (told[0], told[2]) == ("re: a", "re: c")
    assert isinstance(told[1], AgentError)
    assert told[1].kind == "made up"


def test_when_the_model_breaks_everyone_in_the_batch_hears_and_the_next_goes_on() -> None:
    class Broken(Model):
        def answer(self, questions: Sequence[Question]) -> list[Reply | AgentError]:
            told = super().answer(questions)
            if len(self.batches) == 1:
                raise ZeroDivisionError("broken")
            return told

    told = ask_all(Broken(), 2, [question(str(n)) for n in range(3)])
    assert [str(one) for one in told] == ["the model failed: broken"] * 2 + ["re: 2"]


def test_closing_forgets_who_waits_and_begins_no_other_batch() -> None:
    model, begun, over = Model(), threading.Event(), threading.Event()

    def slow(questions: Sequence[Question]) -> list[Reply | AgentError]:
        begun.set()
        over.wait(5)
        return model.answer(questions)

    async def inside() -> None:
        batches = Batches(1, slow)
        asking = [asyncio.ensure_future(batches.ask(question(str(n)))) for n in range(3)]
        await asyncio.to_thread(begun.wait, 5)
        for one in asking:
            one.cancel()
        await batches.close()
        over.set()
        with pytest.raises(asyncio.CancelledError):
            await asking[0]

    asyncio.run(asyncio.wait_for(inside(), 10))
    assert model.batches == [["0"]]
