"""A3 ground truth: each answer is compared with the true one. This is accuracy.

Labels, whole steps and yes or no have to be the true ones; metres have to be within the tolerance
of MR5 (depth) or MR6 (size).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, TrueAnswer
from pytest_metaspace.mrs._relation import Relation
from pytest_metaspace.true_values import true_value, unknown_to_truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case, Query, Subject
    from pytest_metaspace.mrs._grounds import Grounds


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every question, open or about a claim, whose true answer is known."""
    truth = grounds.trajectory.truth
    for query in grounds.questions(capability):
        if truth is None or unknown_to_truth(query, grounds.trajectory) is not None:
            grounds.drops["A3: the true answer is not known"] += 1
            continue
        opened = replace(query, claim=None, wording=0)
        claim = query.claim
        yield grounds.case(
            relation="A3",
            law="A3",
            capability=capability,
            tag=_tag(query),
            subjects=_subjects(query),
            queries=[query],
            givens=(TrueAnswer(opened, true_value(opened, grounds.trajectory)),),
            suffix="claim" if claim is not None else "reworded" if query.wording else "",
            identity=[] if claim is None else [claim.planar, claim.at_least, claim.exactly],
        )


def _tag(query: Query) -> str:
    if query.reference is None:
        return "map"
    return f"{'h' if isinstance(query.a, int) else 'f'}{query.reference:03d}"


def _subjects(query: Query) -> tuple[Subject, ...]:
    return (query.a,) if query.b is None else (query.a, query.b)


RELATION = Relation(
    name="A3",
    title="accuracy against ground truth",
    capabilities=tuple(Capability),
    instances=instances,
    anchored=True,
)
