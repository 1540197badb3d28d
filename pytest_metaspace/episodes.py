"""A run's logs: how they are read, and which of their episodes are looked at."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.log_options import read_with
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.resolving import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.options import PluginOptions
    from pytest_metaspace.pipeline import Registries

_LONGEST = 300


def open_logs(config: pytest.Config, registries: Registries, options: PluginOptions) -> None:
    """Let logs of a run be read as its options say.

    Raises:
        UsageProblem: an option names a file that is not there, or no episodes.
    """
    values = options.logs
    read_with(
        registries,
        values,
        place=lambda name: place_of(config, name, values[name]),
        cache_dir=options.cache_dir,
    )
    config.pluginmanager.register(Told(config.rootpath, registries), "metaspace-episodes")


class Told:
    """Says which episodes of a log are looked at, where it is not all of them."""

    def __init__(self, root: Path, registries: Registries) -> None:
        self._root = root
        self._choice = registries.choice

    def pytest_collection_modifyitems(self) -> None:
        """Refuse episodes that are named and are in no log."""
        try:
            self._choice.require()
        except UsageProblem as problem:
            raise pytest.UsageError(str(problem)) from problem

    def pytest_report_collectionfinish(self) -> list[str]:
        """Say it where there are no workers, before anything is asked."""
        return list(self._lines())

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say it beside the scores, which are of these episodes."""
        config = terminalreporter.config
        if not hasattr(config, "workerinput") and not config.option.collectonly:
            for line in self._lines(only_drawn=True):
                terminalreporter.write_line(line)

    def _lines(self, *, only_drawn: bool = False) -> Iterator[str]:
        for line in self._choice.lines(self._shown, only_drawn=only_drawn):
            yield f"metaspace: {one_line(line, _LONGEST)}"

    def _shown(self, path: Path) -> str:
        return os.path.relpath(path, self._root) if path.is_relative_to(self._root) else str(path)
