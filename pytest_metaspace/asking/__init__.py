"""From questions to answers: each distinct question is asked once, and stored before anything.

The only place that spends money or GPU time.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pytest_metaspace.asking._round import Keeping, Mode, Round
from pytest_metaspace.asking.caps import Caps, Spent

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from pytest_metaspace.asking._round import Answering
    from pytest_metaspace.domain import Answer, Query, Question, Reply

_CONCURRENCY: Final = 8


@dataclass(slots=True)
class Asked:
    """What a round of asking came to.

    Attributes:
        answers: one for each query; of several samples the first.
        samples: where more than one was wanted, the answers of each query, in order.
        disagreement: by capability, questions whose samples are not all equal, of how many; for
            who reads the answers to fill in.
        alike: whether the samples of a question are all equal; likewise.
        spent: what was put to the agent, and what it used.
        stored: answers that were stored already, each sample for itself.
        saved: questions that looked like another one and were asked together with it.
        stopped: why asking ended early; None when it did not.
        capped: whether it was a cap that ended it.
    """

    answers: dict[Query, Answer] = field(default_factory=dict)
    samples: dict[Query, list[Answer]] = field(default_factory=dict)
    disagreement: dict[str, tuple[int, int]] = field(default_factory=dict)
    alike: dict[Query, bool] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    stored: int = 0
    saved: int = 0
    stopped: str | None = None
    capped: bool = False

    @property
    def fresh(self) -> int:
        """How many questions were put to the agent."""
        return self.spent.calls


def ask(
    questions: Iterable[Question],
    agent: Answering,
    store: Keeping | None,
    *,
    mode: Mode = "cached",
    samples: int = 1,
    concurrency: int | None = None,
    caps: Caps | None = None,
    stopped: str | None = None,
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
        samples: how often each question is put; an agent that says it is ``deterministic`` is
            asked once, and its answer stands for all.
        concurrency: how many async questions may be in flight; None for the agent's own wish,
            else 8.
        caps: what may be spent at most; nothing holds it back when None.
        stopped: why nothing more may be put to the agent in this run; None when it may.
        progress: called after each answer.
    """
    asked = Asked(stopped=stopped)
    round_ = Round(agent, store, mode, progress, asked, caps or Caps(), samples=samples)
    work = round_.open(questions)
    wished: int = getattr(agent, "concurrency", None) or _CONCURRENCY
    _run(round_.drain(work, concurrency or wished), store)
    return asked


def outstanding(
    questions: Iterable[Question], agent: Answering, store: Keeping | None, *, samples: int = 1
) -> tuple[list[Question], Asked]:
    """Return what ``ask`` would put to an agent, and what it would answer without.

    Args:
        questions: distinct in what they mean.
        agent: who would be asked; it is not.
        store: what is answered already; None for nothing.
        samples: how often each would be put.
    """
    asked = Asked()
    round_ = Round(agent, store or _Empty(), "cached", lambda: None, asked, Caps(), samples=samples)
    return [group[0] for _, group in round_.open(questions)], asked


def draws_of(agent: Answering, samples: int) -> int:
    """Return how often each question is put to an agent to have so many samples of it."""
    return 1 if getattr(agent, "deterministic", False) else samples


class _Empty:
    """A store that nobody has made yet; nobody is asked, so nothing is put into it."""

    def get(self, key: str) -> None:
        """Nothing is stored."""

    def put(self, key: str, reply: Reply, **_more: object) -> Reply:
        """Keep nothing."""
        del key
        return reply

    def claim(self, key: str) -> bool:
        """There is nobody else."""
        del key
        return True

    def release(self, key: str) -> None:
        """Nothing was claimed."""

    def close(self) -> None:
        """Nothing to close."""


def _run(work: Coroutine[None, None, None], store: Keeping | None) -> None:
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


__all__ = ["Asked", "Caps", "Keeping", "Mode", "Spent", "ask", "draws_of", "outstanding"]
