"""Several samples of a question: each has its key, and more of them re-ask nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking import Caps, ask, draws_of
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.canonical import answer_key
from pytest_metaspace.errors import AgentError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Answer, Question

    Ask = Callable[[int], list[Question]]


class Numbering:
    """Says which sample of which question it was asked for, and keeps it."""

    identity: str | None = "numbering@1"
    paid = False

    def __init__(self, *, bad: tuple[int, ...] = ()) -> None:
        self.heard: list[str] = []
        self._bad = bad

    def ask(self, question: Question) -> str:
        said = f"{question.text}, sample {question.sample}"
        self.heard.append(said)
        if question.sample in self._bad:
            raise AgentError("no network", kind="no connection")
        return said


class Free(Numbering):
    identity = None


class Fixed(Numbering):
    deterministic = True


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    with AnswerStore(tmp_path / "cache") as opened:
        yield opened


def said(answers: list[Answer]) -> list[str | None]:
    return [answer.raw for answer in answers]


@pytest.mark.parametrize("agent", [Numbering(), Free()], ids=["stored", "free"])
def test_each_question_is_put_as_often_as_samples_are_wanted(
    questions: Ask, store: AnswerStore, agent: Numbering
) -> None:
    asked = ask(questions(3), agent, store, samples=4)
    assert sorted(agent.heard) == sorted(
        f"question {q}, sample {s}" for q in range(3) for s in range(4)
    )
    assert asked.fresh == 12
    for number, question in enumerate(questions(3)):
        expected = [f"question {number}, sample {s}" for s in range(4)]
        assert said(asked.samples[question.query]) == expected
        assert asked.answers[question.query].raw == expected[0]


def test_more_samples_ask_only_what_is_new(questions: Ask, store: AnswerStore) -> None:
    ask(questions(3), Numbering(), store)
    five = Numbering()
    asked = ask(questions(3), five, store, samples=5)
    assert asked.fresh == 3 * 4
    assert not [heard for heard in five.heard if heard.endswith("sample 0")]
    again, fewer = Numbering(), Numbering()
    assert ask(questions(3), again, store, samples=5).samples.keys() == asked.samples.keys()
    ask(questions(3), fewer, store, samples=2)
    assert again.heard == fewer.heard == []


def test_the_first_sample_has_the_key_that_it_always_had(questions: Ask) -> None:
    (one,) = questions(1)
    keys = [answer_key(one, "me@1", sample) for sample in range(20)]
    assert keys[0] == answer_key(one, "me@1")
    assert len(set(keys)) == 20


def test_all_first_samples_are_put_before_the_second_ones(
    questions: Ask, store: AnswerStore
) -> None:
    agent = Numbering()
    asked = ask(questions(3), agent, store, samples=3, concurrency=1, caps=Caps(calls=4))
    assert [heard[-1] for heard in agent.heard] == ["0", "0", "0", "1"]
    kinds = [[answer.kind for answer in asked.samples[q.query]] for q in questions(3)]
    assert kinds == [
        [None, None, "not asked"],
        [None, "not asked", "not asked"],
        [None, "not asked", "not asked"],
    ]


def test_an_agent_that_cannot_answer_otherwise_is_asked_once(
    questions: Ask, store: AnswerStore
) -> None:
    agent = Fixed()
    asked = ask(questions(2), agent, store, samples=5)
    assert agent.heard == ["question 0, sample 0", "question 1, sample 0"]
    assert [len(samples) for samples in asked.samples.values()] == [5, 5]
    assert {len(set(said(samples))) for samples in asked.samples.values()} == {1}
    assert (draws_of(agent, 5), draws_of(Numbering(), 5)) == (1, 5)


def test_a_sample_that_failed_is_asked_again_and_the_others_are_not(
    questions: Ask, store: AnswerStore
) -> None:
    first = ask(questions(2), Numbering(bad=(1,)), store, samples=3)
    for samples in first.samples.values():
        assert [answer.kind for answer in samples] == [None, "no connection", None]
    agent = Numbering()
    ask(questions(2), agent, store, samples=3)
    assert sorted(agent.heard) == ["question 0, sample 1", "question 1, sample 1"]


def test_offline_says_of_each_sample_that_it_is_missing(questions: Ask, store: AnswerStore) -> None:
    ask(questions(1), Numbering(), store, samples=2)
    agent = Numbering()
    asked = ask(questions(1), agent, store, samples=4, mode="offline")
    (samples,) = asked.samples.values()
    assert [answer.kind for answer in samples] == [None, None, "no recording", "no recording"]
    assert agent.heard == []


def test_one_sample_leaves_nothing_beside_the_answers(questions: Ask, store: AnswerStore) -> None:
    assert ask(questions(2), Numbering(), store).samples == {}


def test_samples_count_where_much_would_be_paid_for(
    questions: Ask, store: AnswerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Paid(Numbering):
        paid = True

    monkeypatch.setattr("pytest_metaspace.asking._round._FREELY", 10)
    agent = Paid()
    with pytest.raises(UsageProblem, match=r"15 questions \(5 samples of each\) with .*=15, "):
        ask(questions(3), agent, store, samples=5)
    assert agent.heard == []
    assert ask(questions(3), agent, store, samples=3).fresh == 9


@pytest.mark.parametrize("mode", ["cached", "refresh"])
def test_progress_is_told_for_every_sample(questions: Ask, store: AnswerStore, mode: str) -> None:
    ask(questions(2), Numbering(), store, samples=2)
    told: list[int] = []
    ask(
        questions(2),
        Numbering(),
        store,
        samples=3,
        mode=mode,  # type: ignore[arg-type]
        progress=lambda: told.append(1),
    )
    assert len(told) == 2 * 3
