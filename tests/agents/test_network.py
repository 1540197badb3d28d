"""Names of agents: near matches for a slip, an honest word for a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_metaspace.agents.network import sorry
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.pipeline import Registries


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4o",
        "GPT-4o",
        "claude-3-opus",
        "qwen2.5-vl",
        "openai:gpt-4o",
        "o3",
        "llava",
        "gemini-2.0",
    ],
)
def test_the_name_of_a_model_is_told_honestly(name: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        Registries.built_in().agent(name, Path("/nowhere"))
    text = str(caught.value)
    assert f"{name!r} is the name of a model" in text
    assert "will not answer in a model's place" in text
    assert "python:MODULE:FUNCTION" in text
    assert "replay:FILE" in text


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


@pytest.mark.parametrize(
    "name", ["truth", "random", "python:gpt:answer", "mutant:mirrored:truth", "", "orange"]
)
def test_names_that_are_no_models_get_no_apology(name: str) -> None:
    assert sorry(name) is None
