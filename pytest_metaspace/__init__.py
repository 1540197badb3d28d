"""Test the spatial cognition of embodied agents with pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_metaspace.domain import Action, Pose
    from pytest_metaspace.trajectories.recorder import TrajectoryRecorder
else:  # a type checker that saw this would take every name for one of ours

    def __getattr__(name: str) -> object:
        """Import what a robot needs when it is asked for: every pytest run imports us."""
        if name in ("Action", "Pose"):
            from pytest_metaspace import domain

            return getattr(domain, name)
        if name == "TrajectoryRecorder":
            from pytest_metaspace.trajectories.recorder import TrajectoryRecorder

            return TrajectoryRecorder
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__version__ = "0.1.0"
__all__ = ["Action", "Pose", "TrajectoryRecorder", "__version__"]
