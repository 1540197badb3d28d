"""The forms of answers that the tests of reading share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace.domain import AnswerFormat, Capability, Claim, Query
from pytest_metaspace.questions import answer_format
from tests.unit_support import thing, trajectory

if TYPE_CHECKING:
    from pytest_metaspace.domain import Trajectory

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
