"""Which intermediate pictures of changes are shown: the same items, with more or fewer of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import stare_soundness
from pytest_metaspace.domain import AS_WRITTEN
from pytest_metaspace.suites.stare import STARE, _asking, _draw
from pytest_metaspace.suites.stare._family import Made

if TYPE_CHECKING:
    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._world import Puzzle

SEED = 3
NUMBERS = (*range(2, 6), *range(8, 12), 16, 17)
"""Puzzles of two and three steps, shown and told."""


def _made(number: int, pictures: str) -> tuple[Puzzle, dict[str, Item]]:
    made = Made()
    puzzle = _draw.puzzle(
        stare_soundness.WORLDS["2d"], SEED, number, {"pictures": pictures}, made.dropped
    )
    _asking.ask(puzzle, Path("pictures"), made)
    return puzzle, dict(made.items)


def _said(posing: Posing) -> list[tuple[int, int]]:
    """Return the pictures that are said to be taken after a step, each with the step."""
    shown = re.findall(r"Image (\d+) shows it after step (\d+)\.", posing.context)
    told = re.findall(r"Step (\d+): [^.]*\. Image (\d+) shows it then\.", posing.context)
    return [(int(image), int(step)) for image, step in (*shown, *((b, a) for a, b in told))]


@pytest.mark.parametrize("pictures", _draw.PICTURES)
def test_a_picture_is_taken_after_the_step_that_is_said(pictures: str) -> None:
    counts = set()
    for number in NUMBERS:
        puzzle, items = _made(number, pictures)
        steps = len(puzzle.steps)
        asked = next(item for name, item in items.items() if name.endswith("-with"))
        posing = asked.posings[AS_WRITTEN]
        said = _said(posing)
        names = [name for name, _ in stare_soundness.parts(posing)]
        assert all(names[image - 1].endswith(str(step)) for image, step in said)
        between = [step for image, step in said if names[image - 1][-2] == "b"]
        counts.add((steps, len(between)))
        assert (
            between
            == {
                "all": list(range(1, steps)),
                "last": [steps - 1],
                "partial": list(range(1, len(between) + 1)),
            }[pictures]
        )
        before = 1 + len(between) if puzzle.told else 3 + 2 * len(between)
        assert len(names) == before + len(posing.options)
    assert (
        counts
        == {
            "all": {(2, 1), (3, 2)},
            "last": {(2, 1), (3, 1)},
            "partial": {(2, 1), (3, 1), (3, 2)},
        }[pictures]
    )


def test_all_else_is_the_same_and_every_tie_holds() -> None:
    assert next(one for one in STARE.build_options if one.name == "pictures").choices == (
        _draw.PICTURES
    )
    for number in NUMBERS[:6]:
        found = []
        for pictures in _draw.PICTURES:
            puzzle, items = _made(number, pictures)
            assert not [
                one for item in items.values() for one in stare_soundness.wrong(puzzle, item)
            ]
            found.append(
                {
                    name: (
                        [(key, tie.posings) for key, tie in enumerate(item.ties)],
                        item.posings[AS_WRITTEN].context if not name.endswith("-with") else "",
                        stare_soundness.parts(item.posings[AS_WRITTEN])[-4:],
                    )
                    for name, item in items.items()
                }
            )
        assert found[0] == found[1] == found[2]
