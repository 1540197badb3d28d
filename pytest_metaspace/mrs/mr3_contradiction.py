"""MR3 contradiction: an answer, a claim about the same pair, and the same question reworded.

Three cases a pair: two with different claims, one with the open question asked again in other
words and with its options in another order. Claims are drawn uniformly, seeded by the identity
of the pair, so that they never change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, NONE, Capability, Claim
from pytest_metaspace.mrs import _ids
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case, Semantics
    from pytest_metaspace.mrs._grounds import Grounds

_MOST_STEPS = 12


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield two claims and one rewording for every pair."""
    for place, (a, b) in grounds.pairs(capability):
        seed = _ids.digest(grounds.trajectory.id, capability, "MR3", place.tag, (a, b))
        asked = place.ask(capability, a, b)
        for number, claim in enumerate(_claims(capability, seed, grounds.settings.semantics)):
            yield grounds.case(
                relation="MR3",
                law="MR3",
                capability=capability,
                tag=place.tag,
                subjects=(a, b),
                queries=[asked, place.ask(capability, a, b, claim=claim)],
                suffix=f"claim{number + 1}",
                identity=[claim.planar, claim.at_least, claim.exactly],
            )
        yield grounds.case(
            relation="MR3",
            law="MR3",
            capability=capability,
            tag=place.tag,
            subjects=(a, b),
            queries=[asked, place.ask(capability, a, b, wording=1)],
            suffix="reworded",
        )


def _claims(capability: Capability, seed: bytes, semantics: Semantics) -> tuple[Claim, Claim]:
    """Draw two different claims from a digest."""
    first, second = int.from_bytes(seed[:8], "big"), int.from_bytes(seed[8:16], "big")
    if capability.of_directions:
        labels = (*(ALLOCENTRIC if capability.about_map else EGOCENTRIC), NONE)
        i, j = _two_of(len(labels), first, second)
        return Claim(planar=labels[i]), Claim(planar=labels[j])
    i, j = _two_of(_MOST_STEPS, first, second)
    if semantics == "paper":
        return Claim(exactly=i + 1), Claim(exactly=j + 1)
    return Claim(at_least=i + 1), Claim(at_least=j + 1)


def _two_of(count: int, first: int, second: int) -> tuple[int, int]:
    """Turn two large numbers into two different indices under ``count``, all pairs alike."""
    i = first % count
    return i, (i + 1 + second % (count - 1)) % count


RELATION = Relation(
    name="MR3",
    title="contradiction",
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
