"""An EB-Navigation run, in the shapes that EmbodiedBench and its forks write.

Where the agent goes is worked out by the rules of its simulator, on a grid or freely.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FORWARD, BACKWARD, RIGHT, LEFT, TURN_RIGHT, TURN_LEFT, LOOK_UP, LOOK_DOWN = range(8)
DESCRIPTIONS = (
    "Move forward by 0.25",
    "Move backward by 0.25",
    "Move rightward by 0.25",
    "Move leftward by 0.25",
    "Rotate to the right by 90 degrees.",
    "Rotate to the left by 90 degrees.",
    "Tilt the camera upward by 30 degrees.",
    "Tilt the camera downward by 30 degrees.",
)
INSTRUCTION = "navigate to the Pot in the room and be as close as possible to it"
_AHEAD = {FORWARD: (1, 0), BACKWARD: (-1, 0), RIGHT: (0, 1), LEFT: (0, -1)}


def task(
    *,
    instruction: str = INSTRUCTION,
    start: tuple[float, float, float] = (0.6, 0.9009992, 2.9),
    rotation: float = 180.0,
    horizon: float = 0.0,
    target: tuple[float, float] = (-0.818, 0.816),
) -> dict[str, Any]:
    """One of ``tasks``."""
    return {
        "targetObjectType": "Pot",
        "targetObjectIds": "Pot|-00.82|+00.93|+00.82",
        "target_position": {"x": target[0], "y": 0.93, "z": target[1]},
        "agentPose": {
            "position": dict(zip("xyz", start)),
            "rotation": rotation,
            "horizon": horizon,
        },
        "scene": "FloorPlan12",
        "object_to_hide": [],
        "instruction": instruction,
    }


def write_tasks(folder: Path, tasks: Sequence[dict[str, Any]], name: str = "base") -> Path:
    """Write ``datasets/{set}.json``; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps({"tasks": list(tasks)}), encoding="utf-8")
    return folder


@dataclass
class Run:
    """One episode, as it goes: where the agent is after each action, and what is logged."""

    given: dict[str, Any] = field(default_factory=task)
    grid: float | None = 0.1
    rows: list[dict[str, Any]] = field(default_factory=list)
    places: list[tuple[float, float]] = field(default_factory=list)
    """x and z after each step, the start first."""

    def __post_init__(self) -> None:
        position = self.given["agentPose"]["position"]
        self.places = [(position["x"], position["z"])]
        self._heading = self.given["agentPose"]["rotation"]

    def act(self, action: int, *, succeeded: bool = True, up: bool = False) -> Run:
        """Do one action; ``up`` says to which side a move ends that lies midway."""
        x, z = self.places[-1]
        if succeeded and action in _AHEAD:
            ahead, aside = _AHEAD[action]
            sin = round(math.sin(math.radians(self._heading)))
            cos = round(math.cos(math.radians(self._heading)))
            x += 0.25 * (ahead * sin + aside * cos)
            z += 0.25 * (ahead * cos - aside * sin)
            x, z = self._snapped(x, up=up), self._snapped(z, up=up)
        elif succeeded and action in (TURN_RIGHT, TURN_LEFT):
            self._heading += 90 if action == TURN_RIGHT else -90
        self.places.append((x, z))
        target = self.given["target_position"]
        distance = math.dist((x, z), (target["x"], target["z"]))
        what = "executed successfully." if succeeded else "is invalid. Blocked."
        self.rows.append(
            {
                "distance": distance,
                "env_feedback": f"Last action {DESCRIPTIONS[action]} {what}",
                "reasoning": json.dumps({"language_plan": "1. go", "executable_plan": []}),
                "instruction": self.given["instruction"],
                "env_step": len(self.rows) + 1,
                "episode_elapsed_seconds": 3.5 * len(self.rows),
                "task_success": 0.0,
                "last_action_success": succeeded,
                "action_id": action,
                "action_description": DESCRIPTIONS[action],
            }
        )
        return self

    def arrive(self) -> Run:
        """Say that the last step reached the target."""
        self.rows[-1]["task_success"] = 1.0
        return self

    def _snapped(self, value: float, *, up: bool) -> float:
        if self.grid is None:
            return round(value, 6)
        cells = round(value / self.grid, 6)
        whole = math.floor(cells) if not up else math.ceil(cells)
        return round((whole if abs(cells % 1 - 0.5) < 1e-6 else round(cells)) * self.grid, 6)


def sample() -> Run:
    """Eight steps with every kind of action: one fails, and moves end on either side."""
    run = Run()
    run.act(FORWARD).act(FORWARD, up=True).act(TURN_RIGHT).act(FORWARD)
    run.act(LEFT, succeeded=False).act(RIGHT, up=True).act(LOOK_DOWN).act(BACKWARD)
    return run.arrive()


def stamp(run: int, step: int) -> str:
    """The time in a picture's name: runs are months apart."""
    return f"20250{run + 1}01_10{step // 60:02d}{step % 60:02d}"


def write_current(
    folder: Path, run: Run, *, episode: int = 1, number: int = 0, view: str = "front"
) -> Path:
    """Write an episode as EmbodiedBench does today; return its log."""
    for step in range(len(run.rows) + 1):
        name = f"episode_{episode}_step_{step}_{stamp(number, step)}_{view}.png"
        paint(folder / name, 1000 * number + step)
    path = folder / f"episode_{episode}_step_{len(run.rows)}.json"
    path.write_text(lines(run.rows), encoding="utf-8")
    return path


def write_older(
    folder: Path,
    runs: Sequence[Run],
    *,
    episode: int = 1,
    as_list: bool = True,
    apart: bool = True,
) -> Path:
    """Write an episode, and reruns of it, as forks do: one file, appended to; return it.

    Args:
        folder: of the run.
        runs: the first one first.
        episode: its number.
        as_list: one indented list with separators; else lines with blank ones between.
        apart: whether pictures lie in ``images/episode_E``.
    """
    for number, run in enumerate(runs):
        for step in range(len(run.rows) + 1):
            name = f"step_{step}_{stamp(number, step)}_front.png"
            where = folder / "images" / f"episode_{episode}" if apart else folder
            full = name if apart else f"episode_{episode}_{name}"
            paint(where / full, 1000 * number + step)
    path = folder / f"episode_{episode}.json"
    if as_list:
        listed: list[dict[str, Any]] = []
        for run in runs:
            rows = [{**row, "reasoning": {"language_plan": ["1. go"]}} for row in run.rows]
            listed += [*rows[:2], {"__separator__": True, "round": "new_round"}, *rows[2:]]
        path.write_text(json.dumps(listed, indent=2), encoding="utf-8")
    else:
        path.write_text("\n\n".join(lines(run.rows) for run in runs), encoding="utf-8")
    return path


def lines(rows: Sequence[dict[str, Any]]) -> str:
    """JSON Lines, which is what EmbodiedBench writes under ``.json``."""
    return "".join(json.dumps(row) + "\n" for row in rows)
