"""The relation that the tutorial writes holds for an agent that is right, wherever it is asked."""

from __future__ import annotations

import runpy
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Outcome, Settings
from tests.test_docs import ROOT, blocks

if TYPE_CHECKING:
    from pathlib import Path

ALL = ROOT / "fixtures" / "household"


@pytest.fixture
def registries(tmp_path: Path) -> pipeline.Registries:
    for block in blocks(ROOT / "docs" / "tutorial-relation.md"):
        if block.file in ("loop.py", "loop.pl"):
            (tmp_path / block.file).write_text(block.body + "\n", encoding="utf-8")
    known = pipeline.Registries.built_in()
    relation = runpy.run_path(str(tmp_path / "loop.py"))["RELATION"]
    known.relations.add(relation.name, relation, "the tutorial")
    return known


def outcomes(agent: str, registries: pipeline.Registries) -> list[Outcome]:
    settings = Settings(relations=frozenset(["LOOP"]))
    run = pipeline.run([ALL], agent, settings, registries=registries)
    return [verdict.outcome for verdict in run.verdicts]


def test_truth_walks_every_loop_that_ships(registries: pipeline.Registries) -> None:
    found = outcomes("truth", registries)
    assert len(found) >= 7
    assert set(found) == {Outcome.SATISFIED}


def test_who_always_goes_on_is_convicted_of_each(registries: pipeline.Registries) -> None:
    assert set(outcomes("mutant:constant:truth", registries)) == {Outcome.VIOLATED}
