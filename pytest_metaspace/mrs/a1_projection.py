"""A1 projection: what is seen left of where a level camera looks lies left of what is right of it.

A case holds one answer against one pair of boxes, so that it can say which answer is wrong. The
question there and the question back are therefore two cases.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, Columns, PrincipalColumn
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Box, Case, Query
    from pytest_metaspace.mrs._grounds import Grounds

MAX_ROLL_DEG = 2.0


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every open question whose boxes lie on two sides of the camera's axis."""
    for query in grounds.questions(capability):
        if query.claim is not None:
            continue
        reason = _unfit(grounds, query)
        if reason:
            grounds.drops[f"A1: {reason}"] += 1
            continue
        assert isinstance(query.b, str)
        frame = _frame(query)
        yield grounds.case(
            relation="A1",
            law="A1",
            capability=capability,
            tag=f"f{frame:03d}",
            subjects=(query.a, query.b),
            queries=[query],
            givens=(
                *(
                    Columns(frame=frame, object=name, left=box.x1, right=box.x2)
                    for name, box in _boxes(grounds, query)
                ),
                PrincipalColumn(frame, _column(grounds)),
            ),
            suffix="reworded" if query.wording else "",
        )


def _frame(query: Query) -> int:
    """Return the frame of a view, which is also what its directions are told from."""
    assert query.reference is not None
    return query.reference


def _column(grounds: Grounds) -> float:
    """Return where the camera looks; the middle of the image where that is not known."""
    camera = grounds.trajectory.camera
    return camera.width / 2 if camera.cx is None else camera.cx


def _boxes(grounds: Grounds, query: Query) -> list[tuple[str, Box]]:
    things = grounds.trajectory.by_id
    return [(str(name), things[str(name)].boxes[_frame(query)]) for name in (query.a, query.b)]


def _unfit(grounds: Grounds, query: Query) -> str | None:
    """Say why the boxes tell nothing, or None."""
    frame, things = _frame(query), grounds.trajectory.by_id
    if not all(grounds.whole(things[str(name)], frame) for name in (query.a, query.b)):
        return "an object is not whole"
    truth = grounds.trajectory.truth
    roll = 0.0 if truth is None else abs(truth.poses[frame].roll_deg)
    if roll >= MAX_ROLL_DEG:
        return "the camera is not level"
    sides = {_side(grounds, box, roll) for _, box in _boxes(grounds, query)}
    return (
        None if sides == {-1, 1} else "the objects are not on two sides of where the camera looks"
    )


def _side(grounds: Grounds, box: Box, roll_deg: float) -> int:
    """Return -1 for a box wholly left of where the camera looks, 1 for right, 0 for neither.

    A roll moves what is high or low in the picture sideways; so much a box has to be clear.
    """
    camera = grounds.trajectory.camera
    row = camera.height / 2 if camera.cy is None else camera.cy
    clear = math.tan(math.radians(roll_deg)) * max(abs(box.y1 - row), abs(box.y2 - row))
    column = _column(grounds)
    return (box.x1 >= column + clear) - (box.x2 <= column - clear)


RELATION = Relation(
    name="A1",
    title="projection",
    capabilities=(Capability.OBJECT_DIRECTION,),
    instances=instances,
    anchored=True,
)
