"""Hand-written tests beside the collected trajectories: the same cases, scored once."""

import pytest


@pytest.mark.metaspace(sc="SC1-a", mr="MR2", trajectories="../fixtures/household/study-01")
def test_the_way_back_is_the_opposite_way(metaspace_case):
    metaspace_case.check()


def test_the_judge_accepts_what_can_be_true(metaspace_oracle):
    metaspace_oracle.assert_consistent(
        [
            {"kind": "direction", "from": "sofa", "to": "lamp", "planar": "left"},
            {"kind": "direction", "from": "lamp", "to": "sofa", "planar": "right"},
        ],
        relation="MR2",
        subjects=["sofa", "lamp"],
    )
