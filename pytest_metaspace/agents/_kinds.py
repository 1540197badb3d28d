"""What an agent is, and how a name on the command line becomes one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pytest_metaspace.agents._models import ModelOptions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from pytest_metaspace.domain import (
        AnswerFormat,
        Prompting,
        Query,
        Question,
        Reply,
        Trajectory,
        Unreadable,
        Value,
    )


@runtime_checkable
class Agent(Protocol):
    """Something that answers questions.

    An agent may be an async context manager, opened when the first question is put, and may say
    with ``concurrency`` how many questions it wants in flight. One whose attribute
    ``deterministic`` is true answers a question always in the same way, and is asked once however
    many samples are wanted; any other finds in ``question.sample`` which of them it is asked for.
    One whose attribute ``paid`` is true is not asked a thousand questions without a cap, and only
    one whose attribute ``structured`` is true is asked under ``--metaspace-structured=on``. Only
    one whose attribute ``weighs`` is true is asked under ``--metaspace-prompting=likelihood``: it
    answers a question put like that with its likeliest option behind ``ANSWER:``. What its
    attribute ``no_items`` says is why it cannot be asked about items of suites.
    """

    @property
    def identity(self) -> str | None:
        """What its answers depend on beside the question (name, revision, settings).

        Part of the cache key. None when asking costs nothing, so nothing is stored. A plain
        attribute will do.
        """
        ...

    def ask(self, question: Question) -> str | Reply | Awaitable[str | Reply]:
        """Return the raw answer to one question, alone or with what is known about it.

        Raises:
            AgentError: there is none; the case becomes an *error* and may be asked again.
        """
        ...


class Asks(Protocol):
    """Makes the question for a query."""

    def __call__(
        self, query: Query, trajectory: Trajectory, prompting: Prompting = "direct"
    ) -> Question: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What a builder may use; handed in, so that agents import no other stage.

    Attributes:
        build: makes an agent out of a full name, for agents that wrap others.
        question: makes the question for a query, put as ``Question.prompting`` says.
        read: reads a raw answer.
        root: folder to which relative paths belong.
        models: how models behind an interface are to be asked.
    """

    build: Callable[[str], Agent]
    question: Asks
    read: Callable[[str, AnswerFormat], Value | Unreadable]
    root: Path
    models: ModelOptions = field(default_factory=ModelOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind:
    """A family of agents.

    Attributes:
        name: the part of ``--metaspace-agent`` before the first colon.
        usage: how the full name is written, as in ``replay:FILE``.
        summary: one line for lists.
        build: makes the agent; gets what stands behind the first colon, maybe empty.
    """

    name: str
    usage: str
    summary: str
    build: Callable[[str, AgentContext], Agent]
