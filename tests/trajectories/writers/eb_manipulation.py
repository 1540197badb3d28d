"""An EB-Manipulation run, in the shape that EmbodiedBench writes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

INSTRUCTION = "Pick up the star and place it into the silver container."
OPEN, CLOSED = 1, 0


def cell(x: int, y: int, z: int, gripper: int = OPEN) -> list[int]:
    """An action: where to, how turned, and whether the gripper is open."""
    return [x, y, z, 0, 60, 90, gripper]


@dataclass
class Episode:
    """One episode: what the planner answered, and what became of each action."""

    plans: list[str | list[list[int]]] = field(default_factory=list)
    """Texts as they are, or actions of which a text is made."""
    successes: list[float] = field(default_factory=list)
    instruction: str = INSTRUCTION
    result: dict[str, Any] = field(default_factory=dict)
    """Fields of the result to set."""

    def texts(self) -> list[str]:
        """What stands in the planner's output."""
        return [plan if isinstance(plan, str) else answer(plan) for plan in self.plans]


def answer(actions: Sequence[list[int]], *, indent: int | None = None) -> str:
    """An answer of the planner."""
    return json.dumps(
        {
            "visual_state_description": 'a star, a container {and} a "cube"',
            "reasoning_and_reflection": "first the star",
            "language_plan": "1. move above the star",
            "executable_plan": [{"action": action} for action in actions],
        },
        indent=indent,
    )


def sample() -> Episode:
    """Two plans and six actions: the fourth is refused, and the sixth is not executed."""
    return Episode(
        plans=[
            [cell(40, 50, 40), cell(40, 50, 20), cell(40, 50, 20, CLOSED)],
            answer([cell(40, 50, 99, CLOSED), cell(30, 57, 34, CLOSED), cell(0, 0, 0)], indent=1),
        ],
        successes=[1.0, 1.0, 1.0, 0.0, 1.0],
    )


def write(folder: Path, episode: Episode, *, number: int = 1, annotated: bool = True) -> Path:
    """Write an episode; return its result.

    A failed action shows the picture of before. Boxes are drawn into a copy where a plan ended.
    """
    pictures = folder / "images" / f"episode_{number}"
    shown = 0
    for step in range(len(episode.successes) + 1):
        if step and episode.successes[step - 1]:
            shown = step
        stem = f"episode_{number}_step_{step}_front_rgb"
        paint(pictures / f"{stem}.png", shown)
        if annotated and step in (0, 3):
            paint(pictures / f"{stem}_annotated.png", 500 + step)
    results = folder / "results"
    results.mkdir(parents=True, exist_ok=True)
    texts = episode.texts()
    (results / f"planner_output_episode_{number}.txt").write_text(
        "".join(f"{text}\n" for text in texts), encoding="utf-8"
    )
    path = results / f"episode_{number}_res.json"
    content = {
        "reward": [0.0] * len(episode.successes),
        "action_success": episode.successes,
        "instruction": episode.instruction,
        "avg_reward": 0.0,
        "task_success": 0.0,
        "num_steps": len(episode.successes),
        "planner_steps": len(texts),
        "planner_output_error": 0,
        "episode_elapsed_seconds": 61.5,
        **episode.result,
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
