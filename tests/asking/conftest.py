"""Questions with real pictures, and agents that keep count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.domain import AnswerFormat, Capability, Query, Question
from tests.unit_support import pictured, trajectory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ask = Callable[[int], list[Question]]


@pytest.fixture
def questions(tmp_path: Path) -> Ask:
    """Make some questions that all look different; the number in the text tells which."""
    made = pictured(trajectory(folder=tmp_path / "run"))

    def make(count: int) -> list[Question]:
        return [
            Question(
                query=Query(
                    trajectory="made-up", capability=Capability.MAP_DISTANCE, a="a", b=str(number)
                ),
                trajectory=made,
                text=f"question {number}",
                images=(made.states[number % 3].frame,),
                format=AnswerFormat(kind="steps"),
            )
            for number in range(count)
        ]

    return make
