"""The steps of an EB-Navigation log: which run counts, and what each step did."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.trajectories import _thor
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_rows import rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.trajectories._moments import Findings
    from pytest_metaspace.trajectories._thor import Skill

    Row = dict[str, Any]

_MOST_STEPS = 1000
_NOT_EXECUTED = (-1, -2)
"""Ids of an answer that could not be read, and of an empty plan: nothing was done."""
_NAMED = -3
_ENOUGH_REFUSED = 10
_LOGGED_WRONG = "Look at what wrote it."


@dataclass(frozen=True, slots=True)
class Fields:
    """What messages call the fields of a step."""

    action: str = "action_id"
    succeeded: str = "last_action_success"


_FIELDS = Fields()


@dataclass(frozen=True, slots=True)
class Step:
    """One action of an episode.

    Attributes:
        line: of the file; None for a step that the log lacks.
        skill: what was done; None where that is not known.
        succeeded: None where that is not known.
        distance_m: to the target afterwards.
        instruction: of the episode, as the step repeats it.
    """

    line: int | None = None
    skill: Skill | None = None
    succeeded: bool | None = None
    distance_m: float | None = None
    instruction: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """The steps of the run that counts.

    Attributes:
        steps: of that run, from 1 on.
        runs: how many there are in the file.
        counts: which of them counts, from 0.
    """

    steps: tuple[Step, ...]
    runs: int
    counts: int


@dataclass(slots=True)
class _Run:
    """One of the runs that are in a file."""

    rows: list[tuple[int, int, Row]]
    """Number of the step, line, and content."""
    ended: bool = False
    """Whether the last row says that there is no more."""
    refused: int = 0


def read(path: Path, findings: Findings) -> Log:
    """Read the steps of an episode; of several runs in one file the last complete one counts.

    Raises:
        TrajectoryError: there are none.
    """
    runs = _runs(rows(path, findings), findings)
    if not runs:
        raise findings.nothing_left("tells of no step that was executed.")
    counts = max(range(len(runs)), key=lambda i: (_complete(runs[i]), i))
    if len(runs) > 1:
        lines = [line for _, line, _ in runs[counts].rows]
        findings.add(
            "env_step",
            f"starts again {len(runs) - 1} times: runs were appended to one another. The last "
            f"complete one counts, run {counts + 1} of {len(runs)} (lines {lines[0]} to "
            f"{lines[-1]}).",
            "Give each run a folder of its own.",
            line=runs[1].rows[0][1],
        )
    return Log(_steps(runs[counts], findings), len(runs), counts)


def _runs(found: Sequence[tuple[int, Row]], findings: Findings) -> list[_Run]:
    """Split rows where the counter of steps restarts."""
    runs: list[_Run] = []
    last = 0
    for line, row in found:
        if "__separator__" in row:
            continue
        number = _whole(row.get("action_id"))
        if number in _NOT_EXECUTED:
            if runs:
                runs[-1].refused += 1
                runs[-1].ended |= number == _NOT_EXECUTED[1]
            continue
        step = _number(row, last, line, findings)
        if step is None:
            continue
        if step <= last or not runs:
            runs.append(_Run([]))
        runs[-1].rows.append((step, line, row))
        runs[-1].refused = 0
        last = step
    return runs


def _complete(run: _Run) -> bool:
    """Whether a run reached its target, used up its steps, or gave up."""
    step, _, row = run.rows[-1]
    arrived = _success(row.get("task_success"))
    gave_up = run.ended or run.refused >= _ENOUGH_REFUSED
    return bool(arrived) or gave_up or step >= _thor.MOST_STEPS


def _number(row: Row, last: int, line: int, findings: Findings) -> int | None:
    """Return which step a row is; the one after the last where it does not say."""
    if "env_step" not in row and "action_id" not in row:
        findings.add("env_step", "is missing; that row is left out.", _LOGGED_WRONG, line=line)
        return None
    given = row.get("env_step")
    step = last + 1 if given is None else _whole(given)
    if step is None or not 1 <= step <= _MOST_STEPS:
        findings.add(
            "env_step", f"is {brief(given)}; that row is left out.", _LOGGED_WRONG, line=line
        )
        return None
    if given is not None and not isinstance(given, int):
        findings.add(
            "env_step",
            f"is {brief(given)}, which is no whole number; {step} is read.",
            _LOGGED_WRONG,
            line=line,
        )
    return step


def _steps(run: _Run, findings: Findings) -> tuple[Step, ...]:
    made = [Step() for _ in range(run.rows[-1][0])]
    expected = 1
    for number, line, row in run.rows:
        if number > expected:
            findings.add(
                "env_step",
                f"steps {expected} to {number - 1} are missing; what was done in them is unknown.",
                "Copy the whole file.",
                line=line,
            )
        made[number - 1] = step_of(row, line, findings)
        expected = number + 1
    return tuple(made)


def step_of(row: Row, line: int | None, findings: Findings, fields: Fields = _FIELDS) -> Step:
    """Return what one row tells, with what is wrong in it added to the findings.

    Args:
        row: with ``action_id``, ``action_description``, ``last_action_success``, ``distance``.
        line: of the file, where it has lines.
        findings: is added to.
        fields: what messages call these.
    """
    succeeded = _success(row.get("last_action_success"))
    if succeeded is None:
        findings.add(
            fields.succeeded,
            f"is {brief(row.get('last_action_success'))}, expected true or false; whether the "
            "action succeeded counts as unknown.",
            _LOGGED_WRONG,
            line=line,
        )
    elif isinstance(row["last_action_success"], str):
        findings.add(
            fields.succeeded,
            f"is text, {brief(row['last_action_success'])}; {succeeded} is read.",
            _LOGGED_WRONG,
            line=line,
        )
    instruction = row.get("instruction")
    return Step(
        line=line,
        skill=_skill(row, succeeded, line, findings, fields),
        succeeded=succeeded,
        distance_m=_distance(row.get("distance")),
        instruction=instruction if isinstance(instruction, str) else "",
    )


def _skill(
    row: Row, succeeded: bool | None, line: int | None, findings: Findings, fields: Fields
) -> Skill | None:
    """Return what was done, by id and by description, which have to agree."""
    given, described = row.get("action_id"), row.get("action_description")
    number = _whole(given)
    by_name = _thor.named(described) if isinstance(described, str) else None
    by_id = _thor.BY_ID[number] if number is not None and 0 <= number < len(_thor.BY_ID) else None
    if by_id is not None and by_name is not None and by_id != by_name:
        findings.add(
            fields.action,
            f"is {number}, {by_id.action.name}, but its description says {brief(described)}; what "
            "was done counts as unknown.",
            _LOGGED_WRONG,
            line=line,
        )
        return None
    if by_id is not None and isinstance(given, str):
        findings.add(
            fields.action,
            f"is text, {brief(given)}; {number} is read.",
            _LOGGED_WRONG,
            line=line,
        )
    found = by_id or (by_name if number in (_NAMED, None) else None)
    if found is not None:
        return found
    if succeeded is False:
        return _thor.INVALID
    findings.add(
        fields.action,
        f"is {brief(given)} ({brief(described)}), which is no action that is known; what was done "
        "counts as unknown.",
        "Name it as EmbodiedBench does, ids 0 to 7.",
        line=line,
    )
    return None


def _whole(value: Any) -> int | None:
    """Return a whole number, also where it is written as a float or as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        digits = text[1:] if text[:1] in "+-" else text
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 7 else None  # noqa: PLR2004
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value == int(value) else None
    return value if isinstance(value, int) else None


def _success(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return bool(value) if isinstance(value, (bool, int, float)) and value in (0, 1) else None


def _distance(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 <= value < 1e6 else None  # noqa: PLR2004 - no room is larger
