"""A run's tracker: opened when the run is configured, at work while trajectories are collected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.progress import progress_on
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.tracker_options import following_of

if TYPE_CHECKING:
    import pytest

    from pytest_metaspace.options import PluginOptions
    from pytest_metaspace.pipeline import Registries
    from pytest_metaspace.progress import Progress
    from pytest_metaspace.tracking import Following


def open_tracker(config: pytest.Config, registries: Registries, options: PluginOptions) -> None:
    """Let trajectories of a run be completed by the tracker that the options choose, if any.

    Raises:
        UsageProblem: there is no such tracker, or it cannot be made.
    """
    following = following_of(
        registries, options.tracking, root=options.root, cache_dir=options.cache_dir
    )
    if following is None:
        return
    progress = progress_on(config)
    following.progress = progress
    registries.following = following
    config.add_cleanup(following.finish)
    config.pluginmanager.register(AtWork(following, progress), "metaspace-tracker")


class AtWork:
    """Lets the tracker go when all trajectories are collected."""

    def __init__(self, following: Following, progress: Progress) -> None:
        self._following = following
        self._progress = progress

    def pytest_collection_finish(self) -> None:
        """Give memory back, let other processes detect, and clear the line of progress."""
        self._following.finish()
        self._progress.close()

    def pytest_report_header(self) -> str:
        """Say what finds the objects."""
        return f"metaspace: objects found by {one_line(self._following.name)}"
