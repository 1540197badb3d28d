"""Which actions a planner of EB-Manipulation had executed, from what it wrote.

Its answers stand one after another, each ended by a newline that may as well be one of its own. An
answer that the runner could not read made it execute one action at random, which no file tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.trajectories._gripper import literal
from pytest_metaspace.trajectories._json_rows import decoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_PLANS = 1000
_MOST_TRIES = 200
_FENCE = "```"
_START = re.compile(r"[ \t]*(?=[{\[])")


@dataclass(frozen=True, slots=True)
class Plan:
    """One answer of the planner.

    Attributes:
        line: where it starts.
        actions: what it asks for; None where the runner did something at random instead.
    """

    line: int
    actions: tuple[Any, ...] | None

    @property
    def steps(self) -> int:
        """How many actions it leads to, at most."""
        return 1 if self.actions is None else len(self.actions)


def plans(text: str) -> list[Plan]:
    """Return the plans of a planner's output, in order.

    What comes after hundreds of lines that begin like JSON and are none is not looked at.
    """
    found: list[Plan] = []
    place = tries = 0
    fences: int | None = None  # in an answer that cannot be read, how many lines of ``` so far
    while place < len(text) and len(found) < _MOST_PLANS and tries < _MOST_TRIES:
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[place:end].strip()
        got = _object(text, place) if line and not (fences or 0) % 2 else None
        if got is not None:
            found.append(Plan(text.count("\n", 0, place) + 1, _actions(got[0])))
            place, fences = got[1], None
            continue
        if line:
            tries += line[0] in "{["
            if fences is None:
                found.append(Plan(text.count("\n", 0, place) + 1, None))
            fences = (fences or 0) + line.startswith(_FENCE)
        place = end + 1
    return found


def _object(text: str, place: int) -> tuple[Any, int] | None:
    """Return a JSON value that starts on a line and is followed by nothing on its last line."""
    start = _START.match(text, place)
    got = None if start is None else decoded(text, start.end())
    if got is None:
        return None
    end = text.find("\n", got[1])
    end = len(text) if end < 0 else end
    return None if text[got[1] : end].strip() else (got[0], end + 1)


def _actions(answer: Any) -> tuple[Any, ...] | None:
    """Return what an answer asks for, read as the runner reads it."""
    if not isinstance(answer, dict):
        return None
    plan = answer.get("executable_plan")
    if plan is None and isinstance(answer.get("properties"), dict):
        plan = answer["properties"].get("executable_plan")
    if isinstance(plan, str):
        plan = literal(plan)
    if not isinstance(plan, (list, tuple)):
        return None
    actions = [_action(one) for one in plan[:_MOST_PLANS]]
    return None if any(one is None for one in actions) else tuple(actions)


def _action(given: Any) -> Any:
    """Return one action of a plan, with or without a name around it; None where it is none."""
    found = given.get("action") if isinstance(given, dict) else given
    if isinstance(found, (list, tuple)) and found and isinstance(found[0], dict):
        found = found[0].get("action")
    if isinstance(found, str):
        found = literal(found)
    return list(found) if isinstance(found, (list, tuple)) else None


# ------------------------------------------------------------------------- what was executed


@dataclass(frozen=True, slots=True)
class Executed:
    """What was executed.

    Attributes:
        actions: one for each step; None where it is not known.
        problem: why some are not known; empty where all are.
        line: where that begins.
    """

    actions: tuple[Any, ...]
    problem: str = ""
    line: int | None = None


def executed(found: Sequence[Plan], *, steps: int, asked: int | None) -> Executed:
    """Return which actions were executed.

    Args:
        found: the plans.
        steps: how many actions were executed in all.
        asked: how often the planner was asked; None where that is not known.
    """
    flat = list(_flat(found))
    known = flat[:steps] + [None] * (steps - len(flat))
    unread = next((plan for plan in found if plan.actions is None), None)
    sure = asked in (None, len(found))
    filled = [plan.steps for plan in found if plan.steps]
    if unread is None and sure:
        if len(flat) >= steps:
            return Executed(tuple(known))
        return Executed(
            tuple(known),
            f"tells of {len(flat)} actions, and {steps} were executed; what the others were is "
            "unknown.",
        )
    if unread is None and asked is not None and len(found) < asked:
        return Executed(
            tuple(known),
            f"holds {len(found)} answers of the {asked} that there were; what was executed after "
            "them is unknown.",
        )
    if unread is None:
        return Executed(
            (None,) * steps,
            f"holds {len(found)} answers, though the planner was asked {asked} times; what was "
            "executed is unknown.",
        )
    if sure and sum(filled[:-1]) < steps <= sum(filled):
        return Executed(
            tuple(known),
            "is an answer that is no plan in JSON; the runner executed an action at random then, "
            "which is unknown.",
            unread.line,
        )
    before = sum(plan.steps for plan in found[: found.index(unread)])
    return Executed(
        (*known[:before], *[None] * (steps - min(before, steps))),
        "is an answer that is no plan in JSON; what was executed from then on is unknown.",
        unread.line,
    )


def _flat(found: Sequence[Plan]) -> Iterator[Any]:
    for plan in found:
        yield from (None,) if plan.actions is None else plan.actions
