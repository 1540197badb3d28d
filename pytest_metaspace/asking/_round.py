"""One round of asking: who is asked what, in which order, and when it must stop."""

from __future__ import annotations

import asyncio
import inspect
import time
import traceback
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from pytest_metaspace.asking.rows import Asked as Noted
from pytest_metaspace.canonical import answer_key
from pytest_metaspace.domain import Answer, Reply
from pytest_metaspace.errors import AgentError, MetaspaceError, UsageProblem
from pytest_metaspace.failures import NOT_ASKED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from pytest_metaspace.asking import Asked
    from pytest_metaspace.asking.caps import Caps
    from pytest_metaspace.domain import Question

Mode = Literal["cached", "refresh", "offline"]
_TURN_S: Final = 0.05
_LONGEST_ERROR: Final = 500
#  So long another run may take over what it is asking; a stopped one holds up nobody for good.
_PATIENCE_S: Final = 1800.0
_LONGEST_PAUSE_S: Final = 0.5
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

    @property
    def identity(self) -> str | None: ...

    def ask(self, question: Question) -> str | Reply | Awaitable[str | Reply]: ...


class Keeping(Protocol):
    """What asking needs of a store."""

    def get(self, key: str) -> Reply | None: ...

    def put(
        self,
        key: str,
        reply: Reply,
        *,
        agent: str,
        asked: Noted | None = None,
        replace: bool = False,
    ) -> Reply: ...

    def claim(self, key: str) -> bool: ...

    def release(self, key: str) -> None: ...

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
        self._landed = asyncio.Event()
        self._elsewhere: deque[_Work] = deque()
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
        first = None if self.asked.stopped else next(work, None)
        if first is None:
            for _, group in work:
                self._settle(group, self._not_asked())
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
            UsageProblem: it would; the text says what to add. A run in several rounds that has
                asked already is not broken off: it is stopped, as by a cap.
        """
        if not getattr(self._agent, "paid", False) or self._caps.are_set or self.asked.stopped:
            return work
        todo = list(work)
        before = self._caps.before.calls
        if todo and before and before + len(todo) > _FREELY:
            self.asked.stopped = (
                f"nothing more was asked: {before} questions were put to a model that is paid "
                f"for, {len(todo)} more would be, and no cap is set; add --metaspace-max-calls=N, "
                "--metaspace-max-tokens=N or --metaspace-budget=USD"
            )
        elif len(todo) > _FREELY:
            pictures = sum(len(group[0].images) for _, group in todo)
            each = f" ({self._draws} samples of each)" if self._draws > 1 else ""
            raise UsageProblem(
                f"metaspace: {len(todo)} questions{each} with {pictures} pictures would be put to "
                "a model that is paid for, and no cap is set. Add --metaspace-max-calls="
                f"{len(todo)}, --metaspace-max-tokens=N or --metaspace-budget=USD; or ask less "
                "with --metaspace-sample=0.1. metaspace plan PATH --agent=NAME says what it may "
                "cost, and asks nobody."
            )
        return iter(todo)

    async def _worker(self, work: Iterator[_Work]) -> None:
        for key, group in work:
            if self._claimed(key):
                await self._turn(key, group)
            else:
                self._elsewhere.append((key, group))
        await self._what_others_ask()

    async def _what_others_ask(self) -> None:
        """Take what another run was asking: when it has its answer, or is gone."""
        until, pause = time.monotonic() + _PATIENCE_S, _TURN_S
        while self._elsewhere:
            key, group = self._elsewhere.popleft()
            if self.asked.stopped or self._claimed(key) or time.monotonic() > until:
                await self._turn(key, group)
                pause = _TURN_S
            else:
                self._elsewhere.append((key, group))
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _turn(self, key: str | None, group: list[Question]) -> None:
        """Settle questions that look alike and are claimed: what another run stored counts."""
        try:
            stored = None if key is None else self._stored(key)
            if stored is None:
                answer = await self._put(key, group[0])
            else:
                answer = Answer(raw=stored.text, trouble=stored.trouble, cached=True)
            self._settle(group, answer)
        finally:
            if key is not None and self._store is not None:
                self._store.release(key)
        await self._breathe()

    def _claimed(self, key: str | None) -> bool:
        """Claim a question where another run could ask it too; False when one is at it."""
        if key is None or self._store is None or self._mode == "refresh":
            return True
        return self._store.claim(key)

    async def _put(self, key: str | None, question: Question) -> Answer:
        """Put one question as soon as the caps let it go."""
        await self._cleared(question)
        if self.asked.stopped:
            return self._not_asked()
        self.asked.spent.calls += 1
        self._in_flight += 1
        try:
            return await self._one(key, question)
        finally:
            self._in_flight -= 1
            self._landed.set()

    async def _cleared(self, question: Question) -> None:
        """Wait until the caps let one more question go, or asking has to stop.

        What is in flight may turn out cheaper than it was taken for.
        """
        while self.asked.stopped is None:
            why = self._caps.forbids(self.asked.spent, self._in_flight, question)
            if why is None:
                return
            if not self._in_flight:
                self.asked.stopped, self.asked.capped = why, True
                return
            self._landed.clear()
            await self._landed.wait()

    def _not_asked(self) -> Answer:
        return Answer(raw=None, error=self.asked.stopped, kind=NOT_ASKED)

    async def _breathe(self) -> None:
        """Let Ctrl-C in: an agent that is not async never gives the loop a turn."""
        now = time.monotonic()
        if now - self._breathed > _TURN_S:
            self._breathed = now
            await asyncio.sleep(0)

    async def _one(self, key: str | None, question: Question) -> Answer:
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
        if not isinstance(raw, (str, Reply)):
            return self._failure(f"the agent returned {type(raw).__name__}, expected a str")
        return self._received(key, question, Reply(text=raw) if isinstance(raw, str) else raw)

    def _received(self, key: str | None, question: Question, reply: Reply) -> Answer:
        counts = reply
        if key is not None and self._store is not None:
            assert self._agent.identity is not None
            try:
                counts = self._store.put(
                    key,
                    reply,
                    agent=self._agent.identity,
                    asked=Noted.of(question),
                    replace=self._mode == "refresh",
                )
            except MetaspaceError as problem:
                self.asked.stopped = str(problem)
        self._answered += 1
        self._caps.enter(self.asked.spent, question, reply)
        return Answer(raw=counts.text, trouble=counts.trouble)

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
        self.asked.stored += len(group) if answer.cached else 0
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
