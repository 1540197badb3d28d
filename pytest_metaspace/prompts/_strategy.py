"""What a prompting strategy is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.domain import Prompting, Query, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A way to put questions.

    Attributes:
        name: as ``--metaspace-prompting`` has it; part of the key of an answer.
        summary: what the agent is asked to write, in a few words.
        write: returns the text of a question.
        reasoned: whether reasoning comes first and the answer stands on a marked last line;
            otherwise the whole reply is the answer.
        weighed: whether options are weighed by their likelihood, where a question has some; the
            reply tells each, and the likeliest on a marked last line.
    """

    name: Prompting
    summary: str
    write: Callable[[Query, Trajectory], str]
    reasoned: bool = False
    weighed: bool = False
