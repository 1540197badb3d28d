"""MR6 size ratio: two things keep their ratio of sizes, whichever frame shows them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs._ids import word
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case
    from pytest_metaspace.mrs._grounds import Grounds


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every two objects and every two frames that show both whole."""
    for one, other in combinations(grounds.persistent, 2):
        both = sorted(set(grounds.seen(one)) & set(grounds.seen(other)))
        whole = [f for f in both if grounds.whole(one, f) and grounds.whole(other, f)]
        unfit = len(both) * (len(both) - 1) // 2 - len(whole) * (len(whole) - 1) // 2
        if unfit:
            grounds.drops["MR6: an object is not whole in both frames"] += unfit
        for first, last in combinations(whole, 2):
            if not (grounds.rested(one, first, last) and grounds.rested(other, first, last)):
                grounds.drops["MR6: an object was moved"] += 1
                continue
            yield grounds.case(
                relation="MR6",
                law="MR6",
                capability=capability,
                tag="",
                subjects=(first, last),
                objects=(one.id, other.id),
                queries=[
                    grounds.about(capability, thing, frame)
                    for frame in (first, last)
                    for thing in (one, other)
                ],
                tolerance={"size": grounds.settings.delta},
                suffix=f"{word(one.id)}-{word(other.id)}",
                identity=[one.id, other.id],
            )


RELATION = Relation(
    name="MR6",
    title="size ratio",
    capabilities=(Capability.SIZE,),
    instances=instances,
)
