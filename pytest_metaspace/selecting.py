"""What a run is to look at beside what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def new_arguments(config: pytest.Config, paths: Iterable[Path]) -> list[str]:
    """Return the paths that pytest would not collect anyway.

    Of two arguments of which one holds the other, pytest 8 collects only the inner one: the tests
    of a whole repository would be lost beside its trajectories.
    """
    start = config.invocation_params.dir
    taken = [start / argument for argument in config.args]
    nested = pytest.version_tuple < (9,)
    return [
        str(path)
        for path in paths
        if path not in taken and not (nested and any(map(path.is_relative_to, taken)))
    ]
