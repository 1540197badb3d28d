"""Flat shapes that are turned, flipped, moved, made larger and skewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import _asking, _draw, _readings2d, _shapes2d, _steps2d
from pytest_metaspace.suites.stare._family import Made
from pytest_metaspace.suites.stare._world import World

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.suites.stare._affine import Figure
    from pytest_metaspace.suites.stare._family import Options


def _picture(figure: Figure, colour: int) -> bytes:
    return _shapes2d.picture(figure, _shapes2d.COLOURS[colour])


FLAT: Final = World(
    name="2d",
    shapes=_shapes2d.NAMES,
    kinds=_steps2d.KINDS,
    noun="shape",
    catalogue=_steps2d.catalogue,
    draw=_shapes2d.draw,
    inside=_shapes2d.inside,
    large=_shapes2d.large,
    likeness=_shapes2d.overlap,
    extent=_shapes2d.area,
    picture=_picture,
    words=_steps2d.words,
    mirrored=_steps2d.mirrored,
    turned=_steps2d.turned,
    inverse=_steps2d.inverse,
    halves=_steps2d.halves,
    commute=_steps2d.commute,
    told=_shapes2d.told,
    landmarks=_shapes2d.landmarks,
    axes=_shapes2d.AXES,
    readings=_readings2d.readings,
)


def make(seed: int, number: int, options: Options, pictures: Path) -> Made:
    """Return the items of a number: without and with pictures between, and one that probes."""
    made = Made()
    puzzle = _draw.puzzle(FLAT, seed, number, options, made.dropped)
    _asking.ask(puzzle, pictures, made)
    return made
