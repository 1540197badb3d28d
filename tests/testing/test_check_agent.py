"""The check of agents: passes ours and the example's, and is seen to fail on broken ones."""

from __future__ import annotations

import asyncio
import itertools
import threading
from typing import TYPE_CHECKING, Any

import pytest

from example_project.robot import brain
from pytest_metaspace import testing
from pytest_metaspace.agents import AgentKind
from pytest_metaspace.errors import AgentError, UsageProblem
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Question


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny trajectory."""
    return Walk().write(tmp_path_factory.mktemp("runs") / "walk")


@pytest.mark.parametrize(
    "name",
    [
        "truth",
        "random",
        "collapsed",
        *(f"mutant:{fault}:truth" for fault in ("mirrored", "yes-sayer", "frame-locked")),
    ],
)
def test_agents_that_we_ship_pass(name: str, walk: Path) -> None:
    testing.check_agent(name, trajectories=[walk])


@pytest.mark.parametrize("agent", ["geometric", brain.SCOUT], ids=["geometric", "scout"])
def test_agents_that_look_pass_on_the_trajectory_that_ships(agent: str | AgentKind) -> None:
    testing.check_agent(agent)


def test_a_function_and_its_recording_pass(
    walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "checked_brain.py").write_text(
        "async def answer(prompt, images):\n    return 'yes'\n"
    )
    testing.check_agent("python:checked_brain:answer", trajectories=[walk], root=tmp_path)


class Ours:
    """Answers as a function says; what is asked about decides, and a counter."""

    identity: Any = "ours 1.0"

    def __init__(self, answer: Callable[[Question], Any], identity: Any = "ours 1.0") -> None:
        self._answer = answer
        self.identity = identity

    def ask(self, question: Question) -> Any:
        return self._answer(question)


def yes(question: Question) -> str:
    del question
    return "yes"


def raising(problem: Exception) -> Callable[[Question], str]:
    def answer(question: Question) -> str:
        raise problem

    return answer


_COUNT = itertools.count()
_MAIN = threading.main_thread()


def counting(question: Question) -> str:
    del question
    return f"{next(_COUNT)} m"


def of_one_thread(question: Question) -> str:
    del question
    if threading.current_thread() is not _MAIN:
        raise AgentError("the connection belongs to another thread")
    return "yes"


def of_one_loop(loops: list[Any]) -> Callable[[Question], Any]:
    async def answer(question: Question) -> str:
        del question
        loops.append(asyncio.get_running_loop())
        if loops[0] is not loops[-1]:
            raise AgentError("attached to a different loop")
        return "yes"

    return answer


def kind(build: Any = lambda _argument, _context: Ours(yes), name: str = "ours") -> AgentKind:
    return AgentKind(name=name, usage="ours", summary="ours", build=build)


def refusing(argument: str, context: Any) -> Any:
    raise UsageProblem("metaspace: ours names no model. Write ours:MODEL.")


_BUILT = itertools.count()


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("no-such-agent", "agent no-such-agent: cannot be made: .*is not known"),
        (kind(name="a b"), "agent 'a b': field name: expected 1 to 80 ASCII"),
        (kind(refusing), "cannot be made: .*Write ours:MODEL|build raised UsageProblem.*MODEL"),
        (kind(lambda _argument, _context: 1 / 0), "build raised ZeroDivisionError"),
        (kind(lambda _argument, _context: object()), "object has no attribute identity or no method"),
        (
            kind(lambda _argument, _context: Ours(yes, f"ours {next(_BUILT)}")),
            r"identity: is 'ours \d+' for one and 'ours \d+' for another",
        ),
        (Ours(yes, identity=7), "field identity: expected one line .* found 7"),
        (Ours(yes, identity=""), "field identity: expected one line .* found ''"),
        (Ours(raising(ValueError("oh"))), r"the agent raised ValueError \(test_check.*: oh. Raise"),
        (Ours(raising(AgentError("no power"))), r"answers none of \d+ questions, and says: no power"),
        (Ours(lambda _: 3), "returned int, expected a str. Return the raw text"),
        (Ours(lambda _: "as you like"), "none of its .* answers can be read, as in 'as you"),
        (Ours(counting), r"says '\d+ m' among others, says '\d+ m' alone and in another order"),
        (Ours(of_one_thread), r"fails \(the connection belongs to another thread\) in another thr"),
        (Ours(of_one_loop([])), r"fails \(attached to a different loop\) alone and in another or"),
        (
            Ours(lambda q: "yes" if q.format.kind != "text" else q.format.planar["left"]),
            "asked a question in a test's own words: the agent raised KeyError",
        ),
    ],
)  # fmt: skip
def test_a_broken_agent_is_told_what_is_wrong(broken: Any, expected: str, walk: Path) -> None:
    with pytest.raises(AssertionError, match=expected):
        testing.check_agent(broken, trajectories=[walk])


def test_a_model_that_samples_may_say_so(walk: Path) -> None:
    testing.check_agent(Ours(counting), trajectories=[walk], deterministic=False)


def test_a_kind_gets_its_argument(walk: Path) -> None:
    made = kind(lambda argument, _: Ours(lambda _: argument))
    testing.check_agent(made, argument="yes", trajectories=[walk])
    with pytest.raises(AssertionError, match="can be read, as in 'perhaps'"):
        testing.check_agent(made, argument="perhaps", trajectories=[walk])
