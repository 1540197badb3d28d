"""MR4 triangle: three distances must close, under the angle that the directions allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case
    from pytest_metaspace.mrs._grounds import Grounds


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every triple: distances 12, 23 and 13, and directions where they count.

    Directions bind distances in the ground plane, on exact legs, and in the paper's reading;
    elsewhere they would be asked for nothing.
    """
    planar = grounds.trajectory.distance_metric == "planar"
    for place, (a, b, c) in grounds.triples(capability):
        sides = ((a, b), (b, c), (a, c))
        exact = place.exact
        queries = [place.ask(capability, x, y) for x, y in sides]
        if planar or exact or grounds.settings.semantics == "paper":
            queries += [place.ask(capability.directions, x, y) for x, y in sides]
        yield grounds.case(
            relation="MR4",
            law="MR4",
            capability=capability,
            tag=place.tag,
            subjects=(a, b, c),
            queries=queries,
            exact=exact,
        )


RELATION = Relation(
    name="MR4",
    title="triangle inequality",
    capabilities=(
        Capability.MOVEMENT_DISTANCE,
        Capability.OBJECT_DISTANCE,
        Capability.MAP_DISTANCE,
    ),
    instances=instances,
)
