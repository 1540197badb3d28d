"""``replay:FILE``: answers from a recording, a JSON Lines file that can be read and reviewed.

One line an answer: ``{"question": KEY, "answer": TEXT}``, where KEY is the question's key as
``--metaspace-record`` writes it. ``"sample": N`` marks the further answers to a question that was
put several times, ``"trouble": "refused"`` (or another ``Trouble``) one that is none; a
line may carry more fields for the reader.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, get_args

from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.canonical import question_key
from pytest_metaspace.domain import Reply, Trouble
from pytest_metaspace.errors import AgentError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.domain import Question


_TROUBLES = (None, *get_args(Trouble))


class ReplayAgent:
    """Answers from a recording and from nothing else."""

    identity: str | None = None
    weighs = True

    def __init__(self, path: Path, answers: Mapping[tuple[str, int], Reply]) -> None:
        self._path = path
        self._answers = answers

    def ask(self, question: Question) -> Reply:
        """Return the recorded answer."""
        try:
            return self._answers[question_key(question), question.sample]
        except KeyError:
            which = (
                f"no sample {question.sample} of the answers" if question.sample else "no answer"
            )
            raise AgentError(
                f"{self._path.name} holds {which} to this question. Record it with "
                "--metaspace-record FILE, the agent that should answer, and the "
                "--metaspace-prompting and --metaspace-boxes of this run.",
                kind="no recording",
            ) from None


def load(path: Path) -> dict[tuple[str, int], Reply]:
    """Read a recording.

    Args:
        path: a JSON Lines file.

    Returns:
        Replies by key of the question and index of the sample.

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
        found = _entry(line)
        if found is None:
            raise UsageProblem(
                f"metaspace: {path}:{number}: is no recorded answer; expected "
                '{"question": KEY, "answer": TEXT}.'
            )
        key, sample, reply = found
        answers[key, sample] = reply
    return answers


def _entry(line: str) -> tuple[str, int, Reply] | None:
    """Return key, sample and reply of a line, or None for one that is no recorded answer."""
    try:
        entry = json.loads(line)
        key, answer = entry["question"], entry["answer"]
        sample, trouble = entry.get("sample", 0), entry.get("trouble")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    named = isinstance(key, str) and isinstance(answer, str)
    if not named or type(sample) is not int or sample < 0 or trouble not in _TROUBLES:
        return None
    return key, sample, Reply(text=answer, trouble=trouble)


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
