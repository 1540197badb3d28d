"""EmbodiedBench's trajectory datasets, in the shape that is published."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.trajectories.writers import eb_manipulation, eb_navigation
from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MODEL = "gpt-4o-2024-08-06"


def navigation(
    *, episode: int = 1, plans: Sequence[Sequence[int]] = ((0, 0, 4), (3, 1)), prefix: str = ""
) -> dict[str, Any]:
    """An episode of EB-Navigation; an action is an id with a name."""
    steps = iter(range(1, 99))
    folder = f"{prefix}{MODEL}/base/episode_{episode}"
    trajectory = []
    last = f"{folder}/episode_{episode}_step_0_front.png"
    for plan in plans:
        told: list[dict[str, Any]] = []
        entry = _entry(last, told)
        for action in plan:
            number = next(steps)
            last = f"{folder}/episode_{episode}_step_{number}_front.png"
            name = eb_navigation.DESCRIPTIONS[action]
            told.append(_step(number, last, [action, name]))
        trajectory.append(entry)
    return _episode(episode, trajectory, "Move forward by 0.25")


def manipulation(*, episode: int = 2, text: bool = True, single: bool = True) -> dict[str, Any]:
    """An episode of EB-Manipulation.

    Args:
        episode: its number.
        text: whether an action is text that looks like a list.
        single: whether each plan is one action, and then an object and no list.
    """
    cell = eb_manipulation.cell
    actions = [cell(40, 50, 40), cell(40, 50, 20), cell(40, 50, 20, 0), cell(30, 57, 34, 0)]
    folder = f"{MODEL}/base/episode_{episode}"
    trajectory = []
    for number, action in enumerate(actions, start=1):
        before = f"{folder}/episode_{episode}_step_{number - 1}_front_rgb_annotated.png"
        picture = f"{folder}/episode_{episode}_step_{number}_front_rgb.png"
        step = _step(number, picture, str(action) if text else action)
        if single or number == 1:
            trajectory.append(_entry(before, step if single else [step]))
        else:
            trajectory[0]["executable_plan"].append(step)
    return _episode(episode, trajectory, "You are a Franka Panda robot with a parallel gripper")


def _entry(picture: str, plan: Any) -> dict[str, Any]:
    return {
        "visual_description": "a room",
        "reasoning_and_reflection": "go on",
        "language_plan": "1. go",
        "executable_plan": plan,
        "input_image_path": picture,
    }


def _step(number: int, picture: str, action: Any) -> dict[str, Any]:
    return {
        "step_id": number,
        "img_path": picture,
        "action": action,
        "action_success": 1.0,
        "env_feedback": "Last action executed successfully.",
    }


def _episode(number: int, trajectory: list[dict[str, Any]], prompt: str) -> dict[str, Any]:
    return {
        "model_name": MODEL,
        "eval_set": "base",
        "episode_id": number,
        "instruction": "navigate to the Pot in the room",
        "input": f"## {prompt} " * 20,
        "success": 1.0,
        "trajectory": trajectory,
    }


def write(folder: Path, episodes: Sequence[Any], name: str = "eb-nav_dataset_multi_step") -> Path:
    """Write a file of episodes, with the pictures that they name in ``images/``; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for episode in episodes:
        for number, picture in enumerate(pictures(episode)):
            paint(folder / "images" / picture.removeprefix("images/"), number)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(list(episodes), indent=1), encoding="utf-8")
    return path


def pictures(episode: Any) -> list[str]:
    """The pictures that an episode names, in order, each once."""
    found = []
    for entry in episode["trajectory"]:
        plan = entry["executable_plan"]
        found.append(entry["input_image_path"])
        found += [step["img_path"] for step in (plan if isinstance(plan, list) else [plan])]
    return list(dict.fromkeys(found))
