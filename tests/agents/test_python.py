"""The user's own function: sync or async, right or wrong, and known by the file it is in."""

from __future__ import annotations

import functools
import itertools
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.agents.python import FunctionAgent
from pytest_metaspace.asking import ask
from pytest_metaspace.domain import Answer, Capability, Query, Question
from pytest_metaspace.errors import AgentError, UsageProblem
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.questions import question
from tests.unit_support import FORWARD, trajectory

if TYPE_CHECKING:
    from collections.abc import Callable

ROBOT = """class Robot:
    def __call__(self, prompt, images):
        return '2'

answer = Robot()
"""
_NAMES = (f"made_up_brain_{number}" for number in itertools.count())


def asked() -> Question:
    query = Query(
        trajectory="made-up",
        capability=Capability.MOVEMENT_DISTANCE,
        a=0,
        b=1,
        reference=0,
        evidence=(0, 1),
    )
    return question(query, trajectory([FORWARD], folder=Path("/run")))


def reply(function: Callable[..., Any]) -> Answer:
    (answer,) = ask([asked()], FunctionAgent("m:f", function), None).answers.values()
    return answer


@pytest.fixture
def brain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a module that can be imported; return its name."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(code: str) -> str:
        name = next(_NAMES)
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        return name

    return write


def built(name: str) -> FunctionAgent:
    agent = Registries.built_in().agent(f"python:{name}", Path("/nowhere"))
    assert isinstance(agent, FunctionAgent)
    return agent


def test_a_function_gets_the_prompt_and_the_pictures_in_order() -> None:
    heard: list[object] = []

    def answer(prompt: str, images: list[Path]) -> str:
        heard.extend((prompt, images))
        return "2"

    assert reply(answer) == Answer(raw="2")
    assert heard == [asked().text, [Path("/run/000.png"), Path("/run/001.png")]]


def test_an_async_function_is_awaited() -> None:
    async def answer(prompt: str, images: list[Path]) -> str:
        return "2"

    assert reply(answer) == Answer(raw="2")


def test_whatever_a_function_raises_is_the_reason_of_an_error() -> None:
    def answer(prompt: str, images: list[Path]) -> str:
        raise RuntimeError("out of quota")

    async def later(prompt: str, images: list[Path]) -> str:
        raise KeyError("quota")

    told, told_later = str(reply(answer).error), str(reply(later).error)
    assert re.search(r"RuntimeError \(test_python\.py:\d+\): out of quota", told)
    assert re.search(r"KeyError \(test_python\.py:\d+\): 'quota'", told_later)


def test_a_function_that_leaves_the_program_does_not_end_the_run() -> None:
    def answer(prompt: str, images: list[Path]) -> str:
        sys.exit(3)

    told = "the agent called sys.exit(3)"
    assert reply(answer) == Answer(raw=None, error=told, kind="agent raised")


def test_an_agent_error_of_the_function_is_told_as_it_is() -> None:
    def answer(prompt: str, images: list[Path]) -> str:
        raise AgentError("please log in")

    assert reply(answer) == Answer(raw=None, error="please log in", kind="failed")


@pytest.mark.parametrize("wrong", [None, 2, b"2", ["2"], {"answer": "2"}])
def test_an_answer_that_is_no_text_is_an_error(wrong: object) -> None:
    async def later(prompt: str, images: list[Path]) -> object:
        return wrong

    for function in (lambda *_: wrong, later):
        answer = reply(function)
        assert answer.raw is None
        assert f"returned {type(wrong).__name__}, expected a str" in str(answer.error)


def test_a_function_that_takes_other_arguments_is_an_error() -> None:
    assert "TypeError" in str(reply(lambda _: "2").error)


@pytest.mark.parametrize(
    "code",
    [
        "def answer(prompt):\n    return '2'\n",
        "async def answer(prompt, images, scene):\n    return '2'\n",
        "def answer(*, prompt, images):\n    return '2'\n",
        "class answer:\n    def __call__(self, prompt, images):\n        return '2'\n",
    ],
    ids=["one", "three", "by-name", "class"],
)
def test_a_function_that_cannot_take_prompt_and_images_is_refused_when_it_is_named(
    brain: Callable[[str], str], code: str
) -> None:
    with pytest.raises(UsageProblem, match=r"is called with \(prompt, images\): a str and a list"):
        built(f"{brain(code)}:answer")


@pytest.mark.parametrize(
    "code",
    [
        "def answer(*arguments):\n    return '2'\n",
        "def answer(prompt, images=(), more=None):\n    return '2'\n",
        ROBOT,
        ROBOT.replace("    def", "    __signature__ = 3\n    def"),
    ],
    ids=["any", "more", "instance", "no-signature"],
)
def test_whatever_can_be_called_with_prompt_and_images_is_an_agent(
    brain: Callable[[str], str], code: str
) -> None:
    assert built(f"{brain(code)}:answer").ask(asked()) == "2"


def test_functions_are_found_by_module_and_attribute(brain: Callable[[str], str]) -> None:
    name = brain(
        "class Robot:\n    @staticmethod\n    def answer(prompt, images):\n        return '2'\n"
    )
    agent = built(f"{name}:Robot.answer")
    assert agent.ask(asked()) == "2"
    assert str(agent.identity).startswith(f"python:{name}:Robot.answer@")


def test_the_identity_changes_with_the_file_and_not_with_time(
    brain: Callable[[str], str], tmp_path: Path
) -> None:
    name = brain("def answer(prompt, images):\n    return '2'\n")
    path = tmp_path / f"{name}.py"
    first = built(f"{name}:answer").identity
    assert built(f"{name}:answer").identity == first
    path.touch()
    assert built(f"{name}:answer").identity == first
    path.write_text(path.read_text() + "# better\n", encoding="utf-8")
    assert built(f"{name}:answer").identity != first


def test_a_declared_revision_stands_for_the_file(
    brain: Callable[[str], str], tmp_path: Path
) -> None:
    name = brain("def answer(prompt, images):\n    return '2'\nanswer.metaspace_revision = 7\n")
    assert built(f"{name}:answer").identity == f"python:{name}:answer@7"
    path = tmp_path / f"{name}.py"
    path.write_text(path.read_text() + "# better\n", encoding="utf-8")
    assert built(f"{name}:answer").identity == f"python:{name}:answer@7"


def test_a_decorated_function_is_known_by_its_own_file() -> None:
    def answer(prompt: str, images: list[Path]) -> str:
        return "2"

    @functools.wraps(answer)
    def wrapped(*arguments: Any) -> str:
        return answer(*arguments)

    assert FunctionAgent("x", wrapped).identity == FunctionAgent("x", answer).identity
    assert FunctionAgent("x", wrapped).identity != FunctionAgent("y", answer).identity


@pytest.mark.parametrize(
    "name", ["python", "python:", "python:brain", "python:brain:", "python::f"]
)
def test_a_name_without_a_function_says_how_one_is_written(name: str) -> None:
    with pytest.raises(UsageProblem, match="is not python:MODULE:ATTRIBUTE, as in python:my_robot"):
        Registries.built_in().agent(name, Path("/nowhere"))


@pytest.mark.parametrize("name", ["no_such_module_of_ours:f", "no_such_module_of_ours.brain:f"])
def test_a_module_that_is_not_there_says_where_to_put_it(name: str) -> None:
    with pytest.raises(UsageProblem, match=r"cannot be imported .* pythonpath"):
        built(name)


def test_a_function_that_is_not_there_is_named(brain: Callable[[str], str]) -> None:
    name = brain("answer = 'a text'\n")
    for attribute in ("answer", "other", "answer.upper.nothing"):
        with pytest.raises(UsageProblem, match=f"has no function '{attribute}' to call"):
            built(f"{name}:{attribute}")
