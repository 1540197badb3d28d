"""Chain of thought: reason step by step, then give the answer on a last line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts import parts
from pytest_metaspace.prompts._strategy import Strategy

if TYPE_CHECKING:
    from pytest_metaspace.domain import Query, Trajectory

_REASON = (
    "Reason step by step before you answer, in at most 300 words: what each picture shows that "
    "bears on the question, and what follows from it."
)


def write(query: Query, trajectory: Trajectory) -> str:
    """Return the text of a question.

    Args:
        query: what is asked.
        trajectory: where it is asked about; its actions and its truth are not read.
    """
    last = parts.last_line(query, trajectory)
    return "\n\n".join([*parts.opening(query, trajectory), _REASON, last]) + "\n"


STRATEGY = Strategy(
    name="cot", summary="reasoning step by step, then the answer", write=write, reasoned=True
)
