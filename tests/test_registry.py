"""A registry names both origins of a clash, and near matches of an unknown name."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.registry import Registry


def filled() -> Registry[int]:
    made: Registry[int] = Registry("colour", "Paint one.")
    made.add("red", 1, "the box")
    made.add("green", 2, "the shop")
    return made


def test_things_come_back_by_name_and_in_order() -> None:
    made = filled()
    assert (made.get("red"), made.get("green"), list(made)) == (1, 2, [1, 2])
    assert made.names == ("red", "green")
    assert "red" in made
    assert "blue" not in made


def test_a_name_that_is_taken_names_both_origins() -> None:
    with pytest.raises(
        UsageProblem, match=r"colour 'red' is registered twice, by the box and by a thief"
    ):
        filled().add("red", 3, "a thief")


@pytest.mark.parametrize(
    "name", ["", " ", "two words", "a::b", "a/b", "a=1", "a,b", "\u00e4", 3, "x" * 81]
)
def test_a_name_that_nobody_can_type_is_refused(name: Any) -> None:
    with pytest.raises(UsageProblem) as caught:
        filled().add(name, 3, "the shop")
    assert str(caught.value) == (
        f"metaspace: colour {name!a}, registered by the shop, has a name that options and node ids "
        "cannot hold; expected 1 to 80 ASCII letters, digits, dots, dashes and underscores. "
        "Rename it."
    )


def test_an_unknown_name_lists_near_matches_all_names_and_how_to_add_one() -> None:
    with pytest.raises(UsageProblem) as caught:
        filled().get("grey")
    assert str(caught.value) == (
        "metaspace: colour 'grey' is not known. Did you mean 'green' or 'red'? Known: green, red. Paint one."
    )


def test_a_name_like_no_other_gets_no_guess() -> None:
    with pytest.raises(UsageProblem) as caught:
        filled().get("zzz")
    assert "Did you mean" not in str(caught.value)


def test_the_built_in_things_are_all_there() -> None:
    made = Registries.built_in()
    paper = ("MR1", "MR2", "MR3", "MR4", "MR5", "MR6", "A1", "A2", "A3")
    assert made.relations.names[:9] == paper
    assert all(name.startswith(("EMB-", "STARE-")) for name in made.relations.names[9:])
    assert made.suites.names == ("embspatial", "stare")
    assert {"truth", "geometric", "python", "replay", "mutant", "random", "collapsed"} <= set(
        made.agents.names
    )
    assert "metaspace-trajectory" in made.formats.names
