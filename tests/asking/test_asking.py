"""Each distinct question is asked once, stored at once, and never again."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking import ask
from pytest_metaspace.asking.store import AnswerStore, StoreError
from pytest_metaspace.domain import Answer, Question, Reply
from pytest_metaspace.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_metaspace.asking.rows import Asked

    Ask = Callable[[int], list[Question]]


class Counting:
    """Answers with the text of the question, and keeps it."""

    def __init__(self, identity: str | None = "counting@1") -> None:
        self.identity = identity
        self.heard: list[str] = []

    def ask(self, question: Question) -> str:
        self.heard.append(question.text)
        return f"answer to {question.text}"


class Failing(Counting):
    """Fails on the questions named."""

    def __init__(self, *bad: int) -> None:
        super().__init__()
        self.bad = {f"question {number}" for number in bad}

    def ask(self, question: Question) -> str:
        if question.text in self.bad:
            self.heard.append(question.text)
            raise AgentError("no network")
        return super().ask(question)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    with AnswerStore(tmp_path / "cache") as opened:
        yield opened


def test_every_question_gets_its_answer(questions: Ask) -> None:
    agent = Counting()
    asked = ask(questions(5), agent, None)
    assert asked.answers == {q.query: Answer(raw=f"answer to {q.text}") for q in questions(5)}
    assert (asked.fresh, asked.stopped) == (5, None)


def test_what_is_stored_is_not_asked_again(questions: Ask, store: AnswerStore) -> None:
    first, second = Counting(), Counting()
    ask(questions(3), first, store)
    asked = ask(questions(5), second, store)
    assert second.heard == ["question 3", "question 4"]
    assert asked.fresh == 2
    assert [answer.cached for answer in asked.answers.values()].count(True) == 3
    assert {q.text: asked.answers[q.query].raw for q in questions(5)} == {
        f"question {n}": f"answer to question {n}" for n in range(5)
    }


def test_another_agent_is_asked_everything(questions: Ask, store: AnswerStore) -> None:
    ask(questions(3), Counting(), store)
    other = Counting("counting@2")
    assert ask(questions(3), other, store).fresh == 3


def test_an_agent_without_identity_is_neither_stored_nor_read(
    questions: Ask, store: AnswerStore
) -> None:
    free = Counting(None)
    for _ in range(2):
        assert ask(questions(3), free, store).fresh == 3
    assert len(store) == 0


def test_questions_that_look_the_same_are_asked_once(questions: Ask, store: AnswerStore) -> None:
    (one,) = questions(1)
    alike = [replace(one, query=replace(one.query, b=f"object {n}")) for n in range(4)]
    agent = Counting()
    asked = ask(alike, agent, store)
    assert agent.heard == ["question 0"]
    assert len(asked.answers) == 4
    assert asked.fresh == 1


def test_refresh_asks_everything_again_and_stores_the_new_answer(
    questions: Ask, store: AnswerStore
) -> None:
    class Moody(Counting):
        def ask(self, question: Question) -> str:
            return super().ask(question) + " again"

    ask(questions(3), Counting(), store)
    moody = Moody()
    assert ask(questions(3), moody, store, mode="refresh").fresh == 3
    asked = ask(questions(3), Counting(), store)
    assert asked.fresh == 0
    assert {answer.raw for answer in asked.answers.values()} == {
        f"answer to question {n} again" for n in range(3)
    }


def test_offline_asks_nothing_and_says_what_to_do(questions: Ask, store: AnswerStore) -> None:
    ask(questions(2), Counting(), store)
    silent = Counting()
    asked = ask(questions(3), silent, store, mode="offline")
    assert silent.heard == []
    assert asked.fresh == 0
    *known, unknown = asked.answers.values()
    assert [answer.raw for answer in known] == ["answer to question 0", "answer to question 1"]
    assert unknown.raw is None
    assert "--metaspace-answers=cached" in str(unknown.error)


def test_an_error_is_told_and_never_stored(questions: Ask, store: AnswerStore) -> None:
    first = ask(questions(3), Failing(1), store)
    answers = list(first.answers.values())
    assert answers[1] == Answer(raw=None, error="no network", kind="failed")
    assert [answer.raw is None for answer in answers] == [False, True, False]
    assert len(store) == 2
    second = Counting()
    asked = ask(questions(3), second, store)
    assert second.heard == ["question 1"]
    assert all(answer.error is None for answer in asked.answers.values())


def test_progress_is_told_once_a_question(questions: Ask, store: AnswerStore) -> None:
    ticks: list[None] = []
    ask(questions(2), Counting(), store)
    ask(questions(5), Failing(3), store, progress=lambda: ticks.append(None))
    assert len(ticks) == 5


def test_nothing_to_ask_is_no_work() -> None:
    assert ask([], Counting(), None).answers == {}


# ------------------------------------------------------------------------------------- async


class Slow:
    """Answers late; knows how many of its questions are in flight at a time."""

    identity: str | None = "slow@1"

    def __init__(self) -> None:
        self.flying = self.most = 0

    async def ask(self, question: Question) -> str:
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(0.005)
        self.flying -= 1
        if question.text == "question 7":
            raise AgentError("no network")
        return question.text


@pytest.mark.parametrize("concurrency", [1, 4])
def test_async_agents_answer_a_few_questions_at_a_time(
    questions: Ask, store: AnswerStore, concurrency: int
) -> None:
    agent = Slow()
    asked = ask(questions(20), agent, store, concurrency=concurrency)
    assert agent.most == concurrency
    assert len(asked.answers) == 20
    assert [q.text for q in questions(20) if asked.answers[q.query].raw != q.text] == ["question 7"]
    assert len(store) == 19


def test_asking_works_inside_a_running_event_loop(questions: Ask, store: AnswerStore) -> None:
    async def notebook() -> int:
        return ask(questions(3), Slow(), store).fresh

    assert asyncio.run(notebook()) == 3
    assert "metaspace-asking" not in [thread.name for thread in threading.enumerate()]


def test_what_interrupts_inside_a_running_event_loop_comes_out(questions: Ask) -> None:
    class Interrupted(Counting):
        def ask(self, question: Question) -> str:
            raise KeyboardInterrupt(question.text)

    async def notebook() -> None:
        ask(questions(3), Interrupted(), None)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(notebook())


# ----------------------------------------------------------------------------- a full disk


FULL = "the disk is full"


class Full:
    """A store on which two answers find room."""

    def __init__(self) -> None:
        self.kept: dict[str, Reply] = {}

    def get(self, key: str) -> Reply | None:
        return self.kept.get(key)

    def put(
        self,
        key: str,
        reply: Reply,
        *,
        agent: str,
        asked: Asked | None = None,
        replace: bool = False,
    ) -> Reply:
        assert agent
        assert asked
        assert not replace
        if len(self.kept) == 2:
            raise StoreError(FULL)
        self.kept[key] = reply
        return reply

    def claim(self, key: str) -> bool:
        return key not in self.kept

    def release(self, key: str) -> None:
        """Nobody else asks."""

    def close(self) -> None:
        """Nothing to close."""


def test_a_full_disk_stops_asking_and_keeps_the_answer_in_hand(questions: Ask) -> None:
    agent = Counting()
    asked = ask(questions(5), agent, Full())
    assert agent.heard == ["question 0", "question 1", "question 2"]
    assert asked.stopped == FULL
    answers = list(asked.answers.values())
    assert [answer.raw for answer in answers[:3]] == [f"answer to question {n}" for n in range(3)]
    assert answers[3:] == [Answer(raw=None, error=FULL, kind="not asked")] * 2


def test_a_full_disk_lets_what_is_in_flight_come_home(questions: Ask) -> None:
    asked = ask(questions(12), Slow(), Full(), concurrency=4)
    assert asked.stopped == FULL
    assert len(asked.answers) == 12
    raws = [answer.raw for answer in asked.answers.values() if answer.raw is not None]
    assert 3 <= len(raws) <= 6
