"""What the tests of local models share: asking, and reading what comes back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import asking
from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.transformers_local import TransformersAgent
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Answer, Question

LENGTH = 10
"""Tokens of an answer, where a test does not say otherwise."""


def agent(folder: Path | str, **options: Any) -> TransformersAgent:
    given = {"max_output_tokens": LENGTH, "device": "cpu", **options}
    return TransformersAgent(str(folder), ModelOptions(**given), Path("/nowhere"))


def answers(asked: Sequence[Question], who: TransformersAgent) -> list[Answer]:
    told = asking.ask(asked, who, None)
    assert told.stopped is None
    return [told.answers[question.query] for question in asked]


def raw(asked: Sequence[Question], who: TransformersAgent) -> list[str | None]:
    """Return the texts of answers, none of which may be missing."""
    told = answers(asked, who)
    assert [answer.error for answer in told] == [None] * len(told)
    return [answer.raw for answer in told]


def refused(who: TransformersAgent, question: Question) -> str:
    """Return why an agent cannot be asked."""
    with pytest.raises(UsageProblem) as problem:
        asking.ask([question], who, None)
    return str(problem.value)
