"""MR2 symmetry: there and back are opposite directions over one distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case
    from pytest_metaspace.mrs._grounds import Grounds


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every pair: asked from a to b, and from b to a."""
    for place, (a, b) in grounds.pairs(capability):
        yield grounds.case(
            relation="MR2",
            law="MR2",
            capability=capability,
            tag=place.tag,
            subjects=(a, b),
            queries=[place.ask(capability, a, b), place.ask(capability, b, a)],
        )


RELATION = Relation(
    name="MR2",
    title="symmetry",
    capabilities=(
        Capability.MOVEMENT_DIRECTION,
        Capability.MOVEMENT_DISTANCE,
        Capability.OBJECT_DIRECTION,
        Capability.OBJECT_DISTANCE,
        Capability.MAP_DIRECTION,
        Capability.MAP_DISTANCE,
    ),
    instances=instances,
)
