"""``steps.jsonl``: what a recorder has written so far, one line a step.

A line is appended when its picture lies on disk, so that a process may die at any moment. While
it records, ``trajectory.json`` has no states; the loader then reads them from here, by the same
function that gives a recorder its final files.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _schema as schema
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_text import bytes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

STEPS_FILE = "steps.jsonl"
FEWEST = 2
ABSENT = object()
"""The content of a file that is not there (JSON's null is a content)."""


@dataclass(frozen=True)
class Files:
    """The contents of a trajectory's files, not yet checked, and what there is to say."""

    trajectory: object
    objects: object = ABSENT
    truth: object = ABSENT
    warnings: tuple[str, ...] = ()


def recorded(path: Path, header: Mapping[str, Any]) -> Files:
    """Make the files of a trajectory from the journal that lies beside it.

    Args:
        path: its ``trajectory.json``.
        header: what that says, without states.

    Raises:
        TrajectoryError: the journal cannot be read, or has fewer than two steps.
    """
    steps, warnings = read(path.with_name(STEPS_FILE))
    if len(steps) < FEWEST:
        raise TrajectoryError(
            f"{path.with_name(STEPS_FILE)}: has {('no', 'only one')[len(steps)]} complete step of "
            "a recording; a trajectory needs two."
        )
    unsaid = next((i for i, step in enumerate(steps) if step.pose is None), None)
    if unsaid is not None and any(step.pose is not None for step in steps):
        warnings.append(
            f"{path.parent}: step {unsaid} has no pose though others have; poses are used only "
            "where every step has one, so none is."
        )
    unseen = _held_unseen(steps)
    warnings += [
        f"{path.parent}: step {index} holds {brief(steps[index].holds)}, which is among the "
        "objects of no step; that it was held is left out."
        for index in unseen
    ]
    return Files(
        {**header, "states": _states(steps, unseen)},
        ABSENT if all(step.objects is None for step in steps) else _objects(steps),
        ABSENT if unsaid is not None else _truth(steps),
        (*warnings, *_about_places(path.parent, steps)),
    )


def read(path: Path) -> tuple[list[schema.StepFile], list[str]]:
    """Read the steps up to the first that is not complete, and say so where there is one.

    Raises:
        TrajectoryError: the file cannot be read.
    """
    steps: list[schema.StepFile] = []
    content = bytes_of(path, "recording")
    lines = content.splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        step = _step(path.parent, line)
        if step is None:
            left = len(lines) - number
            which = f"it and the {left} after it are" if left else "it is"
            text = f"line {number} is not a complete step with its picture; {which} left out."
            return steps, [f"{path}: {text}"]
        steps.append(step)
    return steps, []


def _about_places(folder: Path, steps: Sequence[schema.StepFile]) -> Iterator[str]:
    """Say which places of the mover are not used."""
    unsaid = next((i for i, step in enumerate(steps) if step.place is None), None)
    if unsaid is not None and any(step.place is not None for step in steps):
        yield (
            f"{folder}: step {unsaid} has no place though others have; places of the mover are "
            "used only where every step has one, so none is."
        )
    elif unsaid is None and any(step.pose is None for step in steps):
        yield (
            f"{folder}: every step has a place, but not every step a pose; places of the mover "
            "are told in the world of the camera's poses, so none is used."
        )


def _step(folder: Path, line: bytes) -> schema.StepFile | None:
    if not line.endswith(b"\n"):
        return None
    try:
        step = schema.StepFile.model_validate(json.loads(line))
        # After a power cut a line may have reached the disk before its picture did.
        return step if (folder / step.frame).stat().st_size else None
    except (ValidationError, ValueError, RecursionError, OSError):
        return None


def _held_unseen(steps: Sequence[schema.StepFile]) -> list[int]:
    """Return the steps that hold what no step shows, where some show anything."""
    known = {seen.id for step in steps for seen in step.objects or ()}
    held = [i for i, step in enumerate(steps) if step.holds is not None]
    return [i for i in held if known and steps[i].holds not in known]


def _states(steps: Sequence[schema.StepFile], unseen: Sequence[int]) -> list[dict[str, Any]]:
    """Make the states; an action stays only where the state after it is the one it led to."""
    made = []
    for index, (step, after) in enumerate(zip(steps, [*steps[1:], None])):
        known = after is not None and after.follows
        action = step.action.model_dump() if step.action is not None and known else None
        succeeded = step.succeeded if known else None
        state = {"index": index, "frame": step.frame, "action": action, "succeeded": succeeded}
        held = {} if step.holds is None or index in unseen else {"holds": step.holds}
        made.append({**state, **held})
    return made


def _objects(steps: Sequence[schema.StepFile]) -> dict[str, Any]:
    """Make ``objects.json``; a thing's label is the one that it was given most often."""
    labels: dict[str, Counter[str]] = {}
    boxes: dict[str, list[dict[str, Any]]] = {}
    for index, step in enumerate(steps):
        for seen in step.objects or ():
            labels.setdefault(seen.id, Counter())[seen.label] += 1
            boxes.setdefault(seen.id, []).append(
                {"frame": index, "xyxy": list(seen.xyxy), "confidence": seen.confidence}
            )
    things = [
        {"id": name, "label": labels[name].most_common(1)[0][0], "boxes": boxes[name]}
        for name in labels
    ]
    return {"format": "metaspace-objects", "version": 1, "objects": things}


def _truth(steps: Sequence[schema.StepFile]) -> dict[str, Any]:
    poses = [step.pose.model_dump() for step in steps if step.pose is not None]
    places = [list(step.place) for step in steps if step.place is not None]
    moved = {"mover": places} if len(places) == len(steps) else {}
    return {"format": "metaspace-truth", "version": 1, "poses": poses, **moved}
