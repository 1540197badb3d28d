"""Names of agents: near matches for a slip."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_metaspace import prices
from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.pipeline import Registries


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("truht", "'truth'"),
        ("mutent:mirrored:truth", "'mutant'"),
        ("Replay:x", "'replay'"),
        ("pyton:a:b", "'python'"),
    ],
)
def test_a_slip_lists_near_matches_and_all_names(name: str, guess: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        Registries.built_in().agent(name, Path("/nowhere"))
    text = str(caught.value)
    assert f"agent {name.partition(':')[0]!r} is not known. Did you mean {guess}" in text
    for known in ("geometric", "random", "collapsed", "python", "truth"):
        assert known in text
    assert "python:MODULE:FUNCTION" in text


@pytest.mark.parametrize("name", ["gpt-4o", "GPT-4.1-mini", "o3", "o4-mini", "openai:llava"])
def test_names_of_models_need_no_prefix_where_they_are_openais(name: str) -> None:
    found = Registries.built_in().agent(name, Path("/nowhere"))
    assert isinstance(found, OpenAIAgent)


@pytest.mark.parametrize("name", ["trut", "orange", "llava", "gptx"])
def test_other_names_are_a_slip_and_the_way_to_a_model_is_told(name: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        Registries.built_in().agent(name, Path("/nowhere"))
    assert "openai:MODEL" in str(caught.value)


@pytest.mark.parametrize("name", ["truth", "random", "mutant:mirrored:truth"])
def test_json_is_not_insisted_on_where_nobody_can_hold_an_agent_to_it(name: str) -> None:
    insisting = ModelOptions(structured="on")
    told = re.escape(f"--metaspace-structured=on: {name!r} cannot be held to a JSON schema")
    with pytest.raises(UsageProblem, match=told):
        Registries.built_in().agent(name, Path("/nowhere"), insisting)
    assert Registries.built_in().agent(name, Path("/nowhere"), ModelOptions(structured="auto"))


@pytest.mark.parametrize("name", ["gpt-4o", "openai:llava", "python:math:pow"])
def test_who_does_not_tell_likelihoods_is_refused_before_it_is_asked(name: str) -> None:
    told = re.escape(f"--metaspace-prompting=likelihood: {name!r} does not tell how likely")
    with pytest.raises(UsageProblem, match=f"{told}.*transformers:FOLDER_OR_NAME"):
        Registries.built_in().agent(name, Path("/nowhere"), ModelOptions(weighs=True))


@pytest.mark.parametrize("name", ["truth", "random", "collapsed", "mutant:mirrored:truth"])
def test_who_computes_answers_when_likelihoods_are_wanted(name: str) -> None:
    assert Registries.built_in().agent(name, Path("/nowhere"), ModelOptions(weighs=True))


@pytest.mark.parametrize("name", ["gpt-4o", "mutant:mirrored:openai:llava"])
def test_json_is_insisted_on_with_models_and_their_mutants(name: str) -> None:
    assert Registries.built_in().agent(name, Path("/nowhere"), ModelOptions(structured="on"))


@pytest.mark.parametrize(
    "name", ["gpt-4o", "openai:gpt-4o", "mutant:mirrored:gpt-4o", "mutant:a:mutant:b:openai:GPT-4o"]
)
def test_the_price_of_a_model_is_that_of_its_mutants(name: str) -> None:
    assert prices.of(name) == (2.50, 10.00)
    assert prices.picture_scale(f"{name}-mini") > 30
