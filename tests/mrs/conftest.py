"""A made-up trajectory with every kind of object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit_support import BACK, FORWARD, ODD_TURN, RIGHT, TURN, thing, trajectory

if TYPE_CHECKING:
    from pytest_metaspace.domain import Trajectory

LEFT_BOX = (50.0, 100.0, 110.0, 200.0)
MIDDLE_BOX = (250.0, 100.0, 310.0, 200.0)
RIGHT_BOX = (450.0, 100.0, 510.0, 200.0)
LOW_BOX = (250.0, 300.0, 310.0, 400.0)
CUT_BOX = (0.0, 100.0, 60.0, 200.0)


@pytest.fixture
def made() -> Trajectory:
    """Seven states with two turns; four persistent objects, one flickering, one seen once."""
    return trajectory(
        [FORWARD, TURN, FORWARD, RIGHT, ODD_TURN, BACK],
        [
            thing("lamp", {0: LEFT_BOX, 1: LEFT_BOX, 2: LEFT_BOX, 4: CUT_BOX}),
            thing("chair", {0: MIDDLE_BOX, 1: MIDDLE_BOX, 2: MIDDLE_BOX, 3: MIDDLE_BOX}),
            thing("bed", {0: RIGHT_BOX, 2: RIGHT_BOX, 3: RIGHT_BOX}),
            thing("Table", {2: LOW_BOX, 5: LOW_BOX}),
            thing("ghost", {0: LOW_BOX, 1: LOW_BOX}, confidence={0: 0.9, 1: 0.59}),
            thing("once", {6: LEFT_BOX}),
        ],
    )
