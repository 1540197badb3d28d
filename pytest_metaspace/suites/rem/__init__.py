"""REM (COLM 2025): what somebody who walks past coloured shapes has seen, counted and in order.

``metaspace build rem`` writes walks of ours (docs/suite-rem.md).
"""

from __future__ import annotations

from pytest_metaspace.suites import BuildOption, Order, Suite
from pytest_metaspace.suites.rem._names import BOUNDS, CHANCE, CODE, ONLY, RELATIONS, TASKS


def build(order: Order) -> list[str]:
    """Write walks with their questions; return what to say of them.

    Raises:
        UsageProblem: they cannot be written or drawn.
    """
    from pytest_metaspace.suites.rem import _build

    return _build.build(order)


REM = Suite(
    name="rem",
    code=CODE,
    title="REM",
    tasks=TASKS,
    relations=RELATIONS,
    chance=CHANCE,
    only=ONLY,
    build=build,
    counted="walks, single frames, full rotations or of each, as --kind says",
    build_options=(
        BuildOption(
            name="kind",
            help="walks through a scene, single frames, full rotations on the spot, or so many "
            "of each",
            default="walk",
            choices=("walk", "frame", "rotation", "all"),
        ),
        BuildOption(
            name="frames",
            help="of a walk, 2 to 64; varied: 2 to 64 in turn; not of other kinds",
            default="varied",
            least=BOUNDS["frames"][0],
            most=BOUNDS["frames"][1],
        ),
        BuildOption(
            name="objects",
            help="in a scene, 2 to 55; varied: 8 to 48 in turn, 24 to 55 in single frames; not of "
            "full rotations",
            default="varied",
            least=BOUNDS["objects"][0],
            most=BOUNDS["objects"][1],
        ),
        BuildOption(
            name="duplicates",
            help="objects of a kind that another one is of already, 0 to 53; varied: 0 to 46 in "
            "turn; not of full rotations",
            default="varied",
            least=BOUNDS["duplicates"][0],
            most=BOUNDS["duplicates"][1],
        ),
    ),
)
