"""Writes the answers of a run to a recording, for ``replay:FILE`` and for reviewers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.agents.replay import load
from pytest_metaspace.canonical import question_key
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.files import put, require_plain, require_room, told
from pytest_metaspace.questions import question

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.domain import Answer, Prompting, Query, Trajectory


_OPTION: Final = "--metaspace-record"


def require_recording(path: Path) -> None:
    """Make sure that a recording can be written, over nothing but one, before anybody is asked.

    Args:
        path: the file; one that is missing or empty may be written.

    Raises:
        UsageProblem: it is something else, or cannot be read, or not be written there.
    """
    require_plain(path, _OPTION)
    require_room(path, _OPTION)
    if not path.exists():
        return
    try:
        load(path)
    except UsageProblem as problem:
        raise UsageProblem(
            f"metaspace: {_OPTION} {told(path)}: is there and is no recording of answers, so it "
            "is not overwritten. Name another file, or remove this one."
        ) from problem


def write(
    path: Path,
    answers: Mapping[Query, Answer],
    trajectories: Mapping[str, Trajectory],
    prompting: Prompting = "direct",
) -> None:
    """Write answers to a recording, one line for each that was received.

    Args:
        path: written whole or not at all; a recording that is there stays when nothing came.
        answers: by query; where a question was put several times, each sample has its line.
        trajectories: by id.
        prompting: how the questions were put.

    Raises:
        UsageProblem: it cannot be written.
    """
    entries = {}
    for query, answer in answers.items():
        for entry in _entries(query, answer, trajectories[query.trajectory], prompting):
            entries[entry["question"], entry.get("sample", 0)] = entry
    if not entries and path.exists():
        return
    try:
        put(path, "".join(json.dumps(entry) + "\n" for entry in entries.values()))
    except UsageProblem as problem:
        what = str(problem).removeprefix("metaspace: ")
        raise UsageProblem(f"metaspace: the recording is missing: {what}") from problem


def _entries(
    query: Query, answer: Answer, trajectory: Trajectory, prompting: Prompting
) -> Iterator[dict[str, Any]]:
    asked = None
    for sample, one in enumerate(answer.samples or (answer,)):
        if one.raw is None:
            continue
        asked = asked or question(query, trajectory, prompting)
        entry: dict[str, Any] = {
            "question": question_key(asked),
            "trajectory": query.trajectory,
            "capability": query.capability.value,
            "images": [image.name for image in asked.images],
            "text": asked.text,
            "answer": one.raw,
        }
        if sample:
            entry["sample"] = sample
        if one.trouble is not None:
            entry["trouble"] = one.trouble
        yield entry
