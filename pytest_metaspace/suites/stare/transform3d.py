"""Solids that are turned, tipped, moved, made larger and skewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _asking, _draw, _solids3d, _steps3d
from pytest_metaspace.suites.stare._family import Made
from pytest_metaspace.suites.stare._world import World

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.suites.stare._affine import Figure
    from pytest_metaspace.suites.stare._family import Options
    from pytest_metaspace.suites.stare._world import Reading


def _readings(start: Figure, end: Figure, count: int) -> tuple[Reading, ...]:
    """Return no other reading: no turn brings a solid back onto itself, so there is one alone."""
    del start, end, count
    return ()


SOLID: Final = World(
    name="3d",
    shapes=tuple(_solids3d.CUBES),
    kinds=_steps3d.KINDS,
    noun="solid",
    catalogue=_steps3d.catalogue,
    draw=_solids3d.draw,
    inside=_solids3d.inside,
    large=_solids3d.large,
    likeness=_solids3d.likeness,
    extent=_solids3d.volume,
    picture=_solids3d.picture,
    words=_steps3d.words,
    mirrored=_steps3d.mirrored,
    turned=None,
    inverse=_steps3d.inverse,
    halves=_steps3d.halves,
    commute=_steps3d.commute,
    told=_solids3d.told,
    landmarks=_solids3d.landmarks,
    axes=_solids3d.AXES,
    readings=_readings,
)


def make(seed: int, number: int, options: Options, pictures: Path) -> Made:
    """Return the items of a number: without and with pictures between, and one that probes."""
    made = Made()
    puzzle = _draw.puzzle(SOLID, seed, number, options, made.dropped)
    _asking.ask(puzzle, pictures, made)
    return made
