"""``python:module:attribute``: the user's own agent, a function ``(prompt, images) -> str``.

The function may be async. ``images`` is a list of paths to picture files, in order. Its answers
are stored; they are asked for again when the file that defines the function changes, or when
the attribute ``metaspace_revision`` of the function does, where it has one.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.domain import Question


class FunctionAgent:
    """Hands prompt and pictures to a function of the user."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self._function = function
        revision = _revision(function)
        self.identity: str | None = None if revision is None else f"python:{name}@{revision}"

    def ask(self, question: Question) -> str | Awaitable[str]:
        """Call the function; whatever it raises becomes the reason of an *error*."""
        raw: str | Awaitable[str] = self._function(question.text, list(question.images))
        return raw


def _revision(function: Callable[..., Any]) -> str | None:
    """Return what tells one version of a function from the next; None where nothing does."""
    declared = getattr(function, "metaspace_revision", None)
    if declared is not None:
        return str(declared)
    inner: Any = inspect.unwrap(getattr(function, "func", function))  # through partial
    for thing in (inner, type(inner)):
        try:
            source = inspect.getsourcefile(thing)
            return hashlib.sha256(Path(source or "").read_bytes()).hexdigest()[:16]
        except (TypeError, OSError):
            continue
    return None


def _build(argument: str, context: AgentContext) -> FunctionAgent:
    module_name, _, attribute = argument.partition(":")
    if not module_name or not attribute:
        raise UsageProblem(
            f"metaspace: python:{argument} is not python:MODULE:ATTRIBUTE, as in "
            "python:my_robot.brain:answer."
        )
    for folder in (str(context.root), str(Path.cwd())):
        if folder not in sys.path:
            sys.path.append(folder)  # last, so that it shadows nothing
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as problem:  # a module of the user may raise anything
        raise UsageProblem(
            f"metaspace: the module {module_name!r} cannot be imported ({problem}). It is looked "
            f"for in {context.root} too; pytest's ini option pythonpath adds other folders."
        ) from problem
    for name in attribute.split("."):
        found = getattr(found, name, None)
    if not callable(found):
        raise UsageProblem(
            f"metaspace: {module_name!r} has no function {attribute!r} to call with "
            "(prompt, images)."
        )
    _check_parameters(argument, found)
    return FunctionAgent(argument, found)


def _check_parameters(name: str, function: Callable[..., Any]) -> None:
    """Refuse a function that no question could be put to; some callables have no signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind("", [])
    except TypeError as problem:
        raise UsageProblem(
            f"metaspace: python:{name} takes {signature} and is called with (prompt, images): a "
            f"str and a list of paths to pictures ({problem}). Give it these two parameters; of a "
            "class, name an instance that the module has made, or a static method."
        ) from problem


KIND = AgentKind(
    name="python",
    usage="python:MODULE:ATTRIBUTE",
    summary="your own function (prompt, images) -> str, sync or async",
    build=_build,
)
