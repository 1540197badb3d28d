"""MR1 transitivity: the direction of a whole follows from the directions of its two legs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case
    from pytest_metaspace.mrs._grounds import Grounds


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every triple (s1, s2, s3): directions 12, 23 and 13."""
    for place, (a, b, c) in grounds.triples(capability):
        yield grounds.case(
            relation="MR1",
            law="MR1",
            capability=capability,
            tag=place.tag,
            subjects=(a, b, c),
            queries=[place.ask(capability, x, y) for x, y in ((a, b), (b, c), (a, c))],
            exact=place.exact,
        )


RELATION = Relation(
    name="MR1",
    title="transitivity",
    capabilities=(
        Capability.MOVEMENT_DIRECTION,
        Capability.OBJECT_DIRECTION,
        Capability.MAP_DIRECTION,
    ),
    instances=instances,
)
