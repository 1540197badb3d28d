"""What EB-Navigation's actions do in AI2-THOR, and where its tasks start.

Unity's world is left-handed with y up, and turns clockwise about y seen from above; its z is our
x, its x our -y, its y our z.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Action
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._json_rows import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MOVE_M = 0.25
TURN_DEG = 90.0
FIELD_OF_VIEW_DEG = 100.0
"""Vertical; the writer gives no other."""
EYES_M = 0.675
"""How far the camera of a standing agent is above its position."""
MOST_STEPS = 20
_LARGEST_TASKS = 16 << 20


@dataclass(frozen=True, slots=True)
class Skill:
    """One of the actions there are.

    Attributes:
        action: what it does, as the writer means it.
        tilt_deg: how far it turns the camera up.
    """

    action: Action
    tilt_deg: float = 0.0

    @property
    def shows(self) -> bool:
        """Whether it changes the picture."""
        return self.action.translates or self.action.turns or self.tilt_deg != 0


def _skill(
    name: str,
    ahead: float = 0.0,
    aside: float = 0.0,
    turn: float = 0.0,
    tilt: float = 0.0,
) -> Skill:
    return Skill(Action(name=name, move_m=(ahead, aside, 0.0), turn_deg=turn), tilt)


BY_ID = (
    _skill("move_forward", ahead=MOVE_M),
    _skill("move_backward", ahead=-MOVE_M),
    _skill("move_right", aside=MOVE_M),
    _skill("move_left", aside=-MOVE_M),
    _skill("turn_right", turn=TURN_DEG),
    _skill("turn_left", turn=-TURN_DEG),
    _skill("look_up", tilt=30.0),
    _skill("look_down", tilt=-30.0),
)
INVALID = Skill(Action(name="invalid"))
"""What was refused: nothing was done."""
_WORDS = (
    ("move forward by 0.25", "moveahead", "moveahead_25"),
    ("move backward by 0.25", "moveback", "moveback_25"),
    ("move rightward by 0.25", "moveright", "moveright_25"),
    ("move leftward by 0.25", "moveleft", "moveleft_25"),
    ("rotate to the right by 90 degrees", "rotateright", "rotateright_90"),
    ("rotate to the left by 90 degrees", "rotateleft", "rotateleft_90"),
    ("tilt the camera upward by 30 degrees", "lookup"),
    ("tilt the camera downward by 30 degrees", "lookdown"),
)
_BY_NAME: Mapping[str, Skill] = {
    **{word: BY_ID[number] for number, words in enumerate(_WORDS) for word in words},
    **dict.fromkeys(
        ("tilt the camera upward by 15 degrees", "lookup_15"), _skill("look_up", tilt=15.0)
    ),
    **dict.fromkeys(
        ("tilt the camera downward by 15 degrees", "lookdown_15"), _skill("look_down", tilt=-15.0)
    ),
}


def named(description: str) -> Skill | None:
    """Return what an action does by its name or description, or None."""
    return _BY_NAME.get(description.strip().rstrip(".").lower())


# ---------------------------------------------------------------------------------- tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where an episode starts and what it is to reach, in Unity's world.

    Attributes:
        x: metres.
        y: of the agent, which stands on the floor; not of its camera.
        z: metres.
        rotation_deg: clockwise from +z.
        horizon_deg: how far the camera looks down.
        target: x and z of what the log tells distances to.
    """

    x: float
    y: float
    z: float
    rotation_deg: float
    horizon_deg: float
    target: tuple[float, float]


def start_of(tasks: Path, eval_set: str, episode: int, instruction: str) -> Start | str:
    """Return where an episode starts, or why that is not known.

    Args:
        tasks: file of tasks, or a folder with ``EVAL_SET.json`` (also ``.jsonl``).
        eval_set: name of the set.
        episode: its number, from 1.
        instruction: as the log has it; empty where it has none.

    Raises:
        TrajectoryError: there is no such file, or it is none of tasks.
    """
    path = tasks
    if tasks.is_dir():
        places = [tasks / f"{eval_set}{ending}" for ending in (".json", ".jsonl")]
        path = next((place for place in places if place.is_file()), places[0])
    listed = _tasks(path)
    asked = _words(instruction)
    if 1 <= episode <= len(listed) and asked in ("", _instruction(listed[episode - 1])):
        return _start(path, episode - 1, listed[episode - 1])
    matching = [i for i, task in enumerate(listed) if asked and _instruction(task) == asked]
    if len(matching) == 1:
        return _start(path, matching[0], listed[matching[0]])
    return (
        f"{len(matching) or 'none'} of the {len(listed)} tasks in {path} "
        f"{'have' if len(matching) > 1 else 'has'} the instruction {brief(instruction)}"
    )


def _tasks(path: Path) -> list[Any]:
    text = text_of(path, _LARGEST_TASKS)
    try:
        if path.suffix == ".jsonl":
            listed: Any = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            content = json.loads(text)
            listed = content.get("tasks") if isinstance(content, dict) else content
    except (ValueError, RecursionError) as problem:
        raise TrajectoryError(f"{path}: is not JSON ({problem}).") from None
    if not isinstance(listed, list) or not listed:
        raise TrajectoryError(
            f"{path}: field tasks: expected a list of tasks. Name EmbodiedBench's "
            "embodiedbench/envs/eb_navigation/datasets, or a file in it."
        )
    return listed


def _instruction(task: Any) -> str:
    return _words(task.get("instruction")) if isinstance(task, dict) else ""


def _words(text: Any) -> str:
    return " ".join(str(text or "").lower().rstrip(". ").split())


def _start(path: Path, index: int, task: Any) -> Start:
    def number(*keys: str) -> float:
        found: Any = task
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, bool) or not isinstance(found, (int, float)):
            found = math.nan
        if not abs(found) < 1e6:  # noqa: PLR2004 - and so finite
            raise TrajectoryError(
                f"{path}: field tasks.{index}.{'.'.join(keys)}: expected a number."
            )
        return round(float(found), 5)

    pose = "agentPose" if isinstance(task, dict) and "agentPose" in task else "agent_pose"
    return Start(
        x=number(pose, "position", "x"),
        y=number(pose, "position", "y"),
        z=number(pose, "position", "z"),
        rotation_deg=number(pose, "rotation"),
        horizon_deg=number(pose, "horizon"),
        target=(number("target_position", "x"), number("target_position", "z")),
    )
