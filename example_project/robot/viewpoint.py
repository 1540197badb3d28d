"""A relation of our own: how far two things are apart does not depend on who looks from where.

Source: the distance between two objects, asked in one frame. Follow-up: the same, asked in the
next frame that shows both. The law is that of MR3: two open answers to one question are equal.
"""

from itertools import combinations, pairwise

from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs import Relation, View


def instances(grounds, capability):
    for one, other in combinations(grounds.persistent, 2):
        shown = [f for f, things in grounds.whole_in.items() if one in things and other in things]
        for first, last in pairwise(shown):
            if not (grounds.rested(one, first, last) and grounds.rested(other, first, last)):
                continue
            views = [View(grounds.trajectory, frame) for frame in (first, last)]
            yield grounds.case(
                relation="VIEWPOINT",
                law="MR3",
                capability=capability,
                tag=f"f{first:03d}-f{last:03d}",
                subjects=(one.id, other.id),
                queries=[view.ask(capability, one.id, other.id) for view in views],
            )


RELATION = Relation(
    name="VIEWPOINT",
    title="viewpoint invariance",
    capabilities=(Capability.OBJECT_DISTANCE,),
    instances=instances,
)
