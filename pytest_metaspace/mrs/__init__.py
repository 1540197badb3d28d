"""Metamorphic relations, one a file: which windows, which questions, which law."""

from pytest_metaspace.mrs import (
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

BUILT_IN = (
    mr1_transitivity.RELATION,
    mr2_symmetry.RELATION,
    mr3_contradiction.RELATION,
    mr4_triangle.RELATION,
    mr5_size_depth.RELATION,
    mr6_size_ratio.RELATION,
)

__all__ = ["BUILT_IN", "Grounds", "Map", "Relation", "View", "Window"]
