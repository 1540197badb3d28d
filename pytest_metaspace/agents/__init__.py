"""Agents, one family a file; each is registered as a stranger's would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.agents import (
    geometric,
    mutant,
    openai_compatible,
    python,
    replay,
    transformers_local,
    truth,
)
from pytest_metaspace.agents._endpoint import Endpoint
from pytest_metaspace.agents._kinds import Agent, AgentContext, AgentKind
from pytest_metaspace.agents._models import ModelOptions
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from pytest_metaspace.registry import Registry

BUILT_IN = (
    truth.KIND,
    geometric.KIND,
    python.KIND,
    replay.KIND,
    mutant.KIND,
    mutant.RANDOM,
    mutant.COLLAPSED,
    openai_compatible.KIND,
    transformers_local.KIND,
)


def build(name: str, kinds: Registry[AgentKind], context: AgentContext) -> Agent:
    """Make the agent that a full name asks for.

    Args:
        name: as on the command line, ``KIND`` or ``KIND:ARGUMENT``.
        kinds: what is registered.
        context: handed on to the builder.

    Raises:
        UsageProblem: no such agent, its argument is wrong, or it cannot be asked as the context
            says; the text says what to type.
    """
    made = wrapped(name, kinds, context)
    if context.models.structured == "on" and not getattr(made, "structured", False):
        raise UsageProblem(
            f"metaspace: --metaspace-structured=on: {name!a} cannot be held to a JSON schema; "
            "models behind an OpenAI-compatible endpoint can. Write auto, which does without "
            "where it has to, or off."
        )
    if context.models.weighs and not getattr(made, "weighs", False):
        raise UsageProblem(
            f"metaspace: --metaspace-prompting=likelihood: {name!a} does not tell how likely it "
            "finds each option; models in this process do (transformers:FOLDER_OR_NAME). Take one "
            "of them, or --metaspace-prompting=direct."
        )
    return made


def wrapped(name: str, kinds: Registry[AgentKind], context: AgentContext) -> Agent:
    """Make an agent, likewise, whatever whoever wraps it makes of its answers."""
    kind, _, argument = name.partition(":")
    if kind not in kinds and openai_compatible.is_model(name, context.models):
        kind, argument = openai_compatible.KIND.name, name
    return kinds.get(kind).build(argument, context)


__all__ = [
    "BUILT_IN",
    "Agent",
    "AgentContext",
    "AgentKind",
    "Endpoint",
    "ModelOptions",
    "build",
    "wrapped",
]
