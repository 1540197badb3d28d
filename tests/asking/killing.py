"""A process whose children ask and are killed; started by ``test_killed.py``.

Every call and every ``put`` that returned goes to an append-only log, in the order in which
they happened: ``RUN asked TEXT`` and ``RUN stored TEXT``.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace.asking import ask
from pytest_metaspace.asking.store import AnswerStore
from tests.asking.store_support import plain_questions

if TYPE_CHECKING:
    from pytest_metaspace.asking.rows import Asked
    from pytest_metaspace.domain import Question, Reply

CONCURRENCY = 4
ANSWER_S = 0.02
LONGEST_LIFE_S = 0.3


class Log:
    """Lines of one run in a file that only grows."""

    def __init__(self, path: Path, run: int) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._run = run

    def __call__(self, what: str, text: str) -> None:
        """Write a line, at once."""
        os.write(self._file, f"{self._run} {what} {text}\n".encode())


class LoggedStore(AnswerStore):
    """Logs what it has stored."""

    def __init__(self, folder: Path, log: Log) -> None:
        super().__init__(folder)
        self._log = log

    def put(
        self,
        key: str,
        reply: Reply,
        *,
        agent: str,
        asked: Asked | None = None,
        replace: bool = False,
    ) -> Reply:
        """Store, then log."""
        counts = super().put(key, reply, agent=agent, asked=asked, replace=replace)
        assert asked is not None
        self._log("stored", asked.text)
        return counts


class Agent:
    """Logs each call, and answers after a while."""

    identity: str | None = "slow@1"

    def __init__(self, log: Log) -> None:
        self._log = log

    async def ask(self, question: Question) -> str:
        """Answer with the question."""
        self._log("asked", question.text)
        await asyncio.sleep(ANSWER_S)
        return f"answer to {question.text}"


def run(number: int, folder: Path, questions: list[Question]) -> bool:
    """Ask everything that is not stored; return whether every answer is right."""
    log = Log(folder / "log", number)
    with LoggedStore(folder / "cache", log) as store:
        asked = ask(questions, Agent(log), store, concurrency=CONCURRENCY)
    return all(asked.answers[one.query].raw == f"answer to {one.text}" for one in questions)


def _until_asking(log: Path, number: int) -> None:
    """Wait until a run has asked something: on a slow machine few would be cut off there."""
    begins = f"{number} asked ".encode()
    while not (log.exists() and begins in log.read_bytes()):
        time.sleep(0.005)


def main(folder: Path, kills: int, count: int, seed: int) -> None:
    """Start runs, kill each at a random moment, and let the last one end."""
    chance, questions, killed = random.Random(seed), plain_questions(count), 0
    for number in range(kills):
        child = os.fork()
        if child == 0:
            os._exit(0 if run(number, folder, questions) else 1)
        if number % 2:
            _until_asking(folder / "log", number)
        time.sleep(chance.uniform(0, LONGEST_LIFE_S))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        killed += os.WIFSIGNALED(status)
    sys.stdout.write(f"{killed} {run(kills, folder, questions)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
