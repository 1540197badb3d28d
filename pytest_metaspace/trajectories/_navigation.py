"""One episode of EB-Navigation, from its steps, its pictures and the task that it was given."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_metaspace.domain import Camera, State, Trajectory, Truth
from pytest_metaspace.trajectories import _navigation_frames, _navigation_steps, _thor
from pytest_metaspace.trajectories._moments import Findings, Moment, told
from pytest_metaspace.trajectories._reckoning import Logged, Reckoned, reckoned

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._moments import Told
    from pytest_metaspace.trajectories._navigation_steps import Step

GRID_STEP_M = 0.2
"""The shortest move of an agent that is snapped to the grid of 0.1 m."""
_LONGEST_ID = 200
_EPISODE = re.compile(r"episode_(\d+)")
_NO_TASKS = (
    "no tasks are given, so poses are not known, nor how far each move of 0.25 m really went: the "
    "simulator makes it 0.2 or 0.3 m. Directions and distances are not held against the log (A2, "
    "A3). Give EmbodiedBench's envs/eb_navigation/datasets with --metaspace-tasks."
)
_UNKNOWN_LENGTHS = (
    "poses are not known: {}. Directions and distances are not held against the log (A2, A3)."
)


def load(path: Path, reading: Reading) -> Trajectory:
    """Load one episode.

    Raises:
        TrajectoryError: nothing can be used; the text names the file, the field and the reason.
    """
    match = _EPISODE.match(path.name)
    episode = int(match.group(1)) if match else 0
    findings = Findings(path)
    log = _navigation_steps.read(path, findings)
    frames = _navigation_frames.of(path, episode, log, findings)
    steps = log.steps
    seen = told(_moments(episode, steps, frames), findings)
    went = _went(steps, path, episode, reading)
    return assembled(
        path,
        name=_id(path),
        seen=seen,
        went=went,
        findings=findings,
        steps=steps,
    )


def _moments(episode: int, steps: tuple[Step, ...], frames: dict[int, Path]) -> list[Moment]:
    """Return a moment before each step and one after the last."""
    made = []
    for number in range(len(steps) + 1):
        done = steps[number] if number < len(steps) else None
        before = steps[number - 1] if number else None
        made.append(
            moment(
                f"step {number}",
                frames.get(number),
                f"episode_{episode}_step_{number}_*_front.png",
                done,
                line=before.line if before else None,
            )
        )
    return made


def moment(
    name: str, frame: Path | None, field: str, done: Step | None, *, line: int | None = None
) -> Moment:
    """Return a moment with the step that was done then, where one was.

    How far a move went is not known from the log alone, so that none counts as done in full.
    """
    skill = None if done is None else done.skill
    succeeded = None if done is None or skill is None else done.succeeded
    return Moment(
        name=name,
        frame=frame,
        field=field,
        line=line,
        action=None if skill is None else skill.action,
        succeeded=None if skill and skill.action.translates and succeeded else succeeded,
        changes=bool(succeeded and skill and skill.shows),
    )


class Went(NamedTuple):
    """Where an agent went, as far as that is known.

    Attributes:
        path: None where it is not known.
        why: it is not known, for people.
    """

    path: Reckoned | None
    why: str


def _went(steps: tuple[Step, ...], path: Path, episode: int, reading: Reading) -> Went:
    instruction = next((step.instruction for step in steps if step.instruction), "")
    return went(steps, reading, path.parent.name, episode, instruction)


def went(
    steps: tuple[Step, ...], reading: Reading, eval_set: str, episode: int, instruction: str
) -> Went:
    """Return where an agent went, from the task that it was given.

    Raises:
        TrajectoryError: what is given as tasks is none.
    """
    if reading.tasks is None:
        return Went(None, _NO_TASKS)
    start = _thor.start_of(reading.tasks, eval_set, episode, instruction)
    if isinstance(start, str):
        return Went(None, _UNKNOWN_LENGTHS.format(start))
    found = reckoned(start, [Logged(step.skill, step.succeeded, step.distance_m) for step in steps])
    if isinstance(found, str):
        return Went(None, _UNKNOWN_LENGTHS.format(found))
    return Went(found, "")


def assembled(
    path: Path, *, name: str, seen: Told, went: Went, findings: Findings, steps: Sequence[Step]
) -> Trajectory:
    """Return the trajectory of an episode.

    Args:
        path: its source.
        name: its id.
        seen: its states as the log has them.
        went: where the agent went.
        findings: what is wrong in the log.
        steps: what was done.
    """
    states = seen.states
    width, height = seen.size
    focal = round(height / 2 / math.tan(math.radians(_thor.FIELD_OF_VIEW_DEG / 2)), 6)
    camera = Camera(width=width, height=height, fx=focal, fy=focal, cx=width / 2, cy=height / 2)
    truth = None
    if went.path is not None:
        poses = tuple(went.path.poses[place] for place in seen.kept)
        truth = Truth(poses=poses, objects={})
        states = tuple(_measured(state, went.path, seen.kept) for state in states)
        if not any(step.skill is not None and step.skill.tilt_deg for step in steps):
            camera = replace(
                camera, pitch_deg=poses[0].pitch_deg, height_m=poses[0].position[2] or None
            )
    return Trajectory(
        id=name,
        source=path,
        scenario="household",
        step_length_m=GRID_STEP_M if went.path is not None and went.path.snapped else _thor.MOVE_M,
        rotation_deg=_thor.TURN_DEG,
        vertical=False,
        distance_metric="planar",
        camera=camera,
        mover="agent",
        states=states,
        objects=(),
        truth=truth,
        warnings=(*findings.notes, *([went.why] if went.why else [])),
        defects=findings.all,
    )


def _measured(state: State, path: Reckoned, kept: tuple[int, ...]) -> State:
    """Return a state whose action moved as far as the path says."""
    action = state.action
    if action is None or not action.translates or state.succeeded is False:
        return state
    ahead, aside = path.moves[kept[state.index]]
    return replace(state, action=replace(action, move_m=(ahead, aside, 0.0)), succeeded=True)


def _id(path: Path) -> str:
    """Name an episode after the folders that tell run and set, and its file."""
    folder = path.resolve().parent
    parts = [folder.parent.name, folder.name, path.stem]
    return "-".join(part for part in parts if part)[-_LONGEST_ID:]
