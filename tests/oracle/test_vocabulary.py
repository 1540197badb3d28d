"""Prolog and Python speak of the same things."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_metaspace.oracle import Oracle


def test_the_engine_describes_itself(each_oracle: Oracle) -> None:
    told = each_oracle.describe()
    assert told["engine"] in ("pyswip", "swipl", "wasm")
    assert ("pyswip" in told) == (told["engine"] == "pyswip")
    assert told["swi_prolog"].split(".")[0].isdigit()
    relations = ["MR1", "MR2", "MR3", "MR4", "MR5", "MR6", "A1", "A2", "A3", "MAP", "DIFF"]
    relations += ["IMP", "SUM", "MON", "INV"]
    assert told["relations"] == relations
    asked = ["direction", "distance", "claim", "size_px", "depth", "size", "choice"]
    given = ["columns", "principal_column", "action", "heading", "step_length", "becomes"]
    given += ["if_answer", "if_counts", "then_answer", "side", "asks_about", "true"]
    assert told["kinds"] == [*asked, *given]


def test_the_vocabulary_is_that_of_the_contract(oracle: Oracle) -> None:
    told = oracle.describe()
    assert told["heading"] == (
        ["front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left"]
    )
    assert told["compass"] == (
        ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
    )
    assert told["vertical"] == ["above", "level", "below"]
    assert told["none"] == "none"
