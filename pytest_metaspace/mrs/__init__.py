"""Metamorphic relations, one a file: which windows, which questions, which law."""

from pytest_metaspace.mrs import (
    a1_projection,
    a2_odometry,
    a3_truth,
    mr1_transitivity,
    mr2_symmetry,
    mr3_contradiction,
    mr4_triangle,
    mr5_size_depth,
    mr6_size_ratio,
)
from pytest_metaspace.mrs._grounds import Grounds
from pytest_metaspace.mrs._places import Map, View, Window
from pytest_metaspace.mrs._relation import Relation

RELATED = (
    mr1_transitivity.RELATION,
    mr2_symmetry.RELATION,
    mr3_contradiction.RELATION,
    mr4_triangle.RELATION,
    mr5_size_depth.RELATION,
    mr6_size_ratio.RELATION,
)
"""Relations among answers."""
ANCHORED = (a1_projection.RELATION, a2_odometry.RELATION, a3_truth.RELATION)
"""Relations of answers to what was measured, recorded or is known."""
BUILT_IN = (*RELATED, *ANCHORED)

__all__ = ["ANCHORED", "BUILT_IN", "RELATED", "Grounds", "Map", "Relation", "View", "Window"]
