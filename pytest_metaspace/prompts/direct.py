"""Direct prompting: the question, and nothing but the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.prompts import parts
from pytest_metaspace.prompts._strategy import Strategy

if TYPE_CHECKING:
    from pytest_metaspace.domain import Query, Trajectory


def write(query: Query, trajectory: Trajectory) -> str:
    """Return the text of a question.

    Args:
        query: what is asked.
        trajectory: where it is asked about; its actions and its truth are not read.
    """
    answer = f"Answer with {parts.allowed(query, trajectory)}."
    return "\n\n".join([*parts.opening(query, trajectory), answer]) + "\n"


STRATEGY = Strategy(name="direct", summary="nothing but the answer", write=write)
