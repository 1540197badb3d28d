"""One episode of EB-Manipulation, from its result, its planner's output and its pictures."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Camera, Trajectory
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _gripper, _plans
from pytest_metaspace.trajectories._defects import Unusable, brief, file_in
from pytest_metaspace.trajectories._gripper import Done
from pytest_metaspace.trajectories._json_rows import text_of
from pytest_metaspace.trajectories._moments import Findings, Moment, told

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._gripper import Move
    from pytest_metaspace.trajectories._moments import Told

_MOST_STEPS = 1000
_LARGEST_OUTPUT = 4 << 20
_WRIST = "wrist_rgb"
_WRONG = "Look at what wrote it."
NO_CAMERA = (
    "the log says neither where the front camera stands nor how it is focused: truth is not known "
    "(A3), boxes are compared as if the focal length were the longer side of the picture, and that "
    "the camera looks along -x of the workspace is taken from how EmbodiedBench draws its axes. "
    "truth.json beside the log adds it (docs/format.md)."
)


def load(path: Path, reading: Reading) -> Trajectory:
    """Load one episode.

    Raises:
        TrajectoryError: nothing can be used; the text names the file, the field and the reason.
    """
    if reading.camera == _WRIST:
        raise TrajectoryError(
            f"{path}: the pictures of {_WRIST} move with the gripper, and the log does not say how "
            "it turns. Leave --metaspace-camera out: front_rgb is read."
        )
    episode = int("".join(re.findall(r"\d+", path.name)[:1]))
    findings = Findings(path)
    result = _result(path)
    successes = _successes(result, findings)
    done = _done(path, episode, result, successes, findings)
    moves = _gripper.moves(done)
    return assembled(
        path,
        name=_id(path, episode),
        seen=told(_moments(path, episode, moves, findings), findings),
        moves=moves,
        findings=findings,
    )


def assembled(
    path: Path, *, name: str, seen: Told, moves: Sequence[Move], findings: Findings
) -> Trajectory:
    """Return the trajectory of an episode: a gripper that a camera watches."""
    return Trajectory(
        id=name,
        source=path,
        scenario="arm",
        step_length_m=round(_gripper.step_length_m(moves), 6),
        rotation_deg=None,
        vertical=True,
        distance_metric="spatial",
        camera=Camera(width=seen.size[0], height=seen.size[1]),
        mover="gripper",
        states=seen.states,
        objects=(),
        truth=None,
        warnings=(*findings.notes, NO_CAMERA),
        defects=findings.all,
    )


# ------------------------------------------------------------------------------- the result


def _result(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(text_of(path))
    except (ValueError, RecursionError) as problem:
        raise TrajectoryError(f"{path}: is not JSON ({problem}). Copy it again.") from None
    if not isinstance(content, dict):
        raise TrajectoryError(f"{path}: holds no JSON object; expected the result of an episode.")
    return content


def _successes(result: dict[str, Any], findings: Findings) -> list[bool | None]:
    """Return for each executed action whether it succeeded."""
    given = result.get("action_success")
    if not isinstance(given, list):
        findings.add(
            "action_success",
            f"is {brief(given)}, expected a list; whether actions succeeded is unknown.",
            _WRONG,
        )
        given = []
    count = result.get("num_steps")
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_STEPS:
        findings.add(
            "num_steps",
            f"is {brief(count)}, expected a whole number; {len(given)} is read from "
            "action_success.",
            _WRONG,
        )
        count = min(len(given), _MOST_STEPS)
    made = []
    for place in range(count):
        value = given[place] if place < len(given) else None
        succeeded = success_of(value)
        if succeeded is None:
            findings.add(
                f"action_success.{place}",
                f"is {brief(value)}, expected 1.0 or 0.0; whether the action succeeded is unknown.",
                _WRONG,
            )
        made.append(succeeded)
    return made


def success_of(value: Any) -> bool | None:
    """Return what is logged of an action: 1.0 or 0.0, also as a bool; None for anything else."""
    if isinstance(value, (bool, int, float)) and value in (0, 1):
        return bool(value)
    return None


def _done(
    path: Path,
    episode: int,
    result: dict[str, Any],
    successes: Sequence[bool | None],
    findings: Findings,
) -> list[Done]:
    """Return what was executed, from the planner's output."""
    name = f"planner_output_episode_{episode}.txt"
    actions: Sequence[Any] = (None,) * len(successes)
    try:
        output = file_in(path.parent, name)
        asked = result.get("planner_steps")
        found = _plans.executed(
            _plans.plans(text_of(output, _LARGEST_OUTPUT)),
            steps=len(successes),
            asked=asked if isinstance(asked, int) and not isinstance(asked, bool) else None,
        )
        actions = found.actions
        if found.problem:
            step = "Nothing brings it back."
            findings.add("executable_plan", found.problem, step, line=found.line, file=output)
    except Unusable as problem:
        findings.add(
            "executable_plan",
            f"{problem} What was executed stands there and nowhere else, so it is unknown.",
            "Copy the whole folder results.",
        )
    instruction = result.get("instruction")
    fields = [f"executable_plan, action {place} of all" for place in range(len(actions))]
    return done_of(actions, successes, str(instruction), findings, fields)


def done_of(
    actions: Sequence[Any],
    successes: Sequence[bool | None],
    instruction: str,
    findings: Findings,
    fields: Sequence[str],
) -> list[Done]:
    """Return executed actions; one that is not seven numbers is unknown, and said.

    Where things are stacked, the simulator may lift a gripper that let go by 3 cm more, unlogged.
    """
    made = []
    stacks, closed = "stack" in instruction.lower(), False
    for place, (action, succeeded) in enumerate(zip(actions, successes)):
        numbers = None if action is None else _gripper.numbers_of(action)
        if numbers is None and action is not None and succeeded is not False:
            findings.add(
                fields[place],
                f"is {brief(action)}, expected seven numbers; what was done is unknown.",
                _WRONG,
            )
        let_go = numbers is not None and closed and numbers[6] != 0
        made.append(Done(numbers, succeeded, certain=not (stacks and let_go)))
        closed = closed or (succeeded is not False and (numbers is None or numbers[6] == 0))
    return made


# ---------------------------------------------------------------------------------- pictures


def _moments(path: Path, episode: int, moves: Sequence[Move], findings: Findings) -> list[Moment]:
    root = path.parent.parent
    made = []
    drawn = []
    for step in range(len(moves) + 1):
        stem = f"images/episode_{episode}/episode_{episode}_step_{step}_front_rgb"
        frame = _frame(root, f"{stem}.png")
        if frame is None:
            frame = _frame(root, f"{stem}_annotated.png")
            drawn += [step] if frame is not None else []
        move = moves[step] if step < len(moves) else None
        made.append(
            Moment(
                name=f"step {step}",
                frame=frame,
                field=f"{stem}.png",
                action=None if move is None else move.action,
                succeeded=None if move is None else move.succeeded,
                changes=move is not None and move.changes,
            )
        )
    if drawn:
        findings.add(
            f"images/episode_{episode}",
            f"has only the picture with boxes drawn in (_annotated) for {len(drawn)} steps, the "
            f"first of them step {drawn[0]}; agents are shown the boxes, too.",
            "Copy all pictures of the run.",
        )
    return made


def _frame(root: Path, name: str) -> Path | None:
    try:
        return file_in(root, name)
    except Unusable:
        return None


def _id(path: Path, episode: int) -> str:
    """Name an episode after the folders that tell model, experiment and set."""
    folder = path.resolve().parent.parent
    experiment = folder.parent.name
    if "=" in experiment:  # made of all settings, and longer than a name should be
        experiment = hashlib.sha256(experiment.encode()).hexdigest()[:6]
    parts = [folder.parent.parent.name, experiment, folder.name, f"episode_{episode}"]
    return "-".join(part for part in parts if part)[-200:]
