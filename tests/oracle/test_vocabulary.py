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
    assert told["relations"] == ["MR1", "MR2", "MR3", "MR4", "MR5", "MR6"]
    assert told["kinds"] == ["direction", "distance", "claim", "size_px", "depth", "size"]


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
