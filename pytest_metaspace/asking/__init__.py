"""From questions to answers: each distinct question is asked once, and stored before anything.

The only place that spends money or GPU time.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pytest_metaspace.canonical import answer_key
from pytest_metaspace.domain import Answer
from pytest_metaspace.errors import AgentError, MetaspaceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator

    from pytest_metaspace.domain import Query, Question

Mode = Literal["cached", "refresh", "offline"]
_TURN_S = 0.05
_LONGEST_ERROR = 500


class _Agent(Protocol):
    identity: str | None

    def ask(self, question: Question) -> str | Awaitable[str]: ...


class _Store(Protocol):
    def get(self, key: str) -> str | None: ...

    def put(self, key: str, raw: str, *, agent: str) -> None: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Asked:
    """What a round of asking came to.

    Attributes:
        answers: one for each query.
        fresh: questions that were put to the agent.
        stopped: why asking ended early; None when it did not.
    """

    answers: dict[Query, Answer]
    fresh: int = 0
    stopped: str | None = None


def ask(
    questions: Iterable[Question],
    agent: _Agent,
    store: _Store | None,
    *,
    mode: Mode = "cached",
    concurrency: int = 8,
    progress: Callable[[], None] = lambda: None,
) -> Asked:
    """Return an answer for every question.

    An answer is stored before anything else happens to it, so that killing the process repeats
    at most the questions then in flight.

    Args:
        questions: distinct in what they mean; those that look the same are asked once.
        agent: who answers. Nothing is stored for one without an identity.
        store: where answers are kept, or None.
        mode: ``cached`` asks what is not stored, ``refresh`` asks everything again,
            ``offline`` asks nothing.
        concurrency: how many async questions may be in flight.
        progress: called after each answer.
    """
    round_ = _Round(agent, store, mode, progress)
    work = round_.open(questions)
    _run(round_.drain(work, concurrency), store)
    return round_.asked


def _run(work: Coroutine[None, None, None], store: _Store | None) -> None:
    """Run a coroutine to its end, also where an event loop is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    problems: list[BaseException] = []

    def inside() -> None:
        try:
            asyncio.run(work)
        except BaseException as problem:  # noqa: BLE001 - handed on to the caller
            problems.append(problem)
        finally:
            if store is not None:
                store.close()  # this thread's connection; the next use opens one again

    thread = threading.Thread(target=inside, name="metaspace-asking")
    thread.start()
    thread.join()
    if problems:
        raise problems[0]


class _Round:
    """One round of asking: its agent, its store, and what has come back so far."""

    def __init__(
        self, agent: _Agent, store: _Store | None, mode: Mode, progress: Callable[[], None]
    ) -> None:
        self.asked = Asked(answers={})
        self._agent = agent
        self._store = store
        self._mode = mode
        self._progress = progress
        self._breathed = time.monotonic()

    def open(self, questions: Iterable[Question]) -> Iterator[tuple[str | None, list[Question]]]:
        """Answer what is stored; yield what must be asked, look-alikes together."""
        if self._agent.identity is None or (self._store is None and self._mode != "offline"):
            for question in questions:
                yield None, [question]
            return
        alike: dict[str, list[Question]] = {}
        for question in questions:
            key = answer_key(question, self._agent.identity)
            stored = None if key in alike else self._stored(key)
            if stored is not None:  # at once, so that the texts of thousands are not held
                self._settle([question], Answer(raw=stored, cached=True))
            else:
                alike.setdefault(key, []).append(question)
        for key, group in alike.items():
            if self._mode == "offline":
                self._settle(group, Answer(raw=None, error=_OFFLINE))
            else:
                yield key, group

    def _stored(self, key: str) -> str | None:
        if self._store is None or self._mode == "refresh":
            return None
        return self._store.get(key)

    async def drain(
        self, work: Iterator[tuple[str | None, list[Question]]], concurrency: int
    ) -> None:
        """Ask everything, a few at a time."""
        # What is raised comes out of here; asyncio need not tell it once more on its own.
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        await asyncio.gather(*(self._worker(work) for _ in range(concurrency)))

    async def _worker(self, work: Iterator[tuple[str | None, list[Question]]]) -> None:
        for key, group in work:
            if self.asked.stopped:
                self._settle(group, Answer(raw=None, error=self.asked.stopped))
                continue
            self._settle(group, await self._one(key, group[0]))
            await self._breathe()

    async def _breathe(self) -> None:
        """Let Ctrl-C in: an agent that is not async never gives the loop a turn."""
        now = time.monotonic()
        if now - self._breathed > _TURN_S:
            self._breathed = now
            await asyncio.sleep(0)

    async def _one(self, key: str | None, question: Question) -> Answer:
        self.asked.fresh += 1
        try:
            raw: object = self._agent.ask(question)
            if inspect.isawaitable(raw):
                raw = await raw
        except AgentError as problem:
            return Answer(raw=None, error=str(problem)[:_LONGEST_ERROR])
        except SystemExit as problem:
            return Answer(raw=None, error=f"the agent called sys.exit({problem.code!r})")
        except Exception as problem:  # noqa: BLE001 - one failing answer never ends a run
            return Answer(raw=None, error=_told(problem))
        if not isinstance(raw, str):
            return Answer(
                raw=None, error=f"the agent returned {type(raw).__name__}, expected a str"
            )
        if key is not None and self._store is not None:
            assert self._agent.identity is not None
            try:
                self._store.put(key, raw, agent=self._agent.identity)
            except MetaspaceError as problem:
                self.asked.stopped = str(problem)
        return Answer(raw=raw)

    def _settle(self, group: list[Question], answer: Answer) -> None:
        for question in group:
            self.asked.answers[question.query] = answer
            self._progress()


def _told(problem: Exception) -> str:
    """Say what an agent raised, and where: the innermost line of its code."""
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if len(frames) > 1 else ""
    text = f"{problem}" or "no message"
    return f"the agent raised {type(problem).__name__}{where}: {text}"[:_LONGEST_ERROR]


_OFFLINE = (
    "this question has no stored answer and --metaspace-answers=offline asks nothing; run once "
    "with --metaspace-answers=cached to record it"
)
