"""A baseline gate seldom accuses an agent that has not changed, and sees one that has."""

from __future__ import annotations

from benchmarks import calibration


def test_an_unchanged_agent_with_dice_in_it_seldom_fails() -> None:
    """benchmarks/calibration.py does the same with 2,000 pairs of runs of each size."""
    found = calibration.simulate(12, 0.0, pairs=300, seed=2)
    assert found.gate <= 0.06
    assert found.mcnemar > 0.2
    assert found.fixed > 0.5


def test_an_agent_that_got_worse_fails_when_there_are_trajectories_enough() -> None:
    assert calibration.simulate(60, 0.1, pairs=60, seed=2).gate > 0.9


def test_with_few_trajectories_nothing_fails_and_much_is_undecided() -> None:
    found = calibration.simulate(5, 0.1, pairs=60, seed=2)
    assert (found.gate, found.undecided > 0.9) == (0.0, True)
