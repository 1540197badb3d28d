"""One round of asking: who is asked what, in which order, and when it must stop."""

from __future__ import annotations

import asyncio
import inspect
import time
import traceback
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from pytest_metaspace.canonical import answer_key
from pytest_metaspace.domain import Answer, Reply
from pytest_metaspace.errors import AgentError, MetaspaceError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from pytest_metaspace.asking import Asked
    from pytest_metaspace.asking.caps import Caps
    from pytest_metaspace.domain import Question

Mode = Literal["cached", "refresh", "offline"]
_TURN_S: Final = 0.05
_LONGEST_ERROR: Final = 500
#  So many failures before the first answer, and nobody else is asked.
_HOPELESS: Final = 20
#  So many paid questions are put without a cap.
_FREELY: Final = 1000

_OFFLINE: Final = (
    "this question has no stored answer and --metaspace-answers=offline asks nothing; run once "
    "with --metaspace-answers=cached to record it"
)


class Answering(Protocol):
    """What asking needs of an agent."""

    identity: str | None

    def ask(self, question: Question) -> str | Reply | Awaitable[str | Reply]: ...


class Keeping(Protocol):
    """What asking needs of a store."""

    def get(self, key: str) -> Reply | None: ...

    def put(self, key: str, reply: Reply, *, agent: str) -> None: ...

    def close(self) -> None: ...


_Work = tuple["str | None", "list[Question]"]


class Round:
    """One round of asking: its agent, its store, and what has come back so far."""

    def __init__(
        self,
        agent: Answering,
        store: Keeping | None,
        mode: Mode,
        progress: Callable[[], None],
        asked: Asked,
        caps: Caps,
        *,
        samples: int = 1,
    ) -> None:
        self.asked = asked
        self._samples = samples
        self._draws = 1 if getattr(agent, "deterministic", False) else samples
        self._agent = agent
        self._store = store
        self._mode = mode
        self._progress = progress
        self._caps = caps
        self._breathed = time.monotonic()
        self._in_flight = 0
        self._answered = 0
        self._failed = 0

    def open(self, questions: Iterable[Question]) -> Iterator[_Work]:
        """Answer what is stored; yield what must be asked, look-alikes together."""
        if self._agent.identity is None or (self._store is None and self._mode != "offline"):
            for question in questions:
                for sample in range(self._draws):
                    yield None, [_nth(question, sample)]
            return
        alike: dict[str, list[Question]] = {}
        for question in questions:
            for sample in range(self._draws):
                self._look_up(_nth(question, sample), alike)
        # All first samples before the second ones: whoever must stop early has asked everything.
        for key, group in sorted(alike.items(), key=lambda work: work[1][0].sample):
            self.asked.saved += len(group) - 1
            if self._mode == "offline":
                self._settle(group, Answer(raw=None, error=_OFFLINE, kind="no recording"))
            else:
                yield key, group

    def _look_up(self, question: Question, alike: dict[str, list[Question]]) -> None:
        assert self._agent.identity is not None
        key = answer_key(question, self._agent.identity, question.sample)
        stored = None if key in alike else self._stored(key)
        if stored is not None:  # at once, so that the texts of thousands are not held
            answer = Answer(raw=stored.text, trouble=stored.trouble, cached=True)
            self._settle([question], answer)
        else:
            alike.setdefault(key, []).append(question)

    def _stored(self, key: str) -> Reply | None:
        if self._store is None or self._mode == "refresh":
            return None
        return self._store.get(key)

    async def drain(self, work: Iterator[_Work], concurrency: int) -> None:
        """Ask everything, a few at a time. The agent is opened with the first question."""
        # What is raised comes out of here; asyncio need not tell it once more on its own.
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        work = self._agreed(work)
        first = next(work, None)
        if first is None:
            return
        async with AsyncExitStack() as stack:
            agent: Any = self._agent
            if hasattr(agent, "__aenter__"):
                await stack.enter_async_context(agent)
            rest = _chained(first, work)
            await asyncio.gather(*(self._worker(rest) for _ in range(concurrency)))

    def _agreed(self, work: Iterator[_Work]) -> Iterator[_Work]:
        """Return the work, unless it would cost much and nobody said how much it may.

        Raises:
            UsageProblem: it would; the text says what to add.
        """
        if not getattr(self._agent, "paid", False) or self._caps.are_set:
            return work
        todo = list(work)
        if len(todo) > _FREELY:
            pictures = sum(len(group[0].images) for _, group in todo)
            each = f" ({self._draws} samples of each)" if self._draws > 1 else ""
            raise UsageProblem(
                f"metaspace: {len(todo)} questions{each} with {pictures} pictures would be put to "
                "a model that is paid for, and no cap is set. Add --metaspace-max-calls="
                f"{len(todo)}, --metaspace-max-tokens=N or --metaspace-budget=USD; or ask less "
                "with --metaspace-sample=0.1. metaspace plan PATH counts without asking."
            )
        return iter(todo)

    async def _worker(self, work: Iterator[_Work]) -> None:
        for key, group in work:
            stopped = self._must_stop()
            if stopped:
                self._settle(group, Answer(raw=None, error=stopped, kind="not asked"))
                continue
            self._settle(group, await self._one(key, group[0]))
            await self._breathe()

    def _must_stop(self) -> str | None:
        if self.asked.stopped is None:
            self.asked.stopped = self._caps.forbids(self.asked.spent, self._in_flight)
        return self.asked.stopped

    async def _breathe(self) -> None:
        """Let Ctrl-C in: an agent that is not async never gives the loop a turn."""
        now = time.monotonic()
        if now - self._breathed > _TURN_S:
            self._breathed = now
            await asyncio.sleep(0)

    async def _one(self, key: str | None, question: Question) -> Answer:
        self.asked.spent.calls += 1
        self._in_flight += 1
        try:
            raw: object = self._agent.ask(question)
            if inspect.isawaitable(raw):
                raw = await raw
        except AgentError as problem:
            return self._failure(str(problem), kind=problem.kind, fatal=problem.fatal)
        except SystemExit as problem:
            text = f"the agent called sys.exit({problem.code!r})"
            return self._failure(text, kind="agent raised")
        except Exception as problem:  # noqa: BLE001 - one failing answer never ends a run
            return self._failure(_told(problem), kind="agent raised")
        finally:
            self._in_flight -= 1
        if not isinstance(raw, (str, Reply)):
            return self._failure(f"the agent returned {type(raw).__name__}, expected a str")
        return self._received(key, Reply(text=raw) if isinstance(raw, str) else raw)

    def _received(self, key: str | None, reply: Reply) -> Answer:
        if key is not None and self._store is not None:
            assert self._agent.identity is not None
            try:
                self._store.put(key, reply, agent=self._agent.identity)
            except MetaspaceError as problem:
                self.asked.stopped = str(problem)
        self._answered += 1
        self.asked.spent.add(reply)
        return Answer(raw=reply.text, trouble=reply.trouble)

    def _failure(self, text: str, *, kind: str = "failed", fatal: bool = False) -> Answer:
        self._failed += 1
        text = text[:_LONGEST_ERROR]
        dear = self._agent.identity is not None
        hopeless = dear and self._answered == 0 and self._failed >= _HOPELESS
        if fatal and self.asked.stopped is None:
            self.asked.stopped = f"nothing more was asked: {text}"
        elif hopeless and self.asked.stopped is None:
            self.asked.stopped = (
                f"nothing more was asked: the first {self._failed} questions all failed, the "
                f"last of them because {text}"
            )
        return Answer(raw=None, error=text, kind=kind)

    def _settle(self, group: list[Question], answer: Answer) -> None:
        for question in group:
            self._progress()
            if question.sample == 0:
                self.asked.answers[question.query] = answer
            if self._samples > 1:
                self._enter(question, answer)

    def _enter(self, question: Question, answer: Answer) -> None:
        """Enter one of several samples; answers come in any order."""
        drawn = self.asked.samples.get(question.query)
        if drawn is None:
            drawn = self.asked.samples[question.query] = [answer] * self._samples
        if self._draws > 1:
            drawn[question.sample] = answer


def _nth(question: Question, sample: int) -> Question:
    return replace(question, sample=sample) if sample else question


def _chained(first: _Work, rest: Iterator[_Work]) -> Iterator[_Work]:
    yield first
    yield from rest


def _told(problem: Exception) -> str:
    """Say what an agent raised, and where: the innermost line of its code."""
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if len(frames) > 1 else ""
    text = f"{problem}" or "no message"
    return f"the agent raised {type(problem).__name__}{where}: {text}"
