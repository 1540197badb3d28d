"""Two runs at once on one store: nothing is asked twice, and neither waits for a dead one."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking import _round, ask
from pytest_metaspace.asking.claims import Claims
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.canonical import answer_key
from pytest_metaspace.domain import Answer, Question, Reply
from tests.asking.store_support import python

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from typing_extensions import Self

    Ask = Callable[[int], list[Question]]

KEY, OTHER = "a" * 64, "b" * 64
RUN = """
    import asyncio, os, sys, time
    from pathlib import Path
    from pytest_metaspace.asking import ask
    from pytest_metaspace.asking.store import AnswerStore
    from tests.asking.store_support import plain_questions

    log = Path(sys.argv[1])

    class Agent:
        identity = "counting@1"

        def note(self, text):
            with log.open("a") as file:
                file.write(f"{os.getpid()} {text}\\n")

        async def ask(self, question):
            self.note(question.text)
            await asyncio.sleep(float(sys.argv[3]))
            return f"{os.getpid()} says {question.text}"

    if sys.argv[4] == "sync":
        class Agent(Agent):
            def ask(self, question):
                self.note(question.text)
                time.sleep(float(sys.argv[3]))
                return f"{os.getpid()} says {question.text}"

    questions = plain_questions(int(sys.argv[5]))
    with AnswerStore(Path(sys.argv[2])) as store:
        store.get("0")
        print("ready", flush=True)
        sys.stdin.readline()
        asked = ask(questions, Agent(), store, concurrency=4)
    for answer in asked.answers.values():
        print(answer.raw)
"""


class Runs:
    """Processes that ask the same questions through one store."""

    def __init__(self, folder: Path, *, pause: float, kind: str, questions: int) -> None:
        self.log = folder / "asked.log"
        words = (str(self.log), str(folder / "cache"), str(pause), kind, str(questions))
        self._children = [python(RUN, *words) for _ in range(2)]
        for child in self._children:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n", child.communicate()[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.kill()
            child.communicate()

    def start(self, which: int) -> subprocess.Popen[str]:
        """Let a process begin to ask."""
        child = self._children[which]
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
        return child

    def asked(self) -> list[str]:
        """Return what was asked, by whomever."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line.partition(" ")[2] for line in lines]


@pytest.mark.parametrize("kind", ["async", "sync"])
def test_two_runs_at_once_ask_each_question_once_and_hear_the_same(
    tmp_path: Path, kind: str
) -> None:
    with Runs(tmp_path, pause=0.01, kind=kind, questions=40) as runs:
        children = [runs.start(0), runs.start(1)]
        heard = [child.communicate(timeout=60) for child in children]
    assert heard[0][1] == heard[1][1] == ""
    assert sorted(runs.asked()) == sorted(f"question {number}" for number in range(40))
    assert sorted(heard[0][0].splitlines()) == sorted(heard[1][0].splitlines())
    assert len(heard[0][0].splitlines()) == 40
    both = {line.split()[0] for line in heard[0][0].splitlines()}
    assert both == {str(child.pid) for child in children}, "they shared the work"


def test_what_a_killed_run_was_asking_is_taken_over(tmp_path: Path) -> None:
    with Runs(tmp_path, pause=30, kind="async", questions=2) as runs:
        first = runs.start(0)
        _until(lambda: len(runs.asked()) == 2)
        runs.start(1)
        time.sleep(0.3)
        assert len(runs.asked()) == 2, "the second run waits for the first"
        os.kill(first.pid, signal.SIGKILL)
        _until(lambda: len(runs.asked()) == 4)


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ------------------------------------------------------------------------------- one process


class Counting:
    """Says which agent it is; calls a function in the middle of each question."""

    identity: str | None = "counting@1"

    def __init__(self, name: str, meanwhile: Callable[[Question], None] = lambda _: None) -> None:
        self.heard: list[str] = []
        self._name = name
        self._meanwhile = meanwhile

    def ask(self, question: Question) -> str:
        self.heard.append(question.text)
        self._meanwhile(question)
        return f"{self._name} on {question.text}"


def test_what_another_run_stored_since_is_taken_just_before_asking(
    tmp_path: Path, questions: Ask
) -> None:
    first, second = questions(2)
    with AnswerStore(tmp_path) as store, AnswerStore(tmp_path) as other:

        def meanwhile(question: Question) -> None:
            if question.text == first.text:
                key = answer_key(second, "counting@1")
                other.put(key, Reply(text="theirs"), agent="counting@1")

        agent = Counting("me", meanwhile)
        asked = ask([first, second], agent, store, concurrency=1)
    assert agent.heard == [first.text]
    assert asked.answers[second.query] == Answer(raw="theirs", cached=True)
    assert asked.fresh == 1


def test_of_two_answers_the_first_stored_counts_and_both_are_kept(
    tmp_path: Path, questions: Ask
) -> None:
    """Where claims do not reach, on two machines say, verdicts are equal all the same."""
    (one,) = questions(1)
    key = answer_key(one, "counting@1")
    with AnswerStore(tmp_path) as store, AnswerStore(tmp_path) as other:

        def meanwhile(_: Question) -> None:
            other.put(key, Reply(text="theirs"), agent="counting@1")

        asked = ask([one], Counting("me", meanwhile), store)
        kept = store.get(f"{key}+2")
    assert asked.answers[one.query].raw == "theirs"
    assert kept is not None
    assert kept.text == "me on question 0"


def test_refresh_waits_for_nobody_and_its_answer_counts(tmp_path: Path, questions: Ask) -> None:
    (one,) = questions(1)
    key = answer_key(one, "counting@1")
    with AnswerStore(tmp_path) as store, AnswerStore(tmp_path) as other:
        other.put(key, Reply(text="old"), agent="counting@1")
        assert other.claim(key)
        asked = ask([one], Counting("me"), store, mode="refresh")
        assert asked.answers[one.query].raw == "me on question 0"
        assert store.get(key) == Reply(text="me on question 0")


def test_a_run_that_stops_for_good_waits_for_nobody(tmp_path: Path, questions: Ask) -> None:
    one, two = questions(2)
    with AnswerStore(tmp_path) as store, AnswerStore(tmp_path) as other:
        assert other.claim(answer_key(one, "counting@1"))

        def full(*_: object, **__: object) -> Reply:
            from pytest_metaspace.asking.store import StoreError

            raise StoreError("the disk is full")

        store.put = full  # type: ignore[method-assign]
        started = time.monotonic()
        asked = ask([one, two], Counting("me"), store, concurrency=1)
        assert time.monotonic() - started < 5
    assert asked.answers[one.query].error == "the disk is full"


def test_a_run_that_never_goes_on_holds_up_nobody_for_good(
    tmp_path: Path, questions: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_round, "_PATIENCE_S", 0.2)
    (one,) = questions(1)
    with AnswerStore(tmp_path) as store, AnswerStore(tmp_path) as other:
        assert other.claim(answer_key(one, "counting@1"))
        assert ask([one], Counting("me"), store).fresh == 1


def test_a_claim_is_given_back_when_asking_fails(tmp_path: Path, questions: Ask) -> None:
    def refuse(_: Question) -> None:
        raise ValueError("no")

    (one,) = questions(1)
    key = answer_key(one, "counting@1")
    with AnswerStore(tmp_path) as store, AnswerStore(tmp_path) as other:
        assert ask([one], Counting("me", refuse), store).answers[one.query].raw is None
        assert other.claim(key)


# ------------------------------------------------------------------------------------ claims


def test_a_claim_stands_until_it_is_given_back_or_its_owner_is_gone(tmp_path: Path) -> None:
    first, second = Claims(tmp_path / "claims"), Claims(tmp_path / "claims")
    assert [first.take(KEY), first.take(KEY), second.take(KEY)] == [True, True, False]
    assert second.take(OTHER)
    first.release(KEY)
    assert second.take(KEY)
    assert not first.take(KEY)
    second.close()
    assert first.take(KEY)
    first.close()
    assert first.take(KEY), "closed: it claims nothing and forbids nothing"


def test_where_no_file_can_be_made_every_claim_is_granted(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "nowhere" / "claims")
    assert claims.take(KEY)
    claims.release(KEY)
    claims.close()


def test_keys_of_sha256_fit_into_a_file(tmp_path: Path) -> None:
    claims, other = Claims(tmp_path / "claims"), Claims(tmp_path / "claims")
    for key in ("f" * 64, "0" * 64, "0123456789abcdef" * 4):
        assert claims.take(key)
        assert not other.take(key)
