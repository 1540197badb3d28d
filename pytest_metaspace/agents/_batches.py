"""Batches out of questions that are asked one by one, at the same time.

Whoever asks knows nothing of batches: it awaits one answer, as of any agent, and stores it before
anything else. Questions of a like length are put together, so that little of a batch is padding.
"""

from __future__ import annotations

import asyncio
import heapq
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_metaspace.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_metaspace.domain import Question, Reply

WINDOW: Final = 8
"""So many batches' worth of questions should wait, to choose from."""
#  After so many turns of the loop without a new question, nobody is about to ask one.
_QUIET_TURNS: Final = 8


class _Waiting(NamedTuple):
    question: Question
    answer: asyncio.Future[Reply]


class Batches:
    """Collects questions and hands them on, a batch at a time, to a function in a thread.

    Args:
        size: questions in a batch at most.
        answer: returns a reply or a failure for each question, in order.
    """

    def __init__(
        self, size: int, answer: Callable[[Sequence[Question]], Sequence[Reply | AgentError]]
    ) -> None:
        self._size = size
        self._answer = answer
        self._waiting: list[_Waiting] = []
        self._runner: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Reply:
        """Return the reply to a question, which is put in a batch with others.

        Raises:
            AgentError: there is none.
        """
        waiting = _Waiting(question, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())
        return await waiting.answer

    async def close(self) -> None:
        """Forget who waits, and begin no other batch."""
        self._waiting.clear()
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        self._runner = None

    async def _run(self) -> None:
        while self._waiting:
            await self._gather()
            batch = self._next()
            try:
                told = await asyncio.to_thread(self._answer, [one.question for one in batch])
            except Exception as problem:  # noqa: BLE001 - whoever waits must hear of it
                told = [AgentError(f"the model failed: {problem}")] * len(batch)
            for one, reply in zip(batch, told):
                if one.answer.done():
                    continue  # nobody waits any more
                if isinstance(reply, AgentError):
                    one.answer.set_exception(reply)
                else:
                    one.answer.set_result(reply)

    async def _gather(self) -> None:
        """Give those who are about to ask a few turns, unless a batch is full already."""
        quiet = 0
        while len(self._waiting) < self._size and quiet < _QUIET_TURNS:
            before = len(self._waiting)
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == before else 0

    def _next(self) -> list[_Waiting]:
        """Take the oldest question and those most like it in pictures and length of text.

        Questions without pictures are never mixed with others: processors differ in what an
        empty list of pictures means.
        """
        first = self._waiting[0].question

        def unlike(place: int) -> tuple[int, int, int]:
            other = self._waiting[place].question
            pictures = abs(len(other.images) - len(first.images))
            return pictures, abs(len(other.text) - len(first.text)), place

        fitting = (
            place
            for place, one in enumerate(self._waiting)
            if bool(one.question.images) == bool(first.images)
        )
        chosen = sorted(heapq.nsmallest(self._size, fitting, key=unlike))
        batch = [self._waiting[place] for place in chosen]
        for place in reversed(chosen):
            del self._waiting[place]
        return batch
