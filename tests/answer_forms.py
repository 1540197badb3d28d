"""The forms of answers that the tests of reading share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace.domain import AnswerFormat, Capability, Claim, Item, Posing, Query
from pytest_metaspace.questions import answer_format
from tests.unit_support import thing, trajectory

if TYPE_CHECKING:
    from pytest_metaspace.domain import Form, Trajectory

LAMP, SHELF = "floor lamp", "Book-shelf"


def scene(*, vertical: bool, folder: Path = Path("/nowhere")) -> Trajectory:
    boxes = {0: (10, 10, 60, 60)}
    return trajectory(
        objects=[thing("lamp", boxes, label=LAMP), thing("shelf", boxes, label=SHELF)],
        vertical=vertical,
        folder=folder,
    )


def query(capability: Capability, claim: Claim | None = None) -> Query:
    if capability.value.startswith("SC1"):
        return Query(trajectory="made-up", capability=capability, a=0, b=1, claim=claim)
    b = None if capability.value.startswith("SC3") else "shelf"
    return Query(trajectory="made-up", capability=capability, a="lamp", b=b, claim=claim)


def form(code: str, *, vertical: bool = False) -> AnswerFormat:
    return answer_format(query(Capability(code)), scene(vertical=vertical))


MOVEMENT, VIEW, MAP = form("SC1-a"), form("SC2-a"), form("SC4-a")
FLIGHT, TALL_VIEW = form("SC1-a", vertical=True), form("SC2-a", vertical=True)
STEPS, METRES = form("SC2-b"), form("SC3-b")
YES_NO = answer_format(query(Capability.MAP_DISTANCE, Claim(at_least=3)), scene(vertical=False))


def item(text: str, form: Form, *options: str) -> AnswerFormat:
    """Return the answers that a question of a suite allows."""
    posing = Posing(text=text, options=options, images=(), answer=None, form=form)
    task = Capability.of_suite("TST", "task")
    made = replace(scene(vertical=False), items={task: Item(task=task, posings={"q": posing})})
    return answer_format(Query(trajectory="made-up", capability=task, a="q"), made)


COUNT = item("How many red cones are there?", "count")
OPTIONS = item("Are there more red cones or cones?", "word", "red cones", "cones", "equal")
AS_WORDS = item("Is the red cone to the left of the box?", "word", "yes", "no")
LETTERS = item("Which is nearest?", "letter", "lamp", "red sofa", "cup")
