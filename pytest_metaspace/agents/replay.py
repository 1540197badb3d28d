"""``replay:FILE``: answers from a recording, a JSON Lines file that can be read and reviewed.

One line an answer: ``{"question": KEY, "answer": TEXT}``, where KEY is the question's key as
``--metaspace-record`` writes it; a line may carry more fields for the reader.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.canonical import question_key
from pytest_metaspace.errors import AgentError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.domain import Question


class ReplayAgent:
    """Answers from a recording and from nothing else."""

    identity: str | None = None

    def __init__(self, path: Path, answers: Mapping[str, str]) -> None:
        self._path = path
        self._answers = answers

    def ask(self, question: Question) -> str:
        """Return the recorded answer."""
        try:
            return self._answers[question_key(question)]
        except KeyError:
            raise AgentError(
                f"{self._path.name} holds no answer to this question. Record it with "
                "--metaspace-record FILE, the agent that should answer, and the "
                "--metaspace-prompting of this run."
            ) from None


def load(path: Path) -> dict[str, str]:
    """Read a recording.

    Args:
        path: a JSON Lines file.

    Raises:
        UsageProblem: it cannot be read, or a line is not a recorded answer; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as problem:
        raise UsageProblem(f"metaspace: the recording {path} cannot be read: {problem}") from None
    answers = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            key, answer = entry["question"], entry["answer"]
        except (ValueError, KeyError, TypeError, RecursionError):
            key = answer = None
        if not isinstance(key, str) or not isinstance(answer, str):
            raise UsageProblem(
                f"metaspace: {path}:{number}: is no recorded answer; expected "
                '{"question": KEY, "answer": TEXT}.'
            )
        answers[key] = answer
    return answers


def _build(argument: str, context: AgentContext) -> ReplayAgent:
    if not argument:
        raise UsageProblem("metaspace: replay names no file. Write replay:answers.jsonl, say.")
    path = context.root / argument
    return ReplayAgent(path, load(path))


KIND = AgentKind(
    name="replay",
    usage="replay:FILE",
    summary="answers from a recording (JSON Lines)",
    build=_build,
)
